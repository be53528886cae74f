#include "engine/forward/forward.h"

#include <fmt/core.h>

#include "engine/attention/positions.h"
#include "engine/core/error.h"
#include "engine/core/random.h"
#include "engine/forward/block.h"

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

void add_learned_positions(const Matrix& positions, Matrix& x) {
  if (x.rows() > positions.rows()) {
    throw Error({.kind = ErrorKind::input,
                 .field = "tokens",
                 .problem = "more tokens than the model has positions",
                 .found = std::to_string(x.rows()),
                 .expected = fmt::format("at most {}", positions.rows())});
  }
  x += positions.topRows(x.rows());
}

/// Of the first sentence where the model has no type of this number (RoBERTa has one for all).
void add_types(const Matrix& types, const std::vector<Token>& tokens, Matrix& x) {
  for (Index position = 0; position < x.rows(); ++position) {
    const Index type = tokens[static_cast<std::size_t>(position)].type_id;
    x.row(position) += types.row(type < types.rows() ? type : 0);
  }
}

std::vector<bool> switched_off_flags(const LayerRequest& request) {
  std::vector<bool> flags(static_cast<std::size_t>(request.counts.heads), false);
  for (const int head : request.switched_off) flags[static_cast<std::size_t>(head)] = true;
  return flags;
}

/// Norms and positions that act on q and k; cross-attention has no positions, its two sides are different texts.
void prepare_queries_and_keys(const ModelConfig& config, const LayerParameters& parameters, int layer, const HeadCounts& counts,
                              Projected& projected, ThreadPool& pool, const Watch& watch) {
  const auto norm = [&](const Matrix& x, const Norm& own, int heads) {
    if (config.scores.query_key_norm == QueryKeyNorm::all_heads) return normalise(x, own, pool, watch);
    return normalise_heads(x, heads, own, pool, watch);
  };
  if (config.scores.query_key_norm != QueryKeyNorm::none) {  // by the model's own heads: their gains have no meaning for other widths
    projected.q = norm(projected.q, parameters.q_norm, config.heads_of(layer));
    projected.k = norm(projected.k, parameters.k_norm, static_cast<int>(projected.k.cols() / config.heads.d_head));
  }
  if (config.positions.kind != PositionKind::rotary || config.place(layer).stack == Stack::cross) return;
  const Rotations rotations(config.rotary_of(layer), counts.d_head, 0, projected.q.rows(), false, pool, watch);
  rotations.turn(projected.q, counts.heads, pool, watch);
  rotations.turn(projected.k, counts.stored_kv_heads, pool, watch);
}

Matrix add_branch(const Matrix& stream, Matrix&& branch, bool has_skip) {
  return has_skip ? Matrix(stream + branch) : std::move(branch);
}

/// The feed-forward part on x, with its norms: what it adds to the stream, or with the norm after it the new stream.
Matrix finish_block(const Model& model, const LayerParameters& parameters, const BlockSwitches& block, const Matrix& resid_pre,
                    Matrix&& resid_mid, ThreadPool& pool, const Watch& watch) {
  if (parameters.ff_in.weight.size() == 0) return std::move(resid_mid);
  const ModelConfig& config = model.config;
  const bool is_norm_before = config.norm.place == NormPlace::before;
  const auto norm = [&](const Matrix& x, const Norm& own) { return normalise(x, own, pool, watch); };
  const Matrix& read = config.feed_forward.is_parallel ? resid_pre : resid_mid;
  Matrix branch =
      feed_forward(parameters, config.feed_forward.activation, is_norm_before ? norm(read, parameters.norm_2) : read, pool, watch);
  Matrix resid_post =
      add_branch(resid_mid, norm(branch, parameters.branch_norm_2), block.has_feed_forward_skip || config.feed_forward.is_parallel);
  if (is_norm_before) return resid_post;
  return norm(resid_post, parameters.norm_2);
}

}  // namespace

