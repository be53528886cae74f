#include "engine/labs/effective_attention.h"

#include <Eigen/QR>

namespace headlight {
namespace {

constexpr double kRankTolerance = 1e-6;  ///< values are float32

using Decomposition = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;

Decomposition decompose(const Eigen::MatrixXd& matrix) {
  Decomposition found(matrix.rows(), matrix.cols());
  found.setThreshold(kRankTolerance);
  found.compute(matrix);
  return found;
}

Index rank_with_ones(const Eigen::MatrixXd& values) {
  Eigen::MatrixXd wide(values.rows(), values.cols() + 1);
  const double scale = values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0;
  wide << values, Eigen::VectorXd::Constant(values.rows(), scale > 0 ? scale : 1);
  return decompose(wide).rank();
}

}  // namespace

EffectiveAttention effective_attention(const Matrix& weights, const Mask& mask, const Matrix& values, const Watch& watch) {
  EffectiveAttention found{Matrix::Zero(weights.rows(), weights.cols()), {}};
  for (Index query = 0; query < weights.rows(); ++query) {
    watch.check();
    std::vector<Index> keys;
    for (Index key = 0; key < weights.cols(); ++key) {
      if (mask.allows(query, key)) keys.push_back(key);
    }
    EffectiveRow row{.allowed = std::ssize(keys)};
    if (!keys.empty()) {
      const Eigen::MatrixXd own = values(keys, Eigen::placeholders::all).cast<double>();
      const Eigen::VectorXd given = weights(query, keys).transpose().cast<double>();
      const Decomposition parts = decompose(own);
      row.rank = parts.rank();
      row.rank_with_ones = rank_with_ones(own);
      // T_K T_K⁺ projects on what the columns of T_K span, which the first `rank` columns of Q do.
      Eigen::VectorXd turned = parts.householderQ().adjoint() * given;
      turned.tail(turned.size() - row.rank).setZero();
      const Eigen::VectorXd effective = parts.householderQ() * turned;
      row.sum = effective.sum();
      found.weights(query, keys) = effective.transpose().cast<float>();
    }
    found.rows.push_back(row);
  }
  return found;
}

Matrix values_as_written(const Matrix& values, const Matrix& output) {
  const Eigen::MatrixXd across = output.transpose().cast<double>();
  const Eigen::HouseholderQR<Eigen::MatrixXd> parts(across);
  const Index width = std::min(across.rows(), across.cols());
  const Eigen::MatrixXd triangle = parts.matrixQR().topRows(width).triangularView<Eigen::Upper>();
  return (values.cast<double>() * triangle.transpose()).cast<float>();
}

}  // namespace headlight
