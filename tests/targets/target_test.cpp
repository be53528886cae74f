#include "engine/targets/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/pipeline/pipeline.h"
#include "engine/targets/watched.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;
using ::testing::HasSubstr;

std::string refusal(std::string_view text) {
  return error_of([&] { parse_target(text); }).message();
}

TEST(Target, ReadsBackWhatItWrites) {
  for (const char* text : {"loss", "loss@5-10", "loss@5-", "loss@5", "kl", "kl@3", "all-right@0-2", "logit:a@4", "logit:follows-follow@5",
                           "prob:#17@0", "prob:\"New York\"@2", "logit:\"a-b\"-\"c@d\"@1", "prob:\"\\\"\\\\\"", "logit:is"}) {
    EXPECT_EQ(to_text(parse_target(text)), text);
    EXPECT_EQ(parse_target(to_text(parse_target(text))), parse_target(text)) << text;
  }
}

TEST(Target, SaysWhichCharacterItCannotRead) {
  EXPECT_THAT(refusal(""), HasSubstr("character 1"));
  EXPECT_THAT(refusal("lost"), HasSubstr("expected logit, prob, loss, kl or all-right"));
  EXPECT_THAT(refusal("logit"), HasSubstr("a colon and a token"));
  EXPECT_THAT(refusal("logit:@3"), HasSubstr("character 7"));
  EXPECT_THAT(refusal("logit:a-@3"), HasSubstr("a token"));
  EXPECT_THAT(refusal("prob:a-b@3"), HasSubstr("character 7"));
  EXPECT_THAT(refusal("prob:\"a"), HasSubstr("a quote after the token"));
  EXPECT_THAT(refusal("loss@-1"), HasSubstr("a position from 0"));
  EXPECT_THAT(refusal("loss@99999999999"), HasSubstr("a position from 0"));
  EXPECT_THAT(refusal("loss@5-3"), HasSubstr("a position from 5"));
  EXPECT_THAT(refusal("loss@5x"), HasSubstr("character 7"));
  EXPECT_THAT(refusal("kl:a"), HasSubstr("character 3"));
}

// What a cut or mangled text may do is to be refused: it never reads past its end.
TEST(Target, EveryBeginningOfATargetIsReadOrRefused) {
  const std::string text = "logit:\"a\\\"b\"-#12@345";
  for (std::size_t length = 0; length < text.size(); ++length) {
    try {
      const Target target = parse_target(std::string_view(text).substr(0, length));
      EXPECT_EQ(parse_target(to_text(target)), target);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
    }
  }
}

TEST(Target, IsToldInWords) {
  EXPECT_EQ(describe_target(parse_target("logit:follows-follow@5")), "logit of “follows” less that of “follow” at position 5");
  EXPECT_EQ(describe_target(parse_target("prob:#4")), "probability of #4");
  EXPECT_EQ(describe_target({}), "loss of the text");
  EXPECT_EQ(describe_target(parse_target("loss@5-")), "loss of the text from position 5 on");
}

/// A model whose logits are its hidden states.
Model identity_model(int vocabulary, bool is_causal = true) {
  Model model;
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
  }
  return tokens;
}

/// Logits ln 1, ln 2, ln 4, ln 1: probabilities 1/8, 2/8, 4/8, 1/8.
Matrix eighths(Index rows) {
  return RowVector{{0.0F, std::log(2.0F), std::log(4.0F), 0.0F}}.replicate(rows, 1);
}

double value(std::string_view target, const Matrix& hidden, const std::vector<Token>& tokens, std::optional<std::int64_t> next = {}) {
  const Model model = identity_model(4);
  const Watched watched = watch_text(parse_target(target), {model, tokens, next});
  EXPECT_EQ(watched.problem, "");
  ThreadPool pool(2);
  const SharedRows rows{Matrix(hidden)}, even{Matrix(Matrix::Zero(hidden.rows(), 4))};
  return value_of(watched, model, {rows, target_row(watched.target.kind).needs_unedited ? &even : nullptr}, pool);
}

