// Direct logit attribution: how much each part of the model adds to one logit, or to the difference of two (Elhage et al. 2021, "A
// Mathematical Framework for Transformer Circuits"; Wang et al. 2022, arXiv 2211.00593). A part counts by what it writes itself, not by what
// later layers make of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/attribution/stream_parts.h"

namespace headlight {

/// logit[token] − logit[against] at a position, or logit[token] alone.
struct LogitQuestion {
  Index position = 0;
  std::int64_t token = 0;
  std::optional<std::int64_t> against = {};
  bool operator==(const LogitQuestion&) const = default;
};

struct LogitPart {
  PartId id;
  double value = 0;
};

struct LogitParts {
  LogitQuestion question;
  std::vector<LogitPart> parts;         ///< in the order of the computation
  double sum = 0;                       ///< of all parts
  double logit = 0;                     ///< what the model computes: before the soft-cap, where it has one; equal to the sum within 1e-4
  std::vector<std::string> notes = {};  ///< what was held in place so that the parts add up, a sentence each
  /// 0 where the model has no such part.
  double value(PartId id) const;
};

/// The last norm, and norms between the parts (post-norm models, norms of branches), are held at the scale that they have at this position;
/// the activation before a masked language model's logits at its ratio f(x) / x (the identity rule of Achtibat et al. 2024, arXiv 2402.05602).
/// Throws Error (usage): why_no_logit_parts, no such position, an id that the vocabulary does not have; Cancelled.
LogitParts attribute_logit(const Snapshot& snapshot, const LogitQuestion& question, ThreadPool& pool, const Watch& watch = {});

/// One head's part by the token that it was read from.
struct SourceParts {
  std::vector<double> adds = {};  ///< weight · v · W_O of each key [keys]; sums to the head's part; zeros of a head that is switched off
  std::vector<float> weights = {};  ///< the position's row of the head's map [keys]
};
/// Throws Error (usage) too for a head whose z an edit put in: it was not read from these tokens.
SourceParts attribute_sources(const Snapshot& snapshot, const LogitQuestion& question, HeadId head, ThreadPool& pool,
                              const Watch& watch = {});

/// Why there are no such parts of this run, as a sentence; empty: there are.
std::string why_no_logit_parts(const Snapshot& snapshot);

}  // namespace headlight
