#include "engine/attention/score.h"

#include <fmt/core.h>

#include <array>

#include "engine/core/enumeration.h"
#include "engine/core/error.h"
#include "engine/core/number_runs.h"
#include "engine/kernels/product.h"

namespace headlight {
namespace {

void compute_dot(const MatrixView& q, const MatrixView& k, const ScoreParameters& /*none*/, MatrixBlock scores, const Watch& watch) {
  multiply_transposed(q, k, scores, watch);
}

/// Rows of length 1; a row of zeros has no direction and stays zero.
Matrix with_unit_rows(const MatrixView& rows) {
  Matrix unit = rows;
  for (Index row = 0; row < unit.rows(); ++row) {
    const float length = unit.row(row).stableNorm();
    if (length > 0.0F) unit.row(row) /= length;
  }
  return unit;
}

void compute_cosine(const MatrixView& q, const MatrixView& k, const ScoreParameters& /*none*/, MatrixBlock scores, const Watch& watch) {
  multiply_transposed(with_unit_rows(q), with_unit_rows(k), scores, watch);
}

void compute_additive(const MatrixView& q, const MatrixView& k, const ScoreParameters& parameters, MatrixBlock scores, const Watch& watch) {
  for (Index query = 0; query < q.rows(); ++query) {
    watch.check();
    for (Index key = 0; key < k.rows(); ++key) {
      scores(query, key) = ((q.row(query) + k.row(key)).array().tanh() * parameters.additive.array()).sum();
    }
  }
}

void compute_relative(const MatrixView& q, const MatrixView& k, const ScoreParameters& parameters, MatrixBlock scores, const Watch& watch) {
  multiply_transposed(q, k, scores, watch);
  const Index queries = q.rows(), keys = k.rows();
  if (parameters.distance_keys.size() > 0 && queries > 0 && keys > 0) {
    Matrix by_distance(queries, queries + keys - 1);
    multiply_transposed(q, parameters.distance_keys, by_distance, watch);
    for (Index query = 0; query < queries; ++query) {
      watch.check();
      scores.row(query) += by_distance.row(query).segment(queries - 1 - query, keys);
    }
  }
  if (parameters.key_bias.size() > 0) {
    for (Index key = 0; key < keys; ++key) {
      watch.check();
      scores.col(key).array() += k.row(key).dot(parameters.key_bias);
    }
  }
  if (parameters.distance_bias.size() > 0) {
    for (Index query = 0; query < queries; ++query) {
      watch.check();
      scores.row(query) += parameters.distance_bias.segment(queries - 1 - query, keys);
    }
  }
}

void multiply_numbers(const MatrixView& q, const MatrixView& k, const ScoreParameters& /*none*/, MatrixBlock terms) {
  for (Index key = 0; key < k.rows(); ++key) terms.row(key) = q.row(0).cwiseProduct(k.row(key));
}

void multiply_unit_numbers(const MatrixView& q, const MatrixView& k, const ScoreParameters& none, MatrixBlock terms) {
  multiply_numbers(with_unit_rows(q), with_unit_rows(k), none, terms);
}

void add_numbers(const MatrixView& q, const MatrixView& k, const ScoreParameters& parameters, MatrixBlock terms) {
  for (Index key = 0; key < k.rows(); ++key) {
    terms.row(key) = ((q.row(0) + k.row(key)).array().tanh() * parameters.additive.array()).matrix();
  }
}

constexpr std::array<ScoreFunction, 4> kScoreFunctions = {{
    {ScoreKind::dot, "dot", "q_i · k_j", "Vaswani et al. 2017, arXiv 1706.03762, section 3.2.1", true, false, compute_dot,
     multiply_numbers},
    {ScoreKind::cosine, "cosine", "q_i · k_j / (|q_i| |k_j|)", "Henry et al. 2020, arXiv 2010.04245", false, false, compute_cosine,
     multiply_unit_numbers},
    {ScoreKind::additive, "additive", "w_v · tanh(q_i + k_j)", "Bahdanau et al. 2015, arXiv 1409.0473", false, true, compute_additive,
     add_numbers},
    {ScoreKind::relative, "relative", "q_i · k_j + q_i · R_(i−j) + v · k_j + S_(i−j)", "Dai et al. 2019, arXiv 1901.02860, section 3.3",
     true, true, compute_relative, multiply_numbers},
}};
static_assert(has_row_of_each(kScoreFunctions, &ScoreFunction::kind));

}  // namespace

std::span<const ScoreFunction> score_functions() {
  return kScoreFunctions;
}

const ScoreFunction& score_function(ScoreKind kind) {
  return kScoreFunctions[static_cast<std::size_t>(kind)];
}

ScoreKind score_kind_of(std::string_view name) {
  std::string known;
  for (const ScoreFunction& function : kScoreFunctions) {
    if (function.name == name) return function.kind;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", function.name);
  }
  throw Error({.kind = ErrorKind::usage,
               .field = "score",
               .problem = "there is no score function of this name",
               .found = fmt::format("\"{}\"", printable(name, 40)),
               .expected = "one of " + known});
}

void add_bias(MatrixBlock scores, const ScoreBias& bias, const Watch& watch) {
  const Index queries = scores.rows(), keys = scores.cols();
  for (Index query = 0; query < queries && !bias.is_empty(); ++query) {
    watch.check();
    if (bias.by_distance) scores.row(query) += bias.by_distance->segment(queries - 1 - query, keys);
    if (bias.by_cell) scores.row(query) += bias.by_cell->row(query);
  }
}

void cap_scores(MatrixBlock scores, float softcap, const Watch& watch) {
  if (!(softcap > 0.0F)) return;
  change_rows(scores, watch, [&](NumberRun run) {
    run /= softcap;
    instruction_set().apply(LaneFunction::tanh, run.data(), run.size());
    run *= softcap;
  });
}

}  // namespace headlight
