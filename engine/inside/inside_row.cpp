#include "engine/inside/inside_row.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/kernels/instruction_set.h"

namespace headlight {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// What the softmax reads: a score rounded to the rule's precision.
float rounded(float number, SoftmaxPrecision precision) {
  switch (precision) {
    case SoftmaxPrecision::float32:
      return number;
    case SoftmaxPrecision::float16:
      return static_cast<float>(static_cast<Eigen::half>(number));
    case SoftmaxPrecision::bfloat16:
      return static_cast<float>(static_cast<Eigen::bfloat16>(number));
  }
  return number;
}

float exp_of(float number) {
  instruction_set().apply(LaneFunction::exp, &number, 1);
  return number;
}

/// In the order in which the softmax adds them: sixteen lanes, then in halves.
float sum_of(const RowVector& exps) {
  std::array<float, 16> lanes{};
  for (Index key = 0; key < exps.size(); ++key) lanes[static_cast<std::size_t>(key % 16)] += exps[key];
  for (std::size_t half = 8; half > 0; half /= 2) {
    for (std::size_t at = 0; at < half; ++at) lanes[at] += lanes[at + half];
  }
  return lanes[0];
}

void take_steps(const HeadMaps& maps, const HeadRule& rule, InsideRow& row) {
  row.scores = maps.scores.row(0);
  Matrix steps = maps.scores;
  scale_scores(steps, rule.factor);
  row.scaled = steps.row(0);
  if (rule.softcap > 0) {
    cap_scores(steps, rule.softcap);
    row.capped = steps.row(0);
  }
  if (!rule.bias.is_empty()) {
    Matrix bias = Matrix::Zero(1, steps.cols());
    add_bias(bias, rule.bias);
    row.bias = bias.row(0);
    add_bias(steps, rule.bias);
  }
  row.finals = steps.row(0);
}

void take_softmax(const HeadRule& rule, InsideRow& row) {
  const Index keys = row.finals.size();
  row.differences = RowVector::Constant(keys, -kInfinity);
  row.exps = RowVector::Zero(keys);
  float largest = -kInfinity;
  bool has_nan = false;
  for (Index key = 0; key < keys; ++key) {
    if (!row.is_allowed[static_cast<std::size_t>(key)]) continue;
    has_nan = has_nan || std::isnan(row.finals[key]);
    largest = std::max(largest, rounded(row.finals[key], rule.softmax_precision));
  }
  row.is_unusual = has_nan || largest == kInfinity;
  const bool has_softmax = std::isfinite(largest) && !has_nan;
  if (rule.sink && has_softmax) largest = std::max(largest, *rule.sink);
  row.largest = largest;
  if (!has_softmax) return;
  for (Index key = 0; key < keys; ++key) {
    if (row.is_allowed[static_cast<std::size_t>(key)]) row.differences[key] = rounded(row.finals[key], rule.softmax_precision) - largest;
  }
  row.exps = row.differences;
  instruction_set().apply(LaneFunction::exp, row.exps.data(), keys);
  row.sum = sum_of(row.exps);
  if (!rule.sink) return;
  row.sink = InsideSink{*rule.sink, exp_of(*rule.sink - largest), 0};
  row.sum += row.sink->exp;
  row.sink->share = row.sink->exp / row.sum;
}

}  // namespace

InsideRow row_of(const HeadMaps& maps, const HeadRule& rule) {
  InsideRow row;
  take_steps(maps, rule, row);
  row.weights = maps.weights.row(0);
  for (Index key = 0; key < row.weights.size(); ++key) {
    const bool is_allowed = rule.mask->allows(0, key) && row.finals[key] != -kInfinity;
    row.is_allowed.push_back(is_allowed);
    row.allowed += is_allowed ? 1 : 0;
  }
  take_softmax(rule, row);
  return row;
}

}  // namespace headlight
