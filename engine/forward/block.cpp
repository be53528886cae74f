#include "engine/forward/block.h"

#include "engine/attention/multi_head.h"
#include "engine/kernels/product.h"

namespace headlight {
namespace {

Matrix normalise_rows(const Matrix& x, const Norm& norm, bool centres, ThreadPool& pool, const Watch& watch) {
  Matrix y(x.rows(), x.cols());
  const auto normalise_one = [&](Index token) {
    watch.check();
    instruction_set().normalise({.x = x.row(token).data(),
                                 .gain = norm.gain.data(),
                                 .bias = norm.bias.size() > 0 ? norm.bias.data() : nullptr,
                                 .y = y.row(token).data(),
                                 .count = x.cols(),
                                 .epsilon = norm.epsilon,
                                 .centres = centres});
  };
  for_rows(x.rows(), pool, [&](Index begin, Index count) {
    for (Index token = begin; token < begin + count; ++token) normalise_one(token);
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

Matrix normalise(const Matrix& x, const Norm& norm, const Watch& watch) {
  ThreadPool alone(1);
  return normalise(x, norm, alone, watch);
}

Matrix normalise(const Matrix& x, const Norm& norm, ThreadPool& pool, const Watch& watch) {
  if (norm.gain.size() == 0) return x;
  switch (norm.kind) {
    case NormKind::layer_norm:
      return normalise_rows(x, norm, true, pool, watch);
    case NormKind::rms_norm:
      return normalise_rows(x, {.gain = norm.gain, .epsilon = norm.epsilon}, false, pool, watch);
    case NormKind::none:
      return x;
  }
  return x;
}

void apply_activation(Activation activation, Eigen::Ref<RowVector> row) {
  instruction_set().apply(function_of(activation), row.data(), row.size());
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
  const ProductFinish activate{.function = function_of(activation)};
  if (parameters.ff_gate.weight.size() == 0) {
    return apply_linear(apply_linear(x, parameters.ff_in, activate, pool, true, watch), parameters.ff_out, pool, true, watch);
  }
  const Matrix gate = apply_linear(x, parameters.ff_gate, activate, pool, true, watch);
  const Matrix inner = apply_linear(x, parameters.ff_in, {.factor = &gate}, pool, true, watch);
  return apply_linear(inner, parameters.ff_out, pool, true, watch);
}

}  // namespace headlight
