// Induction, copying and their input (metrics, 3.3 to 3.7).
#include "engine/studies/repeated_tokens.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "engine/formats/json.h"
#include "engine/measures/worked_example.h"
#include "engine/model/files/load_model.h"
#include "tests/testing.h"

namespace headlight {
namespace {

std::string built_in(const std::string& name) {
  return (std::filesystem::path(HEADLIGHT_TESTS_DIR).parent_path() / "assets" / "models" / name).string();
}

std::shared_ptr<const Snapshot> run_ids(const std::string& name, const RepeatedTokens& tokens) {
  Query query;
  query.model.name = built_in(name);
  query.ids = tokens.ids;
  SilentProgress progress;
  return Pipeline(1).run(query, progress);
}

std::shared_ptr<const Model> model_of(const std::string& name) {
  SilentProgress progress;
  return load_model({.name = built_in(name), .sandbox = {}}, progress);
}

TEST(RepeatedTokens, AreDistinctInsideTheVocabularyAndRepeated) {
  const auto model = model_of("story-gpt");
  const RepeatedTokens tokens = repeated_tokens(*model, 25, 4, 1);
  ASSERT_EQ(std::ssize(tokens.ids), tokens.first + 100);
  const std::set<std::int64_t> once(tokens.ids.begin() + tokens.first, tokens.ids.end());
  EXPECT_EQ(once.size(), 25U);
  for (std::size_t at = static_cast<std::size_t>(tokens.first); at + 25 < tokens.ids.size(); ++at)
    EXPECT_EQ(tokens.ids[at], tokens.ids[at + 25]);
  EXPECT_EQ(repeated_tokens(*model, 25, 4, 1).ids, tokens.ids);
  EXPECT_NE(repeated_tokens(*model, 25, 4, 2).ids, tokens.ids);
}

/// The worked examples of the table on a b a b: two tokens, twice.
class RepeatedExamples : public ::testing::Test {
 protected:
  static double example(const char* id) { return measure_of(all_measures(), id).example; }
  const Matrix map_ = worked_map();
  const RepeatedTokens tokens_{.ids = {0, 1, 0, 1}, .first = 0, .distinct = 2, .times = 2};
  /// V, W_O and W_U map each token to itself: a key writes the logit of its own token.
  Matrix logits() const {
    Matrix unembedded = Matrix::Zero(4, 2);
    for (Index key = 0; key < 4; ++key) unembedded(key, static_cast<Index>(tokens_.ids[static_cast<std::size_t>(key)])) = 1;
    return map_ * unembedded;
  }
};

TEST_F(RepeatedExamples, AreWhatTheMeasuresComputeThere) {
  const std::vector<Token> tokens = worked_tokens();
  EXPECT_NEAR(measure_of(all_measures(), "induction").example, example("prefix-matching"), 1e-6) << "it is that measure on such tokens";
  EXPECT_NEAR(induction_by_offset(map_, tokens_), example("induction-offset"), 1e-6);
  EXPECT_NEAR(copying_score(tokens, worked_mask(), map_, logits()), example("copying-score"), 1e-6);
  EXPECT_NEAR(induction_loss(logits(), tokens_), example("induction-loss"), 1e-6);
}

TEST(RepeatedTokens, TheModelBuiltByHandMatchesPrefixes) {
  const auto model = model_of("induction-by-hand");
  const RepeatedTokens tokens = repeated_tokens(*model, 12, 4, 1);
  SilentProgress progress;
  double best = 0;
  for (const HeadScore& score : prefix_matching(*run_ids("induction-by-hand", tokens), progress)) best = std::max(best, score.value);
  EXPECT_GE(best, 0.99);
}

TEST(RepeatedTokens, WithoutItsKeysTheModelBuiltByHandFallsToChance) {
  const auto model = model_of("induction-by-hand");
  const RepeatedTokens tokens = repeated_tokens(*model, 12, 4, 1);
  auto cut = std::make_shared<Model>(*model);
  LayerParameters& last = cut->parameters.layers.back();
  last.k.weight = Matrix(0 * last.k.weight.to_matrix());
  if (last.k.bias.size() > 0) last.k.bias.setZero();
  Query query;
  query.ids = tokens.ids;
  const PassingRun passing(cut, query);
  ThreadPool pool(1);
  const auto requests = measure_requests("induction,induction-baseline", "test");
  for (const HeadValues& head : measure_text_heads(passing, passing.tokens_of(query), requests, {}, false, pool)) {
    if (head.head.layer + 1 < cut->config.layers) continue;
    EXPECT_NEAR(head.values[0], head.values[1], 1e-6);
  }
}

TEST(RepeatedTokens, ARunOnIdsHasTheBitsOfThePipelines) {
  const auto model = model_of("story-gpt");
  const RepeatedTokens tokens = repeated_tokens(*model, 12, 2, 3);
  Query query;
  query.model.name = built_in("story-gpt");
  query.ids = tokens.ids;
  ThreadPool pool(2);
  const Snapshot own = run_on_ids(model, query, pool);
  const auto piped = run_ids("story-gpt", tokens);
  ASSERT_EQ(own.layers(), piped->layers());
  EXPECT_EQ(own.trace.final_hidden, piped->trace.final_hidden);
  for (const HeadId head : piped->all_heads()) EXPECT_EQ(own.maps(head).weights, piped->maps(head).weights);
  EXPECT_EQ(induction_loss(own, tokens, pool), induction_loss(*piped, tokens, pool));
}

TEST(RepeatedTokens, StoryGptHasTheHeadThatItsCardTellsOf) {
  const auto model = model_of("story-gpt");
  const Json card = parse_json(testing::bytes_of(built_in("story-gpt") + "/card.json"), "card.json");
  HeadId told;
  for (const Json& head : card.at("figures")) {
    if (head.at("measure") == "prefix matching") told = {head.at("layer").get<int>(), head.at("head").get<int>()};
  }
  const RepeatedTokens tokens = repeated_tokens(*model, 25, 4, 1);
  SilentProgress progress;
  const auto snapshot = run_ids("story-gpt", tokens);
  const auto scores = prefix_matching(*snapshot, progress);
  const auto best =
      std::max_element(scores.begin(), scores.end(), [](const HeadScore& a, const HeadScore& b) { return a.value < b.value; });
  EXPECT_EQ(best->head, told);
  EXPECT_GT(best->value, 0.4);
  const auto by_offset =
      induction_by_offset(*run_ids("story-gpt", repeated_tokens(*model, 20, 2, 1)), repeated_tokens(*model, 20, 2, 1), progress);
  const auto best_offset =
      std::max_element(by_offset.begin(), by_offset.end(), [](const HeadScore& a, const HeadScore& b) { return a.value < b.value; });
  EXPECT_EQ(best_offset->head, told);
}

TEST(RepeatedTokens, AModelThatKnowsNothingLosesTheLogarithmOfItsVocabulary) {
  auto model = std::make_shared<Model>(*model_of("story-gpt"));
  const RepeatedTokens tokens = repeated_tokens(*model, 20, 2, 1);
  const auto snapshot = run_ids("story-gpt", tokens);
  ThreadPool pool(1);
  const double trained = induction_loss(*snapshot, tokens, pool);
  Snapshot blind = *snapshot;
  blind.trace.final_hidden = SharedRows(Matrix::Zero(snapshot->trace.final_hidden.rows(), snapshot->trace.final_hidden.cols()));
  const double even = induction_loss(blind, tokens, pool);
  EXPECT_NEAR(even, std::log(static_cast<double>(model->config.vocabulary)), 1e-3);
  EXPECT_LT(trained, even);
}

TEST(CopyingScore, IsOneWhereOnlyTheStrongestTokenIsRaised) {
  EXPECT_EQ(copied_share({0.1, 0.7, 0.1, 0.1}, 1), 1);
  EXPECT_EQ(copied_share({0.1, 0.7, 0.1, 0.1}, 0), 0);
  EXPECT_NEAR(copied_share({0.4, 0.4, 0.1, 0.1}, 1), 0.5, 1e-12);
  EXPECT_TRUE(std::isnan(copied_share({0.25, 0.25, 0.25, 0.25}, 1)));
}

TEST(CopyingScore, IsOneOfAHeadWhoseVWritesEachTokenIntoItself) {
  Query query;
  query.text = "abcdefgh";
  ThreadPool pool(1);
  // The last head of the model built by hand writes the token that it looks at, as one-hot; on embeddings alone it rests on the first.
  const auto scores = copying_scores(*model_of("induction-by-hand"), query, pool);
  ASSERT_EQ(scores.size(), 2U);
  EXPECT_NEAR(scores[1].value, 1, 1e-6);
  EXPECT_FALSE(scores[0].value > 0.5) << "what the first head writes is read by the second, not by the logits";
}

TEST(DrawnScores, LeaveOutDrawsInWhichAHeadHasNoNumber) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  DrawnScores means;
  means.add({{{0, 0}, 0.25}, {{0, 1}, none}});
  means.add({{{0, 0}, 0.75}, {{0, 1}, none}});
  means.add({{{0, 0}, none}, {{0, 1}, none}});
  const std::vector<HeadScore> found = means.means();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].value, 0.5);
  EXPECT_TRUE(std::isnan(found[1].value));
  EXPECT_NEAR(means.z({0, 0}, 1), std::sqrt(2.0), 1e-15) << "0.5 above the mean, of a deviation √(0.125)";
  EXPECT_TRUE(std::isnan(means.z({0, 1}, 1))) << "no draws";
}

