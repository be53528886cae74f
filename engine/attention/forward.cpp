#include "engine/attention/forward.h"

#include <fmt/core.h>

#include "engine/attention/block.h"
#include "engine/attention/positions.h"
#include "engine/attention/product.h"
#include "engine/core/error.h"
#include "engine/core/random.h"

namespace headlight {
namespace {

void add_table_row(const Matrix& table, const Token& token, Eigen::Ref<RowVector> row) {
  if (token.id < 0 || token.id >= table.rows()) {
    throw Error({.kind = ErrorKind::input,
                 .field = fmt::format("token \"{}\"", printable(token.text, 40)),
                 .problem = "the model has no embedding for it",
                 .found = fmt::format("id {}", token.id),
                 .expected = fmt::format("an id from 0 to {}", table.rows() - 1),
                 .hint = "The tokenizer files and the weights may belong to different models."});
  }
  row += table.row(token.id);
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

std::vector<bool> silenced_flags(const LayerRequest& request) {
  std::vector<bool> flags(static_cast<std::size_t>(request.counts.heads), false);
  for (const int head : request.silenced) flags[static_cast<std::size_t>(head)] = true;
  return flags;
}

/// Positions that act on q and k; cross-attention has none, its two sides are different texts.
void turn_queries_and_keys(const ModelConfig& config, Stack stack, const HeadCounts& counts, Projected& projected) {
  if (config.positions != PositionKind::rotary || stack == Stack::cross) return;
  rotate_positions(projected.q, counts.heads, config.rotary);
  rotate_positions(projected.k, counts.stored_kv_heads, config.rotary);
}

Matrix add_branch(const Matrix& stream, Matrix&& branch, bool has_skip) {
  return has_skip ? Matrix(stream + branch) : std::move(branch);
}

/// The block after its attention: feed-forward part, norms and skips where they belong.
Matrix finish_block(const Model& model, const LayerParameters& parameters, const BlockSwitches& block, Matrix&& resid_mid,
                    ThreadPool& pool) {
  if (parameters.ff_in.weight.size() == 0) return std::move(resid_mid);
  const ModelConfig& config = model.config;
  const bool is_norm_before = config.norm_place == NormPlace::before;
  const auto norm = [&](const Matrix& x) { return normalise(x, parameters.norm_2, config.norm, config.norm_epsilon); };
  const auto inner = [&](const Matrix& x) { return feed_forward(parameters, config.activation, x, pool); };
  Matrix branch = is_norm_before ? inner(norm(resid_mid)) : inner(resid_mid);
  Matrix resid_post = add_branch(resid_mid, std::move(branch), block.has_feed_forward_skip);
  if (is_norm_before) return resid_post;
  return norm(resid_post);
}

}  // namespace

Matrix embed(const Model& model, const std::vector<Token>& tokens) {
  const Parameters& parameters = model.parameters;
  Matrix x = Matrix::Zero(std::ssize(tokens), model.config.d_model);
  for (Index position = 0; position < x.rows(); ++position) {
    const Token& token = tokens[static_cast<std::size_t>(position)];
    if (const auto* hashed = std::get_if<HashedEmbedding>(&parameters.embedding)) {
      add_hashed_row(*hashed, token, x.row(position));
    } else {
      add_table_row(std::get<Matrix>(parameters.embedding), token, x.row(position));
    }
  }
  if (model.config.positions == PositionKind::sinusoidal) add_sinusoids(x);
  if (model.config.positions == PositionKind::learned) add_learned_positions(parameters.positions, x);
  return x;
}

std::shared_ptr<const LayerTrace> run_layer(const Model& model, int layer, const LayerRequest& request, const LayerInput& input,
                                            ThreadPool& pool, const HeadObserver& observer) {
  const ModelConfig& config = model.config;
  const LayerParameters& parameters = model.parameters.layers[static_cast<std::size_t>(layer)];
  const Stack stack = config.place(layer).stack;
  const bool is_norm_before = config.norm_place == NormPlace::before;
  const auto norm = [&](const Matrix& x) { return normalise(x, parameters.norm_1, config.norm, config.norm_epsilon); };

  const Matrix read = is_norm_before ? norm(input.resid_pre) : input.resid_pre;
  const Matrix& source = stack == Stack::cross ? *input.memory : read;
  const bool has_biases = request.block.has_biases;
  Projected projected = project(read, source, source, {parameters.q, parameters.k, parameters.v, parameters.o, has_biases}, pool);
  turn_queries_and_keys(config, stack, request.counts, projected);
  projected.k = regroup(std::move(projected.k), request.counts);
  projected.v = regroup(std::move(projected.v), request.counts);

  MultiHeadSettings settings{.rules = rules_of_layer(model, layer, request, input.masks),
                             .kv_heads = request.counts.kv_heads,
                             .is_silenced = silenced_flags(request)};
  auto trace = std::make_shared<LayerTrace>();
  trace->z = attend_heads(projected, settings, pool, observer);
  trace->rules = settings.rules;
  Matrix unedited;
  if (!input.own_masks.empty()) {  // the edit stays on the map: what follows is computed as if it were not there
    for (std::size_t head = 0; head < settings.rules.size(); ++head) settings.rules[head].mask = input.own_masks[head];
    unedited = attend_heads(projected, settings, pool, {});
  }
  const Matrix& passed_on = input.own_masks.empty() ? trace->z : unedited;
  Matrix branch = request.block.has_output_projection ? apply_linear(passed_on, parameters.o, pool, has_biases) : passed_on;
  Matrix resid_mid = add_branch(input.resid_pre, std::move(branch), request.block.has_attention_skip);
  if (!is_norm_before) resid_mid = norm(resid_mid);

  trace->resid_post = finish_block(model, parameters, request.block, std::move(resid_mid), pool);
  trace->resid_pre = input.resid_pre;
  trace->q = std::move(projected.q);
  trace->k = std::move(projected.k);
  trace->v = std::move(projected.v);
  trace->heads = request.counts.heads;
  trace->kv_heads = request.counts.kv_heads;
  return trace;
}

Matrix make_memory(const Model& model, const Matrix& resid_post) {
  return normalise(resid_post, model.parameters.encoder_norm, model.config.norm, model.config.norm_epsilon);
}

Matrix apply_final_norm(const Model& model, const Matrix& resid_post) {
  return normalise(resid_post, model.parameters.final_norm, model.config.norm, model.config.norm_epsilon);
}

Matrix compute_logits(const Model& model, const Matrix& final_hidden, ThreadPool& pool) {
  const Parameters& parameters = model.parameters;
  const Matrix& table = parameters.unembedding.size() > 0 ? parameters.unembedding : std::get<Matrix>(parameters.embedding);
  Matrix logits(final_hidden.rows(), table.rows());
  for_column_blocks(table.rows(), pool, [&](Index begin, Index width) {
    multiply_transposed(final_hidden, table.middleRows(begin, width), logits.middleCols(begin, width));
  });
  return logits;
}

}  // namespace headlight
