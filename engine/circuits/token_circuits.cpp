#include "engine/circuits/token_circuits.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <complex>

#include "engine/attention/positions.h"
#include "engine/core/error.h"
#include "engine/core/guarded.h"
#include "engine/forward/block.h"
#include "engine/forward/forward.h"
#include "engine/forward/projections.h"
#include "engine/kernels/product.h"

namespace headlight {
namespace {

constexpr Index kTokensAtOnce = 512;

[[noreturn]] void refuse(const std::string& why) {
  throw Error({.kind = ErrorKind::usage, .field = "circuit", .problem = why.substr(0, why.size() - 1), .found = {}, .expected = {}});
}

const EmbeddingParameters& embedding_read_by(const Model& model, int layer) {
  const Stack stack = model.config.place(layer).stack;
  return stack == Stack::decoder ? model.parameters.last_embedding() : model.parameters.embedding;
}

const StoredMatrix* table_of(const Model& model, int layer) {
  return std::get_if<StoredMatrix>(&embedding_read_by(model, layer).tokens);
}

/// Tokens alone in the stream, [count, d_model].
Matrix token_vectors(const Model& model, int layer, Index first, Index count) {
  const EmbeddingParameters& parameters = embedding_read_by(model, layer);
  const StoredMatrix& table = *table_of(model, layer);
  ThreadPool alone(1);
  Matrix x(count, table.cols());
  table.convert(first, 0, x);
  x *= model.config.embedding_scale;
  const bool has_projection = parameters.projection.weight.size() > 0, projects_first = has_projection && parameters.norm.gain.size() == 0;
  if (projects_first) x = apply_linear(x, parameters.projection, alone);
  x = normalise(x, parameters.norm);
  return has_projection && !projects_first ? apply_linear(x, parameters.projection, alone) : x;
}

/// Some columns of y = x·W + b.
struct Columns {
  Matrix weight;
  RowVector bias;

  Columns(const Linear& linear, Index begin, Index count) : weight(linear.weight.to_matrix().middleCols(begin, count)) {
    bias = linear.bias.size() > 0 ? RowVector(linear.bias.segment(begin, count)) : RowVector::Zero(count);
  }
  Matrix of(const Matrix& x) const {
    Matrix y(x.rows(), weight.cols());
    multiply(x, weight, y);
    y.rowwise() += bias;
    return y;
  }
};

/// Of every token, what a head's projection makes of it where the token is alone in the stream: [vocabulary, columns].
Matrix project_tokens(const Model& model, int layer, const Columns& columns, ThreadPool& pool, const Watch& watch) {
  const Index tokens = table_of(model, layer)->rows();
  const bool is_norm_before = model.config.norm.place == NormPlace::before;
  Matrix projected(tokens, columns.weight.cols());
  pool.for_each((tokens + kTokensAtOnce - 1) / kTokensAtOnce, [&](Index part) {
    watch.check();
    const Index first = part * kTokensAtOnce, count = std::min(kTokensAtOnce, tokens - first);
    const Matrix x = token_vectors(model, layer, first, count);
    projected.middleRows(first, count) = columns.of(is_norm_before ? normalise(x, model.parameters.layer(layer).norm_1) : x);
  });
  return projected;
}

bool comes_first(const TokenPair& a, const TokenPair& b) {
  if (a.score != b.score) return a.score > b.score;
  return a.from != b.from ? a.from < b.from : a.to < b.to;
}

/// The largest pairs seen so far.
class LargestPairs {
 public:
  explicit LargestPairs(int most) : most_(static_cast<std::size_t>(most)) {}

  void add(const TokenPair& pair) {
    if (pairs_.size() == most_ && !comes_first(pair, pairs_.front())) return;
    if (pairs_.size() == most_) {
      std::pop_heap(pairs_.begin(), pairs_.end(), comes_first);
      pairs_.pop_back();
    }
    pairs_.push_back(pair);
    std::push_heap(pairs_.begin(), pairs_.end(), comes_first);
  }
  void add_row(std::int64_t from, const float* scores, Index count) {
    for (Index to = 0; to < count; ++to) {
      if (pairs_.size() < most_ || scores[to] >= pairs_.front().score) add({from, to, scores[to]});
    }
  }
  const std::vector<TokenPair>& pairs() const { return pairs_; }

