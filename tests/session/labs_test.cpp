#include "app/work/labs.h"

#include <gmock/gmock.h>

#include <cmath>

#include "app/session/session.h"
#include "tests/session/lab_runs.h"
#include "tests/work/snapshots.h"
#include "tests/work/waiting.h"

namespace headlight {
namespace {

using testing::cell;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::lab_query;
using testing::reference_query;
using testing::run;
using testing::snapshot_of;
using testing::wait_until;

AttemptsFound run_attempts_lab(LabSettings settings, const Query& query = lab_query()) {
  settings.lab = Lab::attempts;
  return run<AttemptsFound>(settings, query);
}

// Seeds S4-2, S4-6.
TEST(AttemptsLab, OnlyTheAttemptsWithOneMatrixHaveSymmetricScores) {
  const AttemptsFound found = run_attempts_lab({});
  ASSERT_EQ(found.columns.size(), 4U);
  EXPECT_EQ(found.columns[0].heads[0].asymmetry.scores, 0);
  EXPECT_EQ(found.columns[1].heads[0].asymmetry.scores, 0);
  EXPECT_GT(found.columns[1].heads[0].asymmetry.weights, 0) << "rows are normalised one by one";
  EXPECT_GT(found.columns[2].heads[0].asymmetry.scores, 0);
  EXPECT_GT(found.columns[3].heads[0].asymmetry.scores, 0);
}

// Seeds S4-3, S4-8 to S4-10.
TEST(AttemptsLab, SaysTheWidthsOfOneHeadAndOfAllSideBySide) {
  LabSettings settings;
  settings.attempt_heads = 3;
  const AttemptsFound found = run_attempts_lab(settings);
  std::vector<Index> one, all, scale;
  for (const AttemptsFound::Column& column : found.columns) {
    EXPECT_EQ(column.heads.size(), 3U);
    one.push_back(column.output_width);
    all.push_back(column.concatenated_width);
    scale.push_back(column.scale_width);
  }
  EXPECT_THAT(one, ElementsAre(16, 16, 16, 8));
  EXPECT_THAT(all, ElementsAre(48, 48, 48, 24));
  EXPECT_THAT(scale, ElementsAre(16, 8, 8, 8));
}

// Seeds S4-4.
TEST(AttemptsLab, LeavesTheDiagonalOutUnlessAskedFor) {
  EXPECT_TRUE(std::isnan(cell(*run_attempts_lab({}).columns[2].heads[0].weights, 4, 4))) << "masked";
  LabSettings settings;
  settings.includes_self = true;
  EXPECT_GT(cell(*run_attempts_lab(settings).columns[2].heads[0].weights, 4, 4), 0);
}

// Seeds S4-2: a symmetric S under an asymmetric A; on the diagonal of vanilla S / √D is |v|² / √D = √D.
TEST(AttemptsLab, ShowsScoresOfVectorsBroughtToOneLength) {
  LabSettings settings;
  settings.includes_self = true;
  const AttemptsFound found = run_attempts_lab(settings);
  for (Index token = 0; token < found.tokens; ++token) EXPECT_NEAR(cell(*found.columns[0].heads[0].scores, token, token), 4, 1e-5);
  const AttemptsFound::Head& shared = found.columns[1].heads[0];
  EXPECT_EQ(cell(*shared.scores, 2, 7), cell(*shared.scores, 7, 2));
  EXPECT_NE(cell(*shared.weights, 2, 7), cell(*shared.weights, 7, 2));
  EXPECT_TRUE(std::isnan(cell(*run_attempts_lab({}).columns[1].heads[0].scores, 3, 3))) << "left out with j = i";
}

// Seeds S4-5.
TEST(AttemptsLab, OneWordIsASingleTokenWhateverTheTokenizerAdds) {
  Query query = reference_query("bert-mlm");
  query.text = "the";
  ASSERT_GT(snapshot_of(query)->tokens(), 1) << "the test wants a model that adds tokens";
  const AttemptsFound found = run_attempts_lab({}, query);
  EXPECT_EQ(found.tokens, 1);
  EXPECT_EQ(found.added_tokens, 2);
  EXPECT_THAT(found.labels, ElementsAre("the"));
  for (const AttemptsFound::Column& column : found.columns) EXPECT_TRUE(column.heads[0].weights->is_row_masked(0));
  query.text = "";
  EXPECT_TRUE(run_attempts_lab({}, query).columns.empty()) << "nothing but what the tokenizer adds";
}

TEST(AttemptsLab, LooksAtTheFirstTokensOfALongTextAndSaysSo) {
  std::string text;
  for (int word = 0; word < 50; ++word) text += "w" + std::to_string(word) + " ";
  const AttemptsFound found = run_attempts_lab({}, lab_query(text));
  EXPECT_EQ(found.tokens, 32);
  EXPECT_EQ(found.all_tokens, 50);
  EXPECT_EQ(found.labels.size(), 32U);
  EXPECT_EQ(found.columns[0].heads[0].weights->rows(), 32);
}

TEST(AttemptsLab, FollowsTheSeedOfTheModel) {
  Query other = lab_query();
  other.model.sandbox.seed = 2;
  EXPECT_EQ(run_attempts_lab({}).columns[3].heads[0].asymmetry.scores, run_attempts_lab({}).columns[3].heads[0].asymmetry.scores);
  EXPECT_NE(run_attempts_lab({}).columns[3].heads[0].asymmetry.scores, run_attempts_lab({}, other).columns[3].heads[0].asymmetry.scores);
}

LabSettings fill_settings(bool is_all_masked) {
  LabSettings settings;
  settings.lab = Lab::mask_fills;
  settings.is_all_masked = is_all_masked;
  return settings;
}

// Seeds D6 and D1: the table of what programs do with a row in which nothing may be attended to.
TEST(FillsLab, TheFullyMaskedRowIsNanUniformOrIgnoredAndOursIsZeros) {
  const FillsFound found = run<FillsFound>(fill_settings(true));
  constexpr std::size_t kFloat32 = 1;
  EXPECT_TRUE(std::isnan(found.rows.front().weights[kFloat32][0]));
  EXPECT_NEAR(found.rows[1].weights[kFloat32][2], 1.0 / 3, 1e-6);   // −1e6
  EXPECT_NEAR(found.rows[5].weights[kFloat32][2], 0.665241, 1e-4);  // add −10000: the mask is ignored
  EXPECT_EQ(found.rows.back().convention.step, FillStep::exclude);
  for (const std::vector<double>& weights : found.rows.back().weights) EXPECT_THAT(weights, Each(0.0));
}

TEST(FillsLab, TheHeadsOwnRowComesWithItsMask) {
  const FillsFound found = run<FillsFound>(fill_settings(false), lab_query(), 3);
  EXPECT_EQ(found.query, "to");
  EXPECT_THAT(found.is_allowed, ElementsAre(true, true, true, true, false, false, false, false, false, false));
  const std::shared_ptr<const Snapshot> snapshot = snapshot_of(lab_query());
  const HeadMaps maps = snapshot->maps({0, 1});
  for (Index key = 0; key < 10; ++key) {
    EXPECT_EQ(found.rows.back().weights[1][static_cast<std::size_t>(key)], static_cast<double>(maps.weights(3, key)));
  }
}

TEST(FillsLab, ConventionsAgreeWhileAKeyIsAllowedAndPartWhereNoneIs) {
  EXPECT_TRUE(run<FillsFound>(fill_settings(false)).all_agree);
  EXPECT_FALSE(run<FillsFound>(fill_settings(true)).all_agree);
  EXPECT_TRUE(LabSettings{}.is_all_masked) << "the row that teaches is the first to be seen";
}

TEST(FillsLab, WithoutAPinTheRowIsTheMiddleOneWhichACausalMaskCuts) {
  const FillsFound found = run<FillsFound>(fill_settings(false));
  EXPECT_EQ(found.query, "deposit");
  EXPECT_EQ(std::count(found.is_allowed.begin(), found.is_allowed.end(), false), 5);
  EXPECT_EQ(run<FillsFound>(fill_settings(false), lab_query(), 99).query, "bank") << "the text has become shorter than the pin";
}

TEST(FillsLab, AHeadsSinkTakesItsShareOfEveryRow) {
  Query query = lab_query();
  query.score.sink = 0.5F;
  const FillsFound found = run<FillsFound>(fill_settings(false), query, 3);
  const HeadMaps maps = snapshot_of(query)->maps({0, 1});
  double sum = 0;
  for (Index key = 0; key < 10; ++key) {
    EXPECT_EQ(found.rows.back().weights[1][static_cast<std::size_t>(key)], static_cast<double>(maps.weights(3, key)));
    EXPECT_NEAR(found.rows.front().weights[1][static_cast<std::size_t>(key)], static_cast<double>(maps.weights(3, key)), 1e-6) << "−∞";
    sum += static_cast<double>(maps.weights(3, key));
  }
  EXPECT_LT(sum, 0.95);
  EXPECT_EQ(run<FillsFound>(fill_settings(true), query).sink, std::nullopt) << "1, 2, 3 belong to no head";
}

// Seeds S3-4.
TEST(ScalingLab, TheVarianceOfScoresIsTheWidthUntilItIsScaled) {
  LabSettings settings;
  settings.lab = Lab::scaling;
  const ScalingFound found = run<ScalingFound>(settings);
  for (const ScalingFound::Row& row : found.rows) {
    const auto d_head = static_cast<double>(row.d_head);
    EXPECT_NEAR(row.sample.unscaled.variance / d_head, 1, 0.2) << d_head;
    EXPECT_NEAR(row.sample.scaled.variance, 1, 0.2) << d_head;
  }
  EXPECT_LT(found.rows.back().sample.unscaled.jacobian_norm, found.rows.back().sample.scaled.jacobian_norm / 2);
  EXPECT_EQ(found.own.d_head, 8);
  EXPECT_NEAR(found.own.sample.unscaled.variance / found.own.sample.scaled.variance, 8, 1e-3);
}

TEST(ScalingLab, TheHeadsOwnRowIsItsProductsWhateverItScoresBy) {
  LabSettings settings;
  settings.lab = Lab::scaling;
  const ScalingFound dot = run<ScalingFound>(settings);
  EXPECT_TRUE(dot.left_out.empty());
  for (const ScoreKind kind : {ScoreKind::cosine, ScoreKind::additive}) {
    Query query = lab_query();
    query.score.kind = kind;
    query.score.softcap = 5.0F;
    query.score.sink = 1.0F;
    const ScalingFound found = run<ScalingFound>(settings, query);
    EXPECT_EQ(found.own.sample.unscaled.variance, dot.own.sample.unscaled.variance);
    EXPECT_EQ(found.own.sample.scaled.jacobian_norm, dot.own.sample.scaled.jacobian_norm);
    EXPECT_THAT(found.left_out, ElementsAre(std::string(score_function(kind).name) + " scores", "soft-cap 5", "sink 1"));
  }
}

// Seeds S3-10 and D5.
TEST(DropoutLab, ShowsTheMapBeforeAndAfterWithItsRowSums) {
  LabSettings settings;
  settings.lab = Lab::dropout;
  settings.dropout = 0.5F;
  const DropoutFound found = run<DropoutFound>(settings);
  for (const double sum : found.sums_before) EXPECT_NEAR(sum, 1, 1e-5);
  EXPECT_THAT(found.sums_after, ::testing::Contains(::testing::Not(::testing::DoubleNear(1, 1e-3))));
  const double before = cell(*found.before, 0, 0);
  EXPECT_THAT(cell(*found.after, 0, 0), ::testing::AnyOf(0.0, ::testing::DoubleNear(before * 2, 1e-5)));
  settings.dropout_seed = 2;
  EXPECT_NE(run<DropoutFound>(settings).sums_after, found.sums_after);
}

// Seeds D5: a single sample's rows sum to anything, their mean over many to 1.
TEST(DropoutLab, TheMeanOfManySamplesIsTheMapAgain) {
  LabSettings settings;
  settings.lab = Lab::dropout;
  settings.dropout = 0.3F;
  const DropoutFound found = run<DropoutFound>(settings);
  for (Index query = 0; query < 10; ++query) {
    for (Index key = 0; key <= query; ++key) {
      const double before = cell(*found.before, query, key);
      // Six standard deviations of a mean of 100: before · √(p / (1 − p) / 100).
      EXPECT_NEAR(cell(*found.mean, query, key), before, 6 * before * std::sqrt(0.3 / 0.7 / 100));
    }
    EXPECT_NEAR(found.sums_mean[static_cast<std::size_t>(query)], 1, 0.3);
  }
  settings.dropout_seed = 7;
  EXPECT_EQ(run<DropoutFound>(settings).sums_mean, found.sums_mean) << "the mean is that of samples 1 to 100, whichever is looked at";
}

TEST(DropoutLab, NamesTheTextsOfACrossAttention) {
  Query query = lab_query();
  query.model.sandbox.kind = SandboxKind::encoder_decoder;
  query.decoder_text = "Ich gehe";
  LabSettings settings;
  settings.lab = Lab::dropout;
  SilentProgress progress;
  const LabResult result = run_lab({settings, snapshot_of(query), {2, 0}, {}}, progress);
  const auto& found = std::any_cast<const DropoutFound&>(result.found);
  EXPECT_EQ(found.titles.query, "decoder queries");
  EXPECT_EQ(found.titles.key, "encoder keys");
  EXPECT_EQ(found.queries.size(), 2U);
  EXPECT_EQ(found.keys.size(), 10U);
}

TEST(DropoutLab, CountsWhatASampleDrops) {
  LabSettings settings;
  settings.lab = Lab::dropout;
  Index dropped = 0;
  for (settings.dropout_seed = 1; settings.dropout_seed <= 40; ++settings.dropout_seed) {
    const DropoutFound found = run<DropoutFound>(settings);
    EXPECT_EQ(found.weights, 55) << "ten causal rows";
    Index zeros = 0;
    for (Index query = 0; query < 10; ++query) {
      for (Index key = 0; key <= query; ++key) zeros += cell(*found.after, query, key) == 0 ? 1 : 0;
    }
    EXPECT_EQ(found.dropped, zeros);
    dropped += found.dropped;
  }
  EXPECT_NEAR(static_cast<double>(dropped) / (40 * 55), 0.1, 0.04);
}

LabSettings toy_settings(bool is_random) {
  LabSettings settings;
  settings.lab = Lab::toy_run;
  settings.is_toy_random = is_random;
  return settings;
}

// Seeds S2-12 and S2-9: a grid of five heads for each of two items, maps of four queries by six keys.
TEST(ToyLab, ShowsFiveHeadsOfTwoItemsAsMapsOfFourBySix) {
  const ToyFound found = run<ToyFound>(toy_settings(false));
  for (std::size_t item = 0; item < 2; ++item) {
    for (std::size_t head = 0; head < 5; ++head) {
      const MapPicture& map = *found.maps[item][head];
      EXPECT_EQ(map.rows(), 4);
      EXPECT_EQ(map.columns(), 6);
      const int length = item == 0 ? 3 : 2;
      for (Index query = 0; query < 4; ++query) {
        for (Index key = 0; key < length; ++key) EXPECT_NEAR(cell(map, query, key), 1.0 / length, 1e-6);
        for (Index key = length; key < 6; ++key) EXPECT_TRUE(std::isnan(cell(map, query, key))) << "masked";
      }
    }
  }
  EXPECT_THAT(found.output_shape, ElementsAre(2, 4, 100));
  EXPECT_NEAR(found.widest_output_gap, 0, 1e-5);
}

TEST(ToyLab, RandomInputsTellHeadsApart) {
  const ToyFound found = run<ToyFound>(toy_settings(true));
  EXPECT_NE(found.first_rows[0][0], found.first_rows[0][1]);
  EXPECT_GT(found.widest_output_gap, 0.1);
  EXPECT_EQ(found.parameters, 40'000);
}

TEST(ToyLab, AnEmptyItemIsZerosAndFlagged) {
  LabSettings settings = toy_settings(true);
  settings.toy_lengths = {0, 6};
  const ToyFound found = run<ToyFound>(settings);
  EXPECT_THAT(found.first_rows[0][0], Each(0.0));
  EXPECT_TRUE(found.maps[0][0]->is_row_masked(0));
  EXPECT_FALSE(found.maps[1][0]->is_row_masked(0));
}

TEST(Labs, AnswerOnTheComputeThreadWithTheLastRequest) {
  Document document;
  document.query = lab_query();
  Session session(document, 1);
  wait_until([&] { return session.worker().is_idle(); });
  LabRequest request{toy_settings(false), session.snapshot(), {0, 0}, {}};
  Labs& labs = session.labs();
  wait_until([&] { return labs.ask(request) != nullptr; });
  const std::shared_ptr<const LabResult> first = labs.ask(request);
  EXPECT_EQ(first->request, request);
  EXPECT_EQ(labs.ask(request), first) << "the same request starts nothing";
  EXPECT_TRUE(session.worker().is_idle());
  request.settings.lab = Lab::scaling;
  EXPECT_NE(labs.ask(request), nullptr) << "the last picture stays until the next is there";
  wait_until([&] { return labs.ask(request)->request == request; });
}

TEST(Labs, LetGoOfTheSnapshotWhileNoneIsShown) {
  Document document;
  document.query = lab_query();
  Session session(document, 1);
  wait_until([&] { return session.worker().is_idle(); });
  const LabRequest request{toy_settings(false), session.snapshot(), {0, 0}, {}};
  wait_until([&] { return session.labs().ask(request) != nullptr; });
  const std::weak_ptr<const LabResult> result = session.labs().ask(request);
  session.labs().rest();
  wait_until([&] { return result.expired(); });
}

}  // namespace
}  // namespace headlight
