#include "app/gui/kit/widgets.h"

#include <fmt/core.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/kit/shaping/scripts.h"

namespace headlight {
namespace {

/// Widths of segments: their labels and a margin; narrower margins where the row is too short for all.
std::vector<float> segment_widths(const Look& look, std::span<const std::string> labels, float room) {
  std::vector<float> widths;
  float sum = 0;
  for (const std::string& label : labels) {
    widths.push_back(std::ceil(text_width(look, Type::body, label)));
    sum += widths.back();
  }
  const auto count = static_cast<float>(labels.size());
  const float margin = std::floor(std::clamp((room - sum) / count, look.px(kUnit), look.px(20)));
  for (float& width : widths) width += margin;
  // If they leave only a few pixels of the row, they are widened to fill it.
  const float rest = room - sum - margin * count;
  if (rest > 0 && rest < count) widths.back() += rest;
  return widths;
}

bool segment(const Look& look, const std::string& name, const std::string& label, ImVec2 at, ImVec2 size, bool is_on,
             bool is_enabled = true) {
  const Press press = press_area(name.c_str(), at, size);
  const float inset = look.px(2);
  if (is_on) fill(look, {at.x + inset, at.y + inset}, {at.x + size.x - inset, at.y + size.y - inset}, look.colours.line, kInside);
  const Colour idle = is_enabled ? look.colours.text_second : look.colours.text_third;
  const Colour colour = is_enabled && (is_on || press.is_hovered) ? look.colours.text : idle;
  draw_text(look, at.x + size.x / 2, at.y + size.y / 2, Type::body, colour, label, AlignX::centre);
  return press.is_clicked && is_enabled;
}

int draw_segments(const Look& look, const Row& row, const char* name, std::span<const std::string> labels,
                  std::span<const std::string> names, const auto& is_on, std::span<const Choice> choices = {}) {
  const std::vector<float> widths = segment_widths(look, labels, row.right - row.control_left);
  float width = 0;
  for (const float each : widths) width += each;
  const float height = look.px(kControl);
  const float top = std::round(row.middle() - height / 2);
  float x = std::round(row.right - width);
  fill(look, {x, top}, {row.right, top + height}, look.colours.ground);
  outline(look, {x, top}, {row.right, top + height}, look.colours.line);
  int pressed = -1;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const bool is_enabled = choices.empty() || choices[i].is_enabled;
    const bool is_pressed =
        segment(look, fmt::format("{} {}", name, names[i]), labels[i], {x, top}, {widths[i], height}, is_on(i), is_enabled);
    hint(look, choices.empty() ? row.help : choices[i].help.c_str());
    if (is_pressed) pressed = static_cast<int>(i);
    x += widths[i];
  }
  return pressed;
}

void turn_fold(std::set<std::string, std::less<>>& folded, const char* name) {
  const auto place = folded.find(name);
  if (place == folded.end()) {
    folded.insert(name);
  } else {
    folded.erase(place);
  }
}

}  // namespace

Row begin_row(const Look& look, std::string_view label, const char* help, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  Row row{at.x, at.x + width, at.y, look.px(height), at.x, help};
  if (label.empty()) {
    ImGui::Dummy({width, row.height});
    return row;
  }
  const float label_width = std::min(width, text_width(look, Type::body, label));
  row.control_left += label_width + look.px(kBetween);
  ImGui::Dummy({label_width, row.height});
  hint(look, help);
  draw_text(look, row.left, row.middle(), Type::body, look.colours.text_second, label);
  return row;
}

void number_row(const Look& look, std::string_view label, std::string_view number, const char* help, float height) {
  const float room = ImGui::GetContentRegionAvail().x - text_width(look, Type::number, number) - look.px(kUnit);
  const std::string shown = elided_middle(look, Type::body, label, std::max(room, look.px(kUnit)));
  const std::string whole = shown == label ? std::string() : std::string(label) + (help ? ". " + std::string(help) : "");
  const Row row = begin_row(look, shown, whole.empty() ? help : whole.c_str(), height);
  draw_text(look, row.right, row.middle(), Type::number, look.colours.text, number, AlignX::right);
}

Press press_area(const char* name, ImVec2 at, ImVec2 size) {
  const ImVec2 before = ImGui::GetCursorScreenPos();
  ImGuiWindow& window = *ImGui::GetCurrentWindow();
  const ImVec2 furthest = window.DC.CursorMaxPos;
  ImGui::SetCursorScreenPos(at);
  Press press;
  press.is_clicked = ImGui::InvisibleButton(name, {std::max(size.x, 1.0F), std::max(size.y, 1.0F)}, ImGuiButtonFlags_EnableNav);
  press.is_hovered = ImGui::IsItemHovered();
  press.is_held = ImGui::IsItemActive();
  ImGui::SetCursorScreenPos(before);
  // The area is inside a reserved row: it neither moves what follows nor makes the panel larger.
  window.DC.CursorMaxPos = furthest;
  window.DC.IsSetPos = false;
  return press;
}

