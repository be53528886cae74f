#include <fmt/core.h>

#include <array>

#include "app/document/names.h"
#include "app/gui/panel/panel.h"
#include "app/gui/rails/rails.h"

namespace headlight {
namespace {

constexpr float kSwatchWidth = 64;
constexpr float kSwatchHeight = 10;

/// Ramps for weights; the diverging one belongs to differences.
constexpr std::array kWeightMaps{ColourMap::magma, ColourMap::viridis, ColourMap::cividis, ColourMap::grey, ColourMap::blues};

void draw_swatch(const Panel& panel, ColourMap map, float right, float middle) {
  const Look& look = panel.look;
  const float width = look.px(kSwatchWidth);
  const float height = look.px(kSwatchHeight);
  draw_ramp(ramp(map, panel.draft.style.theme == Theme::dark), {right - width, std::round(middle - height / 2)}, {width, height});
}

void draw_colours(Panel& panel) {
  const Look& look = panel.look;
  Style& style = panel.draft.style;
  const Row row = begin_row(look, "Colours", "Maps that are even to the eye and safe for colour-blind eyes.");
  draw_swatch(panel, style.map, row.right - look.px(18), row.middle());
  const float width = look.px(kSwatchWidth + 24);
  const Press press = press_area("Colours", {row.right - width, row.top}, {width, row.height});
  hint(look, row.help);
  draw_triangle(look, {row.right - look.px(4), row.middle()}, press.is_hovered ? look.colours.text : look.colours.text_second);
  if (press.is_clicked) ImGui::OpenPopup("Colour maps");
  ImGui::SetNextWindowPos({row.right, row.top + row.height}, ImGuiCond_Appearing, {1, 0});
  ImGui::SetNextWindowSize({look.px(208), 0});
  if (!begin_popup("Colour maps")) return;
  for (const ColourMap map : kWeightMaps) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x;
    const std::string name(name_of(map));
    if (ImGui::Selectable(name.c_str(), map == style.map, 0, {0, look.px(kRow)})) style.map = map;
    if (map == style.map) ImGui::SetItemDefaultFocus();
    draw_swatch(panel, map, at.x + room, at.y + look.px(kRow) / 2);
  }
  ImGui::EndPopup();
}

void draw_scale(Panel& panel) {
  const Look& look = panel.look;
  Style& style = panel.draft.style;
  const std::array<std::string, 3> scales{"linear", "log", "γ"};
  int scale = static_cast<int>(style.scale);
  const Row row =
      begin_row(look, "Scale", "How weights are spread over the colours. γ below 1 lifts small weights; log shows four powers of ten.");
  if (segmented(look, row, "Scale", scales, scale)) style.scale = static_cast<ScaleKind>(scale);
  if (style.scale != ScaleKind::gamma) return;
  constexpr float kHome = 0.6F;
  if (slider(look, begin_row(look, "Gamma"), "Gamma", style.gamma, 0.2F, 1.5F, kHome, fmt::format("{:.2f}", style.gamma))) {
    style.gamma = std::round(style.gamma * 20) / 20;
  }
}

void draw_range(Panel& panel) {
  const Look& look = panel.look;
  Style& style = panel.draft.style;
  const std::array<std::string, 4> ranges{"0 … 1", "this head", "this layer", "fixed"};
  int range = static_cast<int>(style.range);
  const Row row =
      begin_row(look, "Range", "What the last colour stands for: 1, the largest weight of the head or of its layer, or a number of yours.");
  if (drop_down(look, row, "Range", ranges, range)) style.range = static_cast<RangeKind>(range);
  if (style.range != RangeKind::fixed) return;
  if (slider(look, begin_row(look, "Up to"), "Up to", style.fixed_high, 0.05F, 1, 1, fmt::format("{:.2f}", style.fixed_high))) {
    style.fixed_high = std::round(style.fixed_high * 20) / 20;
  }
}

}  // namespace

void draw_display_panel(Panel& panel) {
  const Look& look = panel.look;
  if (!section(look, "Display", panel.view.folded)) return;
  Style& style = panel.draft.style;
  const std::array<std::string, 2> themes{"dark", "light"};
  int theme = static_cast<int>(style.theme);
  if (segmented(look, begin_row(look, "Theme", "The ground of the window. It brings its own colours, unless others were chosen."), "Theme",
                themes, theme))
    set_theme(style, static_cast<Theme>(theme));
  draw_colours(panel);
  draw_scale(panel);
  draw_range(panel);
}

}  // namespace headlight
