#include "engine/analysis/measures.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "engine/core/numbers.h"
#include "engine/kernels/instruction_set.h"
#include "engine/kernels/steady_functions.h"

namespace headlight {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr std::string_view kNoRow = "no row may attend to two or more keys";

std::optional<double> normalised_entropy(const MeasuredRow& row) {
  return row.entropy / steady_log(static_cast<double>(row.allowed));
}

std::optional<double> effective_tokens(const MeasuredRow& row) {
  return steady_exp(row.entropy);
}

std::optional<double> confidence(const MeasuredRow& row) {
  return row.largest;
}

std::optional<double> previous_token(const MeasuredRow& row) {
  if (row.query == 0 || !row.mask.allows(row.query, row.query - 1)) return std::nullopt;
  return row.weights[row.query - 1];
}

std::optional<double> first_token(const MeasuredRow& row) {
  return row.weights[0];
}

std::optional<double> mean_distance(const MeasuredRow& row) {
  return instruction_set().distance(row.weights.data(), row.weights.size(), static_cast<float>(row.query));
}

constexpr std::array kMeasures{
    Measure{.id = kEvenness,
            .title = "spread",
            .unit = "",
            .formula = "−Σ a ln a / ln |allowed keys|",
            .meaning = "0: every query looks at one key. 1: evenly at all keys.",
            .source = "Clark et al. 2019, arXiv 1906.04341, divided by the most that a row can have and without their smoothing",
            .undefined = kNoRow,
            .place = MeasurePlace::pointer,
            .of_row = normalised_entropy},
    Measure{.id = "effective_tokens",
            .title = "effective tokens",
            .unit = "tokens",
            .formula = "exp(−Σ a ln a)",
            .meaning = "exp of the entropy: how many keys share the attention.",
            .source = "Clark et al. 2019, arXiv 1906.04341, as a number of keys",
            .low = 1,
            .high = kUnbounded,
            .limit = "|allowed keys|",
            .undefined = kNoRow,
            .place = MeasurePlace::card,
            .of_row = effective_tokens},
    Measure{.id = "confidence",
            .title = "largest weight of a row",
            .unit = "",
            .formula = "max a",
            .meaning = "How much of a query's attention goes to its strongest key.",
            .source = "Voita et al. 2019, arXiv 1905.09418, with the end of a sentence counted",
            .undefined = kNoRow,
            .of_row = confidence},
    Measure{.id = "previous_token",
            .title = "previous token",
            .unit = "",
            .formula = "a[query − 1]",
            .meaning = "Mean weight on the key just before the query.",
            .source = "Clark et al. 2019, arXiv 1906.04341, over the rows that have such a key",
            .undefined = "no row of two or more allowed keys may attend to the key before it, or queries and keys count different texts",
            .needs_one_text = true,
            .place = MeasurePlace::pointer,
            .of_row = previous_token},
    Measure{.id = "first_token",
            .title = "first token",
            .unit = "",
            .formula = "a[0]",
            .meaning = "Mean weight on key 0.",
            .source = "Xiao et al. 2023, arXiv 2309.17453",
            .undefined = kNoRow,
            .place = MeasurePlace::pointer,
            .of_row = first_token},
    Measure{.id = "mean_distance",
            .title = "mean distance",
            .unit = "tokens",
            .formula = "Σ a · |query − key|",
            .meaning = "Mean of |query − key|, in tokens.",
            .source = "Vig and Belinkov 2019, arXiv 1906.04284",
            .high = kUnbounded,
            .limit = "the text's tokens − 1",
            .undefined = "no row may attend to two or more keys, or queries and keys count different texts",
            .needs_one_text = true,
            .place = MeasurePlace::card,
            .of_row = mean_distance},
};

}  // namespace

Measures head_measures() {
  return kMeasures;
}

std::string measure_text(const Measure& measure, double value) {
  return measure.unit.empty() ? weight_text(value) : number_text(value, 1);
}

const Measure& measure_of(Measures table, std::string_view id) {
  const auto row = std::find_if(table.begin(), table.end(), [&](const Measure& measure) { return measure.id == id; });
  if (row == table.end()) throw std::out_of_range(fmt::format("there is no measure {}", id));
  return *row;
}

double MeasuredHead::value(std::string_view id) const {
  return values[static_cast<std::size_t>(&measure_of(table, id) - table.data())];
}

}  // namespace headlight