 private:
  std::size_t most_;
  std::vector<TokenPair> pairs_;  ///< a heap: the one to go next is in front
};

/// Scores of all tokens with all tokens, rows · columns, some rows at a time: the whole would take 10 GB for 50,000 tokens.
TokenCircuit find_largest(const Matrix& rows, const Matrix& columns, int most, ThreadPool& pool, const Watch& watch) {
  constexpr Index kRowsAtOnce = 32;
  const Panels panels(panel_source(columns, false));
  LargestPairs largest(most);
  Index own = 0;
  Mutex mutex;
  pool.for_each((rows.rows() + kRowsAtOnce - 1) / kRowsAtOnce, [&](Index part) {
    const Index first = part * kRowsAtOnce, count = std::min(kRowsAtOnce, rows.rows() - first);
    Matrix scores(count, columns.cols());
    multiply(rows.middleRows(first, count), panels, scores, watch);
    LargestPairs found(most);
    Index of_part = 0;
    for (Index row = 0; row < count; ++row) {
      Index strongest = 0;
      scores.row(row).maxCoeff(&strongest);
      of_part += strongest == first + row ? 1 : 0;
      found.add_row(first + row, scores.row(row).data(), scores.cols());
    }
    const Lock lock(mutex);
    own += of_part;
    for (const TokenPair& pair : found.pairs()) largest.add(pair);
  });
  TokenCircuit circuit{.largest = largest.pairs(), .tokens = rows.rows()};
  std::sort(circuit.largest.begin(), circuit.largest.end(), comes_first);
  circuit.own_share = static_cast<double>(own) / static_cast<double>(rows.rows());
  return circuit;
}

/// Where a head's columns begin in its layer's matrices.
struct HeadColumnsOf {
  Index query, key, value, out;
  Index width, value_width;
};

HeadColumnsOf columns_of_head(const Model& model, HeadId head) {
  const LayerParameters& parameters = model.parameters.layer(head.layer);
  const Index heads = model.config.heads_of(head.layer), width = parameters.q.weight.cols() / heads;
  const Index kv_heads = parameters.k.weight.cols() / width, value_width = parameters.v.weight.cols() / kv_heads;
  const Index shared = head.head / (heads / kv_heads);
  return {head.head * width, shared * width, shared * value_width, head.head * value_width, width, value_width};
}

/// u of every token as the stream is read by it: its row of the table of logits, through the last projection and the final norm's gain.
Matrix reading_rows(const Model& model, Index first, Index count, NormGain gain) {
  const StoredMatrix& table = logit_table(model);
  Matrix rows(count, table.cols());
  table.convert(first, 0, rows);
  if (const Weights& last = model.parameters.final_projection.weight; last.size() > 0) {
    Matrix wide(count, last.rows());
    multiply_transposed(rows, last.to_matrix(), wide);
    rows = std::move(wide);
  }
  const Norm& norm = model.parameters.final_norm;
  if (gain == NormGain::folded && norm.gain.size() == rows.cols()) rows = rows.array().rowwise() * norm.gain.array();
  if (gain == NormGain::folded && norm.gain.size() == rows.cols() && norm.kind == NormKind::layer_norm) {
    rows.colwise() -= rows.rowwise().mean().eval();  // the norm takes the mean away
  }
  return rows;
}

/// W_O of the head, read by every token: [d_value, vocabulary].
Matrix written_logits(const Model& model, const Matrix& o, ThreadPool& pool, const Watch& watch) {
  const Index tokens = logit_table(model).rows();
  Matrix logits(o.rows(), tokens);
  pool.for_each((tokens + kTokensAtOnce - 1) / kTokensAtOnce, [&](Index part) {
    watch.check();
    const Index first = part * kTokensAtOnce, count = std::min(kTokensAtOnce, tokens - first);
    Matrix some(o.rows(), count);
    multiply_transposed(o, reading_rows(model, first, count, NormGain::folded), some);
    logits.middleCols(first, count) = some;
  });
  return logits;
}

/// All rows as if they were at one position.
void turn_rows(Matrix& x, const RotarySettings& rotary, Index position, const Watch& watch) {
  for (Index row = 0; row < x.rows(); ++row) {
    Matrix one = x.row(row);
    rotate_positions(one, 1, rotary, position, false, watch);
    x.row(row) = one;
  }
}

/// 1/√d_head, or what the model has in its place.
float factor_of(const Model& model, HeadId head) {
  const LayerRequest request = request_of_layer({}, model, head.layer);
  const LayerMasks masks(static_cast<std::size_t>(request.counts.heads), std::make_shared<const Mask>(1, 1, true));
  return rules_of_layer(model, head.layer, request, masks)[static_cast<std::size_t>(head.head)].factor;
}

}  // namespace

TokenCircuit qk_circuit(const Model& model, HeadId head, Index distance, int most, ThreadPool& pool, const Watch& watch) {
  if (const std::string why = why_no_qk(model, head); !why.empty()) refuse(why);
  const LayerParameters& parameters = model.parameters.layer(head.layer);
  const HeadColumnsOf columns = columns_of_head(model, head);
  Matrix q = project_tokens(model, head.layer, Columns(parameters.q, columns.query, columns.width), pool, watch);
  Matrix k = project_tokens(model, head.layer, Columns(parameters.k, columns.key, columns.width), pool, watch);
  if (turns_queries_and_keys(model.config, head.layer)) {
    turn_rows(q, model.config.rotary_of(head.layer), distance, watch);
    turn_rows(k, model.config.rotary_of(head.layer), 0, watch);
  }
  q *= factor_of(model, head);
  return find_largest(q, k.transpose(), most, pool, watch);
}

TokenCircuit ov_circuit(const Model& model, HeadId head, int most, ThreadPool& pool, const Watch& watch) {
  if (const std::string why = why_no_ov(model, head); !why.empty()) refuse(why);
  const LayerParameters& parameters = model.parameters.layer(head.layer);
  const HeadColumnsOf columns = columns_of_head(model, head);
  const Matrix v = project_tokens(model, head.layer, Columns(parameters.v, columns.value, columns.value_width), pool, watch);
  const Matrix o = parameters.o.weight.to_matrix().middleRows(columns.out, columns.value_width);
  return find_largest(v, written_logits(model, o, pool, watch), most, pool, watch);
}

double eigenvalue_share(const Eigen::MatrixXd& matrix) {
  const Eigen::VectorXcd values = Eigen::EigenSolver<Eigen::MatrixXd>(matrix, false).eigenvalues();
  return values.sum().real() / values.cwiseAbs().sum();
}

double copying_by_eigenvalues(const Model& model, HeadId head, NormGain gain, const Watch& watch) {
  if (const std::string why = why_no_ov(model, head); !why.empty()) refuse(why);
  const FactoredMatrix ov = head_factors(model, head, gain).ov;
  const StoredMatrix& table = *table_of(model, head.layer);
  const Index tokens = std::min(table.rows(), logit_table(model).rows());
  Eigen::MatrixXd core = Eigen::MatrixXd::Zero(ov.right.rows(), ov.left.cols());  // o · W_U · W_E · v: its eigenvalues are those asked for
  for (Index first = 0; first < tokens; first += kTokensAtOnce) {
    watch.check();
    const Index count = std::min(kTokensAtOnce, tokens - first);
    const Eigen::MatrixXd read = token_vectors(model, head.layer, first, count).cast<double>() * ov.left;
    const Eigen::MatrixXd written = reading_rows(model, first, count, gain).cast<double>() * ov.right.transpose();
    core += written.transpose() * read;
  }
  return eigenvalue_share(core);
}

std::string why_no_qk(const Model& model, HeadId head) {
  const OwnScores& scores = model.config.scores;
  if (table_of(model, head.layer) == nullptr) return "The sandbox has no table of tokens: it embeds whatever is typed.";
  if (model.config.place(head.layer).stack == Stack::cross)
    return "The head attends from the decoder's text to the encoder's output, whose vectors are not those of single tokens.";
  if (scores.kind != ScoreKind::dot) return "The model's scores are not products of a query and a key.";
  if (scores.query_key_norm != QueryKeyNorm::none)
    return "The layer has norms of its own for q and k, so that no matrix says how they are compared.";
  return {};
}

std::string why_no_ov(const Model& model, HeadId head) {
  if (table_of(model, head.layer) == nullptr) return "The sandbox has no table of tokens: it embeds whatever is typed.";
  if (model.config.place(head.layer).stack == Stack::cross || model.config.place(head.layer).stack == Stack::encoder)
    return "The head reads or writes the encoder's stream, which no logit is read from.";
  if (!model.config.has_logits) return "The model predicts no tokens: it has no language-model head.";
  if (model.parameters.prediction.dense.weight.size() > 0)
    return "A layer with an activation lies between the stream and the logits, so that no matrix leads from one to the other.";
  return {};
}

}  // namespace headlight
