#include "app/gui/bars/subject_chips.h"

#include <fmt/core.h>

#include <cmath>

#include "app/document/history.h"
#include "app/document/mask_edits.h"
#include "app/document/subjects.h"
#include "app/document/wording.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/draft_model.h"
#include "app/gui/panel/shown_figure.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr float kSubjectHeight = 24;
constexpr float kSnippet = 150;              // most width of a text in a chip, in points
constexpr float kChipEnds = 2 * kUnit + 18;  // of the baseline's chip: what is around its words

/// A framed text that can be pressed.
Press chip(const Look& look, const char* name, std::string_view words, ImVec2 at, float width, bool is_chosen) {
  const float height = look.px(kSubjectHeight);
  const Press press = press_area(name, at, {width, height});
  const Colour ground = is_chosen || press.is_hovered ? mix(look.colours.raised, look.colours.line, 0.5F) : look.colours.panel;
  const ImVec2 to{at.x + width, at.y + height};
  fill(look, at, to, ground);
  outline(look, at, to, is_chosen ? look.colours.text_third : look.colours.line);
  draw_text(look, at.x + look.px(kUnit), at.y + height / 2, Type::body, is_chosen ? look.colours.text : look.colours.text_second, words);
  return press;
}

/// The number's part is wider than the cross's, so that a click on the middle of the chip closes nothing.
float text_chip_width(const Look& look, const std::string& number, bool is_focused) {
  const float words = text_width(look, Type::body, number) + look.px(2 * kUnit);
  return is_focused ? std::max(words, look.px(kControl + kUnit)) + look.px(kControl) : words;
}

const char* adding_words(const Document& draft, bool is_short) {
  return is_short || texts_of(draft).size() > 1 ? "+" : "+ text";
}

float adding_width(const Look& look, const Document& draft, bool is_short) {
  return text_width(look, Type::body, adding_words(draft, is_short)) + look.px(2 * kUnit);
}

void draw_text_chip(Panel& panel, int id, float& left, float top) {
  const Look& look = panel.look;
  const Document& draft = panel.draft;
  const bool is_focused = id == draft.focused;
  const std::string number = std::to_string(text_number(draft, id));
  const std::string name = "Text " + number;
  const float width = text_chip_width(look, number, is_focused), close = look.px(kControl);
  if (is_focused) ImGui::SetNextItemAllowOverlap();
  const bool is_clicked = chip(look, name.c_str(), number, {left, top}, width, is_focused).is_clicked;
  hint(look, is_focused ? "This is the text that is shown and edited." : query_of(draft, id)->text.c_str());
  left += width + look.px(kInside);
  if (!is_focused) {
    if (is_clicked) focus(panel.draft, id);
    return;
  }
  const std::string closing = "Close text " + number;
  const bool is_closed = close_button(look, closing.c_str(), {left - look.px(kInside) - close / 2, top + look.px(kSubjectHeight) / 2});
  hint(look, "Close this text; its pins go with it (ctrl+Z brings them back).");
  if (is_closed) remove_subject(panel.draft, id);
}

}  // namespace

void draw_text_chips(Panel& panel, float left, float top, float height, bool is_short) {
  const Look& look = panel.look;
  const float chip_top = top + std::round((height - look.px(kSubjectHeight)) / 2);
  const std::vector<int> texts = texts_of(panel.draft);
  if (texts.size() > 1) {
    for (const int id : texts) {
      if (query_of(panel.draft, id)) draw_text_chip(panel, id, left, chip_top);
    }
  }
  const std::string problem = why_no_more_texts(panel.draft);
  const bool is_clicked =
      chip(look, "Add a text", adding_words(panel.draft, is_short), {left, chip_top}, adding_width(look, panel.draft, is_short), false)
          .is_clicked;
  hint(look, problem.empty() ? "Compare with another text: adds a copy to type over. Pins of each stay side by side in Compare."
                             : problem.c_str());
  if (is_clicked && problem.empty()) {
    add_copy(panel.draft);
    panel.wants_sentence_focus = true;
  }
}

