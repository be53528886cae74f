#include "engine/attention/multi_head.h"

#include <array>
#include <cassert>

#include "engine/attention/few_rows.h"
#include "engine/kernels/product.h"

namespace headlight {

Matrix apply_linear(const MatrixView& x, const Linear& linear, ThreadPool& pool, bool has_bias, const Watch& watch) {
  return apply_linear(x, linear, {}, pool, has_bias, watch);
}

Matrix apply_linear(const MatrixView& x, const Linear& linear, ProductFinish finish, ThreadPool& pool, bool has_bias, const Watch& watch) {
  Matrix y(x.rows(), linear.weight.cols());
  if (has_bias && linear.bias.size() > 0) finish.bias = &linear.bias;
  multiply_weights(x, linear.weight, finish, y, pool, watch);
  return y;
}

MatrixView head_columns(const Matrix& joined, int heads, int head) {
  const Index d_head = joined.cols() / heads;
  return joined.middleCols(head * d_head, d_head);
}

MatrixView head_columns(const SharedRows& joined, int heads, int head, Matrix& copy) {
  const Index d_head = joined.cols() / heads;
  return joined.middle_columns(head * d_head, d_head, copy);
}

int kv_head_of(int head, int heads, int kv_heads) {
  return head / (heads / kv_heads);
}

Projected project(const Matrix& query, const Matrix& key, const Matrix& value, const MultiHeadParameters& parameters, ThreadPool& pool,
                  const Watch& watch) {
  const auto empty = [](const Matrix& x, const Linear& linear) { return Matrix(x.rows(), linear.weight.cols()); };
  Projected projected{empty(query, parameters.q), empty(key, parameters.k), empty(value, parameters.v)};
  const auto product = [&](const Matrix& x, const Linear& linear, Matrix& y) {
    const bool has_bias = parameters.has_biases && linear.bias.size() > 0;
    return WeightProduct{x, linear.weight, {.bias = has_bias ? &linear.bias : nullptr}, y};
  };
  std::array products = {product(query, parameters.q, projected.q), product(key, parameters.k, projected.k),
                         product(value, parameters.v, projected.v)};
  multiply_weights(products, pool, watch);
  return projected;
}

Matrix attend_heads(const Projected& projected, const MultiHeadSettings& settings, ThreadPool& pool, const HeadObserver& observer,
                    const Watch& watch) {
  return attend_heads(AttendingRows{projected.q, projected.k, projected.v}, settings, pool, observer, watch);
}

Matrix attend_heads(const AttendingRows& rows, const MultiHeadSettings& settings, ThreadPool& pool, const HeadObserver& observer,
                    const Watch& watch) {
  const int heads = static_cast<int>(settings.rules.size());
  const int kv_heads = settings.kv_heads == 0 ? heads : settings.kv_heads;
  assert(heads % kv_heads == 0);
  const Index d_value = rows.v.cols() / kv_heads;
  Matrix z(rows.q.rows(), heads * d_value);

  const auto switch_off = [&](Index head) {
    const bool is_switched_off = !settings.is_switched_off.empty() && settings.is_switched_off[static_cast<std::size_t>(head)];
    if (is_switched_off) z.middleCols(head * d_value, d_value).setZero();
  };
  if (are_few_rows(rows, settings)) {
    const Index tasks = std::min<Index>(heads, 2 * Index{pool.threads()});
    pool.for_each(tasks, [&](Index task) {
      const Index begin = heads * task / tasks, end = heads * (task + 1) / tasks;
      attend_few_rows(rows, settings, static_cast<int>(begin), static_cast<int>(end), z, observer, watch);
      for (Index head = begin; head < end; ++head) switch_off(head);
    });
    return z;
  }
  pool.for_each(heads, [&](Index number) {
    const int head = static_cast<int>(number);
    const int kv_head = kv_head_of(head, heads, kv_heads);
    const HeadRule& rule = settings.rules[static_cast<std::size_t>(number)];
    Matrix k, v;
    MatrixBlock z_of_head = z.middleCols(head * d_value, d_value);
    const UseRows use = observer ? UseRows([&](const HeadRows& part) { observer(head, part); }) : UseRows();
    attend_rows(head_columns(rows.q, heads, head), head_columns(rows.k, kv_heads, kv_head, k), head_columns(rows.v, kv_heads, kv_head, v),
                rule, rows.first_query, z_of_head, use, watch);
    switch_off(number);
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
