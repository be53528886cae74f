// Long matrices, a stretch of numbers at a time, so that a cancel is answered between two of them.
#pragma once

#include <algorithm>

#include "engine/core/large_pages.h"
#include "engine/core/matrix.h"
#include "engine/core/progress.h"

namespace headlight {

/// Numbers in the order in which they lie in memory.
using NumberRun = Eigen::Map<Eigen::Array<float, Eigen::Dynamic, 1>>;
using ConstNumberRun = Eigen::Map<const Eigen::Array<float, Eigen::Dynamic, 1>>;

/// Of one run: some milliseconds of one core. A multiple of every SIMD width, so that a function of single numbers gives the same bits run
/// by run as over the whole matrix at once.
inline constexpr Index kNumbersAtOnce = Index{1} << 22U;

/// Calls use(begin, count) for runs that together are all `size` numbers.
template <typename Use>
void for_number_runs(Index size, const Watch& watch, const Use& use) {
  for (Index begin = 0; begin < size; begin += kNumbersAtOnce) {
    watch.check();
    use(begin, std::min(kNumbersAtOnce, size - begin));
  }
}

/// Calls change(run) for every row of a matrix.
template <typename Change>
void change_rows(MatrixBlock numbers, const Watch& watch, const Change& change) {
  for (Index row = 0; row < numbers.rows(); ++row) {
    watch.check();
    change(NumberRun(numbers.row(row).data(), numbers.cols()));
  }
}

/// The `rows` · `columns` numbers from `numbers` on as a matrix, copied without one long stretch.
inline Matrix copy_numbers(const float* numbers, Index rows, Index columns, const Watch& watch) {
  Matrix copy(rows, columns);
  prefer_large_pages(copy.data(), static_cast<std::size_t>(copy.size()) * sizeof(float));
  for_number_runs(copy.size(), watch,
                  [&](Index begin, Index count) { NumberRun(copy.data() + begin, count) = ConstNumberRun(numbers + begin, count); });
  return copy;
}
inline Matrix copy_numbers(const Matrix& numbers, const Watch& watch) {
  return copy_numbers(numbers.data(), numbers.rows(), numbers.cols(), watch);
}

}  // namespace headlight
