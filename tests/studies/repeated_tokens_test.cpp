// Induction, copying and their input (metrics, 3.3 to 3.7).
#include "engine/studies/own_texts/repeated_tokens.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "engine/formats/json.h"
#include "engine/measures/worked_example.h"
#include "engine/model/files/load_model.h"
#include "engine/pipeline/pipeline.h"
#include "engine/studies/own_texts/own_text_measures.h"
#include "tests/testing.h"

namespace headlight {
namespace {

std::string built_in(const std::string& name) {
  return (std::filesystem::path(HEADLIGHT_TESTS_DIR).parent_path() / "assets" / "models" / name).string();
}

std::shared_ptr<const Model> model_of(const std::string& name) {
  SilentProgress progress;
  return load_model({.name = built_in(name), .sandbox = {}}, progress);
}

Query query_of(const RepeatedTokens& tokens) {
  Query query;
  query.ids = tokens.ids;
  return query;
}

/// A measure of every head on one text, without the machinery of a study.
std::vector<double> values_on(const std::shared_ptr<const Model>& model, const RepeatedTokens& tokens, const std::string& id) {
  const Query query = query_of(tokens);
  const PassingRun run(model, query);
  ThreadPool pool(2);
  std::vector<double> values;
  for (const HeadValues& head : measure_text_heads(run, run.tokens_of(query), measure_requests(id, "test"), {}, false, pool)) {
    values.push_back(head.values.front());
  }
  return values;
}

/// Measures that need tokens of their own, of one draw: [head][request].
std::vector<HeadValues> drawn_values(const std::shared_ptr<const Model>& model, const std::string& ids, const RepeatedTokens& tokens,
                                     std::vector<NullKind> nulls = {}) {
  const Query query = query_of(tokens);
  const StudySettings settings{.requests = any_measure_requests(ids, "test"), .nulls = std::move(nulls)};
  const OwnTextMeasurer measurer(model, {}, settings);
  ThreadPool pool(2);
  return measurer.measure(PassingRun(model, query).tokens_of(query), pool, {});
}

TEST(RepeatedTokens, AreDistinctInsideTheVocabularyAndRepeated) {
  const auto model = model_of("story-gpt");
  const RepeatedTokens tokens = repeated_tokens(*model, kFourTimes, 1);
  ASSERT_EQ(std::ssize(tokens.ids), tokens.first + 100);
  const std::set<std::int64_t> once(tokens.ids.begin() + tokens.first, tokens.ids.end());
  EXPECT_EQ(once.size(), 25U);
  for (std::size_t at = static_cast<std::size_t>(tokens.first); at + 25 < tokens.ids.size(); ++at)
    EXPECT_EQ(tokens.ids[at], tokens.ids[at + 25]);
  EXPECT_EQ(repeated_tokens(*model, kFourTimes, 1).ids, tokens.ids);
  EXPECT_NE(repeated_tokens(*model, kFourTimes, 2).ids, tokens.ids);
}

/// The worked examples of the table on a b a b: two tokens, twice.
class RepeatedExamples : public ::testing::Test {
 protected:
  static double example(const char* id) { return measure_of(all_measures(), id).example; }
  const Matrix map_ = worked_map();
  const RepeatedTokens tokens_{.ids = {0, 1, 0, 1}, .first = 0, .repetition = {2, 2}};
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
  OffsetMean offset(tokens_.second(), 2, nullptr);
  offset.add({0, map_}, worked_mask());
  EXPECT_NEAR(offset.value(), example("induction-offset"), 1e-6);
  EXPECT_NEAR(copying_score(tokens, worked_mask(), map_, logits()).value, example("copying-score"), 1e-6);
  EXPECT_NEAR(induction_loss(logits(), tokens, tokens_.second()).value, example("induction-loss"), 1e-6);
}

TEST(RepeatedTokens, TheModelBuiltByHandMatchesPrefixes) {
  const auto model = model_of("induction-by-hand");
  const RepeatedTokens tokens = repeated_tokens(*model, {12, 4}, 1);
  const std::vector<double> scores = values_on(model, tokens, "induction");
  EXPECT_GE(*std::max_element(scores.begin(), scores.end()), 0.99);
}

TEST(RepeatedTokens, WithoutItsKeysTheModelBuiltByHandFallsToChance) {
  const auto model = model_of("induction-by-hand");
  const RepeatedTokens tokens = repeated_tokens(*model, {12, 4}, 1);
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

TEST(RepeatedTokens, StoryGptHasTheHeadThatItsCardTellsOf) {
  const auto model = model_of("story-gpt");
  const Json card = parse_json(testing::bytes_of(built_in("story-gpt") + "/card.json"), "card.json");
  HeadId told;
  for (const Json& head : card.at("figures")) {
    if (head.at("measure") == "prefix matching") told = {head.at("layer").get<int>(), head.at("head").get<int>()};
  }
  const auto best_of = [](const std::vector<HeadValues>& heads) {
    return *std::max_element(heads.begin(), heads.end(),
                             [](const HeadValues& a, const HeadValues& b) { return a.values[0] < b.values[0]; });
  };
  const HeadValues prefix = best_of(drawn_values(model, "prefix-matching", repeated_tokens(*model, kFourTimes, 1)));
  EXPECT_EQ(prefix.head, told);
  EXPECT_GT(prefix.values[0], 0.4);
  const RepeatedTokens twice = repeated_tokens(*model, kTwice, 1);
  const auto offsets = drawn_values(model, "induction-offset", twice);
  const HeadValues offset = *std::find_if(offsets.begin(), offsets.end(), [&](const HeadValues& each) { return each.head == told; });
  EXPECT_GT(offset.values[0], 0.4);
  EXPECT_EQ(offset.cells[0].key, offset.cells[0].query - 49) << "the cell that gave most is a copy's follower";
  EXPECT_GE(offset.cells[0].query, twice.second());
}

TEST(RepeatedTokens, MeasuresOfATextAreThoseOfItsMaps) {
  const auto model = model_of("story-gpt");
  const RepeatedTokens four = repeated_tokens(*model, kFourTimes, 3), two = repeated_tokens(*model, kTwice, 3);
  const auto prefix = drawn_values(model, "prefix-matching,prefix-matching-without-first-token", four);
  const auto plain = values_on(model, four, "induction"), rest = values_on(model, four, "induction-without-first-token");
  for (std::size_t head = 0; head < prefix.size(); ++head) {
    EXPECT_EQ(prefix[head].values[0], plain[head]);
    EXPECT_EQ(prefix[head].values[1], rest[head]);
    EXPECT_GE(rest[head], plain[head]) << "what the first token had is shared out";
  }
  Query query = query_of(two);
  query.model.name = built_in("story-gpt");
  SilentProgress progress;
  const auto run = Pipeline(1).run(query, progress);
  const auto offsets = drawn_values(model, "induction-offset,induction-offset-without-first-token,induction-loss", two);
  for (const HeadValues& found : offsets) {
    const Matrix map = run->maps(found.head, progress).weights;
    double sum = 0, rests = 0;
    for (Index row = two.second(); row < map.rows(); ++row) {
      sum += static_cast<double>(map(row, row - 49)) / 50;
      rests += static_cast<double>(map(row, row - 49)) / (1 - static_cast<double>(map(row, 0))) / 50;
    }
    EXPECT_NEAR(found.values[0], sum, 1e-12);
    EXPECT_NEAR(found.values[1], rests, 1e-9);
    EXPECT_EQ(found.values[2], offsets.front().values[2]) << "the loss is the whole model's";
  }
}

TEST(RepeatedTokens, StandBesideChanceOfBothKinds) {
  const auto model = model_of("story-gpt");
  const auto heads =
      drawn_values(model, "prefix-matching", repeated_tokens(*model, kFourTimes, 1), {NullKind::random_weights, NullKind::shuffled_tokens});
  const auto best =
      *std::max_element(heads.begin(), heads.end(), [](const HeadValues& a, const HeadValues& b) { return a.values[0] < b.values[0]; });
  ASSERT_EQ(best.values.size(), 3U);
  EXPECT_LT(best.values[1], 0.1) << "random weights";
  EXPECT_NE(best.values[2], best.values[0]) << "another order, in which copies have other followers";
  EXPECT_GT(best.values[2], 0.4);
}

TEST(RepeatedTokens, OffsetsCountOnlyRowsThatMayAttendThere) {
  Matrix map = Matrix::Zero(4, 4);
  map(2, 1) = 0.5F;
  map(3, 2) = 0.25F;
  Mask mask = worked_mask();
  const auto mean = [&] {
    OffsetMean offset(2, 2, nullptr);
    offset.add({0, map}, mask);
    return offset.value();
  };
  EXPECT_NEAR(mean(), 0.375, 1e-12);
  mask.set(3, 2, false);
  EXPECT_NEAR(mean(), 0.5, 1e-12) << "a row that may not attend there is no row";
  mask.set(2, 1, false);
  EXPECT_TRUE(std::isnan(mean())) << "undefined, not 0";
}

TEST(RepeatedTokens, AreRefusedOnceWhereNoDrawCouldBeMeasured) {
  const StudySettings prefix{.requests = any_measure_requests("prefix-matching", "test")};
  EXPECT_EQ(testing::error_of([&] { OwnTextMeasurer(model_of("story-bert"), {}, prefix); }).kind(), ErrorKind::input)
      << "it reads both ways";
  Query both;
  both.model.sandbox.kind = SandboxKind::encoder_decoder;
  const StudySettings copying{.requests = any_measure_requests("copying-score", "test")};
  EXPECT_EQ(testing::error_of([&] { OwnTextMeasurer(make_sandbox(both.model.sandbox), {}, copying); }).kind(), ErrorKind::input);
  EXPECT_EQ(testing::error_of([] { any_measure_request("induction-loss-without-first-token", "test"); }).kind(), ErrorKind::usage);
}

TEST(RepeatedTokens, AModelThatKnowsNothingLosesTheLogarithmOfItsVocabulary) {
  const auto model = model_of("story-gpt");
  const RepeatedTokens tokens = repeated_tokens(*model, kTwice, 1);
  std::vector<Token> read;
  for (const std::int64_t id : tokens.ids) read.push_back({.id = id, .text = {}, .bytes = {}});
  const Matrix blind = Matrix::Zero(std::ssize(read), model->config.vocabulary);
  const double even = induction_loss(blind, read, tokens.second()).value;
  EXPECT_NEAR(even, std::log(static_cast<double>(model->config.vocabulary)), 1e-9);
  EXPECT_LT(drawn_values(model, "induction-loss", tokens).front().values[0], even);
}

TEST(CopyingScore, IsOneWhereOnlyTheStrongestTokenIsRaised) {
  EXPECT_EQ(copied_share({0.1, 0.7, 0.1, 0.1}, 1), 1);
  EXPECT_EQ(copied_share({0.1, 0.7, 0.1, 0.1}, 0), 0);
  EXPECT_NEAR(copied_share({0.4, 0.4, 0.1, 0.1}, 1), 0.5, 1e-12);
  EXPECT_TRUE(std::isnan(copied_share({0.25, 0.25, 0.25, 0.25}, 1)));
  EXPECT_TRUE(std::isnan(copied_share(std::vector<double>(7, 0.1), 1))) << "what rounding leaves of the mean is no copy";
}

/// Of every head of every layer.
std::vector<double> copying_of(const Model& model, const std::string& text) {
  Query query;
  query.text = text;
  ThreadPool pool(1);
  const std::vector<Token> tokens = model.tokenizer->encode(text, std::nullopt).tokens;
  std::vector<double> scores;
  for (int layer = 0; layer < model.config.layers; ++layer) {
    for (const HeadCopying& head : copying_scores(model, query, layer, tokens, {nullptr}, pool)) scores.push_back(head.scores[0].value);
  }
  return scores;
}

TEST(CopyingScore, IsOneOfAHeadWhoseVWritesEachTokenIntoItself) {
  // The last head of the model built by hand writes the token that it looks at, as one-hot; on embeddings alone it rests on the first.
  const auto scores = copying_of(*model_of("induction-by-hand"), "abcdefgh");
  ASSERT_EQ(scores.size(), 2U);
  EXPECT_NEAR(scores[1], 1, 1e-6);
  EXPECT_FALSE(scores[0] > 0.5) << "what the first head writes is read by the second, not by the logits";
}

TEST(CopyingScore, OfOneHeadAndWithoutKeysIsThatOfAllHeads) {
  const auto model = model_of("story-gpt");
  Query query;
  const std::vector<Token> tokens = model->tokenizer->encode("Anna Cairo the box Anna Cairo the box", std::nullopt).tokens;
  HiddenKeys first{{0}, std::vector<std::uint8_t>(tokens.size())};
  first.flags[0] = 1;
  ThreadPool pool(2);
  const auto all = copying_scores(*model, query, 1, tokens, {nullptr, &first}, pool);
  const auto one = copying_scores(*model, query, 1, tokens, {&first}, pool, {}, 3);
  ASSERT_EQ(all.size(), 8U);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].head, (HeadId{1, 3}));
  EXPECT_EQ(one[0].scores[0].value, all[3].scores[1].value);
  EXPECT_NE(all[3].scores[0].value, all[3].scores[1].value);
}

TEST(HeadLabels, OfRandomTokensSayHowManyDrawsTheyAreOf) {
  const auto label = label_of(plain_request(measure_of(all_measures(), "prefix-matching")), 0.998, 4);
  ASSERT_TRUE(label);
  EXPECT_EQ(label->text(), "induction, by prefix matching: 0.998 (threshold 0.4, 4 draws of random tokens)");
  EXPECT_EQ(draws_text(1), "1 draw of random tokens");
}

TEST(CopyingScore, OfEveryHeadLiesBetweenNothingAndOne) {
  const auto scores = copying_of(*model_of("story-gpt"), "Anna Cairo the box Anna Cairo the box");
  EXPECT_EQ(scores.size(), 32U);
  for (const double score : scores) {
    EXPECT_GE(score, 0);
    EXPECT_LE(score, 1);
  }
  Query query;
  query.model.sandbox = {.layers = 1, .d_model = 16, .heads = 2};
  EXPECT_EQ(testing::error_of([&] { copying_of(*make_sandbox(query.model.sandbox), "a"); }).kind(), ErrorKind::input);
}

}  // namespace
}  // namespace headlight
