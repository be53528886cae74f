// Lessons from files: what is read, and what is refused on which line.
#include <gmock/gmock.h>

#include "tests/lessons/lesson_texts.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using testing::refusal_of;
using testing::refusal_with;
using testing::sound_lesson;
using ::testing::StartsWith;

TEST(ReadLesson, TakesEveryFieldOfAStep) {
  const Lesson lesson = read_lesson(sound_lesson(), "folder/a.lesson.json");
  EXPECT_EQ(lesson.name, "a");
  EXPECT_EQ(lesson.minutes, 5);
  ASSERT_EQ(lesson.steps.size(), 2U);
  const LessonStep& step = lesson.steps[0];
  EXPECT_EQ(step.line, 12);
  ASSERT_EQ(step.words.size(), 2U);
  ASSERT_EQ(step.words[0].parts.size(), 6U) << "sat, gives, cat, a blank, a number, a full stop";
  EXPECT_EQ(step.words[0].parts[0].kind, WordsKind::strong);
  EXPECT_EQ(step.words[0].parts[4].kind, WordsKind::number);
  EXPECT_EQ(step.words[1].parts[0].kind, WordsKind::formula);
  EXPECT_EQ(step.view.view, "head");
  EXPECT_EQ(step.view.head, (HeadId{1, 0}));
  EXPECT_EQ(step.view.row->word, "sat");
  EXPECT_EQ(step.view.target->kind, Spotlight::Kind::cell);
  EXPECT_THAT(step.touch, ElementsAre("row"));
  EXPECT_THAT(step.view.covers, ElementsAre("card attempt 1"));
  ASSERT_TRUE(step.question);
  EXPECT_EQ(step.question->line, 21);
}

TEST(ParseWords, TakesAStrongNumber) {
  const Paragraph paragraph = parse_words("to *{top 1.0 sat}* now", 7);
  ASSERT_EQ(paragraph.parts.size(), 3U);
  EXPECT_EQ(paragraph.line, 7);
  EXPECT_EQ(paragraph.parts[1].kind, WordsKind::number);
  EXPECT_TRUE(paragraph.parts[1].is_strong);
  EXPECT_EQ(paragraph.parts[1].number.row->name, "top");
  for (const char* text : {"*a {tokens}*", "*{tokens} {tokens}*", "*`q`*", "}", "{}", "**"}) EXPECT_THROW(parse_words(text), Error) << text;
}

TEST(ReadLesson, AStepChangesTheDocumentOfTheLessonForItselfAlone) {
  const std::string more = R"("switched_off": [[1, 1]]
      }
    },
    {
      "title": "Three", "words": "w")";
  const Lesson lesson = read_lesson(testing::replaced(sound_lesson(), R"("switched_off": [[1, 1]]
      })",
                                                      more),
                                    "a");
  ASSERT_EQ(lesson.steps.size(), 3U);
  EXPECT_TRUE(lesson.steps[0].document.query.switched_off.empty());
  EXPECT_THAT(lesson.steps[1].document.query.switched_off, ElementsAre(HeadId{1, 1}));
  EXPECT_EQ(lesson.steps[1].document.query.text, "The cat sat on the mat");
  EXPECT_EQ(lesson.steps[1].document.query.model.sandbox.d_model, 16);
  EXPECT_TRUE(lesson.steps[2].document.query.switched_off.empty());
}

TEST(ReadLesson, ABuiltInModelIsTheOneThatComesWithTheProgram) {
  const std::string text = testing::replaced(sound_lesson(), R"({"name": "sandbox", "sandbox": {"layers": 2, "d_model": 16, "heads": 2}})",
                                             R"({"name": "story-gpt"})");
  EXPECT_GT(read_lesson(text, "a").steps[0].document.query.model.version, 1);
}

TEST(ReadLesson, WithoutAStepIsRefused) {
  const std::string text = R"({
  "format": "headlight-lesson", "version": 1,
  "title": "t", "goal": "g", "minutes": 5,
  "steps": []
})";
  EXPECT_THAT(refusal_of(text), StartsWith("a.lesson.json: line 4, steps: the lesson has no step"));
}