Press press_area_in_list(const char* name, ImVec2 at, ImVec2 size, bool is_tab_stop) {
  ImGui::PushItemFlag(ImGuiItemFlags_NoTabStop, !is_tab_stop);
  const Press press = press_area(name, at, size);
  ImGui::PopItemFlag();
  return press;
}

bool is_walked_by_keyboard() {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  return context.OpenPopupStack.Size == 0 && context.IO.NavVisible && !context.IO.WantTextInput;
}

void give_keyboard(bool is_walking) {
  ImGuiContext& context = *ImGui::GetCurrentContext();
  const bool has_popup = context.OpenPopupStack.Size > 0;
  context.ConfigNavWindowingKeyNext = context.ConfigNavWindowingKeyPrev = 0;  // ctrl+tab: our regions are not windows to switch between
  if (has_popup) {
    const bool is_new = (context.IO.ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard) == 0;
    if (is_new) ImGui::SetNavCursorVisible(true);  // where the keyboard is
    context.IO.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    // Dear ImGui would close the popup before the frame begins, and other code that asks for Escape would then see no popup open.
    ImGui::SetKeyOwner(ImGuiKey_Escape, ImHashStr("popups"));
    return;
  }
  ImGui::SetKeyOwner(ImGuiKey_Tab, ImHashStr("regions"));  // Dear ImGui's own Tab would stay in one region
  if (is_walking) {
    context.IO.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  } else {
    context.IO.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
  }
}

bool is_escape_for_popup() {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  const bool is_innermost = context.OpenPopupStack.Size == context.BeginPopupStack.Size;
  return is_innermost && ImGui::IsKeyPressed(ImGuiKey_Escape, false) && !context.IO.WantTextInput;
}

bool is_entered() {
  return ImGui::IsItemDeactivated() && (ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter));
}

void select_all_when_entered() {
  if (!ImGui::IsItemActivated()) return;
  if (ImGuiInputTextState* const state = ImGui::GetInputTextState(ImGui::GetItemID())) state->SelectAll();
}

bool begin_popup(const char* name) {
  if (!ImGui::BeginPopup(name)) return false;
  if (is_escape_for_popup()) ImGui::CloseCurrentPopup();
  return true;
}

bool section(const Look& look, const char* title, std::set<std::string, std::less<>>& folded, std::string_view note) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = look.px(kTitleRow);
  ImGui::Dummy({width, height});
  const Press press = press_area(title, at, {width, height});
  const bool was_folded = folded.contains(title);
  if (press.is_clicked) turn_fold(folded, title);
  const float y = at.y + height / 2;
  draw_text(look, at.x, y, Type::heading, press.is_hovered ? look.colours.text : look.colours.text_second, title);
  if (was_folded) {
    const Colour colour = press.is_hovered ? look.colours.text : look.colours.text_second;
    draw_triangle(look, {at.x + width - look.px(4), y}, colour);
    if (!note.empty()) draw_text(look, at.x + width - look.px(16), y, Type::caption, colour, note, AlignX::right);
  }
  return !folded.contains(title);
}

bool fold_row(const Look& look, const char* name, std::string_view label, std::set<std::string, std::less<>>& folded,
              std::string_view note) {
  const Row row = begin_row(look, "");
  const Press press = press_area(name, {row.left, row.top}, {row.right - row.left, row.height});
  if (press.is_clicked) turn_fold(folded, name);
  const bool is_folded = folded.contains(name);
  const Colour colour = press.is_hovered ? look.colours.text : look.colours.text_second;
  draw_text(look, row.left, row.middle(), Type::body, colour, is_folded ? label : "Less");
  draw_triangle(look, {row.left + text_width(look, Type::body, is_folded ? label : "Less") + look.px(12), row.middle()}, colour,
                !is_folded);
  if (is_folded) draw_text(look, row.right, row.middle(), Type::caption, look.colours.text_second, note, AlignX::right);
  return !is_folded;
}

float badge_width(const Look& look, std::string_view word) {
  return std::ceil(text_width(look, Type::caption, word)) + 2 * look.px(kUnit);
}

float draw_badge(const Look& look, float left, float middle, std::string_view word, Colour colour) {
  const float width = badge_width(look, word);
  const float half = look.px(9);
  fill(look, {left, middle - half}, {left + width, middle + half}, faded(colour, 0.16F), 9);
  outline(look, {left, middle - half}, {left + width, middle + half}, faded(colour, 0.7F), 9);
  draw_text(look, left + width / 2, middle, Type::caption, look.colours.text, word, AlignX::centre);
  return width;
}

