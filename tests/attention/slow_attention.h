// The second opinion on one head: every score function, scale, temperature, soft-cap, bias, sink and mask in double precision with plain
// loops, written from the formulas. It reads the engine's HeadRule as a description and shares no other code with it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "engine/attention/head.h"

namespace headlight::testing {

using Row = std::vector<double>;
using Table = std::vector<Row>;

inline Table to_table(const MatrixView& matrix) {
  Table table;
  for (Index row = 0; row < matrix.rows(); ++row) {
    table.emplace_back();
    for (Index column = 0; column < matrix.cols(); ++column) table.back().push_back(static_cast<double>(matrix(row, column)));
  }
  return table;
}

/// Columns [begin, begin + width).
inline Table slow_columns(const Table& table, std::size_t begin, std::size_t width) {
  Table columns;
  for (const Row& row : table) {
    const auto first = row.begin() + static_cast<std::ptrdiff_t>(begin);
    columns.emplace_back(first, first + static_cast<std::ptrdiff_t>(width));
  }
  return columns;
}

/// A sum and the sum of its terms' absolute values, which rounding errors are measured by.
struct SlowSum {
  double value = 0;
  double magnitude = 0;
  void add(double term) {
    value += term;
    magnitude += std::abs(term);
  }
};

/// By the formulas of score_functions(). distance: key − query + queries − 1, the index of tables by distance.
inline SlowSum slow_score(const Row& q, const Row& k, Index distance, const HeadRule& rule) {
  const ScoreParameters none;
  const ScoreParameters& parameters = rule.parameters ? *rule.parameters : none;
  SlowSum score;
  double q_length = 0, k_length = 0;
  for (std::size_t column = 0; column < q.size(); ++column) {
    const auto at = static_cast<Index>(column);
    if (rule.score == ScoreKind::additive) {
      score.add(static_cast<double>(parameters.additive[at]) * std::tanh(q[column] + k[column]));
      continue;
    }
    score.add(q[column] * k[column]);
    q_length += q[column] * q[column];
    k_length += k[column] * k[column];
    if (rule.score != ScoreKind::relative) continue;
    if (parameters.distance_keys.size() > 0) score.add(q[column] * static_cast<double>(parameters.distance_keys(distance, at)));
    if (parameters.key_bias.size() > 0) score.add(static_cast<double>(parameters.key_bias[at]) * k[column]);
  }
  if (rule.score == ScoreKind::relative && parameters.distance_bias.size() > 0) {
    score.add(static_cast<double>(parameters.distance_bias[distance]));
  }
  if (rule.score == ScoreKind::cosine) {
    const double lengths = std::sqrt(q_length * k_length);
    if (lengths == 0) return {};
    score.value /= lengths;
    score.magnitude /= lengths;
  }
  return score;
}

/// Scaled, capped and biased. factor: 1/√d_head · 1/temperature in double precision, in place of the rule's.
inline SlowSum slow_final_score(const Row& q, const Row& k, Index query, Index key, Index queries, const HeadRule& rule, double factor) {
  const Index distance = key - query + queries - 1;
  SlowSum score = slow_score(q, k, distance, rule);
  score.value *= factor;
  score.magnitude *= factor;
  const auto cap = static_cast<double>(rule.softcap);
  if (cap > 0) score.value = cap * std::tanh(score.value / cap);
  if (rule.bias.by_distance) score.add(static_cast<double>((*rule.bias.by_distance)[distance]));
  if (rule.bias.by_cell) score.add(static_cast<double>((*rule.bias.by_cell)(query, key)));
  return score;
}

struct SlowHead {
  Table weights;         // [queries, keys]
  Table z;               // [queries, d_value]
  double magnitude = 0;  // largest sum of absolute terms in any score that takes part
};

/// q [queries, d_head], k [keys, d_head], v [keys, d_value].
inline SlowHead slow_head(const Table& q, const Table& k, const Table& v, const HeadRule& rule, double factor) {
  constexpr double kNothing = -std::numeric_limits<double>::infinity();
  SlowHead head;
  for (std::size_t query = 0; query < q.size(); ++query) {
    Row scores(k.size(), kNothing);
    double largest = rule.sink ? static_cast<double>(*rule.sink) : kNothing;
    for (std::size_t key = 0; key < k.size(); ++key) {
      const auto from = static_cast<Index>(query), to = static_cast<Index>(key);
      if (!rule.mask->allows(from, to)) continue;
      const SlowSum score = slow_final_score(q[query], k[key], from, to, static_cast<Index>(q.size()), rule, factor);
      if (score.value == kNothing) continue;
      scores[key] = score.value;
      largest = std::max(largest, score.value);
      head.magnitude = std::max(head.magnitude, score.magnitude);
    }
    double sum = rule.sink ? std::exp(static_cast<double>(*rule.sink) - largest) : 0.0;
    for (const double score : scores) sum += score == kNothing ? 0.0 : std::exp(score - largest);
    Row weights, z(v.empty() ? 0 : v.front().size(), 0.0);
    for (const double score : scores) weights.push_back(score == kNothing ? 0.0 : std::exp(score - largest) / sum);
    for (std::size_t key = 0; key < k.size(); ++key) {
      for (std::size_t column = 0; column < z.size(); ++column) z[column] += weights[key] * v[key][column];
    }
    head.weights.push_back(weights);
    head.z.push_back(z);
  }
  return head;
}

/// Largest absolute difference; NaN where either holds NaN.
inline double largest_difference(const Table& slow, const MatrixView& fast) {
  double largest = 0;
  for (std::size_t row = 0; row < slow.size(); ++row) {
    for (std::size_t column = 0; column < slow[row].size(); ++column) {
      const double difference =
          std::abs(slow[row][column] - static_cast<double>(fast(static_cast<Index>(row), static_cast<Index>(column))));
      if (!(difference <= largest)) largest = difference;
    }
  }
  return largest;
}

}  // namespace headlight::testing
