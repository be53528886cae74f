#include "app/gui/finding/finding_panel.h"

#include <fmt/core.h>
#include <imgui_internal.h>

#include <array>
#include <utility>

#include "app/document/wording.h"
#include "app/gui/finding/asking.h"
#include "app/gui/finding/chips.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

using Drawing = FindingPage::Drawing;

/// Chips in as many lines as they need.
class ChipLines {
 public:
  explicit ChipLines(const Look& look) : look_(look), box_(box_here()), flow_(look, box_) {}
  ~ChipLines() { ImGui::Dummy({1, flow_.height() + look_.px(kInside)}); }
  ChipLines(const ChipLines&) = delete;
  ChipLines& operator=(const ChipLines&) = delete;

  bool chip(const char* words, const char* help, bool is_on) {
    const std::array spans{Span{words, is_on ? look_.colours.text : look_.colours.text_second}};
    return draw_chip(look_, flow_, words, spans, help, is_on);
  }

 private:
  static Box box_here() {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    return {at.x, at.y, ImGui::GetContentRegionAvail().x, 0};
  }
  const Look& look_;
  Box box_;
  Flow flow_;
};

void draw_patterns(Panel& panel) {
  const HeadQuestion asked = panel.view.finding.question;
  ChipLines lines(panel.look);
  for (const TargetPatternRow& row : target_patterns()) {
    const bool is_on = asked == question_of(row.pattern);
    const std::string title(row.title), help(row.meaning);
    if (!lines.chip(title.c_str(), help.c_str(), is_on)) continue;
    is_on ? ask_nothing(panel) : ask_question(panel, question_of(row.pattern));
  }
}

/// Beside a folded rail the section gives way to what is pointed at.
void frame_from_here(Panel& panel, Drawing drawing) {
  begin_framing(panel, drawing);
  if (is_in_popup()) ImGui::CloseCurrentPopup();
}

void draw_drawing(Panel& panel) {
  const Drawing now = panel.view.finding.drawing;
  ChipLines lines(panel.look);
  const bool is_framed =
      lines.chip("Frame a relation",
                 "Press a word in the strip below, then the word that it looks at; or drag over cells of the map. Several "
                 "relations count together.",
                 now == Drawing::relation);
  if (is_framed) frame_from_here(panel, Drawing::relation);
  if (lines.chip("Paint cells", "Paint on the map of the Head view the cells that the head should give weight to.", now == Drawing::cells))
    frame_from_here(panel, Drawing::cells);
}

std::string problem_of(const std::string& mask) {
  try {
    question_of_mask(mask);
  } catch (const Error& refusal) {
    return as_sentence(fmt::format("{}; expected {}", refusal.detail().problem, refusal.detail().expected));
  }
  return {};
}

/// A fault is explained while it is typed; Enter, or leaving the box, asks.
void draw_mask_text(Panel& panel) {
  const Look& look = panel.look;
  FindingPage& page = panel.view.finding;
  const bool has_keyboard = ImGui::GetActiveID() == ImGui::GetID("##Keys as mask text");
  const bool is_given_up = has_keyboard && ImGui::IsKeyPressed(ImGuiKey_Escape);
  if (is_given_up) ImGui::ClearActiveID();
  if (is_given_up || (!has_keyboard && page.problem.empty())) page.typed = page.question.mask, page.problem.clear();
  const Row row = begin_row(look, "");
  ImGui::PushFont(look.fonts.mono, look.points(Type::number) * look.scale);
  if (std::exchange(page.wants_keyboard, false)) ImGui::SetKeyboardFocusHere();
  const bool has_changed =
      text_box(look, "Keys as mask text", "or type keys: k == q - 2", page.typed, {row.left, row.top + look.px(2)}, row.right - row.left);
  const bool is_entered = ImGui::IsItemDeactivatedAfterEdit() && !is_given_up;
  ImGui::PopFont();
  if (!has_keyboard) {
    hint(
        look,
        "Which keys each query should look at, in the language of masks: a comparison of q, k and n (the number of keys), or terms such as "
        "window:3, joined by +. Enter asks.");
  }
  const bool is_blank = page.typed.find_first_not_of(' ') == std::string::npos;
  if (has_changed && !is_given_up) page.problem = is_blank ? std::string() : problem_of(page.typed);
  if (is_entered && is_blank && page.question.kind == HeadQuestion::Kind::mask) ask_nothing(panel);
  if (is_entered && !is_blank && page.problem.empty()) ask_question(panel, question_of_mask(page.typed));
  if (!page.problem.empty()) paragraph(look, Type::caption, look.colours.bad, page.problem);
}