Matrix embed(const Model& model, const std::vector<Token>& tokens, bool is_decoder, const Watch& watch) {
  const ModelConfig& config = model.config;
  const EmbeddingParameters& parameters = is_decoder ? model.parameters.last_embedding() : model.parameters.embedding;
  const auto* table = std::get_if<StoredMatrix>(&parameters.tokens);
  ThreadPool alone(1);  // texts are short, and so is a projection from a narrow table
  Matrix x = Matrix::Zero(std::ssize(tokens), table ? table->cols() : config.d_model);
  for (Index position = 0; position < x.rows(); ++position) {
    watch.check();
    const Token& token = tokens[static_cast<std::size_t>(position)];
    if (table) {
      add_table_row(*table, model.tokenizer.get(), token, config.embedding_scale, x.row(position));
    } else {
      add_hashed_row(std::get<HashedEmbedding>(parameters.tokens), token, x.row(position));
    }
  }
  const bool has_projection = parameters.projection.weight.size() > 0;
  const bool is_projected_first = has_projection && parameters.norm.gain.size() == 0;
  if (is_projected_first) x = apply_linear(x, parameters.projection, alone, true, watch);
  if (parameters.types.size() > 0) add_types(parameters.types, tokens, x);
  const bool has_table = parameters.positions.size() > 0;  // old Marian files hold the sinusoids
  if (config.positions.kind == PositionKind::sinusoidal && !has_table) add_sinusoids(x, config.positions.has_split_sinusoids, watch);
  if (has_table) add_learned_positions(parameters.positions, x);
  x = normalise(x, parameters.norm, watch);
  return has_projection && !is_projected_first ? apply_linear(x, parameters.projection, alone, true, watch) : x;
}

std::shared_ptr<const LayerTrace> run_layer(const Model& model, int layer, const LayerRequest& request, const LayerInput& input,
                                            ThreadPool& pool, const HeadObserver& observer, const Watch& watch) {
  const ModelConfig& config = model.config;
  const LayerParameters& parameters = model.parameters.layer(layer);
  const Stack stack = config.place(layer).stack;
  const bool is_norm_before = config.norm.place == NormPlace::before;
  const Matrix& resid_pre = *input.resid_pre;
  const auto norm = [&](const Matrix& x) { return normalise(x, parameters.norm_1, pool, watch); };

  const Matrix read = is_norm_before ? norm(resid_pre) : resid_pre;
  const Matrix& source = stack == Stack::cross ? *input.memory : read;
  const bool has_biases = request.block.has_biases;
  Projected projected = project(read, source, source, {parameters.q, parameters.k, parameters.v, parameters.o, has_biases}, pool, watch);
  prepare_queries_and_keys(config, parameters, layer, request.counts, projected, pool, watch);
  projected.k = regroup(std::move(projected.k), request.counts);
  projected.v = regroup(std::move(projected.v), request.counts);

  MultiHeadSettings settings{.rules = rules_of_layer(model, layer, request, input.masks),
                             .kv_heads = request.counts.kv_heads,
                             .is_switched_off = switched_off_flags(request)};
  auto trace = std::make_shared<LayerTrace>();
  trace->z = attend_heads(projected, settings, pool, observer, watch);
  trace->rules = settings.rules;
  Matrix unedited;
  if (!input.own_masks.empty()) {  // the edit stays on the map: what follows is computed as if it were not there
    for (std::size_t head = 0; head < settings.rules.size(); ++head) settings.rules[head].mask = input.own_masks[head];
    unedited = attend_heads(projected, settings, pool, {}, watch);
  }
  const Matrix& passed_on = input.own_masks.empty() ? trace->z : unedited;
  Matrix branch = request.block.has_output_projection ? apply_linear(passed_on, parameters.o, pool, has_biases, watch) : passed_on;
  branch = normalise(branch, parameters.branch_norm_1, pool, watch);
  Matrix resid_mid = add_branch(resid_pre, std::move(branch), request.block.has_attention_skip);
  if (!is_norm_before) resid_mid = norm(resid_mid);

  trace->resid_post = share(finish_block(model, parameters, request.block, resid_pre, std::move(resid_mid), pool, watch));
  trace->resid_pre = input.resid_pre;
  trace->q = std::move(projected.q);
  trace->k = std::move(projected.k);
  trace->v = std::move(projected.v);
  trace->heads = request.counts.heads;
  trace->kv_heads = request.counts.kv_heads;
  return trace;
}

Matrix make_memory(const Model& model, const Matrix& resid_post, const Watch& watch) {
  return normalise(resid_post, model.parameters.encoder_norm, watch);
}

Matrix apply_final_norm(const Model& model, const Matrix& resid_post, const Watch& watch) {
  const Matrix x = normalise(resid_post, model.parameters.final_norm, watch);
  const Linear& projection = model.parameters.final_projection;
  ThreadPool alone(1);  // as in embed
  return projection.weight.size() > 0 ? apply_linear(x, projection, alone, true, watch) : x;
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
