// `headlight lesson`, run as a person would.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/formats/json.h"
#include "tests/cli/program.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ProgramFolder;
using testing::ProgramResult;

constexpr const char* kLesson = R"({
  "format": "headlight-lesson", "version": 1,
  "title": "Mine", "goal": "Try it.", "minutes": 5,
  "document": {"model": {"name": "sandbox", "sandbox": {"layers": 1, "d_model": 16, "heads": 2}}, "text": "The cat sat"},
  "steps": [
    {"title": "One", "words": "There are {heads 0} heads of width {d_head 0}.",
     "question": {"kind": "number", "number": "tokens", "ask": "How many tokens?", "within": 0}}
  ]
}
)";

TEST(LessonCommand, ListsTheLessonsThatComeWithTheProgram) {
  const ProgramFolder folder;
  const ProgramResult list = folder.run_line("headlight lesson list");
  EXPECT_EQ(list.status, 0) << list.error;
  EXPECT_THAT(list.out, HasSubstr("trained-head  What a trained head does"));
  const ProgramResult json = folder.run_line("headlight lesson list --json");
  EXPECT_GE(Json::parse(json.out).size(), 5U);
}

TEST(LessonCommand, PrintsWhatEachStepShows) {
  const ProgramFolder folder;
  folder.file("mine.lesson.json", kLesson);
  const ProgramResult text = folder.run_line("headlight lesson check mine.lesson.json");
  EXPECT_EQ(text.status, 0) << text.error;
  EXPECT_THAT(text.out, HasSubstr("There are 2 heads of width 8."));
  EXPECT_THAT(text.out, HasSubstr("The engine's answer: 3"));
  const Json json = Json::parse(folder.run_line("headlight lesson check --json mine.lesson.json").out);
  EXPECT_EQ(json[0]["steps"][0]["question"]["value"], 3);
  EXPECT_EQ(json[0]["steps"][0]["numbers"][0], (Json{{"number", "heads 0"}, {"text", "2"}, {"exact", "2"}}));
}

TEST(LessonCommand, ABrokenLessonIsNamedByLineAndHidesNoOther) {
  const ProgramFolder folder;
  folder.file("a.lesson.json", kLesson);
  folder.file("b.lesson.json", "{\n  \"format\": \"headlight-lesson\",\n  \"version\": 9\n}");
  folder.file("c.lesson.json", std::string(kLesson).replace(std::string(kLesson).find("tokens?"), 7, "{tokns}"));
  folder.file("d.lesson.json", kLesson);
  const ProgramResult run = folder.run_line("headlight lesson check a.lesson.json b.lesson.json c.lesson.json missing d.lesson.json");
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.error, HasSubstr("b.lesson.json: line 3, version"));
  EXPECT_THAT(run.error, HasSubstr("c.lesson.json: line 7, steps[0].question.ask: unknown number"));
  EXPECT_THAT(run.error, HasSubstr("missing"));
  const std::size_t first = run.out.find("Mine: 1 step,");
  ASSERT_NE(first, std::string::npos);
  EXPECT_NE(run.out.find("Mine: 1 step,", first + 1), std::string::npos) << "both sound lessons";
}

TEST(LessonCommand, InspectSaysWhatALessonHolds) {
  const ProgramFolder folder;
  folder.file("mine.lesson.json", kLesson);
  const Json sound = Json::parse(folder.run_line("headlight inspect mine.lesson.json --json").out);
  EXPECT_EQ(sound["kind"], "lesson");
  EXPECT_EQ(sound["steps"], Json{"One"});
  EXPECT_EQ(sound["questions"], 1);
  folder.file("mine.lesson.json", "{}");
  const ProgramResult broken = folder.run_line("headlight inspect mine.lesson.json");
  EXPECT_EQ(broken.status, 3);
  EXPECT_THAT(broken.error, HasSubstr("line 1, format: this is not a lesson"));
}

TEST(LessonCommand, TakesALessonOfTheProgramByItsName) {
  const ProgramFolder folder;
  const ProgramResult run = folder.run_line("headlight lesson check many-heads");
  EXPECT_EQ(run.status, 0) << run.error;
  EXPECT_THAT(run.out, HasSubstr("Many heads at the same cost"));
  EXPECT_EQ(folder.run_line("headlight lesson").status, 2);
  EXPECT_EQ(folder.run_line("headlight lesson check").status, 2);
}

TEST(LessonCommand, SumsUpTheGuessesOfAClass) {
  const ProgramFolder folder;
  const std::string line = "\"masks\",2,number,\"How many, then?\",";
  folder.file("class.csv", "lesson,step,kind,question,guess,answer,score,right\n" + line + "\"7\",\"8\",0.5000,no\n" + line +
                               "\"7\",\"8\",0.5000,no\n" + line + "\"8\",\"8\",1.0000,yes\n");
  const ProgramResult text = folder.run_line("headlight lesson guesses class.csv");
  EXPECT_EQ(text.status, 0) << text.error;
  EXPECT_EQ(text.out, "masks, step 2: How many, then?\n    1 of 3 right, score 0.67 on average. The answer: 8. Guessed most: 7 (2).\n");
  const Json json = Json::parse(folder.run_line("headlight lesson guesses --json class.csv").out);
  EXPECT_EQ(json[0]["guesses"], 3);
  EXPECT_EQ(json[0]["guessed_most"], "7");
  folder.file("marks.csv", "name,mark\n");
  const ProgramResult other = folder.run_line("headlight lesson guesses marks.csv");
  EXPECT_EQ(other.status, 3);
  EXPECT_THAT(other.error, HasSubstr("line 1: this is not a file of guesses"));
}

}  // namespace
}  // namespace headlight
