#include "engine/forward/forward.h"

#include <fmt/core.h>

#include "engine/attention/positions.h"
#include "engine/core/error.h"
#include "engine/core/random.h"
#include "engine/forward/block.h"
#include "engine/forward/finish_layer.h"
#include "engine/forward/projections.h"

namespace headlight {
namespace {

/// A token beyond the table: of the tokenizer, which was extended without the model, or an id that a person typed.
[[noreturn]] void refuse_token(const Tokenizer* tokenizer, const Token& token, Index rows) {
  const bool is_of_tokenizer = tokenizer != nullptr && tokenizer->token_of(token.id).has_value();
  throw Error({.kind = ErrorKind::input,
               .file = is_of_tokenizer ? tokenizer->file() : "",
               .field = fmt::format("token \"{}\"", printable(token.text, 40)),
               .problem = "the model has no embedding for it",
               .found = fmt::format("id {}", token.id),
               .expected = fmt::format("an id from 0 to {}: the table has {} rows", rows - 1, rows),
               .hint = is_of_tokenizer
                           ? "The token was added to the tokenizer and not to the model. Leave it out of the text, or resize the "
                             "model's embeddings"
                           : "The tokenizer files and the weights may belong to different models."});
}

void add_table_row(const StoredMatrix& table, const Tokenizer* tokenizer, const Token& token, float scale, Eigen::Ref<RowVector> row) {
  if (token.id < 0 || token.id >= table.rows()) refuse_token(tokenizer, token, table.rows());
  Matrix numbers(1, table.cols());
  table.convert(token.id, 0, numbers);
  row += numbers.row(0) * scale;
}

void add_hashed_row(const HashedEmbedding& hashed, const Token& token, Eigen::Ref<RowVector> row) {
  RandomStream stream(hashed.seed, fmt::format("embedding.{}", token.id));
  for (float& value : row) value += stream.next_normal();
}

void add_learned_positions(const Matrix& positions, Matrix& x, Index first) {
  if (first + x.rows() > positions.rows()) {
    throw Error({.kind = ErrorKind::input,
                 .field = "tokens",
                 .problem = "more tokens than the model has positions",
                 .found = std::to_string(first + x.rows()),
                 .expected = fmt::format("at most {}", positions.rows())});
  }
  x += positions.middleRows(first, x.rows());
}

/// Of the first sentence where the model has no type of this number (RoBERTa has one for all).
void add_types(const Matrix& types, const std::vector<Token>& tokens, Matrix& x, Index first) {
  for (Index row = 0; row < x.rows(); ++row) {
    const Index type = tokens[static_cast<std::size_t>(first + row)].type_id;
    x.row(row) += types.row(type < types.rows() ? type : 0);
  }
}

std::vector<bool> switched_off_flags(const LayerRequest& request) {
  std::vector<bool> flags(static_cast<std::size_t>(request.counts.heads), false);
  for (const int head : request.switched_off) flags[static_cast<std::size_t>(head)] = true;
  return flags;
}

/// The first rows of the run before, and these below them.
SharedRows below_known(const LayerInput& input, SharedRows LayerTrace::*part, Index known, Matrix&& rows) {
  return input.before == nullptr ? SharedRows(std::move(rows)) : (input.before->*part).continued(known, std::move(rows));
}

/// q, k and v of a layer from what it reads: the rows below those that are known.
void project_rows(const Model& model, int layer, const LayerRequest& request, const LayerInput& input, const Matrix& read,
                  LayerTrace& trace, ThreadPool& pool, const Watch& watch) {
  const LayerParameters& parameters = model.parameters.layer(layer);
  const bool is_cross = model.config.place(layer).stack == Stack::cross, has_keys = is_cross && input.before != nullptr;
  const Matrix none(0, model.config.d_model);
  const Matrix& source = has_keys ? none : is_cross ? *input.memory : read;
  const MultiHeadParameters linear{parameters.q, parameters.k, parameters.v, parameters.o, request.block.has_biases};
  Projected projected = project(read, source, source, linear, pool, watch);
  normalise_queries_and_keys(model, layer, projected, pool, watch);
  turn_queries_and_keys(model, layer, request.counts, input.known_rows, projected, pool, watch);
  trace.q = below_known(input, &LayerTrace::q, input.known_rows, std::move(projected.q));
  if (has_keys) {
    trace.k = input.before->k;
    trace.v = input.before->v;
    return;
  }
  trace.k = below_known(input, &LayerTrace::k, input.known_rows, regroup(std::move(projected.k), request.counts));
  trace.v = below_known(input, &LayerTrace::v, input.known_rows, regroup(std::move(projected.v), request.counts));
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

Matrix embed(const Model& model, const std::vector<Token>& tokens, bool is_decoder, const Watch& watch, Index first) {
  const ModelConfig& config = model.config;
  const EmbeddingParameters& parameters = is_decoder ? model.parameters.last_embedding() : model.parameters.embedding;
  const auto* table = std::get_if<StoredMatrix>(&parameters.tokens);
  ThreadPool alone(1);  // texts are short, and so is a projection from a narrow table
  Matrix x = Matrix::Zero(std::ssize(tokens) - first, table ? table->cols() : config.d_model);
  for (Index row = 0; row < x.rows(); ++row) {
    watch.check();
    const Token& token = tokens[static_cast<std::size_t>(first + row)];
    if (table) {
      add_table_row(*table, model.tokenizer.get(), token, config.embedding_scale, x.row(row));
    } else {
      add_hashed_row(std::get<HashedEmbedding>(parameters.tokens), token, x.row(row));
    }
  }
  const bool has_projection = parameters.projection.weight.size() > 0;
  const bool is_projected_first = has_projection && parameters.norm.gain.size() == 0;
  if (is_projected_first) x = apply_linear(x, parameters.projection, alone, true, watch);
  if (parameters.types.size() > 0) add_types(parameters.types, tokens, x, first);
  const bool has_table = parameters.positions.size() > 0;  // old Marian files hold the sinusoids
  if (config.positions.kind == PositionKind::sinusoidal && !has_table) add_sinusoids(x, config.positions.has_split_sinusoids, watch, first);
  if (has_table) add_learned_positions(parameters.positions, x, first);
  x = normalise(x, parameters.norm, watch);
  return has_projection && !is_projected_first ? apply_linear(x, parameters.projection, alone, true, watch) : x;
}

std::shared_ptr<const LayerTrace> run_layer(const Model& model, int layer, const LayerRequest& request, const LayerInput& input,
                                            ThreadPool& pool, const HeadObserver& observer, const Watch& watch) {
  const ModelConfig& config = model.config;
  const bool is_norm_before = config.norm.place == NormPlace::before;
  const SharedRows::SharedMatrix resid_pre = input.resid_pre.from_row(input.known_rows);
  const SharedRows::SharedMatrix read =
      is_norm_before ? std::make_shared<const Matrix>(normalise(*resid_pre, model.parameters.layer(layer).norm_1, pool, watch)) : resid_pre;

  auto trace = std::make_shared<LayerTrace>();
  project_rows(model, layer, request, input, *read, *trace, pool, watch);
  MultiHeadSettings settings{.rules = rules_of_layer(model, layer, request, input.masks),
                             .kv_heads = request.counts.kv_heads,
                             .is_switched_off = switched_off_flags(request)};
  const SharedRows::SharedMatrix q = trace->q.from_row(input.first_map_row);
  const AttendingRows rows{*q, trace->k, trace->v, input.first_map_row};
  Matrix z = attend_heads(rows, settings, pool, observer, watch);
  trace->rules = settings.rules;
  Matrix unedited;
  if (!input.own_masks.empty()) {  // the edit stays on the map: what follows is computed as if it were not there
    for (std::size_t head = 0; head < settings.rules.size(); ++head) settings.rules[head].mask = input.own_masks[head];
    unedited = attend_heads(rows, settings, pool, {}, watch);
  }
  const MatrixView passed_on = (input.own_masks.empty() ? z : unedited).bottomRows(resid_pre->rows());
  Matrix resid_post = finish_layer(model, layer, request, *resid_pre, passed_on, pool, watch);
  trace->resid_pre = input.resid_pre;
  trace->z = below_known(input, &LayerTrace::z, input.first_map_row, std::move(z));
  trace->resid_post = below_known(input, &LayerTrace::resid_post, input.known_rows, std::move(resid_post));
  trace->heads = request.counts.heads;
  trace->kv_heads = request.counts.kv_heads;
  return trace;
}

Matrix finish_layer(const Model& model, int layer, const LayerRequest& request, const Matrix& resid_pre, const MatrixView& z,
                    ThreadPool& pool, const Watch& watch) {
  const LayerParameters& parameters = model.parameters.layer(layer);
  Matrix resid_mid = finish_attention(parameters, request.block, resid_pre, z, pool, watch);
  if (model.config.norm.place != NormPlace::before) resid_mid = normalise(resid_mid, parameters.norm_1, pool, watch);
  return finish_block(model, parameters, request.block, resid_pre, std::move(resid_mid), pool, watch);
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
  return projection.weight.size() > 0 ? apply_linear(x, projection, pool, true, watch) : x;
}

Matrix compute_logits(const Model& model, const Matrix& final_hidden, ThreadPool& pool, const Watch& watch) {
  const ModelConfig& config = model.config;
  const PredictionParameters& prediction = model.parameters.prediction;
  Matrix x = config.logits.scale == 1.0F ? final_hidden : Matrix(final_hidden * config.logits.scale);
  if (prediction.dense.weight.size() > 0) x = apply_linear(x, prediction.dense, pool, true, watch);
  if (config.logits.activation) {
    pool.for_each(x.rows(), [&](Index token) { apply_activation(*config.logits.activation, x.row(token)); });
  }
  x = normalise(x, prediction.norm, pool, watch);
  const StoredMatrix& table =
      prediction.table.size() > 0 ? prediction.table : std::get<StoredMatrix>(model.parameters.last_embedding().tokens);
  Matrix logits = apply_linear(x, {Weights::of_table(table), prediction.bias}, pool, true, watch);
  cap_scores(logits, config.logits.softcap, watch);
  return logits;
}

}  // namespace headlight
