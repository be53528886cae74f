#include "engine/attention/positions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/kernels/random_matrix.h"

namespace headlight {
namespace {

using testing::random_matrix;

TEST(Positions, EveryKindHasARowInItsPlace) {
  for (const PositionMethod& method : position_methods()) EXPECT_EQ(&position_method(method.kind), &method);
}

// Vaswani et al. 2017, section 3.5: column 2i is sin(position / 10000^(2i/d)), column 2i + 1 its cosine.
TEST(Sinusoids, FollowTheFormula) {
  Matrix x = Matrix::Zero(50, 6);
  add_sinusoids(x);
  for (Index position = 0; position < 50; ++position) {
    for (Index pair = 0; pair < 3; ++pair) {
      const double angle = static_cast<double>(position) / std::pow(10000.0, 2.0 * static_cast<double>(pair) / 6);
      EXPECT_NEAR(double{x(position, 2 * pair)}, std::sin(angle), 1e-6);
      EXPECT_NEAR(double{x(position, 2 * pair + 1)}, std::cos(angle), 1e-6);
    }
  }
}

// Su et al. 2021: q at m and k at n meet in a product that depends on m − n only; lengths stay.
TEST(Rotary, ProductsDependOnTheDistanceOnly) {
  for (const bool is_interleaved : {false, true}) {
    const RotarySettings rotary{.is_interleaved = is_interleaved};
    const Matrix q = random_matrix("q", 1, 8), k = random_matrix("k", 1, 8);
    const auto product = [&](Index at_q, Index at_k) {
      Matrix a = q, b = k;
      rotate_positions(a, 1, rotary, at_q);
      rotate_positions(b, 1, rotary, at_k);
      EXPECT_NEAR(a.norm(), q.norm(), 1e-5F);
      return a.row(0).dot(b.row(0));
    };
    EXPECT_NEAR(product(7, 3), product(104, 100), 1e-4F);
    EXPECT_GT(std::abs(product(7, 3) - product(7, 6)), 1e-3F);
    EXPECT_NEAR(product(0, 0), q.row(0).dot(k.row(0)), 1e-6F);
  }
}

TEST(Rotary, TurnsEveryHeadAlikeAndOnlyItsFirstDimensions) {
  const RotarySettings rotary{.dimensions = 4};
  const Matrix x = random_matrix("x", 5, 16);
  Matrix joined = x, alone = x.middleCols(8, 8);
  rotate_positions(joined, 2, rotary);
  rotate_positions(alone, 1, rotary);
  EXPECT_EQ(joined.middleCols(8, 8), alone);
  EXPECT_EQ(joined.middleCols(4, 4), x.middleCols(4, 4));
  EXPECT_NE(joined.leftCols(4), x.leftCols(4));
  rotate_positions(joined, 2, rotary, 0, true);
  EXPECT_LE((joined - x).cwiseAbs().maxCoeff(), 1e-6F) << "turned back";
}

TEST(Rotary, HalfSplitPairsNumbersHalfAHeadApart) {
  Matrix x = Matrix::Zero(2, 4);
  x(1, 0) = 1;
  Matrix interleaved = x;
  rotate_positions(x, 1, {});
  EXPECT_NEAR(x(1, 0), std::cos(1.0F), 1e-6F);
  EXPECT_NEAR(x(1, 2), std::sin(1.0F), 1e-6F);
  rotate_positions(interleaved, 1, {.is_interleaved = true});
  EXPECT_NEAR(interleaved(1, 1), std::sin(1.0F), 1e-6F);
}

TEST(RotaryScaling, LinearDividesAllFrequencies) {
  const Eigen::VectorXf plain = rotary_frequencies({}, 64);
  const Eigen::VectorXf slow = rotary_frequencies({.scaling = {.kind = RotaryScaling::Kind::linear, .factor = 4}}, 64);
  EXPECT_TRUE(slow.isApprox(plain / 4));
  EXPECT_FLOAT_EQ(plain[0], 1);
  EXPECT_NEAR(plain[31], std::pow(10000.0, -62.0 / 64), 1e-9);
}

// Llama 3.1: waves shorter than 8192/4 tokens are kept, longer than 8192/1 divided by 8, those between mixed.
TEST(RotaryScaling, Llama3KeepsShortWavesAndStretchesLongOnes) {
  const RotarySettings rotary{.theta = 500000,
                              .scaling = {.kind = RotaryScaling::Kind::llama3,
                                          .factor = 8,
                                          .low_frequency_factor = 1,
                                          .high_frequency_factor = 4,
                                          .original_positions = 8192}};
  const Eigen::VectorXf plain = rotary_frequencies({.theta = 500000}, 128), scaled = rotary_frequencies(rotary, 128);
  int mixed = 0;
  for (Index pair = 0; pair < 64; ++pair) {
    const double wave = 2 * std::numbers::pi / plain[pair];
    if (wave < 8192.0 / 4) {
      EXPECT_FLOAT_EQ(scaled[pair], plain[pair]);
    } else if (wave > 8192.0) {
      EXPECT_FLOAT_EQ(scaled[pair], plain[pair] / 8);
    } else {
      const double smooth = (8192 / wave - 1) / 3;
      EXPECT_NEAR(scaled[pair], (1 - smooth) * plain[pair] / 8 + smooth * plain[pair], 1e-9);
      ++mixed;
    }
  }
  EXPECT_GT(mixed, 3);
}

// YaRN, section 3.2 and 3.4, with the defaults of its authors (32 and 1 turns).
TEST(RotaryScaling, YarnKeepsFastPairsStretchesSlowOnesAndSharpens) {
  const RotaryScaling scaling{.kind = RotaryScaling::Kind::yarn, .factor = 16, .original_positions = 4096};
  const Eigen::VectorXf plain = rotary_frequencies({}, 128), scaled = rotary_frequencies({.scaling = scaling}, 128);
  EXPECT_FLOAT_EQ(scaled[0], plain[0]);
  EXPECT_NEAR(scaled[63], plain[63] / 16, 1e-9);
  for (Index pair = 0; pair < 64; ++pair) {
    EXPECT_LE(scaled[pair], plain[pair] * (1 + 1e-6F));
    EXPECT_GE(scaled[pair], plain[pair] / 16 * (1 - 1e-6F));
  }
  EXPECT_NEAR(rotary_amplitude(scaling), 0.1 * std::log(16.0) + 1, 1e-12);
  EXPECT_EQ(rotary_amplitude({.kind = RotaryScaling::Kind::yarn, .factor = 16, .attention_factor = 1.5}), 1.5);
  EXPECT_EQ(rotary_amplitude({}), 1);
}

TEST(RotaryScaling, DynamicIsPlainUpToTheTrainedLengthAndThenSlowsDown) {
  const RotarySettings rotary{.scaling = {.kind = RotaryScaling::Kind::dynamic, .factor = 2, .original_positions = 100}};
  const Eigen::VectorXf plain = rotary_frequencies({}, 8), within = rotary_frequencies(rotary, 8, 100);
  EXPECT_TRUE(within == plain);
  const Eigen::VectorXf beyond = rotary_frequencies(rotary, 8, 300);
  EXPECT_FLOAT_EQ(beyond[0], plain[0]);
  const double theta = 10000 * std::pow(2 * 300 / 100.0 - (2 - 1), 8 / 6.0);
  EXPECT_NEAR(beyond[3], std::pow(theta, -6 / 8.0), 1e-9);
  const RotarySettings pair{.dimensions = 2, .scaling = rotary.scaling};
  EXPECT_FLOAT_EQ(rotary_frequencies(pair, 2, 300)[0], 1) << "one pair has no base to slow down";
}

// transformers' "truncate": false.
TEST(RotaryScaling, YarnsRampMayBeginWithinAPair) {
  RotaryScaling scaling{.kind = RotaryScaling::Kind::yarn, .factor = 4, .original_positions = 2048, .has_whole_ramp = false};
  const double low = 64 * std::log(2048 / (32 * 2 * std::numbers::pi)) / (2 * std::log(10000.0));
  const double high = 64 * std::log(2048 / (2 * std::numbers::pi)) / (2 * std::log(10000.0));
  const double plain = rotary_frequencies({}, 64)[12], share = (12 - low) / (high - low);
  EXPECT_NEAR(rotary_frequencies({.scaling = scaling}, 64)[12], share * plain / 4 + (1 - share) * plain, 1e-8);
  scaling.has_whole_ramp = true;
  const double whole_share = (12 - std::floor(low)) / (std::ceil(high) - std::floor(low));
  EXPECT_NEAR(rotary_frequencies({.scaling = scaling}, 64)[12], whole_share * plain / 4 + (1 - whole_share) * plain, 1e-8);
}

// Press et al. 2022: for 8 heads 1/2, 1/4, … 1/256; 12 heads take every second slope of 16 for the last four.
TEST(Alibi, SlopesAreThoseOfThePaper) {
  const RowVector eight = alibi_slopes(8), twelve = alibi_slopes(12);
  for (int head = 0; head < 8; ++head) {
    EXPECT_FLOAT_EQ(eight[head], std::exp2(-static_cast<float>(head + 1)));
    EXPECT_FLOAT_EQ(twelve[head], eight[head]);
  }
  for (int head = 8; head < 12; ++head) EXPECT_FLOAT_EQ(twelve[head], std::exp2(-0.5F - static_cast<float>(head - 8)));
}

TEST(Alibi, BiasFallsWithTheDistance) {
  RowVector expected(6);  // 3 queries, 4 keys: distances −2 … 3
  expected << -1, -0.5F, 0, -0.5F, -1, -1.5F;
  EXPECT_EQ(alibi_by_distance(0.5F, 3, 4), expected);
}

// Raffel et al. 2020, as computed by hand for 32 buckets and 128: 8 single distances of each direction, then by logarithm.
TEST(T5Buckets, FollowTheirDefinition) {
  const T5Buckets settings;
  EXPECT_EQ(t5_bucket(0, true, settings), 0);
  EXPECT_EQ(t5_bucket(-7, true, settings), 7);
  EXPECT_EQ(t5_bucket(7, true, settings), 16 + 7);
  EXPECT_EQ(t5_bucket(-8, true, settings), 8);
  EXPECT_EQ(t5_bucket(-16, true, settings), 10);
  EXPECT_EQ(t5_bucket(-32, true, settings), 12);
  EXPECT_EQ(t5_bucket(-64, true, settings), 14);
  EXPECT_EQ(t5_bucket(-128, true, settings), 15);
  EXPECT_EQ(t5_bucket(100000, true, settings), 31);
  EXPECT_EQ(t5_bucket(5, false, settings), 0) << "causal attention has no future";
  EXPECT_EQ(t5_bucket(-15, false, settings), 15);
  EXPECT_EQ(t5_bucket(-16, false, settings), 16);
  EXPECT_EQ(t5_bucket(-1000, false, settings), 31);
}

TEST(T5Buckets, BiasIsReadFromTheHeadsColumn) {
  const T5Buckets settings{.buckets = 4, .farthest = 8};
  Matrix table(4, 2);
  table << 0, 10, 1, 11, 2, 12, 3, 13;
  RowVector expected(3);  // 2 queries, 2 keys: distances −1, 0, 1; two buckets of each direction
  expected << 11, 10, 13;
  EXPECT_EQ(t5_by_distance(table, 1, true, settings, 2, 2), expected);
}

}  // namespace
}  // namespace headlight
