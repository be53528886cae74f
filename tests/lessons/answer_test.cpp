// Questions answered by the engine, and guesses scored.
#include "app/lessons/play/answer.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "app/lessons/play/guess_file.h"
#include "tests/lessons/lesson_texts.h"

namespace headlight {
namespace {

using testing::cat_query;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Played;

Question row_question(QuestionKind kind) {
  return {.kind = kind, .ask = parse_words("?"), .head = {1, 0}, .row = parse_word_place("on")};
}

TEST(Answer, OfAKeyIsTheEnginesRowAndAGuessScoresTheWeightItCaught) {
  Played played(cat_query());
  const Question question = row_question(QuestionKind::key);
  const Answer answer = answer_of(question, played.runs());
  const HeadMaps maps = played.shown->maps({1, 0});
  ASSERT_EQ(answer.row.size(), 6U);
  for (Index key = 0; key < 6; ++key) EXPECT_EQ(answer.row[static_cast<std::size_t>(key)], static_cast<double>(maps.weights(3, key)));
  EXPECT_FALSE(answer.is_allowed[5]);
  for (Index key = 0; key < 6; ++key) {
    const GuessScore score = score_of(question, answer, key);
    EXPECT_NEAR(score.share, answer.row[static_cast<std::size_t>(key)] / answer.row[static_cast<std::size_t>(answer.best)], 1e-12);
    EXPECT_EQ(score.is_right, key == answer.best);
  }
  EXPECT_EQ(score_of(question, answer, Index{5}).share, 0) << "masked";
  EXPECT_EQ(score_of(question, answer, Index{17}).share, 0);
  EXPECT_THAT(answer.text, HasSubstr(answer.words[static_cast<std::size_t>(answer.best)]));
}

TEST(Answer, OfARowScoresWhatTheDrawingCovers) {
  Played played(cat_query());
  const Question question = row_question(QuestionKind::row);
  const Answer answer = answer_of(question, played.runs());
  EXPECT_TRUE(score_of(question, answer, answer.row).is_right);
  std::vector<double> taller = answer.row;
  for (double& part : taller) part *= 7;
  EXPECT_NEAR(score_of(question, answer, taller).share, 1, 1e-6) << "in any unit";
  const std::vector<double> wrong{0, 0, 0, 0, 0, 1}, first{1, 0, 0, 0, 0, 0};
  EXPECT_EQ(score_of(question, answer, wrong).share, 0);
  EXPECT_NEAR(score_of(question, answer, first).share, answer.row[0], 1e-12);
  EXPECT_EQ(score_of(question, answer, std::vector<double>{}).share, 0);
}

TEST(Answer, OfAnOrderCountsThePairsInOrder) {
  Played played(cat_query());
  Question question{.kind = QuestionKind::order, .ask = parse_words("?")};
  question.heads = {{0, 0}, {0, 1}, {1, 0}};
  question.number = parse_live_number("entropy HEAD mat", true);
  const Answer answer = answer_of(question, played.runs());
  ASSERT_EQ(answer.order.size(), 3U);
  const auto value = [&](HeadId head) { return value_of(of_head(question.number, head), played.runs()).value; };
  EXPECT_GT(value(answer.order[0]), value(answer.order[1]));
  EXPECT_GT(value(answer.order[1]), value(answer.order[2]));
  std::vector<HeadId> guess = answer.order;
  EXPECT_TRUE(score_of(question, answer, guess).is_right);
  std::swap(guess[0], guess[1]);
  EXPECT_NEAR(score_of(question, answer, guess).share, 2.0 / 3, 1e-12);
  guess = {answer.order[2], answer.order[1], answer.order[0]};
  EXPECT_EQ(score_of(question, answer, guess).share, 0);
  EXPECT_EQ(score_of(question, answer, std::vector<HeadId>{{0, 0}, {0, 0}, {1, 0}}).share, 0);
}

TEST(Answer, OfANumberFallsWithTheDistance) {
  Played played(cat_query());
  Question question{.kind = QuestionKind::number, .ask = parse_words("?"), .number = parse_live_number("tokens"), .within = 0.2};
  const Answer answer = answer_of(question, played.runs());
  EXPECT_EQ(answer.text, "6");
  EXPECT_TRUE(score_of(question, answer, 7.0).is_right);
  EXPECT_EQ(score_of(question, answer, 7.0).share, 1);
  const GuessScore far = score_of(question, answer, 9.0);
  EXPECT_FALSE(far.is_right);
  EXPECT_NEAR(far.share, 0.5 / 0.8, 1e-12);
  EXPECT_EQ(score_of(question, answer, 60.0).share, 0);
  question.within = 0;
  EXPECT_EQ(score_of(question, answer, 6.0).share, 1);
  EXPECT_FALSE(score_of(question, answer, 6.1).is_right);
  question.number = parse_live_number("weight 1.0 sat mat");
  const Answer zero = answer_of(question, played.runs());
  EXPECT_EQ(score_of(question, zero, 0.0).share, 1);
  EXPECT_EQ(score_of(question, zero, 0.01).share, 0);
}

TEST(Answer, OfYesOrNoComparesTwoNumbers) {
  Played played(cat_query());
  Question question{.kind = QuestionKind::yes_no, .ask = parse_words("?"), .number = parse_live_number("tokens")};
  const auto is_true = [&](NumberRelation relation, std::variant<double, LiveNumber> bound) {
    question.relation = relation;
    question.bound = std::move(bound);
    return answer_of(question, played.runs()).is_true;
  };
  EXPECT_TRUE(is_true(NumberRelation::above, 5.0));
  EXPECT_FALSE(is_true(NumberRelation::above, 6.0));
  EXPECT_FALSE(is_true(NumberRelation::below, 6.0));
  EXPECT_TRUE(is_true(NumberRelation::equals, parse_live_number("before tokens")));
  const Answer answer = answer_of(question, played.runs());
  EXPECT_TRUE(score_of(question, answer, true).is_right);
  EXPECT_EQ(score_of(question, answer, false).share, 0);
}

TEST(Answer, FollowsWhatAPersonChanged) {
  const Question question = row_question(QuestionKind::key);
  Query masked = cat_query();
  masked.mask.rules = {{{}, "k == 0", {}}};
  Played played(masked);
  EXPECT_EQ(answer_of(question, played.runs()).best, 0);
  masked.mask.rules = {{{}, "k == 9", {}}};
  Played closed(masked);
  const Answer none = answer_of(question, closed.runs());
  EXPECT_THAT(none.problem, HasSubstr("forbids every key"));
  EXPECT_EQ(score_of(question, none, Index{0}).share, 0);
}

TEST(GuessFile, HoldsALineForEachGuessAndNoName) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path path = folder / "class.csv";
  GuessLine line{.lesson = "masks", .step = 2, .asked = "Where does \"sat\" look?", .guess = "=cat", .answer = "The, 60 %"};
  line.score = {.share = 0.25, .is_right = false, .text = ""};
  append_guess(path, line);
  line.kind = QuestionKind::yes_no;
  line.guess = "no";
  append_guess(path, line);
  EXPECT_EQ(testing::bytes_of(path),
            "lesson,step,kind,question,guess,answer,score,right\n"
            "\"masks\",2,key,\"Where does \"\"sat\"\" look?\",\"'=cat\",\"The, 60 %\",0.2500,no\n"
            "\"masks\",2,yes-no,\"Where does \"\"sat\"\" look?\",\"no\",\"The, 60 %\",0.2500,no\n");
}

TEST(GuessFile, AnotherFileStaysAsItIs) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path path = folder.file("marks.csv", "name,mark\nAnna,1\n");
  EXPECT_THAT(testing::error_of([&] { append_guess(path, {}); }).message(), HasSubstr("line 1: this is not a file of guesses"));
  EXPECT_EQ(testing::bytes_of(path), "name,mark\nAnna,1\n");
}