TEST(ReadLesson, FramesAreAQueryAndAKey) {
  const std::string framed =
      testing::replaced(sound_lesson(), "\"target\": \"map cell cat\",", R"("frame": ["sat cat", "@1 \"The cat\""],)");
  const Lesson lesson = read_lesson(framed, "a.lesson.json");
  const std::vector<WordPair>& frames = lesson.steps[0].view.frames;
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_EQ(frames[0].query.word, "sat");
  EXPECT_EQ(frames[0].key.word, "cat");
  EXPECT_EQ(frames[1].query.position, 1);
  EXPECT_EQ(frames[1].key.word, "The cat");
}

TEST(ReadLesson, WhatIsNotALessonIsRefused) {
  EXPECT_THAT(refusal_with("\"headlight-lesson\"", "\"headlight-document\""), HasSubstr("line 2, format: this is not a lesson"));
  EXPECT_THAT(refusal_with("\"version\": 1", "\"version\": 2"), HasSubstr("line 3, version"));
  EXPECT_THAT(refusal_of("[]"), HasSubstr("line 1: has the wrong type"));
  EXPECT_THAT(refusal_of("{\n\"format\": \"headlight-lesson\"\n\"version\": 1}"), HasSubstr("line 3: is not valid JSON"));
  EXPECT_THAT(refusal_with("\"minutes\": 5,", "\"minutes\": 5, \"minutes\": 6,"), HasSubstr("line 6, minutes: duplicate key"));
}

struct Fault {
  const char *from, *to, *message;
};

// Each kind of fault once: the line and the field, and the reason.
TEST(ReadLesson, EachFaultIsNamedByItsLineAndReason) {
  const Fault faults[] = {
      {"\"stage\": \"weights\",", "\"frame\": [\"sat\"],", "line 18, steps[0].frame[0]: not a cell"},
      {"\"stage\": \"weights\",", "\"frame\": [\"sat cat mat\"],", "line 18, steps[0].frame[0]: not a cell"},
      {"\"stage\": \"weights\",", "\"frame\": \"sat cat\",", "line 18, steps[0].frame: "},
      {"\"words\": \"Head 1.1 is off.\",", "\"words\": \"w\", \"view\": \"links\", \"frame\": [\"sat cat\"],",
       "line 30, steps[1].frame: only the views head, compare and lab"},
      {"\"title\": \"A lesson\",", "", "line 1, title: is missing"},
      {"\"minutes\": 5", "\"minutes\": \"5\"", "line 6, minutes: is out of range or has the wrong type"},
      {"\"minutes\": 5", "\"minutes\": 600", "line 6, minutes"},
      {"\"minutes\": 5", "\"minutes\": 5, \"place\": 0", "line 6, place: is out of range"},
      {"\"goal\": \"A goal.\"", "\"goal\": \"\"", "line 5, goal: is empty"},
      {"\"goal\": \"A goal.\"", "\"goal\": \"A goal.\", \"author\": \"me\"", "line 5, author: unknown field"},
      {"\"d_model\": 16", "\"d_modle\": 16", "line 8, document.model.sandbox.d_modle: documents have no such field"},
      {"\"text\": \"The", "\"txet\": \"The", "line 9, document.txet: documents have no such field"},
      {"\"title\": \"One\"", "\"title\": 1", "line 13, steps[0].title: has the wrong type"},
      {"\"title\": \"One\"", "\"title\": \"One\", \"spotlight\": 1", "line 13, steps[0].spotlight: unknown field"},
      {"{weight 1.0 sat cat}", "{wieght 1.0 sat cat}", "line 14, steps[0].words[0]: unknown number"},
      {"{weight 1.0 sat cat}", "{weight 1 sat cat}", "line 14, steps[0].words[0]: not a head"},
      {"{weight 1.0 sat cat}", "{weight 1.0 sat}", "line 14, steps[0].words[0]: something is missing"},
      {"{weight 1.0 sat cat}", "{weight 1.0 sat cat mat}", "line 14, steps[0].words[0]: unexpected extra words"},
      {"{weight 1.0 sat cat}", "{weight 1.0 sat cat", "line 14, steps[0].words[0]: { is not closed"},
      {"*cat*", "*cat", "line 14, steps[0].words[0]"},
      {"`q · k`", "`q · k", "line 14, steps[0].words[1]: ` is not closed"},
      {"\"view\": \"head\"", "\"view\": \"heads\"", "line 15, steps[0].view: unknown name"},
      {"\"head\": \"1.0\"", "\"head\": \"one\"", "line 16, steps[0].head: not a head"},
      {"\"row\": \"sat\"", "\"row\": \"@x\"", "line 17, steps[0].row: not a position"},
      {"\"stage\": \"weights\"", "\"stage\": \"weight\"", "line 18, steps[0].stage: unknown name"},
      {"\"stage\": \"weights\"", "\"inside_step\": 9", "line 18, steps[0].inside_step"},
      {"\"stage\": \"weights\"", "\"inside_step\": 3", "line 18, steps[0].inside_step: only the view inside has this field"},
      {"\"stage\": \"weights\"", "\"lab\": \"attempts\"", "line 18, steps[0].lab: only the view lab has this field"},
      {"\"view\": \"head\",", "\"view\": \"overview\", \"number\": \"distance\",", "line 15, steps[0].number: "},
      {"\"map cell cat\"", "\"maps\"", "line 19, steps[0].target: unknown target"},
      {"\"map cell cat\"", "\"head 1.0\"", "line 19, steps[0].target: only the view overview has this field"},
      {"[\"card attempt 1\"]", "[1]", "line 20, steps[0].cover[0]: has the wrong type"},
      {"[\"row\"]", "[\"rows\"]", "line 20, steps[0].touch[0]: unknown name"},
      {"[\"row\"]", "[1]", "line 20, steps[0].touch[0]: has the wrong type"},
      {"\"kind\": \"key\"", "\"kind\": \"keys\"", "line 22, steps[0].question.kind: unknown kind of question"},
      {"\"ask\": \"Where does *sat* look?\",", "", "line 21, steps[0].question.ask: is missing"},
      {"\"ask\"", "\"answer\": \"cat\", \"ask\"", "line 23, steps[0].question.answer: unknown field"},
      {"\"words\": \"Head 1.1 is off.\"", "\"words\": []", "line 30, steps[1].words: has too few or too many paragraphs"},
      {"\"words\": \"Head 1.1 is off.\"", "\"words\": [true]", "line 30, steps[1].words[0]: has the wrong type"},
      {"[[1, 1]]", "[[1, \"x\"]]", "line 32, steps[1].document.switched_off[0][1]: wrong type"},
      {"\"switched_off\": [[1, 1]]", "\"mask\": [{\"text\": \"causl\"}]", "line 32, steps[1].document.mask[0].text"},
      {"\"switched_off\": [[1, 1]]", "\"target\": \"logits\"", "line 32, steps[1].document.target"},
      {"\"switched_off\": [[1, 1]]", "\"score\": {\"temprature\": 2}", "line 32, steps[1].document.score.temprature"},
  };
  for (const Fault& fault : faults) {
    EXPECT_THAT(refusal_with(fault.from, fault.to), AllOf(StartsWith("a.lesson.json: line "), HasSubstr(fault.message))) << fault.to;
  }
}

