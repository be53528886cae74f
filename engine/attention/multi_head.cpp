#include "engine/attention/multi_head.h"

#include <cassert>

#include "engine/attention/product.h"

namespace headlight {

Matrix apply_linear(const Matrix& x, const Linear& linear, ThreadPool& pool) {
  Matrix y(x.rows(), linear.weight.cols());
  for_column_blocks(y.cols(), pool, [&](Index begin, Index width) {
    multiply(x, linear.weight.middleCols(begin, width), y.middleCols(begin, width));
    if (linear.bias.size() > 0) y.middleCols(begin, width).rowwise() += linear.bias.segment(begin, width);
  });
  return y;
}

MatrixView head_columns(const Matrix& joined, int heads, int head) {
  const Index d_head = joined.cols() / heads;
  return joined.middleCols(head * d_head, d_head);
}

MultiHeadResult attend(const Matrix& query, const Matrix& key, const Matrix& value, const MultiHeadParameters& parameters,
                       const MultiHeadSettings& settings, ThreadPool& pool, const HeadObserver& observer) {
  const int heads = settings.heads;
  assert(std::ssize(settings.masks) == heads);
  MultiHeadResult result;
  result.q = apply_linear(query, parameters.q, pool);
  result.k = apply_linear(key, parameters.k, pool);
  result.v = apply_linear(value, parameters.v, pool);
  result.z = Matrix::Zero(query.rows(), result.v.cols());

  const Index d_value = result.v.cols() / heads;
  pool.for_each(heads, [&](Index number) {
    const int head = static_cast<int>(number);
    const auto at = static_cast<std::size_t>(number);
    const Mask& mask = *settings.masks[at];
    Matrix weights;
    compute_scores(head_columns(result.q, heads, head), head_columns(result.k, heads, head), weights);
    scale_scores(weights, settings.factor);
    softmax_rows(weights, mask);
    if (observer) observer(head, weights, mask);
    const bool is_silenced = !settings.is_silenced.empty() && settings.is_silenced[at];
    if (!is_silenced) mix_values(weights, head_columns(result.v, heads, head), result.z.middleCols(head * d_value, d_value));
  });

  result.output = apply_linear(result.z, parameters.o, pool);
  return result;
}

}  // namespace headlight
