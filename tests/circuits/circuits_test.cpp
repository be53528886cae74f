// Heads by their matrices alone: laws on random factors, and the figures that nano-gpt has.
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "engine/circuits/composition.h"
#include "engine/circuits/token_circuits.h"
#include "engine/core/error.h"
#include "engine/core/random.h"
#include "engine/forward/block.h"
#include "engine/forward/embedding.h"
#include "engine/model/files/load_model.h"
#include "engine/pipeline/pipeline.h"
#include "tests/testing.h"

namespace headlight {
namespace {

Eigen::MatrixXd random_matrix(Index rows, Index columns, RandomStream& random) {
  Eigen::MatrixXd matrix(rows, columns);
  for (double& number : matrix.reshaped()) number = static_cast<double>(random.next_normal());
  return matrix;
}

FactoredMatrix random_factors(Index width, Index rank, RandomStream& random) {
  return {random_matrix(width, rank, random), random_matrix(rank, width, random)};
}

TEST(FactoredMatrices, HaveTheNormAndTheSingularValuesOfTheirProduct) {
  RandomStream random(1, "circuits");
  for (const Index rank : {1, 5, 16}) {
    const FactoredMatrix factors = random_factors(24, rank, random);
    const Eigen::MatrixXd whole = factors.left * factors.right;
    EXPECT_NEAR(frobenius_norm(factors), whole.norm(), 1e-9 * whole.norm());
    const Eigen::VectorXd values = singular_values(factors), of_whole = Eigen::JacobiSVD<Eigen::MatrixXd>(whole).singularValues();
    ASSERT_EQ(values.size(), rank);
    for (Index at = 0; at < rank; ++at) EXPECT_NEAR(values[at], of_whole[at], 1e-9 * of_whole[0]);
  }
}

TEST(CompositionScores, AreOneWhereAllThatIsWrittenIsReadAndZeroWhereNothingIs) {
  Eigen::MatrixXd first = Eigen::MatrixXd::Zero(8, 2), second = first;
  first(0, 0) = first(1, 1) = 1;
  second(2, 0) = second(3, 1) = 1;
  const FactoredMatrix writes_one{first, first.leftCols(1).transpose().replicate(2, 1)}, writes_other{first, second.transpose()};
  const FactoredMatrix reads_one{first.col(0), second.col(0).transpose()};
  EXPECT_NEAR(composition_score(writes_one, reads_one), 1, 1e-12) << "what is written and what is read are one direction";
  EXPECT_NEAR(composition_score(writes_other, reads_one), 0, 1e-12);
  RandomStream random(2, "circuits");
  const FactoredMatrix a = random_factors(20, 4, random), b = random_factors(20, 4, random);
  const Eigen::MatrixXd whole_a = a.left * a.right, whole_b = b.left * b.right;
  EXPECT_NEAR(composition_score(a, b), (whole_a * whole_b).norm() / (whole_a.norm() * whole_b.norm()), 1e-12);
}

/// Metrics 7.5.
TEST(CompositionScores, OfRandomMatricesLieAroundTheBaseline) {
  constexpr int kDraws = 400;
  RandomStream random(3, "circuits");
  double sum = 0, squares = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    const double score = composition_score(random_factors(48, 16, random), random_factors(48, 16, random));
    sum += score;
    squares += score * score;
  }
  const double mean = sum / kDraws;
  EXPECT_NEAR(mean, 0.1439, 0.0015);
  EXPECT_NEAR(std::sqrt(squares / kDraws - mean * mean), 0.0084, 0.0015);
  SandboxSpec spec;
  spec.d_model = 48;
  EXPECT_NEAR(composition_baseline(*make_sandbox(spec)), 0.1443, 5e-5);
}

TEST(Eigenvalues, TellCopyingFromItsOpposite) {
  RandomStream random(4, "circuits");
  const Eigen::MatrixXd matrix = random_matrix(6, 6, random);
  EXPECT_NEAR(eigenvalue_share(matrix * matrix.transpose()), 1, 1e-9);
  EXPECT_NEAR(eigenvalue_share(-matrix * matrix.transpose()), -1, 1e-9);
  Eigen::MatrixXd turn = Eigen::MatrixXd::Zero(2, 2);
  turn(0, 1) = 1;
  turn(1, 0) = -1;
  EXPECT_NEAR(eigenvalue_share(turn), 0, 1e-12) << "a quarter turn: i and -i";
}

/// nano-gpt, metrics 10.2: unfolded weights.
class NanoGptCircuits : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const auto& reference : testing::reference_folders()) {
      const auto folder = reference / "nano-gpt";
      SilentProgress silent;
      if (std::filesystem::is_directory(folder)) model = load_model({.name = folder.string(), .sandbox = {}}, silent);
    }
    if (!model) testing::say_not_found("reference/nano-gpt");
  }
  std::shared_ptr<const Model> model;
};

