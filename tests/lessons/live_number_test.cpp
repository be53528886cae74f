// Live numbers: their text form, and their values beside those of the engine.
#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "engine/core/numbers.h"
#include "engine/labs/layer_walk.h"
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
}

TEST(LiveNumber, OfAnyHeadIsOfTheHeadThatIsPutThere) {
  const LiveNumber any = parse_live_number("change without HEAD weight HEAD sat cat", true);
  ASSERT_TRUE(is_of_any_head(any));
  EXPECT_EQ(of_head(any, {1, 2}).run.without, (HeadId{1, 2}));
  EXPECT_EQ(of_head(any, {1, 2}).head, (HeadId{1, 2}));
  const LiveNumber one = parse_live_number("without HEAD weight 0.1 sat cat", true);
  EXPECT_EQ(of_head(one, {1, 2}).head, (HeadId{0, 1}));
}

TEST(LiveNumber, AnInvalidOneIsRefusedWithTheReason) {
  EXPECT_THAT(refusal(""), HasSubstr("a number is missing"));
  EXPECT_THAT(refusal("change"), HasSubstr("a number is missing"));
  EXPECT_THAT(refusal("change before tokens"), HasSubstr("already compares"));
  EXPECT_THAT(refusal("without tokens"), HasSubstr("not a head"));
  EXPECT_THAT(refusal("weight HEAD a b"), HasSubstr("not a head"));
  EXPECT_THAT(refusal("change top 0.0 a"), HasSubstr("a word has no change"));
  EXPECT_THAT(refusal("measure 0.0 nothing"), HasSubstr("nothing"));
  EXPECT_THAT(refusal("logit:@6"), HasSubstr("character"));
  EXPECT_THAT(refusal("kl"), HasSubstr("compares two runs"));
  EXPECT_THAT(refusal("attempt-asymmetry second"), HasSubstr("unknown attempt"));
  EXPECT_THAT(refusal("fill with zeros"), HasSubstr("unknown mask convention"));
  EXPECT_THAT(refusal("heads -1"), HasSubstr("not a layer"));
  EXPECT_THAT(refusal("top-weight 0.0"), HasSubstr("top-weight: how much attention that word gets")) << "what its kind means";
  EXPECT_THAT(refusal("gelu much"), HasSubstr("not a number"));
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
  ThreadPool pool(1);
  const LayerWalk walk = walk_layer(*played.shown->model, played.shown->trace, 1, {}, 2, pool);
  EXPECT_NEAR(played.value("after-attention 1 sat").value, walk.after_attention.cast<double>().norm(), 1e-5);
  EXPECT_NEAR(played.value("feed-forward-part 1 sat").value, walk.feed_forward.cast<double>().norm(), 1e-5);
  Query without = cat_query();
  without.block.has_feed_forward_skip = false;
  Played alone(without);
  EXPECT_NEAR(alone.value("feed-forward-part 1 sat").value, alone.shown->trace.layer(1).resid_post.middle_rows(2, 1).cast<double>().norm(),
              1e-5);
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

bool reads_as_zero(const std::string& text) {
  return text.find_first_of("123456789") == std::string::npos;
}

// A change that is larger than what float32 leaves of a 0 never reads as 0, however small it is.
TEST(LiveValue, OfASmallChangeHasTheDigitsItTakes) {
  for (const float temperature : {1.0F, 1.0005F, 1.005F, 1.05F, 2.0F}) {
    SCOPED_TRACE(temperature);
    Query query = cat_query();
    query.score.temperature = temperature;
    Played played(query);
    for (const char* number : {"change weight 1.0 mat cat", "change entropy 1.0 mat"}) {
      const LiveValue change = played.value(number);
      EXPECT_EQ(change.value == 0, temperature == 1.0F);
      const double size = std::abs(change.value);
      if (size < 4e-6 || size > 6e-6) {
        EXPECT_EQ(reads_as_zero(change.text), size < 4e-6) << number << ": " << change.text;
      }
    }
  }
  EXPECT_EQ(Played(cat_query()).value("change weight 1.0 mat cat").text, "0 points");
}

TEST(LiveValue, OfOneStepComesFromOneRunAndOneMap) {
  Played played(cat_query());
  const LessonRuns runs = played.runs();
  const HeadMaps& maps = runs.memory->maps_of(runs.shown, {1, 0}, played.progress);
  EXPECT_EQ(&maps, &runs.memory->maps_of(runs.shown, {1, 0}, played.progress));
  EXPECT_NE(&maps, &runs.memory->maps_of(runs.shown, {1, 1}, played.progress));
  const LiveNumber number = parse_live_number("without 0.1 weight 1.0 mat cat");
  const double first = value_of(number, runs).value;
  EXPECT_EQ(value_of(number, runs).value, first);
  const NumberRun without{.without = HeadId{0, 1}};
  const auto run = runs.memory->runs.get(without, [] { return std::shared_ptr<const Snapshot>(); });
  ASSERT_TRUE(run) << "remembered";
  EXPECT_THAT(run->query.switched_off, ::testing::ElementsAre(HeadId{0, 1}));
  EXPECT_EQ(first, static_cast<double>(run->maps({1, 0}).weights(5, 1)));
}

TEST(LiveValue, OfAWordThatTheTextDoesNotContainIsRefused) {
  Played played(cat_query());
  const auto refused = [&](std::string_view number) {
    const Error error = error_of([&] { played.value(number); });
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.message();
  };
  EXPECT_THAT(refused("weight 1.0 dog cat"), HasSubstr("{weight 1.0 dog cat}: the text does not contain this word; found \"dog\""));
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
  EXPECT_THAT(top.reason, HasSubstr("the mask forbids every key of this row"));
  EXPECT_THAT(played.value("logit:cat").reason, ::testing::Not(::testing::IsEmpty()));
}

}  // namespace
}  // namespace headlight
