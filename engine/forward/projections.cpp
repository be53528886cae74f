#include "engine/forward/projections.h"

#include "engine/attention/positions.h"
#include "engine/forward/block.h"

namespace headlight {

void normalise_queries_and_keys(const Model& model, int layer, Projected& projected, ThreadPool& pool, const Watch& watch) {
  const ModelConfig& config = model.config;
  const LayerParameters& parameters = model.parameters.layer(layer);
  if (config.scores.query_key_norm == QueryKeyNorm::none) return;
  const auto norm = [&](const Matrix& x, const Norm& own, int heads) {
    if (config.scores.query_key_norm == QueryKeyNorm::all_heads) return normalise(x, own, pool, watch);
    return normalise_heads(x, heads, own, pool, watch);
  };
  // By the model's own heads: their gains have no meaning for other widths.
  projected.q = norm(projected.q, parameters.q_norm, config.heads_of(layer));
  projected.k = norm(projected.k, parameters.k_norm, static_cast<int>(projected.k.cols() / config.heads.d_head));
}

bool turns_queries_and_keys(const ModelConfig& config, int layer) {
  return config.positions.kind == PositionKind::rotary && config.place(layer).stack != Stack::cross;
}

void turn_queries_and_keys(const Model& model, int layer, const HeadCounts& counts, const TurnedRows& rows, Projected& projected,
                           ThreadPool& pool, const Watch& watch) {
  if (!turns_queries_and_keys(model.config, layer)) return;
  const Rotations rotations(model.config.rotary_of(layer), counts.d_head, rows, false, pool, watch);
  rotations.turn(projected.q, counts.heads, pool, watch);
  rotations.turn(projected.k, counts.stored_kv_heads, pool, watch);
}

namespace {

/// Rows of q by these weights: those of all heads, or of `counts.heads` of them.
Matrix project_rows_again(const QuerySource& source, const Linear& weights, const HeadCounts& counts, Index first, Index count,
                          ThreadPool& pool, const Watch& watch) {
  const Model& model = *source.model;
  Matrix read = source.resid_pre.middle_rows(first, count);
  if (model.config.norm.place == NormPlace::before) read = normalise(read, model.parameters.layer(source.layer).norm_1, pool, watch);
  const Index no_keys = model.parameters.layer(source.layer).k.weight.cols();
  Projected projected{apply_linear(read, weights, pool, source.has_biases, watch), Matrix(0, no_keys), {}};
  normalise_queries_and_keys(model, source.layer, projected, pool, watch);
  turn_queries_and_keys(model, source.layer, counts, {first, count, source.resid_pre.rows()}, projected, pool, watch);
  return std::move(projected.q);
}

/// All rows of one head: its columns of W_Q alone, where no norm needs the others'.
Matrix project_head_again(const QuerySource& source, int head) {
  ThreadPool alone(1);
  const Linear& whole = source.model->parameters.layer(source.layer).q;
  const Index d_head = whole.weight.cols() / source.counts.heads, begin = head * d_head, rows = source.resid_pre.rows();
  if (source.model->config.scores.query_key_norm != QueryKeyNorm::none)
    return project_rows_again(source, whole, source.counts, 0, rows, alone, {}).middleCols(begin, d_head);
  Linear own{Weights(Matrix(whole.weight.to_matrix().middleCols(begin, d_head))), {}};
  if (whole.bias.size() > 0) own.bias = whole.bias.segment(begin, d_head);
  HeadCounts counts = source.counts;
  counts.heads = 1;
  return project_rows_again(source, own, counts, 0, rows, alone, {});
}

}  // namespace

QueryRows::QueryRows(QuerySource source)
    : rows_(source.resid_pre.rows()),
      columns_(source.model->parameters.layer(source.layer).q.weight.cols()),
      source_(std::make_shared<const QuerySource>(std::move(source))) {}

SharedRows::SharedMatrix QueryRows::from_row(Index first) const {
  return is_kept() ? kept_.from_row(first) : std::make_shared<const Matrix>(middle_rows(first, rows_ - first));
}

Matrix QueryRows::middle_rows(Index first, Index count) const {
  ThreadPool alone(1);
  return middle_rows(first, count, alone, {});
}

Matrix QueryRows::middle_rows(Index first, Index count, ThreadPool& pool, const Watch& watch) const {
  if (is_kept()) return kept_.middle_rows(first, count);
  const Linear& weights = source_->model->parameters.layer(source_->layer).q;
  return project_rows_again(*source_, weights, source_->counts, first, count, pool, watch);
}

SharedRows QueryRows::continued(Index count, Matrix rest, ThreadPool& pool, const Watch& watch) const {
  const SharedRows known = is_kept() ? kept_ : SharedRows(middle_rows(0, count, pool, watch));
  return known.continued(count, std::move(rest));
}

MatrixView QueryRows::head(int number, int heads, Matrix& copy) const {
  if (is_kept()) return head_columns(kept_, heads, number, copy);
  copy = project_head_again(*source_, number);
  return copy;
}

MatrixView head_columns(const QueryRows& joined, int heads, int head, Matrix& copy) {
  return joined.head(head, heads, copy);
}

}  // namespace headlight