TEST(DrawnScores, ALabelSaysHowManyDrawsItIsOf) {
  const auto label = label_of(plain_request(measure_of(all_measures(), "prefix-matching")), 0.998, 4);
  ASSERT_TRUE(label);
  EXPECT_EQ(text_of_drawn(*label).substr(0, 17), "induction: 0.998 ");
  EXPECT_NE(text_of_drawn(*label).find(", 4 draws of random tokens)"), std::string::npos) << text_of_drawn(*label);
  EXPECT_EQ(draws_text(1), "1 draw of random tokens");
}

TEST(CopyingScore, OfEveryHeadLiesBetweenNothingAndOne) {
  Query query;
  query.text = "Anna Cairo the box Anna Cairo the box";
  ThreadPool pool(1);
  const auto scores = copying_scores(*model_of("story-gpt"), query, pool);
  EXPECT_EQ(scores.size(), 32U);
  for (const HeadScore& score : scores) {
    EXPECT_GE(score.value, 0);
    EXPECT_LE(score.value, 1);
  }
  query.model.sandbox = {.layers = 1, .d_model = 16, .heads = 2};
  EXPECT_EQ(testing::error_of([&] { copying_scores(*make_sandbox(query.model.sandbox), query, pool); }).kind(), ErrorKind::input);
}

}  // namespace
}  // namespace headlight
