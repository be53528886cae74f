// Matrix products whose sums depend neither on how many rows the left side has nor on how many threads work. Long ones are computed in
// slices of rows, with the same bits, and the watch is asked before each slice.
#pragma once

#include <algorithm>

#include "engine/core/matrix.h"
#include "engine/core/parallel.h"
#include "engine/core/progress.h"
#include "engine/kernels/weights.h"

namespace headlight {

/// out = a·b. a [n, m], b [m, p], out [n, p].
void multiply(const MatrixView& a, const MatrixView& b, MatrixBlock out, const Watch& watch = {});

/// out = a·bᵀ. a [n, m], b [p, m], out [n, p].
void multiply_transposed(const MatrixView& a, const MatrixView& b, MatrixBlock out, const Watch& watch = {});

/// out = a·W[:, begin, …]: the columns of W that out has. W may be stored in any type and either way round; a part that is not float32 is
/// converted for this product only. a [n, in], out [n, columns].
void multiply_weights(const MatrixView& a, const Weights& weights, Index begin, MatrixBlock out, const Watch& watch = {});

inline constexpr Index kColumnBlock = 192;

/// Calls task(begin, width) for blocks of columns of fixed width: which block a column is in decides the order of its sums, so the
/// split must not depend on the number of threads. 192 is a multiple of the kernels' widths (12, 24 and 48 columns).
template <typename Task>
void for_column_blocks(Index columns, ThreadPool& pool, const Task& task) {
  pool.for_each((columns + kColumnBlock - 1) / kColumnBlock, [&](Index block) {
    const Index begin = block * kColumnBlock;
    task(begin, std::min(kColumnBlock, columns - begin));
  });
}

}  // namespace headlight
