// Buttons of every kind (widgets.h).
#include <imgui_internal.h>

#include <cmath>

#include "app/gui/kit/shapes.h"

namespace headlight {

float button_width(const Look& look, std::string_view label) {
  return std::ceil(text_width(look, Type::body, label)) + 2 * look.px(12);
}

namespace {

/// Enter presses the item until the keyboard moves elsewhere. Dear ImGui would scroll to it: what opens is read from its top.
void take_enter() {
  ImGuiWindow* const window = ImGui::GetCurrentWindow();
  const ImVec2 target = window->ScrollTarget, ratio = window->ScrollTargetCenterRatio, snap = window->ScrollTargetEdgeSnapDist;
  ImGui::SetItemDefaultFocus();
  window->ScrollTarget = target;
  window->ScrollTargetCenterRatio = ratio;
  window->ScrollTargetEdgeSnapDist = snap;
}

}  // namespace

bool main_button(const Look& look, const char* name, ImVec2 at, ImVec2 size, bool is_enabled) {
  const Press press = press_area(name, at, size);
  if (is_enabled && is_in_popup()) take_enter();
  const Colour lit = mix(look.colours.accent, look.colours.text, press.is_hovered && is_enabled ? 0.15F : 0.0F);
  fill(look, at, {at.x + size.x, at.y + size.y}, is_enabled ? lit : look.colours.raised);
  // Dark text on the bright accent of the dark theme, white on the deep one of the light theme.
  const bool is_bright = look.colours.accent.green > 140;
  const Colour lively = is_bright ? look.colours.ground : Colour{255, 255, 255, 255};
  const Colour writing = is_enabled ? lively : look.colours.text_third;
  draw_text(look, at.x + size.x / 2, at.y + size.y / 2, Type::strong, writing, name, AlignX::centre);
  return press.is_clicked && is_enabled;
}

bool quiet_button(const Look& look, const char* name, ImVec2 at, ImVec2 size, bool is_enabled) {
  const Press press = press_area(name, at, size);
  const ImVec2 to{at.x + size.x, at.y + size.y};
  fill(look, at, to, press.is_hovered && is_enabled ? look.colours.line : look.colours.raised);
  outline(look, at, to, look.colours.line);
  draw_text(look, at.x + size.x / 2, at.y + size.y / 2, Type::body, is_enabled ? look.colours.text : look.colours.text_third, name,
            AlignX::centre);
  return press.is_clicked && is_enabled;
}

Press word_button(const Look& look, const char* name, std::string_view text, float right, const Box& bar) {
  const float width = text_width(look, Type::caption, text);
  const float inset = look.px(kUnit);
  const Press press = press_area(name, {right - width - inset, bar.y + 1}, {width + 2 * inset, bar.height - 1});
  const Colour colour = press.is_hovered ? look.colours.text : look.colours.text_second;
  draw_text(look, right, bar.y + bar.height / 2, Type::caption, colour, text, AlignX::right);
  return press;
}

bool close_button(const Look& look, const char* name, ImVec2 centre) {
  const float side = look.px(kControl);
  const Press press = press_area(name, {centre.x - side / 2, centre.y - side / 2}, {side, side});
  const ImU32 colour = to_imgui(press.is_hovered ? look.colours.text : look.colours.text_second);
  const float arm = look.scale * 4;
  canvas().AddLine({centre.x - arm, centre.y - arm}, {centre.x + arm, centre.y + arm}, colour, look.scale * 1.3F);
  canvas().AddLine({centre.x - arm, centre.y + arm}, {centre.x + arm, centre.y - arm}, colour, look.scale * 1.3F);
  return press.is_clicked;
}

}  // namespace headlight
