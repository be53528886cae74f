#include <array>
#include <limits>

#include "engine/measures/measure_rows.h"

namespace headlight {
namespace {

std::optional<RowValue> normalised_entropy(const MeasuredRow& row) {
  return row.entropy() / row.log_allowed();
}

std::optional<RowValue> effective_tokens(const MeasuredRow& row) {
  return row.exp_of_entropy();
}

std::optional<RowValue> confidence(const MeasuredRow& row) {
  return row.largest;
}

std::optional<RowValue> entropy(const MeasuredRow& row) {
  return row.entropy();
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr double kCovered = 0.9 - 1e-6;

/// How many keys cover the row and the mass of the weights above them: first a bound is halved until what lies above it covers the row, then
/// the weights between the last two bounds are parted until one is left, or several that are equal. Sorting whole rows would take as long as
/// all other measures together.
std::optional<RowValue> coverage(const MeasuredRow& row) {
  constexpr float kSmallest = std::numeric_limits<float>::min();
  if (std::isnan(row.largest)) return row.largest;
  if (row.mass() < kCovered) return static_cast<double>(row.weights.size());
  const auto from = [&](float bound) { return row_instructions().heavy(row.weights.data(), row.weights.size(), bound); };
  float least = row.largest / 2, bound = std::nextafter(row.largest, kInfinity);
  HeavyWeights above, covering = from(least);
  for (; covering.mass < kCovered; covering = from(least)) {
    bound = least;
    above = covering;
    least = least > kSmallest ? least / 2 : 0.0F;
  }
  while (covering.count - above.count > 1) {
    const float middle = least + (bound - least) / 2;
    if (middle <= least || middle >= bound) break;  // those that are left are equal
    const HeavyWeights heavy = from(middle);
    const bool covers = heavy.mass >= kCovered;
    (covers ? least : bound) = middle;
    (covers ? covering : above) = heavy;
  }
  for (double mass = above.mass; mass < kCovered && above.count < covering.count; ++above.count) mass += static_cast<double>(least);
  return static_cast<double>(above.count);
}

constexpr std::array kShapeRows{
    Measure{.id = kEvenness,
            .title = "spread",
            .unit = "",
            .formula = "−Σ a ln a / ln |allowed keys|",
            .meaning = "0: every query looks at one key. 1: evenly at all keys.",
            .source = "Clark et al. 2019, arXiv 1906.04341, divided by the most that a row can have and without their smoothing",
            .undefined = kNoRow,
            .example = 0.936200,
            .place = MeasurePlace::pointer,
            .of_row = by_row<normalised_entropy>},
    Measure{.id = "effective-tokens",
            .title = "effective tokens",
            .unit = "tokens",
            .formula = "exp(−Σ a ln a)",
            .meaning = "exp of the entropy: how many keys share the attention.",
            .source = "Clark et al. 2019, arXiv 1906.04341, as a number of keys",
            .low = 1,
            .high = kUnbounded,
            .limit = "|allowed keys|",
            .undefined = kNoRow,
            .example = 2.715597,
            .place = MeasurePlace::card,
            .of_row = by_row<effective_tokens>},
    Measure{.id = "confidence",
            .title = "largest weight of a row",
            .unit = "",
            .formula = "max a",
            .meaning = "How much of a query's attention goes to its strongest key.",
            .source = "Voita et al. 2019, arXiv 1905.09418, with the end of a sentence counted",
            .undefined = kNoRow,
            .example = 0.5,
            .place = MeasurePlace::comparison,
            .of_row = by_row<confidence>},
    Measure{.id = "entropy",
            .title = "entropy",
            .unit = "nats",
            .formula = "−Σ a ln a",
            .meaning = "How undecided the queries are; it grows with the number of keys, so compare spread between texts.",
            .source = "Clark et al. 2019, arXiv 1906.04341, without their smoothing and over informative rows alone",
            .high = kUnbounded,
            .limit = "ln |allowed keys|",
            .undefined = kNoRow,
            .example = 0.976925,
            .of_row = by_row<entropy>},
    Measure{.id = "k-coverage",
            .title = "keys holding 90 %",
            .unit = "tokens",
            .formula = "least k whose k largest a sum to 0.9",
            .meaning = "How many keys it takes to hold 90 % of a query's attention.",
            .source = "the cumulative attention of nucleus sampling, Holtzman et al. 2020, arXiv 1904.09751, at 0.9",
            .low = 1,
            .high = kUnbounded,
            .limit = "|allowed keys|",
            .undefined = kNoRow,
            .example = 8.0 / 3,
            .of_row = by_row<coverage>},
};

}  // namespace

Measures shape_measures() {
  return kShapeRows;
}

}  // namespace headlight
