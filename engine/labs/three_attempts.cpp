#include "engine/labs/three_attempts.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

#include "engine/core/enumeration.h"
#include "engine/core/error.h"
#include "engine/kernels/product.h"

namespace headlight {
namespace {

constexpr std::string_view kInput = "w_j v_j";

constexpr std::array<AttemptForm, 4> kAttemptForms = {{
    {Attempt::vanilla, "vanilla", "w_j ∝ exp(v_i · v_j / √d)", kInput, nullptr, nullptr, nullptr, OutputSpace::input},
    {Attempt::shared, "attempt 1", "w_j ∝ exp((W v_i) · (W v_j) / √d)", kInput, &AttemptMatrices::shared, &AttemptMatrices::shared, nullptr,
     OutputSpace::input},
    {Attempt::asymmetric, "attempt 2", "w_j ∝ exp((W_Q v_i) · (W_K v_j) / √d)", kInput, &AttemptMatrices::q, &AttemptMatrices::k, nullptr,
     OutputSpace::input},
    {Attempt::final, "final attempt", "w_j ∝ exp((W_Q v_i) · (W_K v_j) / √d)", "w_j (W_V v_j)", &AttemptMatrices::q, &AttemptMatrices::k,
     &AttemptMatrices::v, OutputSpace::value},
}};
static_assert(has_row_of_each(kAttemptForms, &AttemptForm::attempt));

Error misfit(std::string_view attempt, std::string_view field, std::string problem, Index found, Index expected) {
  return Error({.kind = ErrorKind::usage,
                .field = fmt::format("{}, {}", attempt, field),
                .problem = std::move(problem),
                .found = std::to_string(found),
                .expected = std::to_string(expected)});
}

/// [tokens, D] → [tokens, out]; the vectors themselves where the attempt has no such matrix.
Matrix embed_vectors(const Matrix& vectors, const AttemptForm& form, Matrix AttemptMatrices::*member, const AttemptMatrices& matrices,
                     std::string_view name) {
  if (!member) return vectors;
  const Matrix& matrix = matrices.*member;
  if (matrix.rows() != vectors.cols()) {
    throw misfit(form.name, name, "the matrix does not take vectors of this width", matrix.rows(), vectors.cols());
  }
  Matrix embedded(vectors.rows(), matrix.cols());
  multiply(vectors, matrix, embedded);
  return embedded;
}

/// A product sums (i, j) and (j, i) in different orders when they fall into different blocks. Where both sides are the same vectors the
/// scores are symmetric by their formula, so one half stands for both.
void mirror_upper_half(Matrix& scores) {
  scores.triangularView<Eigen::StrictlyLower>() = scores.transpose();
}

}  // namespace

std::string output_formula(const AttemptForm& form, bool includes_self) {
  return fmt::format("o_i = Σ_{} {}", includes_self ? "j" : "(j≠i)", form.summand);
}

std::span<const AttemptForm> attempt_forms() {
  return kAttemptForms;
}

const AttemptForm& attempt_form(Attempt attempt) {
  return kAttemptForms[static_cast<std::size_t>(attempt)];
}

Asymmetry measure_asymmetry(const Matrix& scores, const Matrix& weights) {
  if (scores.size() == 0) return {};
  const Matrix difference = scores - scores.transpose();
  const float norm = scores.norm();
  return {.scores = difference.cwiseAbs().maxCoeff(),
          .weights = (weights - weights.transpose()).cwiseAbs().maxCoeff(),
          .relative_scores = norm > 0.0F ? difference.norm() / norm : 0.0F};
}

AttemptResult run_attempt(Attempt attempt, const Matrix& vectors, const AttemptMatrices& matrices, bool includes_self) {
  const AttemptForm& form = attempt_form(attempt);
  const Matrix q = embed_vectors(vectors, form, form.q, matrices, "queries");
  const Matrix k = embed_vectors(vectors, form, form.k, matrices, "keys");
  const Matrix v = embed_vectors(vectors, form, form.v, matrices, "values");
  if (q.cols() != k.cols()) throw misfit(form.name, "keys", "queries and keys differ in width", k.cols(), q.cols());

  Mask mask(vectors.rows(), vectors.rows(), true);
  for (Index token = 0; token < vectors.rows() && !includes_self; ++token) mask.set(token, token, false);
  const HeadRule rule{.factor = static_cast<float>(1.0 / std::sqrt(static_cast<double>(q.cols()))),
                      .mask = std::make_shared<const Mask>(std::move(mask))};
  Matrix scores;
  compute_scores(q, k, rule, scores);
  if (q == k) mirror_upper_half(scores);

  AttemptResult result{.maps = maps_of_scores(std::move(scores), rule), .output = Matrix(v.rows(), v.cols()), .space = form.space};
  mix_values(result.maps.weights, v, result.output);
  result.asymmetry = measure_asymmetry(result.maps.scores, result.maps.weights);
  return result;
}

ConcatenatedHeads run_attempt_heads(Attempt attempt, const Matrix& vectors, std::span<const AttemptMatrices> heads, bool includes_self) {
  ConcatenatedHeads result;
  Index width = 0;
  for (const AttemptMatrices& matrices : heads) {
    result.heads.push_back(run_attempt(attempt, vectors, matrices, includes_self));
    width += result.heads.back().output.cols();
  }
  result.output.resize(vectors.rows(), width);
  Index begin = 0;
  for (const AttemptResult& head : result.heads) {
    result.output.middleCols(begin, head.output.cols()) = head.output;
    begin += head.output.cols();
  }
  return result;
}

}  // namespace headlight
