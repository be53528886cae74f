#include "app/gui/bars/strip_chips.h"

#include <fmt/core.h>

#include <cmath>

#include "app/gui/columns/brush.h"
#include "app/gui/finding/asking.h"
#include "app/gui/finding/unanswered.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/choices.h"
#include "app/gui/panel/focus.h"
#include "app/gui/watching/target_here.h"
#include "engine/figure/pictures.h"

namespace headlight {
namespace {

constexpr float kStripChipHeight = 28;
constexpr float kPinnedName = 100;      ///< most width of the token in the chip of the pinned row
constexpr float kWidestQuestion = 160;  ///< likewise of what is asked
constexpr float kRoomForBrush = 720;    ///< width of the strip from which it says how many heads are brushed
constexpr float kRoomForEsc = 900;      ///< width of the strip from which that chip names its key
constexpr float kMostOfStrip = 0.3F;    ///< of its width, for what is hidden

/// While a relation is framed: what the next press does. Returns its left edge.
float draw_framing(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  const float right = box.right() - look.px(kBetween), height = look.px(kStripChipHeight),
              top = box.y + std::round((box.height - height) / 2);
  const char* words = framing_words(panel);
  const float close = look.px(kControl), left = right - text_width(look, Type::body, words) - look.px(12) - close - look.px(kInside);
  fill(look, {left, top}, {right, top + height}, look.colours.raised);
  outline(look, {left, top}, {right, top + height}, panel.view.finding.query ? look.colours.key : look.colours.query);
  draw_text(look, left + look.px(12), top + height / 2, Type::body, look.colours.text, words);
  if (close_button(look, "Stop framing", {right - close / 2 - look.px(2), top + height / 2})) panel.view.painting.brush = Brush::off;
  hint(look, "Stop framing relations (Esc). What was framed stays.");
  return left - look.px(kBetween);
}

/// "row 6 “follow”", what is pinned, with a × that releases it; a click on the words scrolls to it. Returns its left edge.
float draw_pin(Panel& panel, int layer, const Box& box) {
  const Look& look = panel.look;
  if (panel.view.finding.drawing == FindingPage::Drawing::relation) return draw_framing(panel, box);
  const std::optional<Index> pinned = pinned_query_of(panel, layer);
  float right = box.right() - look.px(kBetween);
  if (!pinned) return right;
  const std::string& token = panel.caches.pictures.query_names(layer)[*pinned];
  const std::string name = fmt::format("row {} “{}”", *pinned, elided(look, Type::body, token, look.px(kPinnedName)));
  const bool has_key = box.width >= look.px(kRoomForEsc) && !panel.context.session.lessons().is_taken();  // there Esc leaves
  const float esc = has_key ? text_width(look, Type::caption, "Esc") + look.px(kUnit) : 0;
  const float height = look.px(kStripChipHeight), top = box.y + std::round((box.height - height) / 2), middle = top + height / 2;
  const float close = look.px(kControl);
  const float left = right - text_width(look, Type::body, name) - esc - look.px(12) - close - look.px(kInside);
  const Box chip{left, top, right - left, height};
  ImGui::SetNextItemAllowOverlap();
  if (press_area("Pinned row", {left, top}, {chip.width, height}).is_clicked) reveal_pin_again(panel.view);
  hint(look, "The row that every view keeps. Click to bring it into sight; × or Esc releases it.");
  fill(look, {left, top}, {right, top + height}, look.colours.raised);
  draw_mark(look, chip, look.colours.query, Mark::pinned);
  draw_text(look, left + look.px(12), middle, Type::body, look.colours.text, name);
  const float close_left = right - close - look.px(2);
  if (has_key) draw_text(look, close_left, middle, Type::caption, look.colours.text, "Esc", AlignX::right);
  if (close_button(look, "Release pin", {close_left + close / 2, middle})) panel.view.pinned_query.reset();
  hint(look, "Release the row (Esc).");
  return left - look.px(kBetween);
}

/// Words in a frame with a × that takes away what they name.
struct NamedChip {
  const char* name;  ///< for scripts
  std::string words;
  const char* help;
  Colour frame;
  const char* close;  ///< what the × is called
  const char* close_help;
};
struct ChipPresses {
  float left = 0;  ///< where the next chip ends
  bool is_pressed = false, is_closed = false;
};

/// Its right edge is at `right`.
ChipPresses draw_named_chip(const Look& look, const Box& box, float right, const NamedChip& chip) {
  const float height = look.px(kStripChipHeight), top = box.y + std::round((box.height - height) / 2), middle = top + height / 2;
  const float close = look.px(kControl);
  const float left = right - text_width(look, Type::body, chip.words) - look.px(12) - close - look.px(kInside);
  ChipPresses presses{.left = left - look.px(kBetween)};
  ImGui::SetNextItemAllowOverlap();
  presses.is_pressed = press_area(chip.name, {left, top}, {right - left, height}).is_clicked;
  hint(look, chip.help);
  fill(look, {left, top}, {right, top + height}, look.colours.raised);
  outline(look, {left, top}, {right, top + height}, chip.frame);
  draw_text(look, left + look.px(12), middle, Type::body, look.colours.text, chip.words);
  presses.is_closed = close_button(look, chip.close, {right - close / 2 - look.px(2), middle});
  hint(look, chip.close_help);
  return presses;
}

/// "5 heads brushed", with a × that clears the brush; a click on the words shows Measures. Returns its left edge.
float draw_brush(Panel& panel, float right, const Box& box) {
  const Look& look = panel.look;
  const std::string text = brushed_text(panel);
  if (text.empty() || box.width < look.px(kRoomForBrush)) return right;
  const ChipPresses presses =
      draw_named_chip(look, box, right,
                      {"Brushed heads", text, "Marked in every view. Click shows Measures; × or Esc clears the brush.", look.colours.accent,
                       "Clear the brush", "Clear the brush (Esc)."});
  if (presses.is_pressed) panel.view.view = View::measures;
  if (presses.is_closed) panel.view.brushed.clear();
  return presses.left;
}

/// "induction: no such key here", with a × that takes the question back; a click on the words leads to it. Returns its left edge.
float draw_unanswered_chip(Panel& panel, float right, const Box& box) {
  const Look& look = panel.look;
  const std::string why = why_unanswered(panel);
  if (why.empty() || box.width < look.px(kRoomForBrush)) return right;
  std::string asked;
  for (const Span& span : question_words(panel)) asked += span.text;
  const std::string help = why + " Click opens the question, with what helps; × takes it back.";
  const NamedChip chip{"Unanswered",
                       elided(look, Type::body, asked, look.px(kWidestQuestion)) + ": no such key here",
                       help.c_str(),
                       look.colours.accent,
                       "Take the question back",
                       "Take the question back."};
  const ChipPresses presses = draw_named_chip(look, box, right, chip);
  if (presses.is_pressed) show_finding(panel);
  if (presses.is_closed) ask_nothing(panel);
  return presses.left;
}

/// "target 0.94 −2.42": what is watched, once it is chosen or something is edited. A click shows Output. Returns its left edge.
float draw_target(Panel& panel, const Box& box, float right) {
  const OpenLesson* lesson = panel.context.session.lessons().open();
  if (lesson != nullptr && lesson->asks()) return right;  // it may be what is asked for
  const bool is_untouched = lesson != nullptr && panel.draft.query == lesson->shown().document.query && panel.draft.target == Target{};
  const Look& look = panel.look;
  if (box.width < look.px(kRoomForBrush) || is_untouched || !is_target_worth_showing(panel)) {
    if (panel.view.view != View::output) panel.context.session.effects().rest_target();
    return right;
  }
  const std::shared_ptr<const TargetFound> found = target_here(panel);
  if (!found || !found->now.reason.empty()) return right;
  const std::string value = target_number(found->now.value);
  const std::optional<double> change = found->change();
  const std::string moved = change ? target_change(*change) : std::string();
  const float space = look.px(6), padding = look.px(12);
  const float words = text_width(look, Type::body, "target") + space + text_width(look, Type::number, value) +
                      (moved.empty() ? 0 : space + text_width(look, Type::number, moved));
  const float height = look.px(kStripChipHeight), top = box.y + std::round((box.height - height) / 2), middle = top + height / 2;
  const float left = right - words - 2 * padding;
  if (press_area("Target", {left, top}, {right - left, height}).is_clicked) panel.view.view = View::output;
  std::string about = printable(describe_target(panel.draft.target), 120);
  if (found->before) about += fmt::format(": {} without edits, {} with them", target_number(found->before->value), value);
  hint(look, (about + ".\nClick shows Output.").c_str());
  fill(look, {left, top}, {right, top + height}, look.colours.raised);
  float x = left + padding;
  const auto put = [&](Type type, Colour colour, const std::string& text) {
    draw_text(look, x, middle, type, colour, text);
    x += text_width(look, type, text) + space;
  };
  put(Type::body, look.colours.text_second, "target");
  put(Type::number, look.colours.text, value);
  if (!moved.empty()) put(Type::number, look.colours.accent, moved);
  return left - look.px(kBetween);
}

/// "first token hidden", with a × that shows it again: in every view, wherever it was hidden. Returns its left edge.
float draw_hidden(Panel& panel, const Box& box, float right) {
  const Look& look = panel.look;
  Style& style = panel.draft.style;
  if (style.hidden.is_empty()) return right;
  const std::string note = note_on_hidden(panel);
  const std::string how = hides_nothing_here(panel)             ? " hidden: not in this text"
                          : style.hiding == Hiding::renormalise ? " hidden, renormalised"
                                                                : " hidden";
  const std::string name = elided(look, Type::body, hidden_keys_text(style.hidden) + how, box.width * kMostOfStrip);
  const std::string help =
      (note.empty() ? "These keys are left out of the maps." : note) + " × shows them again; Display in the left rail chooses others.";
  const ChipPresses presses = draw_named_chip(
      look, box, right, {"Hidden keys", name, help.c_str(), look.colours.text_third, "Show hidden keys", "Show all keys again."});
  if (presses.is_closed) style.hidden = {};
  return presses.left;
}

}  // namespace

float draw_strip_chips(Panel& panel, int layer, const Box& box) {
  const float pin = draw_pin(panel, layer, box), brush = draw_brush(panel, pin, box);
  return draw_target(panel, box, draw_hidden(panel, box, draw_unanswered_chip(panel, brush, box)));
}

}  // namespace headlight
