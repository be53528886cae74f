// The words beside a map: token labels along its axes, and what the axes are.
#pragma once

#include <string>
#include <vector>

#include "engine/snapshot.h"

namespace headlight {

/// A token's label on an axis: one line, blanks and control characters made visible.
std::string axis_label(const TokenLabel& label);
/// Those of all tokens, in order.
std::vector<std::string> axis_labels(const Snapshot& snapshot, const Encoding& encoding);

/// The labels beside the two axes of a layer's maps: "queries" and "keys"; in cross-attention with the text that each belongs to.
struct AxisTitles {
  std::string query = "queries", key = "keys";
};
AxisTitles axis_titles(const Snapshot& snapshot, int layer);

}  // namespace headlight
