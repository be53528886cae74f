#include "engine/analysis/prediction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/core/error.h"

namespace headlight {
namespace {

/// A model whose logits are its hidden states: the table of its head is the identity.
Model identity_model(int vocabulary, bool is_causal) {
  Model model;
  model.name = "identity";
  model.config.vocabulary = model.config.d_model = vocabulary;
  model.config.mask.is_causal = is_causal;
  model.config.has_logits = true;
  model.parameters.prediction.table = StoredMatrix(Matrix::Identity(vocabulary, vocabulary));
  return model;
}

std::vector<Token> tokens_of(std::initializer_list<std::int64_t> ids) {
  std::vector<Token> tokens;
  for (const std::int64_t id : ids) {
    Token& token = tokens.emplace_back();
    token.id = id;
    token.text = std::to_string(id);
  }
  return tokens;
}

std::vector<Prediction> predict(const Model& model, const Matrix& hidden, const std::vector<Token>& tokens, PredictionSpan span,
                                int threads = 1) {
  ThreadPool pool(threads);
  SilentProgress progress;
  return predict_tokens(model, hidden, tokens, span, pool, progress);
}

/// Logits ln 1, ln 2, ln 4, ln 1: probabilities 1/8, 2/8, 4/8, 1/8.
Matrix eighths(Index rows) {
  return RowVector{{0.0F, std::log(2.0F), std::log(4.0F), 0.0F}}.replicate(rows, 1);
}

TEST(Prediction, IsTheSoftmaxOfTheLogitsByRank) {
  const auto found = predict(identity_model(4, true), eighths(3), tokens_of({2, 0, 3}), {.first = 0, .count = 3, .likeliest = 3});
  ASSERT_EQ(found.size(), 3U);
  const Prediction& first = found.front();
  ASSERT_EQ(first.likeliest.size(), 3U);
  EXPECT_EQ(first.likeliest[0].id, 2);
  EXPECT_EQ(first.likeliest[1].id, 1);
  EXPECT_EQ(first.likeliest[2].id, 0) << "of equal logits the smaller id";
  EXPECT_NEAR(first.likeliest[0].probability, 0.5, 1e-7);
  EXPECT_NEAR(first.likeliest[1].probability, 0.25, 1e-7);
  EXPECT_NEAR(first.likeliest[2].probability, 0.125, 1e-7);
  EXPECT_EQ(first.likeliest[2].rank, 2);
  EXPECT_NEAR(first.entropy, 1.75 * std::log(2), 1e-7);
}

TEST(Prediction, OfACausalModelIsComparedWithTheTokenThatFollows) {
  const auto found = predict(identity_model(4, true), eighths(3), tokens_of({2, 1, 3}), {.first = 0, .count = 3});
  ASSERT_TRUE(found[0].actual && found[1].actual);
  EXPECT_EQ(found[0].actual->id, 1);
  EXPECT_EQ(found[0].actual->rank, 1);
  EXPECT_NEAR(found[0].actual->probability, 0.25, 1e-7);
  EXPECT_EQ(found[1].actual->id, 3);
  EXPECT_EQ(found[1].actual->rank, 3) << "id 0 has the same logit and comes first";
  EXPECT_FALSE(found[2].actual) << "nothing follows the last token";
}

TEST(Prediction, OfAMaskedLanguageModelIsComparedWithTheTokenThatStandsThere) {
  std::vector<Token> tokens = tokens_of({2, 0, 3});
  tokens[1].text = "[MASK]";
  tokens[1].is_typed_special = true;
  const auto found = predict(identity_model(4, false), eighths(3), tokens, {.first = 0, .count = 3});
  ASSERT_TRUE(found[0].actual && found[2].actual);
  EXPECT_EQ(found[0].actual->id, 2);
  EXPECT_EQ(found[2].actual->id, 3);
  EXPECT_FALSE(found[1].actual) << "a mask stands for a word that is not known";
}

TEST(Prediction, OfASpanIsThatOfTheWholeTextForAnyNumberOfThreads) {
  Matrix hidden(40, 7);
  for (Index i = 0; i < hidden.size(); ++i) hidden.data()[i] = std::sin(static_cast<float>(i * i % 97));
  const Model model = identity_model(7, true);
  std::vector<Token> tokens(40);
  for (std::size_t i = 0; i < tokens.size(); ++i) tokens[i].id = static_cast<std::int64_t>(i % 7);
  const auto all = predict(model, hidden, tokens, {.first = 0, .count = 40}, 4);
  const auto part = predict(model, hidden, tokens, {.first = 13, .count = 20});
  for (std::size_t i = 0; i < part.size(); ++i) {
    EXPECT_EQ(part[i].position, static_cast<Index>(i + 13));
    EXPECT_EQ(part[i].entropy, all[i + 13].entropy);
    EXPECT_EQ(part[i].likeliest.front().probability, all[i + 13].likeliest.front().probability);
    EXPECT_EQ(part[i].actual->probability, all[i + 13].actual->probability);
  }
}

TEST(Prediction, OfChosenTokensIsThatOfAListOfAllTokens) {
  Matrix hidden(20, 7);
  for (Index i = 0; i < hidden.size(); ++i) hidden.data()[i] = std::sin(static_cast<float>(i * i % 97));
  hidden(9, 2) = std::numeric_limits<float>::quiet_NaN();
  const Model model = identity_model(7, true);
  const std::vector<Token> tokens(20);
  const PredictionSpan span{.first = 3, .count = 17, .likeliest = 7};
  const auto all = predict(model, hidden, tokens, span);
  ThreadPool pool(3);
  SilentProgress progress;
  const auto chosen = predict_chosen(model, hidden, std::vector<std::vector<std::int64_t>>(17, {6, 0}), span, pool, progress);
  ASSERT_EQ(chosen.size(), 17U);
  for (std::size_t place = 0; place < chosen.size(); ++place) {
    ASSERT_EQ(chosen[place].size(), 2U);
    EXPECT_EQ(chosen[place][0].id, 6);
    EXPECT_EQ(std::isnan(chosen[place][0].probability), place == 6) << "the logits of position 9 are not numbers";
    for (const LikelyToken& likely : all[place].likeliest) {
      for (const LikelyToken& each : chosen[place]) {
        if (each.id != likely.id) continue;
        EXPECT_EQ(each.probability, likely.probability);
        EXPECT_EQ(each.rank, likely.rank);
      }
    }
  }
  EXPECT_THROW(predict_chosen(model, hidden, std::vector<std::vector<std::int64_t>>(17, {7}), span, pool, progress), Error);
}

TEST(Prediction, OfLogitsThatAreNotNumbersIsEmpty) {
  Matrix hidden = eighths(1);
  hidden(0, 3) = std::numeric_limits<float>::quiet_NaN();
  const auto found = predict(identity_model(4, true), hidden, tokens_of({0}), {.first = 0, .count = 1});
  EXPECT_TRUE(found.front().likeliest.empty());
  EXPECT_TRUE(std::isnan(found.front().entropy));
}

TEST(Prediction, IsRefusedWithoutALanguageModelHeadAndOutsideTheText) {
  Model silent = identity_model(4, true);
  silent.config.has_logits = false;
  EXPECT_THROW(predict(silent, eighths(1), tokens_of({0}), {.first = 0, .count = 1}), Error);
  try {
    predict(identity_model(4, true), eighths(2), tokens_of({0, 1}), {.first = 1, .count = 2});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.message(), ::testing::HasSubstr("0 to 1"));
  }
}

}  // namespace
}  // namespace headlight