bool segmented(const Look& look, const Row& row, const char* name, std::span<const std::string> labels, int& chosen) {
  const int pressed = draw_segments(look, row, name, labels, labels, [&](std::size_t i) { return static_cast<int>(i) == chosen; });
  if (pressed < 0 || pressed == chosen) return false;
  chosen = pressed;
  return true;
}

bool segmented(const Look& look, const Row& row, const char* name, std::span<const Choice> choices, int& chosen) {
  std::vector<std::string> labels;
  for (const Choice& choice : choices) labels.push_back(choice.label);
  const auto is_on = [&](std::size_t i) { return static_cast<int>(i) == chosen; };
  const int pressed = draw_segments(look, row, name, labels, labels, is_on, choices);
  if (pressed < 0 || pressed == chosen) return false;
  chosen = pressed;
  return true;
}

float segments_width(const Look& look, std::span<const std::string> labels) {
  const std::vector<float> widths = segment_widths(look, labels, std::numeric_limits<float>::max());
  return std::accumulate(widths.begin(), widths.end(), 0.0F);
}

int segmented_many(const Look& look, const Row& row, const char* name, std::span<const std::string> labels, const std::vector<bool>& is_on,
                   std::span<const std::string> names) {
  return draw_segments(look, row, name, labels, names.empty() ? labels : names, [&](std::size_t i) { return is_on[i]; });
}

float drop_down_width(const Look& look, std::string_view label) {
  return text_width(look, Type::body, label) + look.px(18 + kUnit);
}

bool drop_button(const Look& look, const char* name, float right, float middle, std::string_view text) {
  const float width = text_width(look, Type::body, text);
  const float height = look.px(kControl);
  const float left = right - width - look.px(18);
  const Press press = press_area(name, {left - look.px(kUnit), middle - height / 2}, {right - left + look.px(kUnit), height});
  draw_text(look, left, middle, Type::body, look.colours.text, text);
  draw_triangle(look, {right - look.px(4), middle}, press.is_hovered ? look.colours.text : look.colours.text_second);
  return press.is_clicked;
}

bool list_entry(const Look& look, const std::string& label, bool is_chosen, float width, float height, ImGuiSelectableFlags flags) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string_view shown = visible_label(label);
  const bool is_ours = needs_shaping(shown), is_disabled = (flags & ImGuiSelectableFlags_Disabled) != 0;
  const Colour colour = is_disabled ? look.colours.text_third : look.colours.text;  // legible, unlike a faded text
  if (is_ours || is_disabled) ImGui::PushStyleColor(ImGuiCol_Text, is_ours ? 0 : to_imgui(colour));
  const bool is_taken = ImGui::Selectable(label.c_str(), is_chosen, flags, {width, look.px(height)});
  if (is_ours || is_disabled) ImGui::PopStyleColor();
  if (is_ours) {
    draw_text(look, at.x, at.y + look.px(height) / 2, Type::body, colour, shown);
  } else {
    note_line(look, {at.x, at.y + look.px(height) / 2}, Type::body, shown);
  }
  return is_taken;
}

bool drop_down(const Look& look, const Row& row, const char* name, std::span<const std::string> labels, int& chosen) {
  std::vector<Choice> choices;
  choices.reserve(labels.size());
  for (const std::string& label : labels) choices.push_back({label});
  return drop_down(look, row, name, choices, chosen);
}

