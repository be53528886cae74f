#include "engine/circuits/head_factors.h"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

const Norm& norm_of_queries(const Model& model, int layer) {
  static const Norm kNone;
  return model.config.norm.place == NormPlace::before ? model.parameters.layer(layer).norm_1 : kNone;
}

/// Cross-attention reads its keys from the encoder's output.
const Norm& norm_of_keys(const Model& model, int layer) {
  return model.config.place(layer).stack == Stack::cross ? model.parameters.encoder_norm : norm_of_queries(model, layer);
}

Eigen::MatrixXd with_gain(const Norm& norm, const Weights& weights, NormGain gain) {
  Eigen::MatrixXd matrix = weights.to_matrix().cast<double>();
  if (gain == NormGain::folded && norm.gain.size() == matrix.rows() && norm.kind != NormKind::none) {
    matrix = norm.gain.cast<double>().transpose().asDiagonal() * matrix;
  }
  return matrix;
}

/// R of left = Q R: what of it is left when lengths and angles alone count.
Eigen::MatrixXd triangle_of(const Eigen::MatrixXd& left) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(left);
  const Eigen::Index rank = std::min(left.rows(), left.cols());
  return qr.matrixQR().topRows(rank).triangularView<Eigen::Upper>();
}

}  // namespace

double frobenius_norm(const FactoredMatrix& matrix) {
  const Eigen::MatrixXd left = matrix.left.transpose() * matrix.left, right = matrix.right * matrix.right.transpose();
  return std::sqrt(std::max(0.0, left.cwiseProduct(right).sum()));
}

Eigen::VectorXd singular_values(const FactoredMatrix& matrix) {
  const Eigen::MatrixXd right = matrix.right.transpose(), core = triangle_of(matrix.left) * triangle_of(right).transpose();
  return Eigen::JacobiSVD<Eigen::MatrixXd>(core).singularValues();
}

std::vector<HeadFactors> layer_factors(const Model& model, int layer, NormGain gain) {
  const LayerParameters& parameters = model.parameters.layer(layer);
  const Norm &of_queries = norm_of_queries(model, layer), &of_keys = norm_of_keys(model, layer);
  const Eigen::MatrixXd q = with_gain(of_queries, parameters.q.weight, gain), k = with_gain(of_keys, parameters.k.weight, gain),
                        v = with_gain(of_keys, parameters.v.weight, gain), o = parameters.o.weight.to_matrix().cast<double>();
  const Index heads = model.config.heads_of(layer), width = q.cols() / heads, kv_heads = k.cols() / width, group = heads / kv_heads;
  const Index value = v.cols() / kv_heads;
  std::vector<HeadFactors> all;
  for (Index head = 0; head < heads; ++head) {
    const Index shared = head / group;
    all.push_back({{q.middleCols(head * width, width), k.middleCols(shared * width, width).transpose()},
                   {v.middleCols(shared * value, value), o.middleRows(head * value, value)}});
  }
  return all;
}

HeadFactors head_factors(const Model& model, HeadId head, NormGain gain) {
  return layer_factors(model, head.layer, gain).at(static_cast<std::size_t>(head.head));
}

}  // namespace headlight
