// Many maps as one: mean, maximum, minimum or median of the weights of any heads, and attention rollout through the layers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/progress.h"
#include "engine/forward/trace.h"

namespace headlight {

/// What becomes of the weights of several heads in one cell. A key that a head may not attend to counts as 0 there.
enum class Reduction : std::uint8_t {
  mean,
  max,
  min,
  median,   ///< of an even number the mean of the two in the middle
  rollout,  ///< Abnar & Zuidema 2020 (arXiv 2005.00928): what reaches a token from those of the text through all layers
};
struct ReductionRow {
  Reduction reduction;
  std::string_view name;   ///< for options and files
  std::string_view label;  ///< on screen and in titles
  const char* help;
};
inline constexpr std::array kReductionRows{
    ReductionRow{Reduction::mean, "mean", "mean", "The mean of the heads' weights. Rows sum to 1, unless keys are hidden."},
    ReductionRow{Reduction::max, "max", "maximum", "The largest weight that any of the heads gives. Rows do not sum to 1."},
    ReductionRow{Reduction::min, "min", "minimum", "The smallest weight that all of the heads give at least. Rows do not sum to 1."},
    ReductionRow{Reduction::median, "median", "median",
                 "The weight that half of the heads are above. One strong head does not move it. Rows do not sum to 1."},
    ReductionRow{Reduction::rollout, "rollout", "rollout",
                 "Attention rollout: the mean of each layer's heads, mixed with the token itself for the skip connection, multiplied from "
                 "layer to layer."},
};
const ReductionRow& row_of(Reduction reduction);
/// The rows of such a map sum to 1, if those of the heads do.
constexpr bool has_weight_rows(Reduction reduction) {
  return reduction == Reduction::mean || reduction == Reduction::rollout;
}
std::string reduction_names();  ///< "mean, max, …"

struct FlowSettings {
  Reduction reduction = Reduction::mean;
  // Of rollout alone.
  bool fuses_by_max = false;  ///< the heads of a layer by their maximum, not their mean
  float identity = 0.5F;      ///< how much of each layer is the token itself: 0…1
  int through = -1;           ///< the last layer that counts, by its place in the trace; −1: all
  bool operator==(const FlowSettings&) const = default;
};

/// Bytes that make_flow takes at most, besides the trace.
double flow_bytes(Index queries, Index keys, std::size_t heads, const FlowSettings& settings);

struct FlowMap {
  Matrix values;                     ///< [queries, keys]
  std::shared_ptr<const Mask> mask;  ///< what any of the heads may attend to; of rollout also each token itself
  std::vector<int> layers;           ///< with heads in it, in the order of the trace, as far as they count
  std::size_t heads = 0;             ///< that are in it
};

/// `heads`: at least one, each once, all with maps of one size; of rollout, maps of a text to itself whose rows are weights. The order of the
/// heads does not matter. Rollout, R_0 = I: A_l is the mean (or maximum) of the chosen heads of layer l, each row divided by its sum;
/// Â_l = (1 − w) A_l + w I; R_l = Â_l R_{l−1}. A row without an allowed key is that of I. A layer without a chosen head passes everything on.
/// Every row of rollout sums to 1. Throws Cancelled.
FlowMap make_flow(const Trace& trace, std::span<const HeadId> heads, const FlowSettings& settings, Progress& progress);

/// The rollout alone: `maps` from the first layer up, each [tokens, tokens] after the fusion of its heads.
Matrix rollout_of(std::span<const Matrix> maps, float identity);

}  // namespace headlight
