#include "engine/forward/block.h"

#include "engine/attention/multi_head.h"
#include "engine/kernels/product.h"

namespace headlight {
namespace {

/// Every row's `parts` equal stretches, each alone. The gain is one part's, for all, or all parts' side by side; the bias likewise.
Matrix normalise_parts(const Matrix& x, Index parts, const Norm& norm, ThreadPool& pool, const Watch& watch) {
  if (is_identity(norm)) return x;
  const bool centres = norm.kind == NormKind::layer_norm, has_bias = centres && norm.bias.size() > 0;
  const Index width = x.cols() / parts, step = norm.gain.size() == x.cols() ? width : 0;
  Matrix y(x.rows(), x.cols());
  const auto normalise_part = [&](Index token, Index part) {
    instruction_set().normalise({.x = x.row(token).data() + part * width,
                                 .gain = norm.gain.data() + part * step,
                                 .bias = has_bias ? norm.bias.data() + part * step : nullptr,
                                 .y = y.row(token).data() + part * width,
                                 .count = width,
                                 .epsilon = norm.epsilon,
                                 .centres = centres});
  };
  for_rows(x.rows(), pool, [&](Index begin, Index count) {
    for (Index token = begin; token < begin + count; ++token) {
      watch.check();
      for (Index part = 0; part < parts; ++part) normalise_part(token, part);
    }
  });
  return y;
}

LaneFunction function_of(Activation activation) {
  switch (activation) {
    case Activation::relu:
      return LaneFunction::relu;
    case Activation::gelu_erf:
      return LaneFunction::gelu_erf;
    case Activation::gelu_tanh:
      return LaneFunction::gelu_tanh;
    case Activation::silu:
      return LaneFunction::silu;
    case Activation::gelu_quick:
      return LaneFunction::gelu_quick;
  }
  return LaneFunction::relu;
}

}  // namespace

bool is_identity(const Norm& norm) {
  return norm.gain.size() == 0 || norm.kind == NormKind::none;
}

Matrix normalise(const Matrix& x, const Norm& norm, const Watch& watch) {
  ThreadPool alone(1);
  return normalise(x, norm, alone, watch);
}

Matrix normalise(const Matrix& x, const Norm& norm, ThreadPool& pool, const Watch& watch) {
  return normalise_parts(x, 1, norm, pool, watch);
}

Matrix normalise_heads(const Matrix& x, int heads, const Norm& norm, ThreadPool& pool, const Watch& watch) {
  return normalise_parts(x, heads, norm, pool, watch);
}

void apply_activation(Activation activation, Eigen::Ref<RowVector> row) {
  instruction_set().apply(function_of(activation), row.data(), row.size());
}

Matrix feed_forward(const LayerParameters& parameters, Activation activation, const Matrix& x, const Matrix* stream, ThreadPool& pool,
                    const Watch& watch) {
  const ProductFinish activate{.function = function_of(activation)}, add{.stream = stream};
  if (parameters.ff_gate.weight.size() == 0) {
    return apply_linear(apply_linear(x, parameters.ff_in, activate, pool, true, watch), parameters.ff_out, add, pool, true, watch);
  }
  const Matrix gate = apply_linear(x, parameters.ff_gate, activate, pool, true, watch);
  const Matrix inner = apply_linear(x, parameters.ff_in, {.factor = &gate}, pool, true, watch);
  return apply_linear(inner, parameters.ff_out, add, pool, true, watch);
}

}  // namespace headlight
