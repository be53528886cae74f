#include "engine/forward/embedding.h"

#include <fmt/core.h>

#include "engine/attention/multi_head.h"
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

const EmbeddingParameters& embedding_of(const Model& model, bool is_decoder) {
  return is_decoder ? model.parameters.last_embedding() : model.parameters.embedding;
}

/// A projection from a narrow table comes first where there is no norm before it.
bool is_projected_first(const EmbeddingParameters& parameters) {
  return parameters.projection.weight.size() > 0 && parameters.norm.gain.size() == 0;
}

/// The tokens' own vectors, from token `first` on.
Matrix token_rows(const Model& model, const EmbeddingParameters& parameters, const std::vector<Token>& tokens, Index first,
                  const Watch& watch) {
  const auto* table = std::get_if<StoredMatrix>(&parameters.tokens);
  Matrix x = Matrix::Zero(std::ssize(tokens) - first, table ? table->cols() : model.config.d_model);
  for (Index row = 0; row < x.rows(); ++row) {
    watch.check();
    const Token& token = tokens[static_cast<std::size_t>(first + row)];
    if (table) {
      add_table_row(*table, model.tokenizer.get(), token, model.config.embedding_scale, x.row(row));
    } else {
      add_hashed_row(std::get<HashedEmbedding>(parameters.tokens), token, x.row(row));
    }
  }
  return x;
}

bool has_positions(const ModelConfig& config, const EmbeddingParameters& parameters) {
  return parameters.positions.size() > 0 || config.positions.kind == PositionKind::sinusoidal;
}

/// Old Marian files hold the sinusoids as a table.
void add_positions(const ModelConfig& config, const EmbeddingParameters& parameters, Matrix& x, Index first, const Watch& watch) {
  if (parameters.positions.size() > 0) {
    add_learned_positions(parameters.positions, x, first);
  } else {
    add_sinusoids(x, config.positions.has_split_sinusoids, watch, first);
  }
}

}  // namespace

Matrix embed(const Model& model, const std::vector<Token>& tokens, bool is_decoder, const Watch& watch, Index first) {
  const EmbeddingParameters& parameters = embedding_of(model, is_decoder);
  ThreadPool alone(1);  // texts are short, and so is a projection from a narrow table
  Matrix x = token_rows(model, parameters, tokens, first, watch);
  const bool has_projection = parameters.projection.weight.size() > 0, projects_first = is_projected_first(parameters);
  if (projects_first) x = apply_linear(x, parameters.projection, alone, true, watch);
  if (parameters.types.size() > 0) add_types(parameters.types, tokens, x, first);
  if (has_positions(model.config, parameters)) add_positions(model.config, parameters, x, first, watch);
  x = normalise(x, parameters.norm, watch);
  return has_projection && !projects_first ? apply_linear(x, parameters.projection, alone, true, watch) : x;
}

EmbeddedToken split_embedding(const Model& model, const std::vector<Token>& tokens, bool is_decoder, Index at) {
  const ModelConfig& config = model.config;
  const EmbeddingParameters& parameters = embedding_of(model, is_decoder);
  const auto one = static_cast<std::size_t>(at);
  ThreadPool alone(1);
  EmbeddedToken parts;
  Matrix token = token_rows(model, parameters, {tokens[one]}, 0, {});
  if (is_projected_first(parameters)) {
    token = apply_linear(token, parameters.projection, alone, false);
    parts.bias = parameters.projection.bias;
  }
  parts.token = token.row(0);
  const auto added = [&](const auto& add) {
    Matrix x = Matrix::Zero(1, token.cols());
    add(x);
    return RowVector(x.row(0));
  };
  if (parameters.types.size() > 0) parts.type = added([&](Matrix& x) { add_types(parameters.types, tokens, x, at); });
  if (has_positions(config, parameters)) parts.position = added([&](Matrix& x) { add_positions(config, parameters, x, at, {}); });
  parts.norm = &parameters.norm;
  if (parameters.projection.weight.size() > 0 && !is_projected_first(parameters)) parts.projection = &parameters.projection;
  return parts;
}

}  // namespace headlight
