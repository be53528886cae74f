// The labs of one head: its circuits, and its effective attention.
#include "app/document/labs/circuit_labs.h"

#include <gmock/gmock.h>

#include "tests/session/lab_runs.h"

namespace headlight {
namespace {

using testing::lab_query;
using testing::reference_query;
using testing::run;

LabSettings settings_of(const Lab& lab) {
  LabSettings settings;
  settings.lab = lab;
  return settings;
}

TEST(CircuitsLab, FindsWhatTheCommandFinds) {
  const Query query = reference_query("gpt2");
  const auto found = run<CircuitsFound>(settings_of(kCircuitsLab), query);
  const auto snapshot = testing::snapshot_of(query);
  ThreadPool pool(1);
  const HeadId head{0, 1};
  EXPECT_TRUE(found.has_pairs);
  EXPECT_EQ(found.vocabulary, snapshot->model->config.vocabulary);
  EXPECT_EQ(found.circuits.qk.largest, qk_circuit(*snapshot->model, head, 0, kListedCircuits, pool).largest);
  EXPECT_EQ(found.circuits.ov.largest, ov_circuit(*snapshot->model, head, kListedCircuits, pool).largest);
  EXPECT_EQ(found.circuits.copying, copying_by_eigenvalues(*snapshot->model, head, NormGain::folded));
  EXPECT_EQ(found.qk.size(), found.circuits.qk.largest.size());
  EXPECT_GE(found.circuits.copying_score, 0);
  EXPECT_LE(found.circuits.copying_score, 1);
  EXPECT_FALSE(found.is_turned);
  const std::vector<Composition> readers = strongest_compositions(found.circuits, head, false);
  ASSERT_FALSE(readers.empty());
  EXPECT_TRUE(strongest_compositions(found.circuits, head, true).empty()) << "nothing is below the first layer";
  for (std::size_t at = 1; at < readers.size(); ++at) EXPECT_GE(strongest_of(readers[at - 1]), strongest_of(readers[at]));
}

TEST(CircuitsLab, ReadsTheDistanceWherePositionsTurnQueriesAndKeys) {
  const Query query = reference_query("gpt-neox");
  LabSettings settings = settings_of(kCircuitsLab);
  const auto beside = run<CircuitsFound>(settings, query);
  EXPECT_TRUE(beside.is_turned);
  settings.circuit_distance = 3;
  EXPECT_NE(run<CircuitsFound>(settings, query).circuits.qk.largest, beside.circuits.qk.largest);
}

TEST(CircuitsLab, SaysOfTheSandboxWhatItDoesNotHave) {
  const auto found = run<CircuitsFound>(settings_of(kCircuitsLab));
  EXPECT_THAT(found.circuits.why_no_qk, ::testing::HasSubstr("no table of tokens"));
  EXPECT_THAT(found.circuits.why_no_ov, ::testing::HasSubstr("no table of tokens"));
  EXPECT_THAT(found.circuits.why_no_composition, ::testing::HasSubstr("one layer"));
}

TEST(EffectiveLab, ShowsAnotherMapWithTheSameOutputOnceKeysOutnumberTheValues) {
  const auto found = run<EffectiveFound>(settings_of(kEffectiveLab), lab_query("a b c d e f g h i j k l"));
  EXPECT_EQ(found.problem, "");
  EXPECT_EQ(found.width, 8);
  ASSERT_EQ(found.rows.size(), 12U);
  EXPECT_EQ(found.free_queries(), 4) << "those with nine keys or more";
  EXPECT_LT(found.largest_gap, 1e-5);
  EXPECT_NE(testing::cell(*found.weights, 11, 0), testing::cell(*found.effective, 11, 0));
  EXPECT_NEAR(testing::cell(*found.weights, 5, 2), testing::cell(*found.effective, 5, 2), 1e-5) << "six keys: nothing to take away";
}

TEST(EffectiveLab, OfATextNoLongerThanTheValuesAreWideIsTheWeights) {
  const auto found = run<EffectiveFound>(settings_of(kEffectiveLab), lab_query("a b c d e f"));
  EXPECT_EQ(found.free_queries(), 0);
  for (Index query = 0; query < 6; ++query) {
    EXPECT_NEAR(found.rows[static_cast<std::size_t>(query)].sum, 1, 1e-5);
    for (Index key = 0; key <= query; ++key)
      EXPECT_NEAR(testing::cell(*found.weights, query, key), testing::cell(*found.effective, query, key), 1e-5);
  }
}

TEST(EffectiveLab, OfALongTextSaysWhyThereIsNone) {
  std::string text;
  for (Index token = 0; token <= kEffectiveTokens; ++token) text += "a ";
  const auto found = run<EffectiveFound>(settings_of(kEffectiveLab), lab_query(text));
  EXPECT_THAT(found.problem, ::testing::HasSubstr("for up to 512 tokens; this text has 513"));
}

/// Metrics 5.4: eleven tokens, values of sixteen numbers, rank 11.
TEST(EffectiveLab, OfNanoGptIsTheWeights) {
  Query query;
  for (const auto& reference : testing::reference_folders()) {
    if (std::filesystem::is_directory(reference / "nano-gpt")) query.model.name = (reference / "nano-gpt").string();
  }
  if (query.model.name == Query().model.name) return testing::say_not_found("reference/nano-gpt");
  query.ids = {2, 1, 0, 1, 1, 2, 0, 1, 1, 1, 2};
  const auto found = run<EffectiveFound>(settings_of(kEffectiveLab), query);
  EXPECT_EQ(found.width, 16);
  EXPECT_EQ(found.rows.back().rank, 11);
  EXPECT_EQ(found.free_queries(), 0);
  for (Index key = 0; key < 11; ++key) EXPECT_NEAR(testing::cell(*found.weights, 10, key), testing::cell(*found.effective, 10, key), 1e-5);
}

}  // namespace
}  // namespace headlight