bool drop_down(const Look& look, const Row& row, const char* name, std::span<const Choice> choices, int& chosen) {
  const std::string& label = choices[static_cast<std::size_t>(std::clamp(chosen, 0, static_cast<int>(choices.size()) - 1))].label;
  const std::string shown = elided(look, Type::body, label, row.right - row.control_left - look.px(18));
  ImGui::PushID(name);
  if (drop_button(look, name, row.right, row.middle(), shown)) ImGui::OpenPopup("list");
  hint(look, row.help);
  bool has_changed = false;
  // Downwards, or upwards where there is more room; what does not fit scrolls.
  const float edge = look.px(kUnit), below = ImGui::GetIO().DisplaySize.y - row.top - row.height - edge, above = row.top - edge;
  const float wanted = static_cast<float>(choices.size()) * look.px(kLine + kUnit) + look.px(kUnit);
  const bool opens_up = wanted > below && above > below;
  float width = look.px(120);
  for (const Choice& choice : choices) width = std::max(width, text_width(look, Type::body, choice.label));
  // Its right end under that of the row, or its left end at the window's, where it is wider than what is left of the row.
  const bool is_wide = row.right - width - look.px(3 * kUnit) - ImGui::GetStyle().ScrollbarSize < edge;
  ImGui::SetNextWindowPos({is_wide ? edge : row.right, opens_up ? row.top : row.top + row.height}, ImGuiCond_Appearing,
                          {is_wide ? 0.0F : 1.0F, opens_up ? 1.0F : 0.0F});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, std::max(look.px(kLine), opens_up ? above : below)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(kUnit), look.px(kUnit)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(look.px(kUnit), look.px(kUnit)));
  if (begin_popup("list")) {
    for (std::size_t i = 0; i < choices.size(); ++i) {
      const Choice& choice = choices[i];
      const ImGuiSelectableFlags flags = choice.is_enabled ? 0 : ImGuiSelectableFlags_Disabled;
      const bool is_taken = list_entry(look, choice.label, static_cast<int>(i) == chosen, width, kLine, flags);
      if (static_cast<int>(i) == chosen) ImGui::SetItemDefaultFocus();
      hint(look, choice.help.empty() ? nullptr : choice.help.c_str());
      if (!is_taken) continue;
      has_changed = chosen != static_cast<int>(i);
      chosen = static_cast<int>(i);
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
  ImGui::PopID();
  return has_changed;
}

bool stepper(const Look& look, const Row& row, const char* name, int& value, int low, int high) {
  const float side = look.px(kControl);
  const float numbers = std::max(look.px(36), text_width(look, Type::number, std::to_string(value)) + look.px(kUnit));
  const float top = std::round(row.middle() - side / 2);
  const float left = row.right - 2 * side - numbers;
  fill(look, {left, top}, {row.right, top + side}, look.colours.ground);
  outline(look, {left, top}, {row.right, top + side}, look.colours.line);
  const int before = value;
  const auto step = [&](const char* sign, const char* verb, float x, int change) {
    const bool is_possible = change < 0 ? value > low : value < high;
    const Press press = press_area(fmt::format("{} {}", name, verb).c_str(), {x, top}, {side, side});
    hint(look, row.help);
    const Colour colour = press.is_hovered ? look.colours.text : look.colours.text_second;
    draw_text(look, x + side / 2, row.middle(), Type::body, is_possible ? colour : look.colours.text_third, sign, AlignX::centre);
    if (press.is_clicked && is_possible) value = std::clamp(value + change, low, high);
  };
  step("−", "less", left, -1);
  step("+", "more", row.right - side, 1);
  draw_text(look, left + side + numbers / 2, row.middle(), Type::number, look.colours.text, std::to_string(value), AlignX::centre);
  return value != before;
}

bool on_off(const Look& look, const Row& row, const char* name, bool& value) {
  const float width = look.px(34);
  const float height = look.px(18);
  const ImVec2 from{row.right - width, std::round(row.middle() - height / 2)};
  const Press press = press_area(name, {row.left, row.top}, {row.right - row.left, row.height});
  hint(look, row.help);
  if (press.is_clicked) value = !value;
  const float radius = height / 2;
  fill_rounded(look.fonts, canvas(), from, {row.right, from.y + height}, to_imgui(value ? look.colours.accent : look.colours.line), radius);
  const float x = value ? row.right - radius : from.x + radius;
  const Colour knob = value ? Colour{255, 255, 255, 255} : look.colours.text_second;
  canvas().AddCircleFilled({x, from.y + radius}, radius - look.scale * 3, to_imgui(knob), 20);
  return press.is_clicked;
}

void draw_ramp(const std::array<Colour, 256>& colours, ImVec2 at, ImVec2 size) {
  constexpr int kSteps = 16;
  for (int step = 0; step < kSteps; ++step) {
    const ImU32 from = to_imgui(colours[static_cast<std::size_t>(step * 255 / kSteps)]);
    const ImU32 to = to_imgui(colours[static_cast<std::size_t>((step + 1) * 255 / kSteps)]);
    const float left = at.x + size.x * static_cast<float>(step) / kSteps;
    const float right = at.x + size.x * static_cast<float>(step + 1) / kSteps;
    canvas().AddRectFilledMultiColor({left, at.y}, {right, at.y + size.y}, from, to, to, from);
  }
}

void draw_triangle(const Look& look, ImVec2 centre, Colour colour, bool points_up) {
  const float half = look.scale * 4;
  const float height = look.scale * (points_up ? -2.5F : 2.5F);
  canvas().AddTriangleFilled({centre.x - half, centre.y - height}, {centre.x + half, centre.y - height}, {centre.x, centre.y + height},
                             to_imgui(colour));
}

}  // namespace headlight