TEST_F(NanoGptCircuits, CompositionScores) {
  if (!model) return;
  std::vector<Composition> all;
  for (int layer = 0; layer < 2; ++layer) {
    for (int head = 0; head < 3; ++head) {
      for (const Composition& pair : compositions_of(*model, {layer, head}, NormGain::left_out)) {
        if (pair.earlier == HeadId{layer, head}) all.push_back(pair);
      }
    }
  }
  ASSERT_EQ(all.size(), 27U) << "three heads with six later ones, three with three";
  double least = 1, most = 0;
  for (const Composition& pair : all) {
    least = std::min({least, pair.q, pair.k, pair.v});
    most = std::max({most, pair.q, pair.k, pair.v});
  }
  EXPECT_NEAR(least, .158, 5.1e-4);
  EXPECT_NEAR(most, .430, 5.1e-4);
  const auto largest = [&](double Composition::*way) {
    return *std::max_element(all.begin(), all.end(), [&](const auto& a, const auto& b) { return a.*way < b.*way; });
  };
  EXPECT_EQ(largest(&Composition::q).earlier, (HeadId{1, 2}));
  EXPECT_EQ(largest(&Composition::q).later, (HeadId{2, 1}));
  EXPECT_NEAR(largest(&Composition::q).q, .430, 5.1e-4);
  EXPECT_EQ(largest(&Composition::k).earlier, (HeadId{1, 0}));
  EXPECT_EQ(largest(&Composition::k).later, (HeadId{2, 1}));
  EXPECT_NEAR(largest(&Composition::k).k, .397, 5.1e-4);
  EXPECT_EQ(largest(&Composition::v).earlier, (HeadId{1, 1}));
  EXPECT_EQ(largest(&Composition::v).later, (HeadId{2, 0}));
  EXPECT_NEAR(largest(&Composition::v).v, .412, 5.1e-4);
  const auto found = std::find_if(all.begin(), all.end(), [](const Composition& pair) {
    return pair.earlier == HeadId{0, 1} && pair.later == HeadId{1, 1};
  });
  ASSERT_NE(found, all.end());
  EXPECT_NEAR(found->q, .371, 5.1e-4);
  EXPECT_NEAR(found->k, .233, 5.1e-4);
  EXPECT_NEAR(found->v, .273, 5.1e-4);
}

TEST_F(NanoGptCircuits, CopyingByEigenvalues) {
  if (!model) return;
  const std::vector<double> told = {.980, 1.000, .988, .941, .991, .669, .005, .664, 1.000};
  const std::vector<double> of_matrix = {.062, .171, -.165, .296, .306, .308, -.721, -.514, -.575};
  for (int head = 0; head < 9; ++head) {
    const HeadId id{head / 3, head % 3};
    const auto at = static_cast<std::size_t>(head);
    EXPECT_NEAR(copying_by_eigenvalues(*model, id, NormGain::left_out), told[at], 5.1e-4) << id.layer << "." << id.head;
    const FactoredMatrix ov = head_factors(*model, id, NormGain::left_out).ov;
    EXPECT_NEAR(eigenvalue_share(ov.right * ov.left), of_matrix[at], 5.1e-4) << "W_OV alone is another number";
  }
}

/// What was trained, from the tree itself.
class StoryGptCircuits : public ::testing::Test {
 protected:
  static std::shared_ptr<const Model> load() {
    SilentProgress silent;
    const auto folder = std::filesystem::path(HEADLIGHT_TESTS_DIR).parent_path() / "assets" / "models" / "story-gpt";
    return load_model({.name = folder.string(), .sandbox = {}}, silent);
  }
  const std::shared_ptr<const Model> model = load();
  ThreadPool pool{2};
};

TEST_F(StoryGptCircuits, ScoresOfTokensAreThoseThatAFirstLayerGives) {
  // Two tokens alone in a text, the query one after the key: the first layer reads nothing but them.
  const TokenCircuit circuit = qk_circuit(*model, {0, 3}, 1, 5, pool);
  ASSERT_EQ(circuit.largest.size(), 5U);
  EXPECT_EQ(circuit.tokens, 6000);
  for (const TokenPair& pair : circuit.largest) {
    Query query;
    query.model.name = (std::filesystem::path(HEADLIGHT_TESTS_DIR).parent_path() / "assets" / "models" / "story-gpt").string();
    query.ids = {pair.to, pair.from};
    SilentProgress silent;
    const HeadMaps maps = Pipeline(1).run(query, silent)->maps({0, 3});
    EXPECT_NEAR(maps.scaled_score(1, 0), pair.score, 1e-4 * std::abs(pair.score));
  }
}

