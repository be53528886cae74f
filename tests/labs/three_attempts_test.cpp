#include "engine/labs/three_attempts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/kernels/random_matrix.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;
using testing::random_matrix;

constexpr Index kWidth = 11, kEmbedded = 5, kValue = 3;  // D, d and d_value differ

AttemptMatrices random_matrices(const std::string& name) {
  return {.shared = random_matrix(name + "W", kWidth, kEmbedded),
          .q = random_matrix(name + "Q", kWidth, kEmbedded),
          .k = random_matrix(name + "K", kWidth, kEmbedded),
          .v = random_matrix(name + "V", kWidth, kValue)};
}

Matrix vectors_of(Index tokens) {
  return random_matrix("vectors", tokens, kWidth);
}

TEST(ThreeAttempts, EveryFormHasARowInItsPlace) {
  for (const AttemptForm& form : attempt_forms()) EXPECT_EQ(&attempt_form(form.attempt), &form);
}

/// The sum over the other tokens as the seed writes it, in plain loops and double precision.
TEST(ThreeAttempts, FinalAttemptFollowsItsFormulaInPlainLoops) {
  const Index tokens = 6;
  const Matrix x = vectors_of(tokens);
  const AttemptMatrices matrices = random_matrices("");
  const AttemptResult result = run_attempt(Attempt::final, x, matrices);
  const Eigen::MatrixXd q = (x * matrices.q).cast<double>(), k = (x * matrices.k).cast<double>(), v = (x * matrices.v).cast<double>();
  for (Index query = 0; query < tokens; ++query) {
    double total = 0;
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(kValue);
    for (Index key = 0; key < tokens; ++key) {
      if (key == query) continue;
      const double weight = std::exp(q.row(query).dot(k.row(key)) / std::sqrt(5.0));
      total += weight;
      sum += weight * v.row(key);
    }
    EXPECT_TRUE(result.output.row(query).cast<double>().isApprox(sum / total, 1e-5)) << "token " << query;
  }
}

// Seeds S4-1 and S4-2: symmetric scores, exactly and for any number of tokens, while the weights are not symmetric.
TEST(ThreeAttempts, OneSharedMatrixMakesSymmetricScoresButNotWeights) {
  for (Index tokens = 3; tokens <= 60; ++tokens) {
    for (const Attempt attempt : {Attempt::vanilla, Attempt::shared}) {
      const AttemptResult result = run_attempt(attempt, vectors_of(tokens), random_matrices(""));
      EXPECT_EQ(result.asymmetry.scores, 0.0F) << tokens << " tokens";
      EXPECT_EQ(result.asymmetry.relative_scores, 0.0F) << tokens << " tokens";
      EXPECT_GT(result.asymmetry.weights, 0.01F) << tokens << " tokens";
    }
  }
}

// Seeds S4-1: W = identity reproduces vanilla self-attention.
TEST(ThreeAttempts, TheIdentityReproducesVanillaSelfAttention) {
  const Matrix x = vectors_of(7);
  const AttemptMatrices identity{.shared = Matrix::Identity(kWidth, kWidth), .q = {}, .k = {}, .v = {}};
  const AttemptResult vanilla = run_attempt(Attempt::vanilla, x, {}), shared = run_attempt(Attempt::shared, x, identity);
  EXPECT_EQ(shared.maps.weights, vanilla.maps.weights);
  EXPECT_EQ(shared.output, vanilla.output);
}

// Seeds S4-3: d is the width of the embedded space, not that of the input; without a matrix the two are one.
TEST(ThreeAttempts, TheScaleTakesTheEmbeddedWidth) {
  const AttemptMatrices matrices = random_matrices("");
  EXPECT_FLOAT_EQ(run_attempt(Attempt::vanilla, vectors_of(4), matrices).maps.factor, 1 / std::sqrt(11.0F));
  for (const Attempt attempt : {Attempt::shared, Attempt::asymmetric, Attempt::final}) {
    EXPECT_FLOAT_EQ(run_attempt(attempt, vectors_of(4), matrices).maps.factor, 1 / std::sqrt(5.0F));
  }
}

// Seeds S4-4: a token does not attend to itself unless asked to.
TEST(ThreeAttempts, ATokenIsLeftOutOfItsOwnSumUnlessSwitchedOn) {
  for (const AttemptForm& form : attempt_forms()) {
    const AttemptMatrices matrices = random_matrices("");
    const Matrix others = run_attempt(form.attempt, vectors_of(6), matrices).maps.weights;
    const Matrix all = run_attempt(form.attempt, vectors_of(6), matrices, true).maps.weights;
    for (Index token = 0; token < 6; ++token) {
      EXPECT_EQ(others(token, token), 0.0F);
      EXPECT_GT(all(token, token), 0.0F);
      EXPECT_NEAR(others.row(token).sum(), 1.0F, 1e-6F);
      EXPECT_NEAR(all.row(token).sum(), 1.0F, 1e-6F);
    }
  }
}

// Seeds S4-5 and D1: a token alone has nothing to attend to.
TEST(ThreeAttempts, ASingleTokenGivesZerosAndIsFlagged) {
  for (const AttemptForm& form : attempt_forms()) {
    const AttemptResult alone = run_attempt(form.attempt, vectors_of(1), random_matrices(""));
    EXPECT_EQ(alone.output, Matrix::Zero(1, alone.output.cols()));
    EXPECT_EQ(alone.maps.is_row_masked, std::vector<bool>{true});
    const AttemptResult with_itself = run_attempt(form.attempt, vectors_of(1), random_matrices(""), true);
    EXPECT_EQ(with_itself.maps.weights(0, 0), 1.0F);
    EXPECT_EQ(with_itself.maps.is_row_masked, std::vector<bool>{false});
  }
}