std::string with_question(const std::string& question) {
  const std::string text = sound_lesson();
  const std::size_t begin = text.find("\"question\": {"), end = text.find('}', begin);
  return text.substr(0, begin) + "\"question\": {\"ask\": \"?\", " + question + text.substr(end);
}

TEST(ReadLesson, EachKindOfQuestionHasItsOwnFields) {
  const char* const sound[] = {
      R"("kind": "order", "heads": ["0.0", "0.1", "1.0"], "by": "entropy HEAD sat")",
      R"("kind": "order", "heads": ["0.0", "0.1", "1.0"], "by": "change without HEAD row-sum 1.0 sat")",
      R"("kind": "row", "head": "1.0", "row": "sat", "after": "So.")",
      R"("kind": "number", "number": "weight 1.0 sat cat", "within": 0.1)",
      R"("kind": "number", "number": "allowed 1.0 sat", "head": "1.0", "row": "sat")",
      R"("kind": "yes-no", "number": "weight 1.0 sat cat", "above": 0.5)",
      R"("kind": "yes-no", "number": "weight 1.0 sat cat", "equals": "before weight 1.0 sat cat")",
  };
  for (const char* question : sound) EXPECT_NO_THROW(read_lesson(with_question(question), "a")) << question;
  const Fault faults[] = {
      {"", R"("kind": "order", "heads": ["0.0", "0.1"], "by": "entropy HEAD sat")", "heads: an order needs three heads"},
      {"", R"("kind": "order", "heads": ["0.0", "0.1", "0.0"], "by": "entropy HEAD sat")", "heads[2]: this head is listed twice"},
      {"", R"("kind": "order", "heads": ["0.0", "0.1", "1.0"], "by": "entropy 0.0 sat")", "by: the number is the same for all heads"},
      {"", R"("kind": "number", "number": "top 1.0 sat")", "number: this number is shown as a word"},
      {"", R"("kind": "number", "number": "entropy HEAD sat")", "number: not a head"},
      {"", R"("kind": "number", "number": "tokens", "within": 2)", "within: is out of range"},
      {"", R"("kind": "number", "number": "allowed 1.0 sat", "row": "sat")", "head: is missing"},
      {"", R"("kind": "yes-no", "number": "tokens")", "number: the question does not say what to compare the number with"},
      {"", R"("kind": "yes-no", "number": "tokens", "above": 1, "below": 9)", "number: the question does not say"},
      {"", R"("kind": "yes-no", "number": "tokens", "above": true)", "above: is out of range or has the wrong type"},
      {"", R"("kind": "key", "head": "1.0", "row": "sat", "heads": [])", "heads: unknown field"},
  };
  for (const Fault& fault : faults) {
    EXPECT_THAT(refusal_of(with_question(fault.to)), HasSubstr(std::string("line 21, steps[0].question.") + fault.message)) << fault.to;
  }
}

