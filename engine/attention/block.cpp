#include "engine/attention/block.h"

#include <cmath>
#include <numbers>

#include "engine/attention/multi_head.h"

namespace headlight {
namespace {

constexpr auto kSqrtHalf = static_cast<float>(std::numbers::sqrt2 / 2);
constexpr auto kSqrtTwoOverPi = static_cast<float>(std::numbers::sqrt2 * std::numbers::inv_sqrtpi);

Matrix layer_norm(const Matrix& x, const Norm& norm, float epsilon) {
  Matrix y(x.rows(), x.cols());
  for (Index token = 0; token < x.rows(); ++token) {
    const auto centred = (x.row(token).array() - x.row(token).mean()).eval();
    const float scale = 1.0F / std::sqrt(static_cast<float>(centred.cast<double>().square().mean()) + epsilon);
    y.row(token) = centred * scale * norm.gain.array();
    if (norm.bias.size() > 0) y.row(token) += norm.bias;
  }
  return y;
}

Matrix rms_norm(const Matrix& x, const Norm& norm, float epsilon) {
  Matrix y(x.rows(), x.cols());
  for (Index token = 0; token < x.rows(); ++token) {
    const float scale = 1.0F / std::sqrt(static_cast<float>(x.row(token).cast<double>().array().square().mean()) + epsilon);
    y.row(token) = x.row(token).array() * scale * norm.gain.array();
  }
  return y;
}

}  // namespace

Matrix normalise(const Matrix& x, const Norm& norm, NormKind kind, float epsilon) {
  if (norm.gain.size() == 0) return x;
  switch (kind) {
    case NormKind::layer_norm:
      return layer_norm(x, norm, epsilon);
    case NormKind::rms_norm:
      return rms_norm(x, norm, epsilon);
    case NormKind::none:
      return x;
  }
  return x;
}

void apply_activation(Activation activation, Eigen::Ref<RowVector> row) {
  auto x = row.array();
  switch (activation) {
    case Activation::relu:
      x = x.max(0.0F);
      return;
    case Activation::gelu_erf:
      x = x.unaryExpr([](float value) { return 0.5F * value * (1.0F + std::erf(value * kSqrtHalf)); });
      return;
    case Activation::gelu_tanh:
      x = x / (1.0F + (-2.0F * kSqrtTwoOverPi * (x + 0.044715F * x.cube())).exp());  // (1 + tanh u) / 2 = 1 / (1 + e^(−2u))
      return;
    case Activation::silu:
      x = x / (1.0F + (-x).exp());
      return;
    case Activation::gelu_quick:
      x = x / (1.0F + (-1.702F * x).exp());
      return;
  }
}

Matrix normalise_heads(const Matrix& x, int heads, const Norm& norm, NormKind kind, float epsilon) {
  if (norm.gain.size() == 0) return x;
  const Index d_head = x.cols() / heads;
  Matrix y(x.rows(), x.cols());
  for (Index head = 0; head < heads; ++head) {
    const Index own = norm.gain.size() == x.cols() ? head * d_head : 0;  // gains of its own, or those that all heads share
    const RowVector bias = norm.bias.size() > 0 ? RowVector(norm.bias.segment(own, d_head)) : RowVector();
    y.middleCols(head * d_head, d_head) =
        normalise(x.middleCols(head * d_head, d_head), {norm.gain.segment(own, d_head), bias}, kind, epsilon);
  }
  return y;
}

Matrix feed_forward(const LayerParameters& parameters, Activation activation, const Matrix& x, ThreadPool& pool) {
  const bool is_gated = parameters.ff_gate.weight.size() > 0;
  Matrix inner = apply_linear(x, is_gated ? parameters.ff_gate : parameters.ff_in, pool);
  pool.for_each(inner.rows(), [&](Index token) { apply_activation(activation, inner.row(token)); });
  if (is_gated) inner.array() *= apply_linear(x, parameters.ff_in, pool).array();
  return apply_linear(inner, parameters.ff_out, pool);
}

}  // namespace headlight
