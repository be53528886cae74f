#include "engine/attention/forward.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/attention/product.h"
#include "engine/core/error.h"
#include "engine/core/random.h"

namespace headlight {
namespace {

constexpr auto kSqrtHalf = static_cast<float>(std::numbers::sqrt2 / 2);
constexpr auto kSqrtTwoOverPi = static_cast<float>(std::numbers::sqrt2 * std::numbers::inv_sqrtpi);

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

/// sin and cos of position / 10000^(2i/d_model) in turn (Vaswani et al. 2017, section 3.5).
void add_sinusoids(Matrix& x) {
  const auto width = static_cast<double>(x.cols());
  for (Index column = 0; column < x.cols(); ++column) {
    const double frequency = std::pow(10000.0, -static_cast<double>(column / 2 * 2) / width);
    for (Index position = 0; position < x.rows(); ++position) {
      const double angle = static_cast<double>(position) * frequency;
      x(position, column) += static_cast<float>(column % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
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

void apply_activation(Activation activation, Eigen::Ref<RowVector> row) {
  auto x = row.array();
  switch (activation) {
    case Activation::relu:
      x = x.max(0.0F);
      return;
    case Activation::gelu_erf:  // x · Φ(x) (Hendrycks and Gimpel 2016, arXiv 1606.08415)
      x = x.unaryExpr([](float value) { return 0.5F * value * (1.0F + std::erf(value * kSqrtHalf)); });
      return;
    case Activation::gelu_tanh:  // its approximation by tanh, same paper
      x = 0.5F * x * (1.0F + (kSqrtTwoOverPi * (x + 0.044715F * x.cube())).tanh());
      return;
  }
}

float score_factor(const ModelConfig& config, int layer, const LayerRequest& request) {
  double divisor = request.score.temperature;
  if (request.score.is_scaled) divisor *= std::sqrt(static_cast<double>(config.d_model) / request.heads);
  if (config.scales_by_inverse_layer) divisor *= layer + 1;
  return static_cast<float>(1.0 / divisor);
}

std::vector<bool> silenced_flags(const LayerRequest& request) {
  std::vector<bool> flags(static_cast<std::size_t>(request.heads), false);
  for (const int head : request.silenced) flags[static_cast<std::size_t>(head)] = true;
  return flags;
}

Matrix feed_forward(const LayerParameters& parameters, Activation activation, const Matrix& x, ThreadPool& pool) {
  Matrix inner = apply_linear(x, parameters.ff_in, pool);
  pool.for_each(inner.rows(), [&](Index token) { apply_activation(activation, inner.row(token)); });
  return apply_linear(inner, parameters.ff_out, pool);
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

LayerRequest request_of_layer(const Query& query, const ModelConfig& config, int layer) {
  LayerRequest request{
      .heads = query.heads.value_or(config.heads), .score = query.score, .mask = edits_of_layer(query.mask, layer), .silenced = {}};
  check_head_count(config.d_model, request.heads);
  if (!(request.score.temperature > 0.0F) || !std::isfinite(request.score.temperature)) {
    throw Error({.kind = ErrorKind::usage,
                 .field = "temperature",
                 .problem = "scores cannot be divided by it",
                 .found = fmt::format("{}", request.score.temperature),
                 .expected = "a number above 0"});
  }
  request.score.is_scaled = request.score.is_scaled && config.scales_scores;
  for (const HeadId& head : query.silenced) {
    if (head.layer == layer && head.head >= 0 && head.head < request.heads) request.silenced.push_back(head.head);
  }
  return request;
}

std::shared_ptr<const LayerTrace> run_layer(const Model& model, int layer, const LayerRequest& request, const LayerMasks& masks,
                                            const Matrix& resid_pre, ThreadPool& pool, const HeadObserver& observer) {
  const ModelConfig& config = model.config;
  const LayerParameters& parameters = model.parameters.layers[static_cast<std::size_t>(layer)];
  MultiHeadSettings settings{.is_silenced = silenced_flags(request)};
  for (const std::shared_ptr<const Mask>& mask : masks)
    settings.rules.push_back({.factor = score_factor(config, layer, request), .mask = mask});

  const Matrix normed = layer_norm(resid_pre, parameters.norm_1, config.norm_epsilon);
  MultiHeadResult attention =
      attend(normed, normed, normed, {parameters.q, parameters.k, parameters.v, parameters.o}, settings, pool, observer);
  const Matrix resid_mid = resid_pre + attention.output;
  const Matrix normed_mid = layer_norm(resid_mid, parameters.norm_2, config.norm_epsilon);

  auto trace = std::make_shared<LayerTrace>();
  trace->resid_post = resid_mid + feed_forward(parameters, config.activation, normed_mid, pool);
  trace->resid_pre = resid_pre;
  trace->q = std::move(attention.projected.q);
  trace->k = std::move(attention.projected.k);
  trace->v = std::move(attention.projected.v);
  trace->z = std::move(attention.z);
  trace->heads = request.heads;
  trace->kv_heads = request.heads;
  trace->rules = std::move(settings.rules);
  return trace;
}

Matrix apply_final_norm(const Model& model, const Matrix& resid_post) {
  return layer_norm(resid_post, model.parameters.final_norm, model.config.norm_epsilon);
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

Matrix layer_norm(const Matrix& x, const LayerNorm& norm, float epsilon) {
  Matrix y(x.rows(), x.cols());
  for (Index token = 0; token < x.rows(); ++token) {
    const auto centred = (x.row(token).array() - x.row(token).mean()).eval();
    const float deviation = std::sqrt(centred.square().mean() + epsilon);
    y.row(token) = centred / deviation * norm.gain.array() + norm.bias.array();
  }
  return y;
}

}  // namespace headlight
