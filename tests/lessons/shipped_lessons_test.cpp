// The lessons that come with the program: each played from its file, every question answered, a wrong guess scored lower.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/lessons/lesson_texts.h"

namespace headlight {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::filesystem::path shipped_folder() {
  return std::filesystem::path(HEADLIGHT_TESTS_DIR).parent_path() / "assets" / "lessons";
}

/// What the engine itself would guess, and something else.
struct Guesses {
  Guess best, wrong;
};

Guesses guesses_of(const Question& question, const Answer& answer) {
  switch (question.kind) {
    case QuestionKind::key: {
      const auto least = std::min_element(answer.row.begin(), answer.row.end()) - answer.row.begin();
      return {Index{answer.best}, Index{least}};
    }
    case QuestionKind::row: {
      std::vector<double> wrong(answer.row.size());
      wrong[static_cast<std::size_t>(answer.best)] = 0;
      wrong[answer.best == 0 ? 1 : 0] = 1;
      return {answer.row, wrong};
    }
    case QuestionKind::order: {
      std::vector<HeadId> wrong = answer.order;
      std::reverse(wrong.begin(), wrong.end());
      return {answer.order, wrong};
    }
    case QuestionKind::number:
      return {answer.number.value, answer.number.value * 3 + 5};
    default:
      return {answer.is_true, !answer.is_true};
  }
}

void check_question(const Question& question, const PlayedStep& played) {
  ASSERT_TRUE(played.answer);
  const Answer& answer = *played.answer;
  ASSERT_THAT(answer.problem, IsEmpty());
  EXPECT_FALSE(answer.text.empty());
  const Guesses guesses = guesses_of(question, answer);
  const GuessScore best = score_of(question, answer, guesses.best), wrong = score_of(question, answer, guesses.wrong);
  EXPECT_TRUE(best.is_right) << best.text;
  EXPECT_GE(best.share, 0.995);
  EXPECT_FALSE(wrong.is_right) << wrong.text;
  EXPECT_LT(wrong.share, best.share);
  EXPECT_FALSE(question.after.empty()) << "the answer is explained";
}

TEST(ShippedLessons, AreAllSound) {
  const Lessons found = load_lessons(shipped_folder());
  EXPECT_THAT(found.left_out, IsEmpty());
  std::vector<std::string> titles;
  for (const Lesson& lesson : found.lessons) titles.push_back(lesson.title);
  for (const char* title : {"One head in three attempts", "Masks: what a decoder may not see", "Many heads at the same cost",
                            "The whole layer", "What a trained head does"}) {
    EXPECT_THAT(titles, Contains(title));
  }
}

TEST(ShippedLessons, PlayFromStartToEndAndAskOnTheWay) {
  Pipeline pipeline(1);
  SilentProgress progress;
  for (const Lesson& lesson : load_lessons(shipped_folder()).lessons) {
    SCOPED_TRACE(lesson.file);
    EXPECT_GE(lesson.steps.size(), 6U);
    EXPECT_LE(lesson.steps.size(), 12U);
    EXPECT_GE(lesson.minutes, 5);
    EXPECT_LE(lesson.minutes, 10);
    const std::vector<PlayedStep> played = play_lesson(lesson, pipeline, progress);
    ASSERT_EQ(played.size(), lesson.steps.size());
    int questions = 0;
    for (std::size_t place = 0; place < played.size(); ++place) {
      SCOPED_TRACE(lesson.steps[place].title);
      if (!lesson.steps[place].question) continue;
      ++questions;
      check_question(*lesson.steps[place].question, played[place]);
    }
    EXPECT_GE(questions, 3);
    EXPECT_FALSE(lesson.steps.back().touch.empty()) << "the last step leaves the room to the class";
  }
}

// What the words of "What a trained head does" say of its heads, beside their numbers.
TEST(ShippedLessons, TheSharpestHeadMovesTheVerbLessThanABlurrierOne) {
  Query query;
  query.model.name = "story-gpt";
  query.text = "The cat that the boys help is hungry.";
  testing::Played played(query);
  const auto value = [&](const char* text) { return played.value(text).value; };
  EXPECT_GT(value("weight 2.5 help cat"), value("weight 2.1 help cat"));
  for (const HeadId head : played.shown->all_heads()) {
    LiveNumber number = parse_live_number("weight HEAD help cat", true);
    EXPECT_LE(value_of(of_head(number, head), played.runs()).value, value("weight 2.5 help cat")) << head.layer << "." << head.head;
  }
  EXPECT_LT(std::abs(value("change without 2.5 logit:is-are@6")), std::abs(value("change without 2.1 logit:is-are@6")) / 10);
  EXPECT_GT(value("change without 2.7 logit:is-are@6"), 0) << "it pulls the other way";
}

/// The first block of JSON of the page that describes the format.
std::string example_of_page() {
  const std::string page = testing::bytes_of(shipped_folder() / "README.md");
  const std::size_t begin = page.find("```json\n") + 8;
  return page.substr(begin, page.find("```", begin) - begin);
}

TEST(LessonPage, ItsExampleIsALessonThatPlays) {
  const Lesson lesson = read_lesson(example_of_page(), "README.md");
  Pipeline pipeline(1);
  SilentProgress progress;
  EXPECT_GE(play_lesson(lesson, pipeline, progress).size(), 2U);
}

TEST(LessonPage, NamesEverythingThatALessonMayUse) {
  const std::string page = testing::bytes_of(shipped_folder() / "README.md");
  for (const NumberRow& row : number_rows()) EXPECT_THAT(page, HasSubstr("| `" + form_of(row) + "` |"));
  for (const QuestionKindRow& row : question_kinds()) EXPECT_THAT(page, HasSubstr("| `" + std::string(row.name) + "` |"));
  for (const auto names : {lesson_views(), lesson_stages(), lesson_labs(), lesson_pages(), touchables()}) {
    for (const LessonName& name : names) EXPECT_THAT(page, HasSubstr("`" + std::string(name.name) + "`"));
  }
}

std::string fault_of(const std::string& from, const std::string& to) {
  const Lesson lesson = read_lesson(testing::replaced(testing::sound_lesson(), from, to), "a.lesson.json");
  Pipeline pipeline(1);
  SilentProgress progress;
  const Error error = testing::error_of([&] { play_lesson(lesson, pipeline, progress); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  return error.message();
}

TEST(PlayLesson, WhatCannotBeShownIsNamedByItsLine) {
  EXPECT_THAT(fault_of("{weight 1.0 sat cat}", "{weight 1.0 sat dog}"),
              StartsWith("a.lesson.json: line 14: {weight 1.0 sat dog}: the text does not contain this word"));
  EXPECT_THAT(fault_of("{weight 1.0 sat cat}", "{logit:cat}"), StartsWith("a.lesson.json: line 14: {logit:cat} has no value"));
  EXPECT_THAT(fault_of("\"head\": \"1.0\",\n      \"row\"", "\"head\": \"1.7\",\n      \"row\""),
              StartsWith("a.lesson.json: line 12: the model has no such head"));
  EXPECT_THAT(fault_of("\"map cell cat\"", "\"map cell dog\""), StartsWith("a.lesson.json: line 12: the text does not contain this word"));
  EXPECT_THAT(fault_of("\"head\": \"1.0\",\n        \"row\": \"sat\"", "\"head\": \"1.0\",\n        \"row\": \"ran\""),
              StartsWith("a.lesson.json: line 21: the question has no answer"));
  EXPECT_THAT(fault_of("\"name\": \"sandbox\", \"sandbox\": {\"layers\": 2, \"d_model\": 16, \"heads\": 2}", "\"name\": \"no-such-model\""),
              StartsWith("a.lesson.json: line 12"));
  EXPECT_THAT(fault_of("\"target\": \"map cell cat\"", "\"frame\": [\"sat dog\"]"),
              StartsWith("a.lesson.json: line 12: the text does not contain this word"));
  EXPECT_THAT(fault_of("[[1, 1]]", "[[1, 2]]"), StartsWith("a.lesson.json: line 28: the model has no such head"));
  EXPECT_THAT(fault_of("\"switched_off\": [[1, 1]]", "\"pins\": [[0, 0], [4, 0]]"),
              StartsWith("a.lesson.json: line 28: the model has no such head"));
  EXPECT_THAT(fault_of("\"text\": \"The cat", "\"decoder_text\": \"Die Katze\", \"text\": \"The cat"),
              StartsWith("a.lesson.json: line 12, document.decoder_text: sandbox has no decoder beside an encoder"));
  EXPECT_THAT(fault_of("The cat sat on the mat", ""), StartsWith("a.lesson.json: line 12: the step's text has no tokens"));
}

TEST(PlayStep, LooksAsDocumentsLook) {
  const Lesson lesson = read_lesson(testing::sound_lesson(), "a");
  testing::Played played(lesson.steps[0].document.query);
  EXPECT_EQ(look_of(lesson.steps[0].view, *played.shown),
            (Json{{"view", "head"}, {"head", {{"layer", 1}, {"head", 0}}}, {"pinned_query", 2}, {"stage", "weights"}}));
  const LitPlace lit = lit_place(*lesson.steps[0].view.target, lesson.steps[0].view, *played.shown);
  EXPECT_EQ(lit.label, "map");
  EXPECT_EQ(lit.query, 2);
  EXPECT_EQ(lit.key, 1);
}

TEST(PlayStep, FramesTheCellsOfItsWords) {
  Lesson lesson = read_lesson(testing::sound_lesson(), "a");
  testing::Played played(lesson.steps[0].document.query);
  lesson.steps[0].view.frames = {{parse_word_place("sat"), parse_word_place("cat")}, {parse_word_place("mat"), parse_word_place("@0")}};
  EXPECT_EQ(framed_cells(lesson.steps[0].view, *played.shown), (std::vector<Cell>{{2, 1}, {5, 0}}));
}

TEST(PlayStep, OfAChangedDocumentSaysWhatIsUndefinedAndGoesOn) {
  const Lesson lesson = read_lesson(testing::sound_lesson(), "a");
  Query changed = lesson.steps[0].document.query;
  changed.text = "A dog ran";
  testing::Played played(changed);
  const PlayedStep step = play_step(lesson.steps[0], played.runs());
  EXPECT_EQ(plain_text(step.words[0]), "sat gives cat –.");
  EXPECT_THAT(step.words[0][4].reason, HasSubstr("does not contain this word"));
  EXPECT_THAT(step.answer->problem, HasSubstr("does not contain this word"));
}

}  // namespace
}  // namespace headlight
