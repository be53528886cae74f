// Matrix products. Every number of a product is one chain of fused multiply-adds in the order of the sum, so it depends neither on how
// many rows the left side has, nor on the number of threads, nor on the processor. Long products are computed a slice of rows at a time,
// and the watch is asked before each.
#pragma once

#include <optional>
#include <span>

#include "engine/core/matrix.h"
#include "engine/core/parallel.h"
#include "engine/core/progress.h"
#include "engine/kernels/weights.h"

namespace headlight {

/// out = a·b. a [n, m], b [m, p], out [n, p].
void multiply(const MatrixView& a, const MatrixView& b, MatrixBlock out, const Watch& watch = {});

/// out = a·bᵀ. a [n, m], b [p, m], out [n, p].
void multiply_transposed(const MatrixView& a, const MatrixView& b, MatrixBlock out, const Watch& watch = {});

/// The same by panels that were laid out before. Of b [m, p] only the rows and columns that a [n, ≤ m] and out [n, ≤ p] have.
void multiply(const MatrixView& a, const Panels& b, MatrixBlock out, const Watch& watch = {});

/// What is done to the numbers of a product while they are still in the nearest cache, in this order; null and nullopt: nothing.
struct ProductFinish {
  const RowVector* bias = nullptr;  ///< [p]
  std::optional<LaneFunction> function = {};
  const Matrix* factor = nullptr;  ///< [n, p], cell by cell
  const Matrix* stream = nullptr;  ///< [n, p], what the product is added to
  bool is_empty() const { return bias == nullptr && !function && factor == nullptr && stream == nullptr; }
};

/// out = a·W. a [n, in], out [n, out].
struct WeightProduct {
  MatrixView a;
  const Weights& weights;
  ProductFinish finish;
  MatrixBlock out;
};

/// Several products, split among the pool all at once: threads wait for each other after the last.
void multiply_weights(std::span<WeightProduct> products, ThreadPool& pool, const Watch& watch = {});
void multiply_weights(const MatrixView& a, const Weights& weights, const ProductFinish& finish, MatrixBlock out, ThreadPool& pool,
                      const Watch& watch = {});

}  // namespace headlight
