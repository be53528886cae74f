#include "engine/kernels/product.h"

#include <algorithm>

namespace headlight {
namespace {

constexpr Index kRowGroup = 4;
constexpr Index kFewestRows = 16 * kRowGroup;  // of a slice: with fewer, preparing the right side takes longer than the product
/// Most numbers that one slice writes. Fresh memory can be slow: where a virtual machine must ask its host for every page, 16 MiB have
/// taken 80 ms.
constexpr Index kMostNumbers = Index{1} << 22U;

/// Eigen multiplies rows in groups of four; a row alone, and the rows left over, are summed in another order and differ in their last
/// bits. Here a is padded with zero rows to whole groups, so that a row's product is the same in a text of any length.
template <typename B>
void multiply_whole_groups(const MatrixView& a, const B& b, MatrixBlock out) {
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

/// Slices are whole groups, and what is left at the end is halved rather than cut short: Eigen multiplies very small matrices in another
/// order. So each row is summed as in one product.
template <typename B>
void multiply_in_slices(const MatrixView& a, const B& b, MatrixBlock& out, const Watch& watch) {
  const Index most = std::min(watch.rows_at_once(b.size()), kMostNumbers / std::max<Index>(1, out.cols()));
  const Index slice = std::max(kFewestRows, most - most % kRowGroup);
  Index begin = 0;
  do {
    watch.check();
    const Index left = a.rows() - begin;
    const Index half = (left / 2 + kRowGroup - 1) / kRowGroup * kRowGroup;
    const Index rows = left <= slice ? left : left < 2 * slice ? half : slice;
    multiply_whole_groups(a.middleRows(begin, rows), b, out.middleRows(begin, rows));
    begin += rows;
  } while (begin < a.rows());
}

}  // namespace

void multiply(const MatrixView& a, const MatrixView& b, MatrixBlock out, const Watch& watch) {
  multiply_in_slices(a, b, out, watch);
}

void multiply_transposed(const MatrixView& a, const MatrixView& b, MatrixBlock out, const Watch& watch) {
  multiply_in_slices(a, b.transpose(), out, watch);
}

void multiply_weights(const MatrixView& a, const Weights& weights, Index begin, MatrixBlock out, const Watch& watch) {
  const StoredMatrix& stored = weights.stored();
  const Index columns = out.cols();
  if (weights.layout() == Weights::Layout::in_out) {
    if (stored.is_float()) return multiply(a, stored.floats().middleCols(begin, columns), out, watch);
    Matrix part(stored.rows(), columns);
    stored.convert(0, begin, part);
    return multiply(a, part, out, watch);
  }
  if (stored.is_float()) return multiply_transposed(a, stored.floats().middleRows(begin, columns), out, watch);
  Matrix part(columns, stored.cols());
  stored.convert(begin, 0, part);
  multiply_transposed(a, part, out, watch);
}

}  // namespace headlight
