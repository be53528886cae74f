// Matrix products whose sums depend neither on how many rows the left side has nor on how many threads work.
#pragma once

#include <algorithm>

#include "engine/core/matrix.h"
#include "engine/core/parallel.h"

namespace headlight {

inline constexpr Index kRowGroup = 4;
inline constexpr Index kColumnBlock = 192;

/// out = a·b. Eigen multiplies rows in groups of four; a row alone, and the rows left over, are summed in another order and differ in
/// their last bits. Here a is filled up with zero rows to whole groups, so that a row's product is the same in a text of any length.
template <typename A, typename B, typename Out>
void multiply(const A& a, const B& b, Out&& out) {
  const Index rows = a.rows();
  const Index whole = (rows + kRowGroup - 1) / kRowGroup * kRowGroup;
  if (rows == whole) {
    out.noalias() = a * b;
    return;
  }
  Matrix padded = Matrix::Zero(whole, a.cols());
  padded.topRows(rows) = a;
  const Matrix product = padded * b;
  out = product.topRows(rows);
}

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