float text_chips_width(const Panel& panel, bool is_short) {
  const Look& look = panel.look;
  const std::vector<int> texts = texts_of(panel.draft);
  float width = adding_width(look, panel.draft, is_short);
  if (texts.size() < 2) return width;
  for (const int id : texts) {
    if (!query_of(panel.draft, id)) continue;
    width += text_chip_width(look, std::to_string(text_number(panel.draft, id)), id == panel.draft.focused) + look.px(kInside);
  }
  return width;
}

float least_baseline_chip(const Look& look) {
  return text_width(look, Type::body, "B") + look.px(kChipEnds);
}

namespace {

/// "causal, 8 heads": the head count and the mask of the head that is looked at, in the baseline, where they are not those of now.
std::string edited_since(const Panel& panel, const Query& before) {
  const std::shared_ptr<const Snapshot> run = baseline_run(panel);
  const HeadId head = panel.view.head;
  if (!run || !run->contains(head) || !panel.snapshot->contains(head) || run->is_dump()) return {};
  const Stack stack = run->model->config.place(head.layer).stack;
  const auto mask_of = [&](const MaskEdits& edits) {
    return text_in_force(edits, {Scope::Kind::head, head}, own_mask_of(panel, head.layer), stack);
  };
  std::string text;
  if (mask_of(before.mask) != mask_of(panel.draft.query.mask)) text = printable(mask_of(before.mask), 20);
  const int heads = run->heads(head.layer);
  if (heads != panel.snapshot->heads(head.layer)) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", heads, heads == 1 ? "head" : "heads");
  }
  return text;
}

/// What the chip says where there is room for it.
std::string baseline_words(const Panel& panel, const Query& before) {
  const Query& now = panel.draft.query;
  const bool is_same_text = before.text == now.text && before.text_pair == now.text_pair && before.decoder_text == now.decoder_text;
  if (!is_same_text) return "baseline: " + elided(panel.look, Type::body, before.text, panel.look.px(kSnippet));
  const std::string edited = edited_since(panel, before);
  return edited.empty() ? "baseline" : "baseline · " + edited;
}

/// "Before: The cat sat on the mat. Since then: mask: none, heads 8 → 4."
std::string baseline_help(const Panel& panel, const Query& before) {
  Document then = panel.draft;
  then.query = before;
  const std::string since =
      before == panel.draft.query ? "Nothing has been edited since." : as_sentence("Since then: " + describe_change(then, panel.draft));
  return as_sentence("Before: " + before.text) + " " + since;
}

}  // namespace

float draw_baseline_chip(Panel& panel, float left, float right, const Box& box) {
  const Look& look = panel.look;
  const float top = box.y + std::round((box.height - look.px(kSubjectHeight)) / 2);
  if (!panel.draft.baseline) {
    const float width = text_width(look, Type::body, "Set baseline") + look.px(2 * kUnit);
    if (left + width > right) return left;  // the key is in the help
    const bool is_clicked = chip(look, "Set baseline", "Set baseline", {left, top}, width, false).is_clicked;
    hint(look,
         "Keep what is shown now as \"before\" (B). Head, Compare and Output then show now, before and the difference, whatever "
         "is edited.");
    if (is_clicked) toggle_baseline(panel);
    return left + width;
  }
  const Query& before = *query_of(panel.draft, *panel.draft.baseline);
  const float around = look.px(kChipEnds);
  std::string words = "B";
  for (const std::string& wider : {baseline_words(panel, before), std::string("baseline")}) {
    if (left + text_width(look, Type::body, wider) + around > right) continue;
    words = wider;
    break;
  }
  const float width = text_width(look, Type::body, words) + around;
  ImGui::SetNextItemAllowOverlap();
  chip(look, "Baseline", words, {left, top}, width, true);
  name_area("Chip " + words, {left, top, width, look.px(kSubjectHeight)});
  const std::string problem = panel.context.session.run_of(panel.draft, *panel.draft.baseline).problem;
  const std::string help = problem.empty() ? baseline_help(panel, before) : problem;
  hint(look, help.c_str());
  const bool is_cleared = close_button(look, "Clear baseline", {left + width - look.px(13), top + look.px(kSubjectHeight) / 2});
  hint(look, "Clear the baseline (B).");
  if (is_cleared) toggle_baseline(panel);
  return left + width;
}

}  // namespace headlight