/// What is asked, and a × that takes it back.
void draw_asked(Panel& panel) {
  const Look& look = panel.look;
  const FindingPage& page = panel.view.finding;
  if (page.question.is_nothing() && !page.alike_to) return;
  const Row row = begin_row(look, "");
  const float close = row.right - look.px(kControl / 2);
  float left = row.left;
  std::vector<Span> words = question_words(panel);
  if (page.alike_to) words = {{"More like head " + short_name(*panel.snapshot, *page.alike_to), look.colours.text}};
  for (const Span& span : words) {
    const std::string text = elided(look, Type::strong, span.text, close - look.px(kUnit + kControl / 2) - left);
    draw_text(look, left, row.middle(), Type::strong, span.colour, text);
    left += text_width(look, Type::strong, text);
    if (text != span.text) break;
  }
  if (close_button(look, "Clear the question", {close, row.middle()})) ask_nothing(panel);
  hint(look, "Take the question back: the list and the frames on the map go with it.");
}

/// The cells are of a sentence that is not shown.
void draw_other_sentence(Panel& panel) {
  const Look& look = panel.look;
  const HeadQuestion& question = panel.view.finding.question;
  paragraph(look, Type::body, look.colours.text_second,
            fmt::format("These cells are of another sentence: “{}”", printable(question.text, 120)));
  const Row row = begin_row(look, "");
  const float width = button_width(look, "Show that sentence");
  const bool can_show = !panel.is_dump() && question.stack == Stack::only;
  if (quiet_button(look, "Show that sentence", {row.left, row.top + look.px(2)}, {width, look.px(kControl)}, can_show)) {
    panel.draft.query.text = question.text;
    panel.draft.query.text_pair.reset();
  }
}

void draw_answer(Panel& panel) {
  if (panel.view.finding.alike_to) return draw_alike_heads(panel);
  if (panel.view.finding.question.is_nothing()) return;
  is_of_another_text(panel) ? draw_other_sentence(panel) : draw_ranked_heads(panel);
}

}  // namespace

void draw_finding_panel(Panel& panel) {
  const Look& look = panel.look;
  const FindingPage& page = panel.view.finding;
  if (!section(look, kFindingSection, panel.view.rails.folded, finding_state(panel))) return;
  if (!panel.has_picture()) {
    paragraph(look, Type::caption, look.colours.text_second, "Once there is a picture, its heads can be ranked here.");
    return;
  }
  draw_patterns(panel);
  draw_drawing(panel);
  draw_mask_text(panel);
  if (page.question.is_nothing() && !page.alike_to && !is_framing(panel))  // below the chips, which stay where they are once one is asked
    paragraph(look, Type::caption, look.colours.text_second, "Say where a head should look. All heads are ranked by how much they do.");
  if (is_framing(panel)) {
    paragraph(look, Type::caption, look.colours.query,
              page.drawing == Drawing::cells ? "Paint on the map of Head. A stroke that begins on a painted cell erases. Esc ends."
                                             : std::string(framing_words(panel)) + " in the strip below, or drag on the map. Esc ends.");
  }
  draw_asked(panel);
  draw_answer(panel);
}

std::string finding_state(const Panel& panel) {
  if (!panel.has_picture()) return {};
  if (const auto& head = panel.view.finding.alike_to) return "like " + short_name(*panel.snapshot, *head);
  switch (panel.view.finding.question.kind) {
    case HeadQuestion::Kind::nothing:
      return {};
    case HeadQuestion::Kind::pattern:
      return std::string(row_of(panel.view.finding.question.pattern).title);
    case HeadQuestion::Kind::mask:
      return "mask text";
    case HeadQuestion::Kind::cells:
      break;
  }
  return "cells";
}

}  // namespace headlight
