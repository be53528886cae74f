#include "engine/forward/block.h"

#include <cmath>
#include <numbers>

#include "engine/attention/multi_head.h"
#include "engine/core/number_runs.h"

namespace headlight {
namespace {

constexpr auto kSqrtHalf = static_cast<float>(std::numbers::sqrt2 / 2);
constexpr auto kSqrtTwoOverPi = static_cast<float>(std::numbers::sqrt2 * std::numbers::inv_sqrtpi);

/// Summed in double precision: its rounding would scale the whole row.
template <typename Row>
float mean_of_squares(const Row& row) {
  double sum = 0;
  for (Index at = 0; at < row.size(); ++at) {
    const auto value = static_cast<double>(row(at));
    sum += value * value;
  }
  return static_cast<float>(sum / static_cast<double>(row.size()));
}

Matrix layer_norm(const Matrix& x, const Norm& norm, const Watch& watch) {
  Matrix y(x.rows(), x.cols());
  for (Index token = 0; token < x.rows(); ++token) {
    watch.check();
    const auto centred = (x.row(token).array() - x.row(token).mean()).eval();
    const float scale = 1.0F / std::sqrt(mean_of_squares(centred) + norm.epsilon);
    y.row(token) = centred * scale * norm.gain.array();
    if (norm.bias.size() > 0) y.row(token) += norm.bias;
  }
  return y;
}

Matrix rms_norm(const Matrix& x, const Norm& norm, const Watch& watch) {
  Matrix y(x.rows(), x.cols());
  for (Index token = 0; token < x.rows(); ++token) {
    watch.check();
    const float scale = 1.0F / std::sqrt(mean_of_squares(x.row(token)) + norm.epsilon);
    y.row(token) = x.row(token).array() * scale * norm.gain.array();
  }
  return y;
}

}  // namespace

Matrix normalise(const Matrix& x, const Norm& norm, const Watch& watch) {
  if (norm.gain.size() == 0) return x;
  switch (norm.kind) {
    case NormKind::layer_norm:
      return layer_norm(x, norm, watch);
    case NormKind::rms_norm:
      return rms_norm(x, norm, watch);
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

Matrix normalise_heads(const Matrix& x, int heads, const Norm& norm, const Watch& watch) {
  if (norm.gain.size() == 0) return x;
  const Index d_head = x.cols() / heads;
  Matrix y(x.rows(), x.cols());
  for (Index head = 0; head < heads; ++head) {
    const Index own = norm.gain.size() == x.cols() ? head * d_head : 0;  // gains of its own, or those that all heads share
    const RowVector bias = norm.bias.size() > 0 ? RowVector(norm.bias.segment(own, d_head)) : RowVector();
    y.middleCols(head * d_head, d_head) =
        normalise(x.middleCols(head * d_head, d_head), {norm.gain.segment(own, d_head), bias, norm.kind, norm.epsilon}, watch);
  }
  return y;
}

Matrix feed_forward(const LayerParameters& parameters, Activation activation, const Matrix& x, ThreadPool& pool, const Watch& watch) {
  const bool is_gated = parameters.ff_gate.weight.size() > 0;
  Matrix inner = apply_linear(x, is_gated ? parameters.ff_gate : parameters.ff_in, pool, true, watch);
  pool.for_each(inner.rows(), [&](Index token) {
    watch.check();
    apply_activation(activation, inner.row(token));
  });
  if (is_gated) {
    const Matrix other = apply_linear(x, parameters.ff_in, pool, true, watch);
    for_number_runs(inner.size(), watch, [&](Index begin, Index count) {
      NumberRun(inner.data() + begin, count) *= ConstNumberRun(other.data() + begin, count);
    });
  }
  return apply_linear(inner, parameters.ff_out, pool, true, watch);
}

}  // namespace headlight
