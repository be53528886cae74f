#include "engine/attention/multi_head.h"

#include <cassert>

#include "engine/kernels/product.h"

namespace headlight {

Matrix apply_linear(const Matrix& x, const Linear& linear, ThreadPool& pool, bool has_bias, const Watch& watch) {
  return apply_linear(x, linear, {}, pool, has_bias, watch);
}

Matrix apply_linear(const Matrix& x, const Linear& linear, ProductFinish finish, ThreadPool& pool, bool has_bias, const Watch& watch) {
  Matrix y(x.rows(), linear.weight.cols());
  if (has_bias && linear.bias.size() > 0) finish.bias = &linear.bias;
  multiply_weights(x, linear.weight, finish, y, pool, watch);
  return y;
}

MatrixView head_columns(const Matrix& joined, int heads, int head) {
  const Index d_head = joined.cols() / heads;
  return joined.middleCols(head * d_head, d_head);
}

int kv_head_of(int head, int heads, int kv_heads) {
  return head / (heads / kv_heads);
}

Projected project(const Matrix& query, const Matrix& key, const Matrix& value, const MultiHeadParameters& parameters, ThreadPool& pool,
                  const Watch& watch) {
  const auto apply = [&](const Matrix& x, const Linear& linear) { return apply_linear(x, linear, pool, parameters.has_biases, watch); };
  return {apply(query, parameters.q), apply(key, parameters.k), apply(value, parameters.v)};
}

Matrix attend_heads(const Projected& projected, const MultiHeadSettings& settings, ThreadPool& pool, const HeadObserver& observer,
                    const Watch& watch) {
  const int heads = static_cast<int>(settings.rules.size());
  const int kv_heads = settings.kv_heads == 0 ? heads : settings.kv_heads;
  assert(heads % kv_heads == 0);
  const Index d_value = projected.v.cols() / kv_heads;
  Matrix z = Matrix::Zero(projected.q.rows(), heads * d_value);

  pool.for_each(heads, [&](Index number) {
    const int head = static_cast<int>(number);
    const int kv_head = kv_head_of(head, heads, kv_heads);
    const HeadRule& rule = settings.rules[static_cast<std::size_t>(number)];
    Matrix weights;
    MatrixBlock z_of_head = z.middleCols(head * d_value, d_value);
    attend_head(head_columns(projected.q, heads, head), head_columns(projected.k, kv_heads, kv_head),
                head_columns(projected.v, kv_heads, kv_head), rule, weights, z_of_head, watch);
    if (observer) observer(head, weights, *rule.mask);
    const bool is_switched_off = !settings.is_switched_off.empty() && settings.is_switched_off[static_cast<std::size_t>(number)];
    if (is_switched_off) z_of_head.setZero();
  });
  return z;
}

MultiHeadResult attend(const Matrix& query, const Matrix& key, const Matrix& value, const MultiHeadParameters& parameters,
                       const MultiHeadSettings& settings, ThreadPool& pool, const HeadObserver& observer) {
  MultiHeadResult result;
  result.projected = project(query, key, value, parameters, pool);
  result.z = attend_heads(result.projected, settings, pool, observer);
  result.output = apply_linear(result.z, parameters.o, pool, parameters.has_biases);
  return result;
}

}  // namespace headlight
