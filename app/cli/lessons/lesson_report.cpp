#include "app/cli/lessons/lesson_report.h"

#include <fmt/core.h>

#include "app/document/wording.h"

namespace headlight {
namespace {

using Report = nlohmann::ordered_json;

/// "head 2.1, row follow": where the step looks.
std::string where_text(const LessonView& view) {
  std::string text = view.view.empty() ? "as before" : view.view;
  if (view.head) text += fmt::format(", head {}", short_name(*view.head));
  if (view.row) text += fmt::format(", row {}", to_text(*view.row));
  if (view.inside_step != 0) text += fmt::format(", step {}", view.inside_step);
  for (const std::string& name : {view.stage, view.lab, view.page}) {
    if (!name.empty()) text += ", " + name;
  }
  return text;
}

std::string step_text(const LessonStep& step, const PlayedStep& played) {
  std::string text = fmt::format("   [{}]\n", where_text(step.view));
  for (const FilledParagraph& paragraph : played.words) text += fmt::format("   {}\n", plain_text(paragraph));
  if (!step.question) return text;
  text += fmt::format("   Guess first ({}): {}\n", question_kind(step.question->kind).name, plain_text(played.ask));
  text += fmt::format("   The engine's answer: {}\n", played.answer->text);
  for (const FilledParagraph& paragraph : played.after) text += fmt::format("   {}\n", plain_text(paragraph));
  return text;
}

Report texts_of(const std::vector<FilledParagraph>& paragraphs) {
  Report texts = Report::array();
  for (const FilledParagraph& paragraph : paragraphs) texts.push_back(plain_text(paragraph));
  return texts;
}

void add_numbers(Report& numbers, const std::vector<Paragraph>& written, const std::vector<FilledParagraph>& filled) {
  for (std::size_t paragraph = 0; paragraph < filled.size(); ++paragraph) {
    for (std::size_t part = 0; part < filled[paragraph].size(); ++part) {
      const FilledPart& shown = filled[paragraph][part];
      if (shown.kind != WordsKind::number) continue;
      numbers.push_back({{"number", written[paragraph].parts[part].text}, {"text", shown.text}, {"exact", shown.exact}});
    }
  }
}

Report question_json(const Question& question, const PlayedStep& played) {
  const Answer& answer = *played.answer;
  Report json = {{"kind", question_kind(question.kind).name}, {"ask", plain_text(played.ask)}, {"answer", answer.text}};
  if (!answer.row.empty()) {
    json["words"] = answer.words;
    json["row"] = answer.row;
    json["best"] = answer.best;
  }
  for (std::size_t head = 0; head < answer.values.size(); ++head) {
    json["values"].push_back({{"head", short_name(question.heads[head])}, {"value", answer.values[head].value}});
  }
  if (question.kind == QuestionKind::number || question.kind == QuestionKind::yes_no) json["value"] = answer.number.value;
  if (question.kind == QuestionKind::yes_no) json["is_true"] = answer.is_true;
  json["after"] = texts_of(played.after);
  return json;
}

}  // namespace

std::string lesson_text(const Lesson& lesson, const std::vector<PlayedStep>& played) {
  std::string text = fmt::format("{}: {} step{}, {} minutes\nGoal: {}\n", lesson.title, played.size(), played.size() == 1 ? "" : "s",
                                 lesson.minutes, lesson.goal);
  for (std::size_t step = 0; step < played.size(); ++step) {
    text += fmt::format("\n{} {}\n{}", step + 1, lesson.steps[step].title, step_text(lesson.steps[step], played[step]));
  }
  return text;
}

nlohmann::ordered_json lesson_json(const Lesson& lesson, const std::vector<PlayedStep>& played) {
  Report json = {
      {"file", lesson.file}, {"title", lesson.title}, {"goal", lesson.goal}, {"minutes", lesson.minutes}, {"steps", Report::array()}};
  for (std::size_t place = 0; place < played.size(); ++place) {
    const LessonStep& step = lesson.steps[place];
    Report one = {{"line", step.line},
                  {"title", step.title},
                  {"words", texts_of(played[place].words)},
                  {"text", step.document.query.text},
                  {"look", look_of(step.view, *played[place].run)},
                  {"numbers", Report::array()}};
    add_numbers(one["numbers"], step.words, played[place].words);
    if (step.question) {
      add_numbers(one["numbers"], step.question->after, played[place].after);
      one["question"] = question_json(*step.question, played[place]);
    }
    if (!step.touch.empty()) one["touch"] = step.touch;
    json["steps"].push_back(std::move(one));
  }
  return json;
}

}  // namespace headlight
