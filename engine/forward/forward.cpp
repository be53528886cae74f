#include "engine/forward/forward.h"

#include <algorithm>

#include "engine/forward/block.h"
#include "engine/forward/finish_layer.h"
#include "engine/forward/projections.h"

namespace headlight {
namespace {

std::vector<bool> switched_off_flags(const LayerRequest& request) {
  std::vector<bool> flags(static_cast<std::size_t>(request.counts.heads), false);
  for (const int head : request.switched_off) flags[static_cast<std::size_t>(head)] = true;
  return flags;
}

/// The first rows of the run before, and these below them.
SharedRows below_known(const LayerInput& input, SharedRows LayerTrace::*part, Index known, Matrix&& rows) {
  return input.before == nullptr ? SharedRows(std::move(rows)) : (input.before->*part).continued(known, std::move(rows));
}

/// q, k and v of a layer from what it reads: the rows below those that are known. Returns q from the first row on that maps are computed of.
SharedRows::SharedMatrix project_rows(const Model& model, int layer, const LayerRequest& request, const LayerInput& input,
                                      const Matrix& read, LayerTrace& trace, ThreadPool& pool, const Watch& watch) {
  const LayerParameters& parameters = model.parameters.layer(layer);
  const bool is_cross = model.config.place(layer).stack == Stack::cross, has_keys = is_cross && input.before != nullptr;
  const Matrix none(0, model.config.d_model);
  const Matrix& source = has_keys ? none : is_cross ? *input.memory : read;
  const MultiHeadParameters linear{parameters.q, parameters.k, parameters.v, parameters.o, request.block.has_biases};
  Projected projected = project(read, source, source, linear, pool, watch);
  normalise_queries_and_keys(model, layer, projected, pool, watch);
  const TurnedRows rows{input.known_rows, read.rows(), input.resid_pre.rows()};
  turn_queries_and_keys(model, layer, request.counts, rows, projected, pool, watch);
  SharedRows::SharedMatrix mapped_q;
  if (input.projects_queries_again) {
    trace.q = QueryRows(QuerySource{input.projects_queries_again, layer, request.counts, request.block.has_biases, input.resid_pre});
    const Matrix known = trace.q.middle_rows(input.first_map_row, input.known_rows - input.first_map_row, pool, watch);
    mapped_q = SharedRows(known).continued(known.rows(), std::move(projected.q)).whole();
  } else {
    trace.q = input.before == nullptr ? SharedRows(std::move(projected.q))
                                      : input.before->q.continued(input.known_rows, std::move(projected.q), pool, watch);
    mapped_q = trace.q.from_row(input.first_map_row);
  }
  if (has_keys) {
    trace.k = input.before->k;
    trace.v = input.before->v;
    return mapped_q;
  }
  trace.k = below_known(input, &LayerTrace::k, input.known_rows, regroup(std::move(projected.k), request.counts));
  trace.v = below_known(input, &LayerTrace::v, input.known_rows, regroup(std::move(projected.v), request.counts));
  return mapped_q;
}

/// Of a branch that its last product has not added to the stream: one with a norm of its own, or without a product. stream: null: none.
Matrix add_branch(const Matrix* stream, const Matrix& branch, const Norm& own, ThreadPool& pool, const Watch& watch) {
  Matrix sum = normalise(branch, own, pool, watch);
  if (stream != nullptr) sum += *stream;
  return sum;
}

/// The feed-forward part on x, with its norms: what it adds to the stream, or with the norm after it the new stream.
Matrix finish_block(const Model& model, const LayerParameters& parameters, const BlockSwitches& block, const Matrix& resid_pre,
                    Matrix&& resid_mid, ThreadPool& pool, const Watch& watch) {
  if (parameters.ff_in.weight.size() == 0) return std::move(resid_mid);
  const ModelConfig& config = model.config;
  const bool is_norm_before = config.norm.place == NormPlace::before;
  const Matrix& read = config.feed_forward.is_parallel ? resid_pre : resid_mid;
  const Matrix* const stream = block.has_feed_forward_skip || config.feed_forward.is_parallel ? &resid_mid : nullptr;
  const auto run = [&](const Matrix& x, const Matrix* onto) {
    return feed_forward(parameters, config.feed_forward.activation, x, onto, pool, watch);
  };
  const auto branch = [&](const Matrix& x) {
    const Norm& own = parameters.branch_norm_2;
    return is_identity(own) ? run(x, stream) : add_branch(stream, run(x, nullptr), own, pool, watch);
  };
  if (is_norm_before) return branch(normalise(read, parameters.norm_2, pool, watch));
  return normalise(branch(read), parameters.norm_2, pool, watch);
}

}  // namespace

std::shared_ptr<const LayerTrace> run_layer(const Model& model, int layer, const LayerRequest& request, const LayerInput& input,
                                            ThreadPool& pool, const HeadObserver& observer, const Watch& watch) {
  const ModelConfig& config = model.config;
  const bool is_norm_before = config.norm.place == NormPlace::before;
  const SharedRows::SharedMatrix resid_pre = input.resid_pre.from_row(input.known_rows);
  SharedRows::SharedMatrix read =
      is_norm_before ? std::make_shared<const Matrix>(normalise(*resid_pre, model.parameters.layer(layer).norm_1, pool, watch)) : resid_pre;

  auto trace = std::make_shared<LayerTrace>();
  SharedRows::SharedMatrix q = project_rows(model, layer, request, input, *read, *trace, pool, watch);
  read.reset();
  trace->heads = request.counts.heads;
  trace->kv_heads = request.counts.kv_heads;
  trace->rules = rules_of_layer(model, layer, request, input.masks);
  place_maps(request.edits, layer, *trace, input.below, watch);
  MultiHeadSettings settings{.rules = trace->rules, .kv_heads = request.counts.kv_heads, .is_switched_off = switched_off_flags(request)};
  const AttendingRows rows{*q, trace->k, trace->v, input.first_map_row};
  Matrix z = attend_heads(rows, settings, pool, observer, watch);
  place_outputs(request.edits, layer, request.counts.heads, z);
  Matrix unedited;
  if (!input.own_masks.empty()) {  // the edit stays on the map: what follows is computed as if it were not there
    for (std::size_t head = 0; head < settings.rules.size(); ++head) settings.rules[head].mask = input.own_masks[head];
    unedited = attend_heads(rows, settings, pool, {}, watch);
  }
  q.reset();
  const MatrixView passed_on = (input.own_masks.empty() ? z : unedited).bottomRows(resid_pre->rows());
  Matrix resid_post = finish_layer(model, layer, request, *resid_pre, passed_on, pool, watch);
  trace->resid_pre = input.resid_pre;
  trace->z = below_known(input, &LayerTrace::z, input.first_map_row, std::move(z));
  trace->resid_post = below_known(input, &LayerTrace::resid_post, input.known_rows, std::move(resid_post));
  return trace;
}

namespace {

Matrix finish_rows(const Model& model, int layer, const LayerRequest& request, const Matrix& resid_pre, const MatrixView& z,
                   ThreadPool& pool, const Watch& watch) {
  const LayerParameters& parameters = model.parameters.layer(layer);
  Matrix resid_mid = finish_attention(parameters, request.block, resid_pre, z, pool, watch);
  if (model.config.norm.place != NormPlace::before) resid_mid = normalise(resid_mid, parameters.norm_1, pool, watch);
  return finish_block(model, parameters, request.block, resid_pre, std::move(resid_mid), pool, watch);
}

}  // namespace

Matrix finish_layer(const Model& model, int layer, const LayerRequest& request, const Matrix& resid_pre, const MatrixView& z,
                    ThreadPool& pool, const Watch& watch) {
  constexpr Index kRowsAtOnce = 512;  // each row is alone from here on, and four times as wide within the feed-forward part
  if (resid_pre.rows() <= kRowsAtOnce) return finish_rows(model, layer, request, resid_pre, z, pool, watch);
  Matrix resid_post(resid_pre.rows(), resid_pre.cols());
  for (Index begin = 0; begin < resid_pre.rows(); begin += kRowsAtOnce) {
    const Index count = std::min(kRowsAtOnce, resid_pre.rows() - begin);
    resid_post.middleRows(begin, count) =
        finish_rows(model, layer, request, resid_pre.middleRows(begin, count), z.middleRows(begin, count), pool, watch);
  }
  return resid_post;
}

Matrix finish_attention(const LayerParameters& parameters, const BlockSwitches& block, const Matrix& resid_pre, const MatrixView& z,
                        ThreadPool& pool, const Watch& watch) {
  const Matrix* const stream = block.has_attention_skip ? &resid_pre : nullptr;
  const Norm& own = parameters.branch_norm_1;
  if (!block.has_output_projection) return add_branch(stream, z, own, pool, watch);
  if (is_identity(own)) return apply_linear(z, parameters.o, {.stream = stream}, pool, block.has_biases, watch);
  return add_branch(stream, apply_linear(z, parameters.o, pool, block.has_biases, watch), own, pool, watch);
}

Matrix make_memory(const Model& model, const Matrix& resid_post, ThreadPool& pool, const Watch& watch) {
  return normalise(resid_post, model.parameters.encoder_norm, pool, watch);
}

Matrix apply_final_norm(const Model& model, const Matrix& resid_post, ThreadPool& pool, const Watch& watch) {
  Matrix x = normalise(resid_post, model.parameters.final_norm, pool, watch);
  const Linear& projection = model.parameters.final_projection;
  if (projection.weight.size() > 0) x = apply_linear(x, projection, pool, true, watch);
  return x;
}

Matrix read_by_table(const Model& model, const Matrix& final_hidden, ThreadPool& pool, const Watch& watch) {
  const LogitSettings& settings = model.config.logits;
  const PredictionParameters& prediction = model.parameters.prediction;
  Matrix x = settings.scale == 1.0F ? final_hidden : Matrix(final_hidden * settings.scale);
  if (prediction.dense.weight.size() > 0) x = apply_linear(x, prediction.dense, pool, true, watch);
  if (settings.activation) {
    pool.for_each(x.rows(), [&](Index token) { apply_activation(*settings.activation, x.row(token)); });
  }
  return normalise(x, prediction.norm, pool, watch);
}

const StoredMatrix& logit_table(const Model& model) {
  const StoredMatrix& own = model.parameters.prediction.table;
  return own.size() > 0 ? own : std::get<StoredMatrix>(model.parameters.last_embedding().tokens);
}

Matrix compute_logits(const Model& model, const Matrix& final_hidden, ThreadPool& pool, const Watch& watch) {
  const Matrix x = read_by_table(model, final_hidden, pool, watch);
  Matrix logits = apply_linear(x, {Weights::of_table(logit_table(model)), model.parameters.prediction.bias}, pool, true, watch);
  cap_scores(logits, model.config.logits.softcap, watch);
  return logits;
}

}  // namespace headlight
