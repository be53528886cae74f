// Live numbers of the labs, by the functions that the labs themselves use.
#include <fmt/core.h>

#include <cmath>

#include "app/lessons/numbers/number_functions.h"
#include "app/work/labs.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

LabRequest lab_of(const NumberAsked& asked) {
  return {.settings = {}, .snapshot = asked.run, .head = {}, .query = {}};
}

AttemptsFound::Column attempt_of(const NumberAsked& asked, AttemptsFound& found) {
  found = run_attempts(lab_of(asked), asked.progress);
  for (AttemptsFound::Column& column : found.columns) {
    if (column.attempt == asked.number.attempt) return std::move(column);
  }
  throw Error({.kind = ErrorKind::input, .problem = "the attempts need at least one token that was typed"});
}

Asymmetry asymmetry_of(const NumberAsked& asked) {
  AttemptsFound found;
  return attempt_of(asked, found).heads.front().asymmetry;
}

/// The row of a token in the lab, which leaves out tokens that the tokenizer adds.
float row_of_lab(const AttemptsFound& found, Index position) {
  for (std::size_t row = 0; row < found.positions.size(); ++row) {
    if (found.positions[row] == position) return static_cast<float>(row);
  }
  throw Error({.kind = ErrorKind::input, .problem = "the lab does not show this token", .found = fmt::format("@{}", position)});
}

ScaleSample sample_of(const NumberAsked& asked) {
  for (const ScalingFound::Row& row : run_scaling(lab_of(asked), asked.progress).rows) {
    if (static_cast<double>(row.d_head) == asked.number.number) return row.sample;
  }
  throw Error({.kind = ErrorKind::input,
               .problem = "the lab draws no vectors of this width",
               .found = fmt::format("{:g}", asked.number.number),
               .expected = "4, 16, 64 or 256"});
}

}  // namespace

NumberReading read_attempt_asymmetry(const NumberAsked& asked) {
  return {.value = static_cast<double>(asymmetry_of(asked).relative_scores)};
}

NumberReading read_attempt_weight_asymmetry(const NumberAsked& asked) {
  return {.value = static_cast<double>(asymmetry_of(asked).weights)};
}

NumberReading read_attempt_weight(const NumberAsked& asked) {
  AttemptsFound found;
  const AttemptsFound::Column column = attempt_of(asked, found);
  const auto place = [&](std::size_t which) {
    return row_of_lab(found, tokens_at(asked.number.places[which], *asked.run, *asked.run->encoding).last);
  };
  const float row = place(0), key = place(1);
  return {.value = static_cast<double>(column.heads.front().weights->value(row, row + 1, key, key + 1))};
}

NumberReading read_attempt_width(const NumberAsked& asked) {
  AttemptsFound found;
  return {.value = static_cast<double>(attempt_of(asked, found).output_width)};
}

NumberReading read_fill(const NumberAsked& asked) {
  constexpr std::size_t kFloat32 = static_cast<std::size_t>(Precision::float32);
  for (const FillsFound::Row& row : run_fills(lab_of(asked), asked.progress).rows) {
    if (row.convention.name != asked.number.convention) continue;
    const double weight = row.weights[kFloat32].front();
    return {.value = weight, .word = std::isnan(weight) ? "NaN" : ""};
  }
  return {.value = std::nan(""), .word = {}, .reason = "the lab does not show this convention"};
}

NumberReading read_random_variance(const NumberAsked& asked) {
  return {.value = sample_of(asked).unscaled.variance};
}
NumberReading read_scaled_variance(const NumberAsked& asked) {
  return {.value = sample_of(asked).scaled.variance};
}
NumberReading read_random_slope(const NumberAsked& asked) {
  return {.value = sample_of(asked).unscaled.jacobian_norm};
}
NumberReading read_scaled_slope(const NumberAsked& asked) {
  return {.value = sample_of(asked).scaled.jacobian_norm};
}

}  // namespace headlight
