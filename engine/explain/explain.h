// "Explain this": a cell, a row, a key, a head or what edits changed, in a sentence or two made of their numbers. Nothing is said that the
// numbers do not say: what a cell would be without the mask only where its score is known, what a head is called only with its measure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/explain/reading.h"
#include "engine/figure/axes.h"
#include "engine/measures/head_label.h"
#include "engine/snapshot.h"

namespace headlight {

/// Words in a row; tokens are told apart by their axis.
struct Wording {
  enum class Kind : std::uint8_t { plain, query, key } kind = Kind::plain;
  std::string text;
};
using Explanation = std::vector<Wording>;
std::string text_of(const Explanation& explanation);

/// A head's map and what is known of it.
struct ExplainedHead {
  const HeadMaps& maps;
  AxisLabels queries, keys;
  std::string name;                ///< "head 2.5"
  const HeadRule* rule = nullptr;  ///< null: maps from a file, which have no scores
  std::string mask = {};           ///< the text of the mask, where it is the model's own; empty: it is known by its cells
  bool is_mask_assumed = false;
  bool is_one_text = true;  ///< queries and keys are the same tokens
};
/// Of a run; labels as axis_labels has them.
ExplainedHead explained_head(const Snapshot& run, HeadId head, const HeadMaps& maps, AxisLabels queries, AxisLabels keys);

/// “it” gives 61 % of head 2.5’s attention to “animal”, then 9 % to “street”; without the mask it would be 40 %. Says of a masked cell why it is
/// 0, of an even row that it is even, and of the first token that it may be a sink.
Explanation explain_cell(const ExplainedHead& head, Cell cell);
/// Where a query looks: its three largest keys.
Explanation explain_row(const ExplainedHead& head, Index query);
/// Who looks at a key, and how much it receives in all.
Explanation explain_key(const ExplainedHead& head, Index key);

/// What the rows of a head have in common, by the measures that every run comes with; those that are undefined are left out.
Explanation explain_head(const Snapshot& run, HeadId head);
/// What the head may be called: the measure that names a kind of head and is farthest above its threshold, as a hint with threshold and number of
/// queries; if none is above, the one that comes nearest.
Explanation explain_kind(const Snapshot& run, HeadId head, const HeadMaps& maps);

/// What edits did to a cell: before and now. `before`: of the same head and tokens; `since`: what to call that, "Before the edits".
Explanation explain_change(const ExplainedHead& now, const HeadMaps& before, Cell cell, const std::string& since);
/// The same of the whole map: the cell that changed most.
Explanation explain_changes(const ExplainedHead& now, const HeadMaps& before, const std::string& since);
/// The same of all heads: how many maps edits changed, and the cell that changed most, where the small pictures of the runs hold every cell.
/// Empty unless the two runs have the same heads and tokens.
Explanation explain_edits(const Snapshot& now, const Snapshot& before);

}  // namespace headlight
