#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <iterator>

#include "engine/kernels/steady_functions.h"
#include "engine/measures/measure_rows.h"

namespace headlight {
namespace {

std::optional<RowValue> normalised_entropy(const MeasuredRow& row) {
  return row.entropy() / row.log_allowed();
}

std::optional<RowValue> effective_tokens(const MeasuredRow& row) {
  return steady_exp(row.entropy());
}

std::optional<RowValue> confidence(const MeasuredRow& row) {
  return row.largest;
}

std::optional<RowValue> entropy(const MeasuredRow& row) {
  return row.entropy();
}

/// Weights by their exponents: bin 0 holds those from 1 on, bin i those from 2^-i on, the last all that are smaller.
constexpr std::size_t kExponentBins = 64;

std::size_t exponent_bin(float weight) {
  constexpr int kExponentOfOne = 127, kMantissaBits = 23;
  const int below_one = kExponentOfOne - static_cast<int>(std::bit_cast<std::uint32_t>(std::max(weight, 0.0F)) >> kMantissaBits);
  return static_cast<std::size_t>(std::clamp(below_one, 0, static_cast<int>(kExponentBins) - 1));
}

/// Only the bin in which the sum is reached is sorted: sorting whole rows would take as long as all other measures together.
std::optional<RowValue> coverage(const MeasuredRow& row) {
  constexpr double kCovered = 0.9 - 1e-6;
  if (std::isnan(row.largest)) return row.largest;
  const std::span<const float> weights(row.weights.data(), static_cast<std::size_t>(row.weights.size()));
  std::array<double, kExponentBins> sums{};
  std::array<std::size_t, kExponentBins> counts{};
  for (const float weight : weights) {
    const std::size_t bin = exponent_bin(weight);
    sums[bin] += static_cast<double>(weight);
    ++counts[bin];
  }
  double sum = 0;
  std::size_t keys = 0, bin = 0;
  for (; bin < kExponentBins && sum + sums[bin] < kCovered; ++bin) {
    sum += sums[bin];
    keys += counts[bin];
  }
  if (bin == kExponentBins) return static_cast<double>(keys);
  std::vector<float> sorted;
  sorted.reserve(counts[bin]);
  std::copy_if(weights.begin(), weights.end(), std::back_inserter(sorted), [&](float weight) { return exponent_bin(weight) == bin; });
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  for (std::size_t at = 0; at < sorted.size() && sum < kCovered; ++at, ++keys) sum += static_cast<double>(sorted[at]);
  return static_cast<double>(keys);
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
            .of_row = normalised_entropy},
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
            .of_row = effective_tokens},
    Measure{.id = "confidence",
            .title = "largest weight of a row",
            .unit = "",
            .formula = "max a",
            .meaning = "How much of a query's attention goes to its strongest key.",
            .source = "Voita et al. 2019, arXiv 1905.09418, with the end of a sentence counted",
            .undefined = kNoRow,
            .example = 0.5,
            .place = MeasurePlace::comparison,
            .of_row = confidence},
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
            .of_row = entropy},
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
            .of_row = coverage},
};

}  // namespace

Measures shape_measures() {
  return kShapeRows;
}

}  // namespace headlight
