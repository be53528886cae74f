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

void turn_queries_and_keys(const Model& model, int layer, const HeadCounts& counts, Index first, Projected& projected, ThreadPool& pool,
                           const Watch& watch) {
  if (!turns_queries_and_keys(model.config, layer)) return;
  const Rotations rotations(model.config.rotary_of(layer), counts.d_head, first, projected.q.rows(), false, pool, watch);
  rotations.turn(projected.q, counts.heads, pool, watch);
  rotations.turn(projected.k, counts.stored_kv_heads, pool, watch);
}

namespace {

/// What the layer reads, from row `first` on.
Matrix read_rows(const QuerySource& source, Index first, Index count, ThreadPool& pool) {
  const Model& model = *source.model;
  Matrix rows = source.resid_pre.middle_rows(first, count);
  if (model.config.norm.place != NormPlace::before) return rows;
  return normalise(rows, model.parameters.layer(source.layer).norm_1, pool);
}

/// The angles of rotary positions may depend on where the text ends (engine/attention/positions.h).
Index last_row_needed(const QuerySource& source, Index first, Index count) {
  return turns_queries_and_keys(source.model->config, source.layer) ? source.resid_pre.rows() - first : count;
}

/// Rows of all heads.
Matrix project_again(const QuerySource& source, Index first, Index count) {
  ThreadPool alone(1);
  const LayerParameters& parameters = source.model->parameters.layer(source.layer);
  const Matrix read = read_rows(source, first, last_row_needed(source, first, count), alone);
  Projected projected{apply_linear(read, parameters.q, alone, source.has_biases), Matrix(0, parameters.k.weight.cols()), {}};
  normalise_queries_and_keys(*source.model, source.layer, projected, alone);
  turn_queries_and_keys(*source.model, source.layer, source.counts, first, projected, alone);
  if (projected.q.rows() > count) return projected.q.topRows(count);
  return std::move(projected.q);
}

/// All rows of one head: its columns of W_Q alone, where no norm needs the others'.
Matrix project_head_again(const QuerySource& source, int head) {
  const ModelConfig& config = source.model->config;
  const Linear& whole = source.model->parameters.layer(source.layer).q;
  const Index d_head = whole.weight.cols() / source.counts.heads, begin = head * d_head;
  if (config.scores.query_key_norm != QueryKeyNorm::none)
    return project_again(source, 0, source.resid_pre.rows()).middleCols(begin, d_head);
  ThreadPool alone(1);
  Linear own{Weights(Matrix(whole.weight.to_matrix().middleCols(begin, d_head))), {}};
  if (whole.bias.size() > 0) own.bias = whole.bias.segment(begin, d_head);
  Projected projected{
      apply_linear(read_rows(source, 0, source.resid_pre.rows(), alone), own, alone, source.has_biases), Matrix(0, d_head), {}};
  HeadCounts counts = source.counts;
  counts.heads = counts.stored_kv_heads = 1;
  turn_queries_and_keys(*source.model, source.layer, counts, 0, projected, alone);
  return std::move(projected.q);
}

}  // namespace

QueryRows::QueryRows(QuerySource source)
    : rows_(source.resid_pre.rows()),
      columns_(source.model->parameters.layer(source.layer).q.weight.cols()),
      source_(std::make_shared<const QuerySource>(std::move(source))) {}

SharedRows::SharedMatrix QueryRows::from_row(Index first) const {
  if (is_kept()) return kept_.from_row(first);
  return std::make_shared<const Matrix>(project_again(*source_, first, rows_ - first));
}

Matrix QueryRows::middle_rows(Index first, Index count) const {
  return is_kept() ? kept_.middle_rows(first, count) : project_again(*source_, first, count);
}

SharedRows QueryRows::continued(Index count, Matrix rest) const {
  return is_kept() ? kept_.continued(count, std::move(rest)) : SharedRows(middle_rows(0, count)).continued(count, std::move(rest));
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
