#include "app/gui/kit/theme.h"

namespace headlight {
namespace {

void set_measures(ImGuiStyle& style) {
  style.WindowPadding = {kBetween, kBetween};
  style.WindowRounding = 0;
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.ChildRounding = kCorner;
  style.PopupRounding = kCorner;
  style.PopupBorderSize = 1;
  style.FramePadding = {kUnit, 5};  // 14 and twice 5: a control of 24
  style.FrameRounding = kCorner;
  style.FrameBorderSize = 1;
  style.ItemSpacing = {kUnit, 0};
  style.ItemInnerSpacing = {kInside, kInside};
  style.SelectableTextAlign = {0, 0.5F};
  style.ScrollbarSize = 10;
  style.ScrollbarRounding = 5;
  style.GrabMinSize = 24;  // so that the bar of a very long text can still be grabbed
  style.GrabRounding = kCorner;
  style.DisabledAlpha = 1;  // what is disabled is written in text_third, which can still be read
  style.HoverDelayShort = 0.35F;
  style.AntiAliasedLines = true;
}

void set_colours(ImGuiStyle& style, const Palette& colours) {
  const auto set = [&](ImGuiCol which, Colour colour) { style.Colors[which] = to_imgui_vector(colour); };
  const Colour clear{0, 0, 0, 0};
  for (ImVec4& colour : style.Colors) colour = to_imgui_vector(colours.raised);
  set(ImGuiCol_Text, colours.text);
  set(ImGuiCol_TextDisabled, colours.text_second);
  set(ImGuiCol_WindowBg, colours.panel);
  set(ImGuiCol_ChildBg, clear);
  set(ImGuiCol_PopupBg, colours.panel);
  set(ImGuiCol_Border, colours.line);
  set(ImGuiCol_BorderShadow, clear);
  set(ImGuiCol_FrameBg, colours.ground);
  set(ImGuiCol_FrameBgHovered, colours.ground);
  set(ImGuiCol_FrameBgActive, colours.ground);
  set(ImGuiCol_ScrollbarBg, clear);
  set(ImGuiCol_ScrollbarGrab, colours.line);
  set(ImGuiCol_ScrollbarGrabHovered, colours.text_third);
  set(ImGuiCol_ScrollbarGrabActive, colours.text_third);
  set(ImGuiCol_CheckMark, colours.accent);
  set(ImGuiCol_Separator, colours.line);
  set(ImGuiCol_ResizeGrip, clear);
  set(ImGuiCol_TextSelectedBg, faded(colours.accent, 0.35F));
  set(ImGuiCol_InputTextCursor, colours.accent);
  set(ImGuiCol_NavCursor, colours.accent);
  set(ImGuiCol_TextLink, colours.accent);
  const bool is_light = colours.ground.red > colours.text.red;
  set(ImGuiCol_ModalWindowDimBg, is_light ? faded(colours.text, 0.25F) : Colour{0, 0, 0, 140});
}

}  // namespace

FontFace Look::face(Type type) const {
  if (type == Type::number) return FontFace::mono;
  return type == Type::title || type == Type::strong || type == Type::heading ? FontFace::ui_bold : FontFace::ui;
}

namespace {

float points_of(Type type) {
  switch (type) {
    case Type::title:
      return 16;
    case Type::body:
    case Type::strong:
      return 14;
    case Type::caption:
    case Type::heading:
    case Type::number:
      return 12;
  }
  return 14;
}

}  // namespace

float Look::points(Type type) const {
  return points_of(type) * (face(type) == FontFace::mono ? 1 : fonts.share);
}

ImU32 to_imgui(Colour colour) {
  return IM_COL32(colour.red, colour.green, colour.blue, colour.alpha);
}

ImVec4 to_imgui_vector(Colour colour) {
  return ImGui::ColorConvertU32ToFloat4(to_imgui(colour));
}

Colour faded(Colour colour, float share) {
  colour.alpha = static_cast<std::uint8_t>(static_cast<float>(colour.alpha) * share);
  return colour;
}

void apply_theme(Theme theme, float scale) {
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  set_measures(style);
  style.ScaleAllSizes(scale);
  style.FontSizeBase = 14 * scale;  // sizes are pixels (fonts.h)
  set_colours(style, palette(theme));
}

}  // namespace headlight
