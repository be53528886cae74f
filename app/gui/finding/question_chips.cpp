#include "app/gui/finding/question_chips.h"

#include <fmt/core.h>

#include <functional>

#include "app/gui/finding/asking.h"
#include "app/gui/finding/chips.h"
#include "app/gui/kit/region.h"
#include "engine/finding/question_columns.h"

namespace headlight {
namespace {

constexpr const char* kGroup = "questions";
constexpr const char* kLabel = "Which head does this?";

struct QuestionChip {
  std::string name;  ///< for scripts
  std::vector<Span> words;
  std::string help;
  bool is_on = false, takes_back = false;
  std::function<void(Panel&)> act;
};

/// The pattern that is asked for; nullopt: something else, or nothing.
std::optional<TargetPattern> asked_pattern(const Panel& panel) {
  const HeadQuestion& question = panel.view.finding.question;
  return question.kind == HeadQuestion::Kind::pattern ? std::optional(question.pattern) : std::nullopt;
}

/// A chip for each pattern, one for anything else that is asked, and ways to ask that need more than a press.
std::vector<QuestionChip> chips_of(const Panel& panel) {
  using Drawn = FindingPage::Drawing;
  const Palette& colours = panel.look.colours;
  const auto words = [&](std::string text, bool is_on) {
    return std::vector<Span>{{std::move(text), is_on ? colours.text : colours.text_second}};
  };
  std::vector<QuestionChip> chips;
  for (const TargetPatternRow& row : target_patterns()) {
    const bool is_on = asked_pattern(panel) == row.pattern;
    const std::string title(row.title);
    chips.push_back(
        {"Ask: " + title, words(title, is_on), std::string(row.meaning), is_on, is_on,
         [is_on, pattern = row.pattern](Panel& here) { is_on ? ask_nothing(here) : ask_question(here, question_of(pattern)); }});
  }
  if (!panel.view.finding.question.is_nothing() && !asked_pattern(panel)) {
    chips.push_back({"Ask: nothing", question_words(panel), "Take the question back.", true, true, ask_nothing});
  }
  const Drawn now = panel.view.finding.drawing;
  chips.push_back({"Ask: a relation", words("frame a relation …", now == Drawn::relation),
                   "Press a word in the strip below, then the word that it looks at.", now == Drawn::relation, false,
                   [](Panel& here) { begin_framing(here, Drawn::relation); }});
  chips.push_back({"Ask: cells", words("paint cells …", now == Drawn::cells), "Paint cells on the map of Head.", now == Drawn::cells, false,
                   [](Panel& here) { begin_framing(here, Drawn::cells); }});
  chips.push_back({"Ask: mask text", words("mask text …", false), "Type which keys, such as k == q - 2, in the left rail.", false, false,
                   [](Panel& here) {
                     show_finding(here);
                     here.view.finding.wants_keyboard = true;
                   }});
  return chips;
}

float label_width(const Look& look) {
  return text_width(look, Type::body, kLabel) + look.px(kInside);
}

/// What is asked for, in one text.
std::string question_name(const Panel& panel) {
  std::string name;
  for (const Span& span : question_words(panel)) name += span.text;
  return name;
}

bool is_of_question(const std::string& column) {
  return column == kMassColumn || column == kLiftColumn || column == kFixedLiftColumn;
}

}  // namespace

float questions_height(const Panel& panel, const Box& box) {
  Flow measured(panel.look, box);
  measured.place(label_width(panel.look));
  for (const QuestionChip& chip : chips_of(panel)) measured.place(chip_width(panel.look, chip.words, chip.takes_back));
  return measured.height();
}

bool draw_questions_here(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  bool is_pressed = false;
  Flow flow(look, box);
  const Box label = flow.place(label_width(look));
  draw_text(look, label.x, label.y + label.height / 2, Type::body, look.colours.text_second, kLabel);
  for (const QuestionChip& chip : chips_of(panel)) {
    if (!draw_chip(look, flow, chip.name.c_str(), chip.words, chip.help.c_str(), chip.is_on, chip.takes_back)) continue;
    chip.act(panel);
    is_pressed = true;
  }
  return is_pressed;
}

float draw_question_chips(Panel& panel, const Box& box) {
  const float height = questions_height(panel, box);
  begin_region(panel.look, "Questions", {box.x, box.y, box.width, height}, Colour{0, 0, 0, 0}, {0, 0});
  draw_questions_here(panel, box);
  end_region();
  return height;
}

void feed_question_columns(Panel& panel) {
  ColumnShelf& columns = panel.context.session.columns();
  std::shared_ptr<const AnsweredQuestion>& fed = panel.caches.fed_answer;
  const std::shared_ptr<const AnsweredQuestion> answer = answered_question(panel);
  if (answer == fed) return;
  std::vector<ColumnSort>& sorts = panel.view.measures.sorts;
  const bool is_new = answer && (!fed || fed->asked.question != answer->asked.question);
  fed = answer;
  if (!answer) {
    columns.set_group(kGroup, {});
    std::erase_if(sorts, [](const ColumnSort& sort) { return is_of_question(sort.column); });
    return;
  }
  const std::string text = fmt::format("this text, {} tokens", answer->asked.snapshot->tokens());
  columns.set_group(kGroup, columns_of(answer->ranking, question_name(panel), text));
  if (is_new) sorts = {{kMassColumn}};
}

}  // namespace headlight