TEST(ThreeAttempts, NoTokensGiveNoRows) {
  EXPECT_EQ(run_attempt(Attempt::final, vectors_of(0), random_matrices("")).output.rows(), 0);
}

// Seeds S4-6: two matrices break the symmetry; equal ones are attempt 1, exactly.
TEST(ThreeAttempts, SeparateMatricesMakeTheRelationAsymmetric) {
  AttemptMatrices matrices = random_matrices("");
  EXPECT_GT(run_attempt(Attempt::asymmetric, vectors_of(9), matrices).asymmetry.relative_scores, 0.1F);
  matrices.q = matrices.k = matrices.shared;
  const AttemptResult first = run_attempt(Attempt::shared, vectors_of(9), matrices);
  const AttemptResult second = run_attempt(Attempt::asymmetric, vectors_of(9), matrices);
  EXPECT_EQ(second.maps.weights, first.maps.weights);
  EXPECT_EQ(second.output, first.output);
  EXPECT_EQ(second.asymmetry.relative_scores, 0.0F);
}

// Seeds S4-7: W_V = identity reproduces attempt 2, exactly.
TEST(ThreeAttempts, TheIdentityAsValueMatrixReproducesAttemptTwo) {
  AttemptMatrices matrices = random_matrices("");
  matrices.v = Matrix::Identity(kWidth, kWidth);
  EXPECT_EQ(run_attempt(Attempt::final, vectors_of(9), matrices).output, run_attempt(Attempt::asymmetric, vectors_of(9), matrices).output);
}

// Seeds S4-8: sizes D, D and d_value, and the name of the space.
TEST(ThreeAttempts, OutputsLiveInTheInputSpaceUntilTheFinalAttempt) {
  const auto width_and_space = [](Attempt attempt) {
    const AttemptResult result = run_attempt(attempt, vectors_of(4), random_matrices(""));
    return std::pair(result.output.cols(), result.space);
  };
  EXPECT_EQ(width_and_space(Attempt::shared), std::pair(kWidth, OutputSpace::input));
  EXPECT_EQ(width_and_space(Attempt::asymmetric), std::pair(kWidth, OutputSpace::input));
  EXPECT_EQ(width_and_space(Attempt::final), std::pair(kValue, OutputSpace::value));
}

// Seeds S4-9 and S4-10: K maps and a concatenation of width K · d_value without an output projection; permuted heads permute both.
TEST(ThreeAttempts, HeadsAreConcatenatedAndPermuteWithTheirMatrices) {
  const std::vector<AttemptMatrices> heads = {random_matrices("a"), random_matrices("b"), random_matrices("c")};
  const std::vector<AttemptMatrices> permuted = {heads[2], heads[0], heads[1]};
  const ConcatenatedHeads first = run_attempt_heads(Attempt::final, vectors_of(8), heads);
  const ConcatenatedHeads second = run_attempt_heads(Attempt::final, vectors_of(8), permuted);
  EXPECT_EQ(first.output.cols(), 3 * kValue);
  for (const auto& [from, to] : {std::pair(0, 1), std::pair(1, 2), std::pair(2, 0)}) {
    const AttemptResult& head = first.heads[static_cast<std::size_t>(from)];
    EXPECT_EQ(head.maps.weights, second.heads[static_cast<std::size_t>(to)].maps.weights);
    EXPECT_EQ(first.output.middleCols(from * kValue, kValue), head.output);
    EXPECT_EQ(second.output.middleCols(to * kValue, kValue), head.output);
  }
  EXPECT_NE(first.heads[0].maps.weights, first.heads[1].maps.weights);
}

// Seeds S4-12: a matrix is a parameter; one changed entry changes the map.
TEST(ThreeAttempts, ChangingOneEntryOfTheMatrixChangesTheMap) {
  AttemptMatrices matrices = random_matrices("");
  const Matrix before = run_attempt(Attempt::shared, vectors_of(6), matrices).maps.weights;
  matrices.shared(3, 2) += 0.5F;
  EXPECT_GT((run_attempt(Attempt::shared, vectors_of(6), matrices).maps.weights - before).cwiseAbs().maxCoeff(), 0.001F);
}

TEST(ThreeAttempts, MatricesThatDoNotFitAreRefusedWithBothSizes) {
  AttemptMatrices matrices = random_matrices("");
  matrices.k = Matrix::Zero(kWidth, 7);
  const Error widths = error_of([&] { run_attempt(Attempt::asymmetric, vectors_of(4), matrices); });
  EXPECT_EQ(widths.kind(), ErrorKind::usage);
  EXPECT_EQ(widths.message(), "attempt 2, keys: queries and keys differ in width; found 7, expected 5");
  matrices.v = Matrix::Zero(8, 2);
  matrices.k = matrices.q;
  EXPECT_EQ(error_of([&] { run_attempt(Attempt::final, vectors_of(4), matrices); }).message(),
            "final attempt, values: the matrix does not take vectors of this width; found 8, expected 11");
}

// Seeds S4-4.
TEST(ThreeAttempts, TheFormulaSaysOverWhichTokensItSums) {
  EXPECT_EQ(output_formula(attempt_form(Attempt::vanilla), false), "o_i = Σ_(j≠i) w_j v_j");
  EXPECT_EQ(output_formula(attempt_form(Attempt::final), true), "o_i = Σ_j w_j (W_V v_j)");
}

}  // namespace
}  // namespace headlight