TEST(Target, HasTheValueOfItsFormula) {
  const std::vector<Token> tokens = tokens_of({0, 2, 1});
  EXPECT_NEAR(value("prob:#2@1", eighths(3), tokens), 0.5, 1e-7);
  EXPECT_NEAR(value("logit:#2-#1@0", eighths(3), tokens), std::log(2), 1e-7);
  EXPECT_NEAR(value("logit:#1", eighths(3), tokens), std::log(2), 1e-7);
  EXPECT_NEAR(value("loss", eighths(3), tokens), (std::log(2) + std::log(4)) / 2, 1e-7) << "two of three tokens are predicted";
  EXPECT_NEAR(value("loss", eighths(3), tokens, 3), (std::log(2) + std::log(4) + std::log(8)) / 3, 1e-7);
  EXPECT_NEAR(value("loss@1-", eighths(3), tokens), std::log(4), 1e-7);
  EXPECT_NEAR(value("kl", eighths(3), tokens), std::log(2) / 4, 1e-7) << "of even predictions";
  EXPECT_EQ(value("all-right@0", eighths(3), tokens), 1);
  EXPECT_EQ(value("all-right", eighths(3), tokens), 0);
}

TEST(Target, SaysWhyItHasNoValue) {
  const Model causal = identity_model(4), masked = identity_model(4, false);
  const auto problem = [](const Model& model, std::string_view target, const std::vector<Token>& tokens) {
    return watch_text(parse_target(target), {model, tokens}).problem;
  };
  EXPECT_THAT(problem(causal, "loss", tokens_of({1})), HasSubstr("one token"));
  EXPECT_THAT(problem(causal, "loss", {}), HasSubstr("no tokens"));
  EXPECT_THAT(problem(causal, "loss@2-", tokens_of({1, 2, 3})), HasSubstr("Nothing follows"));
  EXPECT_THAT(problem(causal, "prob:#1@3", tokens_of({1, 2, 3})), HasSubstr("no position 3"));
  EXPECT_THAT(problem(masked, "loss", tokens_of({1, 2, 3})), HasSubstr("under its masks"));
  Model headless = identity_model(4);
  headless.config.has_logits = false;
  EXPECT_THAT(problem(headless, "loss", tokens_of({1, 2})), HasSubstr("no language-model head"));
}

TEST(Target, RefusesATokenThatTheVocabularyDoesNotHave) {
  const Model model = identity_model(4);
  const std::vector<Token> tokens = tokens_of({1, 2});
  const auto error = [&](std::string_view target) { return error_of([&] { watch_text(parse_target(target), {model, tokens}); }); };
  for (const char* target : {"prob:#4", "prob:#1x", "prob:#99999999999999999999"}) {
    EXPECT_EQ(error(target).kind(), ErrorKind::usage) << target;
    EXPECT_THAT(error(target).message(), HasSubstr("#0 to #3")) << target;
  }
}

TEST(Target, OfATextThatDoesNotChangeIsAsBefore) {
  Pipeline pipeline(2);
  SilentProgress progress;
  Query query;
  query.model.name = std::string(HEADLIGHT_TESTS_DIR) + "/reference/models/gpt2";
  query.text = "the quick brown fox";
  const auto before = pipeline.run(query, progress);
  const auto number = [&](const Snapshot& run, const char* target) {
    return target_of(parse_target(target), run, before.get(), pipeline.pool()).value;
  };
  EXPECT_EQ(number(*before, "kl"), 0);
  query.switched_off = {{0, 0}, {0, 1}};
  EXPECT_EQ(unedited_query(query), before->query);
  const auto after = pipeline.run(query, progress);
  EXPECT_GT(number(*after, "kl"), 0);
  EXPECT_NE(number(*after, "loss"), number(*before, "loss"));
  EXPECT_THAT(target_of(parse_target("kl"), *after, nullptr, pipeline.pool()).reason, HasSubstr("no unedited run"));
}

}  // namespace
}  // namespace headlight
