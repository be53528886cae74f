#include "app/lessons/play/played_step.h"

#include <fmt/core.h>

#include <utility>

#include "app/document/wording.h"
#include "engine/core/error.h"
#include "engine/formats/json_lines.h"

namespace headlight {
namespace {

FilledPart fill(const WordsPart& part, const LessonRuns& runs) {
  FilledPart filled{.kind = part.kind, .is_strong = part.is_strong, .text = part.text};
  if (part.kind != WordsKind::number) return filled;
  try {
    LiveValue value = value_of(part.number, runs);
    filled.text = std::move(value.text);
    filled.exact = std::move(value.exact);
    filled.reason = std::move(value.reason);
  } catch (const Error& error) {
    if (!is_fault_of_lesson(error)) throw;
    filled.text = "–";
    filled.reason = error.message();
  }
  return filled;
}

Answer answer_or_problem(const Question& question, const LessonRuns& runs) {
  try {
    return answer_of(question, runs);
  } catch (const Error& error) {
    if (!is_fault_of_lesson(error)) throw;
    return {.text = "–", .problem = error.message()};
  }
}

/// A fault of a lesson on a line of its file.
[[noreturn]] void refuse_line(const Lesson& lesson, int line, ErrorDetail detail) {
  detail.kind = ErrorKind::input;
  detail.file = lesson.file;
  throw with_line(Error(std::move(detail)), line);
}

void check_filled(const Lesson& lesson, const Paragraph& words, const FilledParagraph& filled) {
  for (std::size_t part = 0; part < filled.size(); ++part) {
    if (filled[part].reason.empty()) continue;
    const std::string number = fmt::format("{{{}}}", words.parts[part].text);
    const bool is_named = filled[part].reason.starts_with(number);
    refuse_line(lesson, words.line, {.problem = is_named ? filled[part].reason : number + " has no value: " + filled[part].reason});
  }
}

void check_filled(const Lesson& lesson, const std::vector<Paragraph>& words, const std::vector<FilledParagraph>& filled) {
  for (std::size_t place = 0; place < filled.size(); ++place) check_filled(lesson, words[place], filled[place]);
}

void check_played(const Lesson& lesson, const LessonStep& step, const PlayedStep& played) {
  check_filled(lesson, step.words, played.words);
  if (!step.question) return;
  check_filled(lesson, step.question->ask, played.ask);
  check_filled(lesson, step.question->after, played.after);
  if (!played.answer->problem.empty()) {
    refuse_line(lesson, step.question->line, {.problem = "the question has no answer: " + played.answer->problem});
  }
}

/// Heads that the document names are heads of its model: else an edit would do nothing, and nobody would say so.
void check_heads(const Document& document, const Snapshot& run) {
  for (const HeadId head : document.query.switched_off) check_head(head, run);
  for (const Pin& pin : document.pins) check_head(pin.head, run);
}

/// A text for a decoder that the model does not have would do nothing, and nobody would say so.
void check_decoder_text(const Document& document, const Snapshot& run) {
  if (!document.query.decoder_text || (run.model && run.model->config.is_encoder_decoder())) return;
  throw Error({.kind = ErrorKind::input,
               .field = "document.decoder_text",
               .problem = fmt::format("{} has no decoder beside an encoder, which could read this text", document.query.model.name),
               .hint = "Leave it out; in a step, null takes away what the lesson's document has."});
}

PlayedStep play_checked(const Lesson& lesson, const LessonStep& step, Pipeline& pipeline, Progress& progress) {
  PlayedStep played;
  try {
    played = play_step(step, pipeline, progress);
    if (played.run->is_empty()) throw Error({.kind = ErrorKind::input, .problem = "the step's text has no tokens"});
    check_heads(step.document, *played.run);
    check_decoder_text(step.document, *played.run);
    look_of(step.view, *played.run);
    framed_cells(step.view, *played.run);
    if (step.view.target) lit_place(*step.view.target, step.view, *played.run);
  } catch (const Error& error) {
    if (!is_fault_of_lesson(error)) throw;
    refuse_line(lesson, step.line, error.detail());
  }
  check_played(lesson, step, played);
  return played;
}

}  // namespace

FilledParagraph fill(const Paragraph& paragraph, const LessonRuns& runs) {
  FilledParagraph filled;
  for (const WordsPart& part : paragraph.parts) filled.push_back(fill(part, runs));
  return filled;
}

std::string plain_text(const FilledParagraph& paragraph) {
  std::string text;
  for (const FilledPart& part : paragraph) text += part.text;
  return text;
}

PlayedStep play_step(const LessonStep& step, const LessonRuns& runs) {
  PlayedStep played{.run = runs.shown};
  for (const Paragraph& paragraph : step.words) played.words.push_back(fill(paragraph, runs));
  if (!step.question) return played;
  played.ask = fill(step.question->ask, runs);
  for (const Paragraph& paragraph : step.question->after) played.after.push_back(fill(paragraph, runs));
  played.answer = answer_or_problem(*step.question, runs);
  return played;
}

PlayedStep play_step(const LessonStep& step, Pipeline& pipeline, Progress& progress) {
  return play_step(step, {pipeline.run(step.document.query, progress), pipeline, progress});
}

Json look_of(const LessonView& view, const Snapshot& run) {
  Json look = Json::object();
  if (!view.view.empty()) look["view"] = view.view;
  if (view.head) {
    check_head(*view.head, run);
    look["head"] = {{"layer", view.head->layer}, {"head", view.head->head}};
  }
  if (view.row) look["pinned_query"] = row_of_word(*view.row, run, view.head.value_or(HeadId{}).layer);
  if (!view.stage.empty()) look["stage"] = view.stage;
  if (view.inside_step != 0) look["inside_step"] = view.inside_step;
  if (!view.lab.empty()) look["labs"] = {{"shown", view.lab}};
  if (view.view == "overview") look["overview_arrangement"] = {{"tint", view.number}};
  if (!view.page.empty()) look["output"] = {{"page", view.page}};
  return look;
}

LitPlace lit_place(const Spotlight& target, const LessonView& view, const Snapshot& run) {
  using Kind = Spotlight::Kind;
  const int layer = view.head.value_or(HeadId{}).layer;
  const auto row = [&] { return view.row ? std::optional(row_of_word(*view.row, run, layer)) : std::nullopt; };
  switch (target.kind) {
    case Kind::map:
      return {.label = "map"};
    case Kind::row:
      return {.label = "map", .query = row()};
    case Kind::cell:
      return {.label = "map", .query = row(), .key = tokens_at(target.place, run, run.key_tokens(layer)).last};
    case Kind::head:
      check_head(target.head, run);
      return {.label = "head " + short_name(target.head)};
    case Kind::token:
      return {.label = fmt::format("token {}", tokens_at(target.place, run, *run.encoding).last)};
    case Kind::column:
      return {.label = "Column " + target.label};
    default:
      return {.label = target.label};
  }
}

std::vector<Cell> framed_cells(const LessonView& view, const Snapshot& run) {
  const int layer = view.head.value_or(HeadId{}).layer;
  std::vector<Cell> cells;
  for (const WordPair& pair : view.frames)
    cells.push_back({row_of_word(pair.query, run, layer), tokens_at(pair.key, run, run.key_tokens(layer)).last});
  return cells;
}

std::vector<PlayedStep> play_lesson(const Lesson& lesson, Pipeline& pipeline, Progress& progress) {
  std::vector<PlayedStep> played;
  for (const LessonStep& step : lesson.steps) {
    progress.step(static_cast<double>(played.size()) / static_cast<double>(lesson.steps.size()), step.title);
    played.push_back(play_checked(lesson, step, pipeline, progress));
  }
  return played;
}

}  // namespace headlight