TEST_F(StoryGptCircuits, TheLargestPairsAreTheLargestOfAllWhateverTheNumberOfThreads) {
  ThreadPool alone(1);
  for (const HeadId head : {HeadId{0, 1}, HeadId{2, 5}}) {
    const TokenCircuit some = ov_circuit(*model, head, 7, pool), more = ov_circuit(*model, head, 50, alone);
    ASSERT_EQ(some.largest.size(), 7U);
    for (std::size_t at = 0; at < 50; ++at) {
      if (at < 7) {
        EXPECT_EQ(some.largest[at], more.largest[at]);
      }
      if (at > 0) {
        EXPECT_GE(more.largest[at - 1].score, more.largest[at].score);
      }
    }
    EXPECT_EQ(some.own_share, more.own_share);
    EXPECT_GE(some.own_share, 0);
    EXPECT_LE(some.own_share, 1);
  }
}

TEST_F(StoryGptCircuits, WhatAHeadWritesOfATokenRaisesTheLogitsThatItSays) {
  const HeadId head{1, 4};
  const TokenCircuit circuit = ov_circuit(*model, head, 3, pool);
  const LayerParameters& parameters = model->parameters.layer(head.layer);
  const Index width = parameters.v.weight.cols() / model->config.heads_of(head.layer);
  for (const TokenPair& pair : circuit.largest) {
    const auto& table = std::get<StoredMatrix>(model->parameters.embedding.tokens);
    Matrix token(1, table.cols()), raised(1, table.cols());
    table.convert(pair.from, 0, token);
    table.convert(pair.to, 0, raised);
    RowVector v = normalise(token, parameters.norm_1) * parameters.v.weight.to_matrix().middleCols(head.head * width, width);
    if (parameters.v.bias.size() > 0) v += parameters.v.bias.segment(head.head * width, width);
    const RowVector written = v * parameters.o.weight.to_matrix().middleRows(head.head * width, width);
    const RowVector centred = (written.array() - written.mean()) * model->parameters.final_norm.gain.array();
    EXPECT_NEAR(centred.dot(raised.row(0)), pair.score, 1e-3 * std::abs(pair.score));
  }
}

TEST_F(StoryGptCircuits, CompositionIsWithEveryHeadOfOtherLayers) {
  const std::vector<Composition> all = compositions_of(*model, {1, 2}, NormGain::folded);
  EXPECT_EQ(all.size(), 24U);
  std::set<HeadId> others;
  for (const Composition& pair : all) {
    EXPECT_LT(pair.earlier.layer, pair.later.layer);
    others.insert(pair.earlier == HeadId{1, 2} ? pair.later : pair.earlier);
    for (const double score : {pair.q, pair.k, pair.v}) {
      EXPECT_GE(score, 0);
      EXPECT_LE(score, 1);
    }
  }
  EXPECT_EQ(others.size(), 24U);
  EXPECT_FALSE(others.contains({1, 2}));
}

TEST(Circuits, WhatDoesNotApplySaysWhy) {
  ThreadPool pool(1);
  SandboxSpec spec;
  spec.layers = 1;
  const auto sandbox = make_sandbox(spec);
  EXPECT_NE(why_no_qk(*sandbox, {0, 0}), "");
  EXPECT_NE(why_no_ov(*sandbox, {0, 0}), "");
  EXPECT_NE(why_no_composition(*sandbox, {0, 0}), "");
  EXPECT_TRUE(compositions_of(*sandbox, {0, 0}, NormGain::folded).empty());
  EXPECT_THROW(qk_circuit(*sandbox, {0, 0}, 0, 3, pool), Error);
  EXPECT_THROW(ov_circuit(*sandbox, {0, 0}, 3, pool), Error);
}

TEST(Circuits, OfAnEncoderDecoderJoinOnlyHeadsThatShareAStream) {
  SandboxSpec spec;
  spec.kind = SandboxKind::encoder_decoder;
  spec.layers = 2;
  const auto model = make_sandbox(spec);  // layers: encoder 0 and 1, then decoder, cross, decoder, cross
  const auto ways = [&](int earlier, int later) {
    std::string text;
    for (const Composition& pair : compositions_of(*model, {later, 0}, NormGain::folded)) {
      if (pair.earlier != HeadId{earlier, 0} || pair.later != HeadId{later, 0}) continue;
      text += std::isnan(pair.q) ? "" : "q";
      text += std::isnan(pair.k) ? "" : "k";
      text += std::isnan(pair.v) ? "" : "v";
    }
    return text;
  };
  EXPECT_EQ(ways(0, 1), "qkv");
  EXPECT_EQ(ways(0, 2), "") << "a decoder's attention reads nothing of the encoder";
  EXPECT_EQ(ways(0, 3), "kv") << "cross-attention reads its keys there";
  EXPECT_EQ(ways(2, 3), "q");
  EXPECT_EQ(ways(3, 4), "qkv");
}

}  // namespace
}  // namespace headlight
