// The words beside a map: token labels along its axes, and what the axes are.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/snapshot.h"

namespace headlight {

/// A token's label on an axis: one line, blanks and control characters made visible.
std::string axis_label(const TokenLabel& label);
/// Texts of more tokens than this show positions wherever they name a token: on axes, in lists, in the strip. Nobody counts that far.
inline constexpr Index kCountedTokens = 60;
constexpr bool shows_positions(Index tokens) {
  return tokens > kCountedTokens;
}
/// The labels along one axis, one per row or column. Shared: every figure of a text, and every frame, shows the same ones. Null: none.
using AxisLabels = std::shared_ptr<const std::vector<std::string>>;
/// The labels of all tokens, in order.
AxisLabels axis_labels(const Snapshot& snapshot, const Encoding& encoding);

/// "0", "1", …: of columns that are the numbers of a vector.
AxisLabels number_labels(Index count);

/// Of a pair of sentences: the first token of the second one. Nothing where there is one text.
std::optional<Index> second_sentence(const Encoding& encoding);

/// The labels beside the two axes of a layer's maps: "queries" and "keys"; in cross-attention with the text that each belongs to.
struct AxisTitles {
  std::string query = "queries", key = "keys";
};
AxisTitles axis_titles(const Snapshot& snapshot, int layer);

}  // namespace headlight
