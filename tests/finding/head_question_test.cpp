// Questions as values: their targets, and how they are kept in files.
#include "engine/finding/head_question.h"

#include <gtest/gtest.h>

#include <tuple>

#include "tests/finding/question_testing.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::cells_in, testing::encoding_of, testing::error_of, testing::worked_snapshot;

std::string drawn(const std::optional<Mask>& targets) {
  std::string lines;
  for (Index query = 0; targets && query < targets->queries(); ++query) {
    for (Index key = 0; key < targets->keys(); ++key) lines += targets->allows(query, key) ? '1' : '.';
    lines += '\n';
  }
  return lines;
}

TEST(HeadQuestion, EveryPatternHasItsTargets) {
  const auto text = encoding_of({"a", "b", "b", "a"});
  const MapTokens tokens{*text, *text};
  const auto targets = [&](TargetPattern pattern) { return drawn(targets_of(question_of(pattern), tokens)); };
  EXPECT_EQ(targets(TargetPattern::previous), "....\n1...\n.1..\n..1.\n");
  EXPECT_EQ(targets(TargetPattern::self), "1...\n.1..\n..1.\n...1\n");
  EXPECT_EQ(targets(TargetPattern::next), ".1..\n..1.\n...1\n....\n");
  EXPECT_EQ(targets(TargetPattern::first), "1...\n1...\n1...\n1...\n");
  EXPECT_EQ(targets(TargetPattern::duplicate), "....\n....\n.1..\n1...\n");
  EXPECT_EQ(targets(TargetPattern::induction), "....\n....\n....\n.1..\n") << "a token repeated at once is not its own target";
  EXPECT_EQ(targets(TargetPattern::same_word), "....\n....\n....\n....\n");
  EXPECT_EQ(drawn(targets_of(question_of_mask("k == q - 2"), tokens)), "....\n....\n1...\n.1..\n");
}

TEST(HeadQuestion, TheOtherTokensOfAWordAreItsTargets) {
  Encoding text;
  text.text = "gallops on";
  for (const auto& [word, begin, end] : {std::tuple("gall", 0U, 4U), std::tuple("ops", 4U, 7U), std::tuple(" on", 7U, 10U)}) {
    Token& token = text.tokens.emplace_back();
    token.text = word;
    token.bytes = {begin, end};
  }
  EXPECT_EQ(drawn(targets_of(question_of(TargetPattern::same_word), {text, text})), ".1.\n1..\n...\n");
}

TEST(HeadQuestion, PatternsMeanNothingBetweenTwoTextsButMaskTextsDo) {
  const auto queries = encoding_of({"x", "y"}), keys = encoding_of({"a", "b", "c"});
  const MapTokens tokens{*queries, *keys, Stack::cross};
  for (const TargetPatternRow& row : target_patterns()) EXPECT_FALSE(targets_of(question_of(row.pattern), tokens)) << row.id;
  EXPECT_EQ(drawn(targets_of(question_of_mask("k == 2"), tokens)), "..1\n..1\n");
}

TEST(HeadQuestion, CellsMeanNothingInAnotherTextOrStack) {
  const Snapshot run = worked_snapshot();
  const HeadQuestion question = cells_in(run, {{3, 4, 1, 2}});
  EXPECT_EQ(drawn(targets_of(question, tokens_of(run, 0))), "....\n....\n....\n.1..\n");
  const auto other = encoding_of({"a", "b", "a", "c"});
  EXPECT_FALSE(targets_of(question, {*other, *other}));
  EXPECT_FALSE(targets_of(question, {*run.encoding, *run.encoding, Stack::cross}));
  EXPECT_FALSE(is_about(question, *other));
}

TEST(HeadQuestion, ALaterBlockErasesAnEarlierOne) {
  const Snapshot run = worked_snapshot();
  const HeadQuestion question = question_of_cells({{2, 4, 0, 2, true}, {3, 4, 0, 1, false}}, tokens_of(run, 0));
  EXPECT_EQ(drawn(targets_of(question, tokens_of(run, 0))), "....\n....\n11..\n.1..\n");
}

TEST(HeadQuestion, IsTheSameOnceReadBack) {
  const Snapshot run = worked_snapshot();
  std::vector<HeadQuestion> questions{{}, question_of_mask("k == q - 2"), cells_in(run, {{3, 4, 1, 2}, {2, 3, 0, 1}})};
  for (const TargetPatternRow& row : target_patterns()) questions.push_back(question_of(row.pattern));
  questions.push_back(question_of_cells({{0, 1, 0, 1, true}}, {*run.encoding, *run.encoding, Stack::decoder}));
  for (const HeadQuestion& question : questions) EXPECT_EQ(question_from_json(to_json(question)), question) << to_json(question).dump();
}

TEST(HeadQuestion, WhatMakesNoSenseInAFileIsNone) {
  for (const char* text : {"3", "[]", "{}", R"({"pattern": "sideways"})", R"({"mask": "k = = q"})", R"({"cells": []})",
                           R"({"cells": [[0, 1, 0, 1, 1]]})", R"({"cells": [[1, 1, 0, 1, 1]], "text": "a", "tokens": 3})",
                           R"({"cells": [[0, 1, -4, 1, 1]], "text": "a", "tokens": 3})", R"({"pattern": 3})"}) {
    EXPECT_TRUE(question_from_json(Json::parse(text)).is_nothing()) << text;
  }
}

TEST(HeadQuestion, AMaskTextThatIsNoneIsRefused) {
  EXPECT_EQ(error_of([] { question_of_mask("k == "); }).kind(), ErrorKind::usage);
}

}  // namespace
}  // namespace headlight
