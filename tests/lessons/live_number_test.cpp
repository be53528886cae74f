// Live numbers: their text form, and their values beside those of the engine.
#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "engine/core/numbers.h"
#include "engine/targets/watched.h"
#include "tests/lessons/lesson_texts.h"

namespace headlight {
namespace {

using testing::cat_query;
using testing::error_of;
using ::testing::HasSubstr;
using testing::Played;

std::string refusal(std::string_view text, bool allows_any_head = false) {
  return error_of([&] { parse_live_number(text, allows_any_head); }).message();
}

TEST(LiveNumber, TheExampleOfEveryKindIsOfThatKind) {
  std::set<std::string_view> names;
  for (const NumberRow& row : number_rows()) {
    EXPECT_EQ(parse_live_number(row.example).row, &row) << row.example;
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.meaning.empty());
  }
}

TEST(LiveNumber, WordsHaveAPlace) {
  EXPECT_EQ(parse_word_place("the#2"), (WordPlace{.word = "the", .occurrence = 2}));
  EXPECT_EQ(parse_word_place("@6"), (WordPlace{.position = 6}));
  EXPECT_EQ(parse_word_place("\"New York\"#3"), (WordPlace{.word = "New York", .occurrence = 3}));
  EXPECT_EQ(parse_word_place("#"), (WordPlace{.word = "#"}));
  EXPECT_EQ(parse_word_place("C#"), (WordPlace{.word = "C#"}));
  EXPECT_EQ(to_text(parse_word_place("the#2")), "the#2");
  EXPECT_EQ(to_text(parse_word_place("@6")), "@6");
  EXPECT_EQ(parse_live_number("weight 0.0 \"New York\" in").places[0].word, "New York");
}

TEST(LiveNumber, SaysInWhichRunItIsRead) {
  EXPECT_EQ(parse_live_number("weight 0.0 a b").run, NumberRun{});
  EXPECT_TRUE(parse_live_number("before weight 0.0 a b").run.is_before);
  const LiveNumber change = parse_live_number("change without 1.3 logit:is-are@6");
  EXPECT_EQ(change.run.without, (HeadId{1, 3}));
  EXPECT_FALSE(change.run.is_before);
  EXPECT_TRUE(change.is_change);
  EXPECT_TRUE(needs_other_runs(change));
}

TEST(LiveNumber, OfAnyHeadIsOfTheHeadThatIsPutThere) {
  const LiveNumber any = parse_live_number("change without HEAD weight HEAD sat cat", true);
  ASSERT_TRUE(any.is_of_any_head);
  EXPECT_EQ(of_head(any, {1, 2}).run.without, (HeadId{1, 2}));
  EXPECT_EQ(of_head(any, {1, 2}).head, (HeadId{1, 2}));
  const LiveNumber one = parse_live_number("without HEAD weight 0.1 sat cat", true);
  EXPECT_EQ(of_head(one, {1, 2}).head, (HeadId{0, 1}));
}

TEST(LiveNumber, WhatIsNoneIsRefusedWithTheReason) {
  EXPECT_THAT(refusal(""), HasSubstr("a number is missing"));
  EXPECT_THAT(refusal("change"), HasSubstr("a number is missing"));
  EXPECT_THAT(refusal("change before tokens"), HasSubstr("by itself"));
  EXPECT_THAT(refusal("without tokens"), HasSubstr("this is no head"));
  EXPECT_THAT(refusal("weight HEAD a b"), HasSubstr("this is no head"));
  EXPECT_THAT(refusal("change top 0.0 a"), HasSubstr("a word has no change"));
  EXPECT_THAT(refusal("measure 0.0 nothing"), HasSubstr("nothing"));
  EXPECT_THAT(refusal("logit:@6"), HasSubstr("character"));
  EXPECT_THAT(refusal("kl"), HasSubstr("compares two runs"));
  EXPECT_THAT(refusal("attempt-asymmetry second"), HasSubstr("no such attempt"));
  EXPECT_THAT(refusal("fill with zeros"), HasSubstr("no such mask convention"));
  EXPECT_THAT(refusal("heads -1"), HasSubstr("this is no layer"));
  EXPECT_THAT(refusal("gelu much"), HasSubstr("this is not a number"));
}

TEST(LiveValue, IsWhatTheEngineComputes) {
  Played played(cat_query());
  const HeadMaps maps = played.shown->maps({1, 0});
  EXPECT_EQ(played.value("weight 1.0 sat cat").value, static_cast<double>(maps.weights(2, 1)));
  EXPECT_EQ(played.value("score 1.0 sat cat").value, static_cast<double>(maps.final_score(2, 1)));
  EXPECT_EQ(played.value("product 1.0 @2 @1").value, static_cast<double>(maps.scores(2, 1)));
  EXPECT_EQ(played.value("allowed 1.0 sat").value, 3);
  EXPECT_NEAR(played.value("row-sum 1.0 sat").value, 1, 1e-6);
  EXPECT_EQ(played.value("tokens").value, 6);
  EXPECT_EQ(played.value("d_head 0").value, 8);
  EXPECT_EQ(played.value("joined-width 0").value, 16);
  EXPECT_EQ(played.value("parameters 0").value, 4 * 16 * 16);
  EXPECT_NEAR(played.value("gelu -1").value, -0.158655, 1e-5);
  EXPECT_EQ(played.value("attempt-asymmetry shared").value, 0);
  EXPECT_GT(played.value("attempt-asymmetry asymmetric").value, 0.1);
  EXPECT_EQ(played.value("fill replace by −∞").text, "NaN");
  EXPECT_NEAR(played.value("fill replace by −1e9").value, 1.0 / 3, 1e-6);
  EXPECT_NEAR(played.value("normed-mean 0 sat").value, 0, 1e-5);
  EXPECT_NEAR(played.value("normed-spread 0 sat").value, 1, 1e-3);
  Index top = 0;
  maps.weights.row(2).maxCoeff(&top);
  EXPECT_EQ(played.value("top 1.0 sat").value, static_cast<double>(top));
  EXPECT_EQ(played.value("top-weight 1.0 sat").value, static_cast<double>(maps.weights(2, top)));
}

TEST(LiveValue, OfTheLayerAddsUp) {
  Played played(cat_query());
  const SharedRows& before = played.shown->trace.layer(1).resid_pre;
  EXPECT_NEAR(played.value("stream 1 sat").value, before.middle_rows(2, 1).cast<double>().norm(), 1e-6);
  const double whole = played.value("all-products 0 sat cat").value;
  EXPECT_NEAR(whole, played.value("product 0.0 sat cat").value + played.value("product 0.1 sat cat").value, 1e-4);
  Query one = cat_query();
  one.heads = 1;
  Played split(one);
  EXPECT_NEAR(split.value("all-products 0 sat cat").value, whole, 1e-4) << "whatever the number of heads";
  EXPECT_NEAR(split.value("before all-products 0 sat cat").value, whole, 1e-4);
}

TEST(LiveValue, OfOtherRunsIsThatOfARunOfItsOwn) {
  Query query = cat_query();
  query.switched_off = {{0, 0}};
  Played played(query);
  Played unedited(cat_query());
  Query both = query;
  both.switched_off = {{0, 0}, {1, 1}};
  Played without(both);
  const char* const number = "stream 1 sat";
  const double now = played.value(number).value, before = unedited.value(number).value;
  EXPECT_EQ(played.value(std::string("before ") + number).value, before);
  EXPECT_EQ(played.value(std::string("change ") + number).value, now - before);
  EXPECT_NE(now, before);
  const char* const entropy = "entropy 1.0 sat";
  Query alone = cat_query();
  alone.switched_off = {{0, 1}};
  Played other(alone);
  EXPECT_EQ(played.value(std::string("before without 0.1 ") + entropy).value, other.value(entropy).value);
  EXPECT_EQ(played.value(std::string("change before without 0.1 ") + entropy).value,
            other.value(entropy).value - unedited.value(entropy).value);
  EXPECT_EQ(played.value(std::string("without 1.1 ") + entropy).value, without.value(entropy).value);
  EXPECT_EQ(played.value(std::string("change without 0.0 ") + entropy).value, 0) << "it is off already";
}

TEST(LiveValue, IsRoundedForARoom) {
  Query query = cat_query();
  query.mask.rules = {{{}, "k == 0", {}}};
  Played played(query);
  EXPECT_EQ(played.value("weight 1.0 sat The").text, percent_text(1));
  EXPECT_EQ(played.value("weight 1.0 sat cat").text, percent_text(0));
  EXPECT_EQ(played.value("parameters 0").text, "1,024");
  EXPECT_EQ(played.value("gelu -1").text, "−0.16");
  EXPECT_EQ(played.value("gelu -1").exact, "-0.158655");
  EXPECT_THAT(played.value("change weight 1.0 sat The").text, HasSubstr(" points"));
}

TEST(LiveValue, OfAWordThatTheTextDoesNotHoldIsRefused) {
  Played played(cat_query());
  const auto refused = [&](std::string_view number) {
    const Error error = error_of([&] { played.value(number); });
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.message();
  };
  EXPECT_THAT(refused("weight 1.0 dog cat"), HasSubstr("{weight 1.0 dog cat}: the text does not hold this word; found \"dog\""));
  EXPECT_THAT(refused("weight 1.0 the#3 cat"), HasSubstr("\"the#3\""));
  EXPECT_THAT(refused("weight 1.0 @6 cat"), HasSubstr("@0 to @5"));
  EXPECT_THAT(refused("weight 2.0 sat cat"), HasSubstr("no such head"));
  EXPECT_THAT(refused("heads 7"), HasSubstr("no such head"));
  EXPECT_THAT(refused("without 0.9 tokens"), HasSubstr("no such head"));
  EXPECT_THAT(refused("random-variance 5"), HasSubstr("4, 16, 64 or 256"));
}

TEST(LiveValue, ThatIsUndefinedSaysWhy) {
  Query query = cat_query();
  query.mask.rules = {{{}, "k > q + 90", {}}};
  EXPECT_THROW(Played{query}, Error) << "not a mask text";
  query.mask.rules = {{{}, "k == 9", {}}};
  Played played(query);
  const LiveValue top = played.value("top 1.0 sat");
  EXPECT_EQ(top.text, "–");
  EXPECT_THAT(top.reason, HasSubstr("the mask leaves this row no key"));
  EXPECT_THAT(played.value("logit:cat").reason, ::testing::Not(::testing::IsEmpty()));
}

}  // namespace
}  // namespace headlight
