// Where a step of a lesson's file looks.
#include <fmt/core.h>

#include <algorithm>

#include "app/lessons/lesson_fields.h"
#include "engine/inside/steps.h"
#include "engine/measures/measure_request.h"

namespace headlight {
namespace {

constexpr const char* kTargets = "map, map row, map cell WORD, head LAYER.HEAD, token WORD, column STEP, or label LABEL";

/// The part after a first word; nothing where the text begins otherwise.
std::optional<std::string_view> after(std::string_view text, std::string_view first) {
  if (!text.starts_with(first) || text.size() == first.size() || text[first.size()] != ' ') return std::nullopt;
  return text.substr(first.size() + 1);
}

[[noreturn]] void refuse_target(std::string_view text) {
  throw Error({.kind = ErrorKind::usage, .problem = "unknown target", .found = in_quotes(text), .expected = kTargets});
}

Spotlight parse_spotlight(std::string_view text) {
  using Kind = Spotlight::Kind;
  if (text == "map") return {};
  if (text == "map row") return {.kind = Kind::row, .place = {}, .label = {}};
  if (const auto key = after(text, "map cell")) return {.kind = Kind::cell, .place = parse_word_place(*key), .label = {}};
  if (const auto head = after(text, "head")) return {.kind = Kind::head, .head = parse_head(*head), .place = {}, .label = {}};
  if (const auto word = after(text, "token")) return {.kind = Kind::token, .place = parse_word_place(*word), .label = {}};
  if (const auto label = after(text, "label")) return {.kind = Kind::label, .place = {}, .label = std::string(*label)};
  if (const auto column = after(text, "column")) {
    for (const InsideStepRow& row : inside_steps()) {
      if (row.title == *column) return {.kind = Kind::column, .place = {}, .label = std::string(*column)};
    }
  }
  refuse_target(text);
}

/// Each field belongs to one view.
void check_view(const JsonFields& step, const LessonView& view, const char* field, std::string_view needed) {
  if (!step.has(field) || view.view == needed) return;
  step.refuse(field, fmt::format("only the view {} has this field", needed), view.view.empty() ? "no view" : in_quotes(view.view),
              fmt::format("\"view\": \"{}\"", needed));
}

void check_target(const JsonFields& step, const LessonView& view) {
  using Kind = Spotlight::Kind;
  const Kind kind = view.target->kind;
  const bool is_of_map = kind == Kind::map || kind == Kind::row || kind == Kind::cell;
  if (is_of_map) check_view(step, view, "target", "head");
  if (kind == Kind::head) check_view(step, view, "target", "overview");
  if (kind == Kind::column) check_view(step, view, "target", "inside");
  if ((kind == Kind::row || kind == Kind::cell) && !view.row)
    step.refuse("target", "the step does not select a row", {}, "\"row\": \"WORD\"");
}

void check_frames(const JsonFields& step, const LessonView& view) {
  if (view.view == "head" || view.view == "compare" || view.view == "lab") return;
  step.refuse("frame", "only the views head, compare and lab have this field", view.view.empty() ? "no view" : in_quotes(view.view));
}

}  // namespace

LessonView read_view(const JsonFields& step) {
  LessonView view;
  view.view = read_name(step, "view", lesson_views());
  if (step.has("head")) view.head = read_head(step, "head");
  if (step.has("row")) view.row = read_place(step, "row");
  view.stage = read_name(step, "stage", lesson_stages());
  view.inside_step = static_cast<int>(step.integer_or("inside_step", 0, 1, kInsideSteps));
  view.lab = read_name(step, "lab", lesson_labs());
  view.page = read_name(step, "page", lesson_pages());
  if (step.has("number")) {
    view.number = step.text("number");
    read_parsed(step, "number", view.number, [](std::string_view id) { return measure_request(id, "number"); });
  }
  if (step.has("target")) view.target = read_parsed(step, "target", step.text("target"), parse_spotlight);
  if (step.has("frame")) {
    for (const ListedText& pair : read_texts(step, "frame", "a query and a key, such as \"follow horse\"")) {
      auto [query, key] = read_parsed(step, pair.key, pair.text, parse_word_pair);
      view.frames.push_back({std::move(query), std::move(key)});
    }
    check_frames(step, view);
  }
  if (step.has("cover")) {
    for (const ListedText& label : read_texts(step, "cover", "a label, such as \"numbers of attempt 1\""))
      view.covers.push_back(label.text);
  }
  check_view(step, view, "stage", "head");
  check_view(step, view, "inside_step", "inside");
  check_view(step, view, "lab", "lab");
  check_view(step, view, "page", "output");
  check_view(step, view, "number", "overview");
  if (view.target) check_target(step, view);
  return view;
}

}  // namespace headlight
