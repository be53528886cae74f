// The mask-convention lab: what happens to one row of scores under the different ways in which programs leave out forbidden pairs (seeds
// D6, traps 7, 12 and 16). Demonstration only: the engine leaves forbidden pairs out of the sum (softmax_rows), and no fill value reaches
// any other map.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace headlight {

enum class FillStep : std::uint8_t {
  replace,  ///< forbidden scores become the value
  add,      ///< the value is added to forbidden scores
  exclude,  ///< ours: forbidden scores are left out
};

/// One row per convention; the table ends with ours.
struct FillConvention {
  std::string_view name;
  std::string_view seen_in;
  FillStep step = FillStep::replace;
  double value = 0;
  bool clears_nan = false;  ///< NaN becomes 0 after the softmax
};
std::span<const FillConvention> fill_conventions();

/// Precision of scores, fill and weights. float16 is rounded at those places and summed in float32, as graphics cards do.
enum class Precision : std::uint8_t { float16, float32, float64 };

/// Weights of one row by the textbook softmax e^(s − max) / Σ e^(s − max) of the filled scores; NaN is kept as NaN. Ours is computed in
/// float32, as everywhere, from scores of the precision asked for, and its weights are rounded to it. A sink (HeadRule::sink) counts as one
/// more score, which no mask reaches; its own weight is not among those returned.
std::vector<double> fill_weights(const FillConvention& convention, std::span<const double> scores, const std::vector<bool>& is_allowed,
                                 Precision precision, std::optional<float> sink = {});

}  // namespace headlight