TEST(ReadLesson, TooMuchIsRefused) {
  EXPECT_THAT(refusal_with("\"A goal.\"", "\"" + std::string(2000, 'x') + "\""),
              HasSubstr("line 5, goal: is too long to read from the back of a room"));
  std::string steps = "[";
  for (int step = 0; step < 41; ++step) steps += std::string(step == 0 ? "" : ",") + R"({"title": "t", "words": "w"})";
  const std::string text =
      R"({"format": "headlight-lesson", "version": 1, "title": "t", "goal": "g", "minutes": 5, "steps": )" + steps + "]}";
  EXPECT_THAT(refusal_of(text), HasSubstr("line 1, steps: there are too many steps"));
  EXPECT_THAT(refusal_of(std::string(40, '[') + std::string(40, ']')), HasSubstr("line 1: is nested deeper"));
  const testing::TemporaryFolder folder;
  EXPECT_EQ(error_of([&] { load_lesson(folder.file("huge.lesson.json", std::string(300 << 10, ' '))); }).kind(), ErrorKind::limit);
}

TEST(ReadLesson, EveryTruncationIsRefusedWithALine) {
  const std::string text = sound_lesson();
  for (std::size_t length = 0; length + 2 < text.size(); ++length) {
    const std::string message = refusal_of(text.substr(0, length));
    ASSERT_THAT(message, StartsWith("a.lesson.json: line ")) << length;
  }
}

TEST(LoadLessons, ABrokenFileIsNamedByLineAndHidesNoOther) {
  const testing::TemporaryFolder folder;
  folder.file("a.lesson.json", sound_lesson());
  folder.file("b.lesson.json", testing::replaced(sound_lesson(), "\"view\": \"head\"", "\"view\": \"haed\""));
  folder.file("c.lesson.json", sound_lesson());
  folder.file("notes.json", "{}");
  std::filesystem::create_directories(folder / "d.lesson.json");
  const Lessons found = load_lessons(folder.path());
  ASSERT_EQ(found.lessons.size(), 2U);
  EXPECT_EQ(found.lessons[1].name, "c");
  ASSERT_EQ(found.left_out.size(), 2U);
  EXPECT_THAT(found.left_out[0], StartsWith("b.lesson.json: line 15, steps[0].view"));
  EXPECT_THAT(found.left_out[1], HasSubstr("d.lesson.json"));
  EXPECT_TRUE(load_lessons({}).lessons.empty());
  EXPECT_TRUE(load_lessons("/no/such/folder").lessons.empty());
}

TEST(LoadLessons, AreInTheOrderOfTheirPlacesAndThoseWithoutOneComeLast) {
  const testing::TemporaryFolder folder;
  const auto placed = [](const char* place) {
    return testing::replaced(sound_lesson(), "\"minutes\": 5", std::string("\"minutes\": 5, ") + place);
  };
  folder.file("a.lesson.json", sound_lesson());
  folder.file("b.lesson.json", placed("\"place\": 10"));
  folder.file("c.lesson.json", placed("\"place\": 2"));
  std::vector<std::string> names;
  for (const Lesson& each : load_lessons(folder.path()).lessons) names.push_back(each.name);
  EXPECT_THAT(names, ElementsAre("c", "b", "a"));
}

}  // namespace
}  // namespace headlight
