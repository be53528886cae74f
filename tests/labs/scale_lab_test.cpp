#include "engine/labs/scale_lab.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/attention/head.h"
#include "tests/kernels/random_matrix.h"

namespace headlight {
namespace {

// Seeds S3-4: the variance of scores is about d_head without scaling and about 1 with it.
TEST(ScaleLab, VarianceGrowsWithTheWidthUnlessScaled) {
  for (const Index d_head : {4, 16, 64, 256}) {
    const ScaleSample sample = sample_scale(d_head, 256, 1);
    EXPECT_NEAR(sample.unscaled.variance / static_cast<double>(d_head), 1.0, 0.15) << d_head;
    EXPECT_NEAR(sample.scaled.variance, 1.0, 0.15) << d_head;
    EXPECT_NEAR(sample.scaled.variance, sample.unscaled.variance / static_cast<double>(d_head), 1e-5) << d_head;
  }
}

// Seeds S3-4: without scaling the softmax of wide heads hardly moves with its scores.
TEST(ScaleLab, TheJacobianOfUnscaledWideHeadsIsSmallerThanOfScaledOnes) {
  const ScaleSample wide = sample_scale(256, 8, 1), narrow = sample_scale(4, 8, 1);
  EXPECT_LT(wide.unscaled.jacobian_norm, 0.5 * wide.scaled.jacobian_norm);
  EXPECT_LT(wide.unscaled.jacobian_norm, narrow.unscaled.jacobian_norm);
}

/// The closed form against differences of the softmax itself, in double precision.
TEST(ScaleLab, TheJacobianNormIsThatOfFiniteDifferences) {
  const Eigen::RowVectorXd scores = testing::random_matrix("scores", 1, 6, 2).row(0).cast<double>();
  const auto softmax = [](const Eigen::RowVectorXd& row) -> Eigen::RowVectorXd {
    const Eigen::RowVectorXd exponentials = row.array().exp();
    return exponentials / exponentials.sum();
  };
  constexpr double kStep = 1e-5;
  double squares = 0;
  for (Index key = 0; key < 6; ++key) {
    Eigen::RowVectorXd up = scores, down = scores;
    up[key] += kStep;
    down[key] -= kStep;
    squares += ((softmax(up) - softmax(down)) / (2 * kStep)).squaredNorm();
  }
  EXPECT_NEAR(softmax_jacobian_norm(softmax(scores).cast<float>()), std::sqrt(squares), 1e-6);
}

TEST(ScaleLab, ACertainRowAndAMaskedRowDoNotMove) {
  EXPECT_EQ(softmax_jacobian_norm((RowVector(3) << 0, 1, 0).finished()), 0.0);
  EXPECT_EQ(softmax_jacobian_norm(RowVector::Zero(3)), 0.0);
  EXPECT_NEAR(softmax_jacobian_norm(RowVector::Constant(4, 0.25F)), std::sqrt(3.0) / 4, 1e-7);
}

}  // namespace
}  // namespace headlight
