#include "engine/attention/product.h"

namespace headlight {
namespace {

constexpr Index kRowGroup = 4;

/// Eigen multiplies rows in groups of four; a row alone, and the rows left over, are summed in another order and differ in their last
/// bits. Here a is filled up with zero rows to whole groups, so that a row's product is the same in a text of any length.
template <typename B>
void multiply_whole_groups(const MatrixView& a, const B& b, MatrixBlock& out) {
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

}  // namespace

void multiply(const MatrixView& a, const MatrixView& b, MatrixBlock out) {
  multiply_whole_groups(a, b, out);
}

void multiply_transposed(const MatrixView& a, const MatrixView& b, MatrixBlock out) {
  multiply_whole_groups(a, b.transpose(), out);
}

}  // namespace headlight
