// What the cards of the shipped models measure of a head, in plain loops: a second opinion of the program's own measures.
#pragma once

#include "engine/core/matrix.h"

namespace headlight::testing {

/// Sum and count; the mean is what a card says.
struct Mean {
  double sum = 0;
  int count = 0;
  void add(double value) { sum += value, ++count; }
  double value() const { return count == 0 ? -1 : sum / count; }
};

/// Mean weight at one distance, of the rows that have such a key (metrics 2.1).
inline double offset_mass(const Matrix& weights, Index offset) {
  Mean mean;
  for (Index query = 0; query < weights.rows(); ++query) {
    if (query + offset >= 0 && query + offset < weights.cols()) mean.add(weights(query, query + offset));
  }
  return mean.value();
}

/// Weight on what followed earlier copies of the query's token; tokens: the first, then four times `count` (metrics 3.4).
inline double prefix_matching(const Matrix& weights, Index count) {
  Mean mean;
  for (Index query = 1 + count; query < weights.rows(); ++query) {
    double found = 0;
    for (Index copy = query - count; copy >= 1; copy -= count) found += weights(query, copy + 1);
    mean.add(found);
  }
  return mean.value();
}

/// The same for a head that looks at all it may see alike.
inline double uniform_prefix_matching(Index count) {
  Matrix weights = Matrix::Zero(1 + 4 * count, 1 + 4 * count);
  for (Index query = 0; query < weights.rows(); ++query) weights.row(query).head(query + 1).setConstant(1 / static_cast<float>(query + 1));
  return prefix_matching(weights, count);
}

/// The key with the most weight among the words (tokens 1 … words), the query left out (metrics 7.8).
inline Index strongest_word(const Matrix& weights, Index query, Index words) {
  Index best = query == 1 ? 2 : 1;
  for (Index key = best; key <= words; ++key) {
    if (key != query && weights(query, key) > weights(query, best)) best = key;
  }
  return best;
}

}  // namespace headlight::testing