TEST(GuessFile, OfAClassIsSummedUpQuestionByQuestion) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path path = folder / "class.csv";
  GuessLine line{.lesson = "masks", .step = 5, .asked = "Where, then?", .guess = "boys", .answer = "help, 60 %"};
  const auto say = [&](const char* guess, double share, bool is_right) {
    line.guess = guess;
    line.score = {.share = share, .is_right = is_right, .text = ""};
    append_guess(path, line);
  };
  say("boys", 0.25, false);
  say("=help", 1, true);
  say("boys", 0.25, false);
  line.step = 2;
  say("7", 1, true);
  const std::vector<GuessTally> tallies = tally_guesses(path);
  ASSERT_EQ(tallies.size(), 2U);
  EXPECT_EQ(tallies[0].step, 2);
  EXPECT_EQ(tallies[0].right, 1);
  EXPECT_EQ(tallies[1].asked, "Where, then?");
  EXPECT_EQ(tallies[1].guesses, 3);
  EXPECT_EQ(tallies[1].right, 1);
  EXPECT_NEAR(tallies[1].share, 0.5, 1e-12);
  EXPECT_EQ(tallies[1].commonest, "boys");
  EXPECT_EQ(tallies[1].times, 2);
}

TEST(GuessFile, ABrokenLineIsNamed) {
  const testing::TemporaryFolder folder;
  const std::string heading = guess_csv_heading(), sound = "\"masks\",2,key,\"q\",\"g\",\"a\",0.2500,no\n";
  for (const char* broken : {"nonsense", "\"masks\",two,key,\"q\",\"g\",\"a\",0.2500,no", "\"masks\",2,key,\"q\",\"g\",\"a\",0.2500,maybe",
                             "\"masks\",2,key,\"q\",\"g\",\"a\",,no"}) {
    const std::filesystem::path path = folder.file("class.csv", heading + sound + broken + "\n");
    EXPECT_THAT(testing::error_of([&] { tally_guesses(path); }).message(), HasSubstr("line 3: this is not a guess")) << broken;
  }
  EXPECT_EQ(testing::error_of([&] { tally_guesses(folder / "missing.csv"); }).kind(), ErrorKind::input);
  EXPECT_THAT(testing::error_of([&] { check_guess_file(folder.file("marks.csv", "name,mark\n")); }).message(),
              HasSubstr("this is not a file of guesses"));
  check_guess_file(folder / "missing.csv");
}

TEST(GuessFile, AGuessIsWrittenInWords) {
  Answer answer;
  answer.words = {"The", "cat"};
  EXPECT_EQ(to_text(Guess(Index{1}), answer), "cat");
  EXPECT_EQ(to_text(Guess(std::vector<HeadId>{{1, 3}, {2, 1}}), answer), "1.3, 2.1");
  EXPECT_EQ(to_text(Guess(std::vector<double>{0.25, 0.75}), answer), "0.25 0.75");
  EXPECT_EQ(to_text(Guess(0.5), answer), "0.5");
  EXPECT_EQ(to_text(Guess(false), answer), "no");
}

}  // namespace
}  // namespace headlight
