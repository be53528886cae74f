// The shapes everything is computed in: row-major float32, rows are tokens.
#pragma once

#include <Eigen/Core>
#include <compare>

namespace headlight {

using Index = Eigen::Index;
using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowVector = Eigen::Matrix<float, 1, Eigen::Dynamic, Eigen::RowMajor>;
/// A block of columns of a larger matrix, such as one head's part of q.
using MatrixView = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;
/// The same, to be written.
using MatrixBlock = Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>;

}  // namespace headlight
