// Why this cell: the score of one query with one key of a head, split into what the query's side and the key's side are made of. q and k are
// linear in the stream once norms are held at their scale, and turning by position (rotary) is linear too, so q·k is a sum over pairs of
// parts (Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits", section on QK circuits).
#pragma once

#include <string>
#include <vector>

#include "engine/attribution/stream_parts.h"

namespace headlight {

struct CellParts {
  HeadId head;
  Index query = 0, key = 0;
  std::vector<PartId> query_parts, key_parts;  ///< in the order of the computation
  Doubles table;                               ///< [query parts, key parts]: what each pair adds to the score
  double sum = 0;                              ///< of the table
  float score = 0;                             ///< q·k of the run, or their cosine; equal to the sum within 1e-4 of the lengths of q and k
  float factor = 1;                            ///< what the score is multiplied by: 1/√d_head · 1/temperature
  float final_score = 0;                       ///< after factor, soft-cap and what positions add, before the mask
  float weight = 0;
  bool is_allowed = true;          ///< by the mask
  std::vector<std::string> notes;  ///< what was held in place, and what else is in the final score, a sentence each

  DoubleRow by_query() const { return table.rowwise().sum().transpose(); }  ///< [query parts], summed over the key's parts
  DoubleRow by_key() const { return table.colwise().sum(); }                ///< [key parts]
};

/// Throws Error (usage): why_no_cell_parts, no such head, query or key; Cancelled.
CellParts explain_cell(const Snapshot& snapshot, HeadId head, Index query, Index key, ThreadPool& pool, const Watch& watch = {});

/// Why a head's scores have no such parts, as a sentence; empty: they have.
std::string why_no_cell_parts(const Snapshot& snapshot, HeadId head);

}  // namespace headlight
