#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <span>

#include "app/gui/kit/region.h"
#include "app/gui/panel/panel.h"
#include "app/gui/rails/rails.h"

namespace headlight {
namespace {

struct RailSection {
  const char* title;
  void (*draw)(Panel& panel);
};
constexpr std::array<RailSection, 8> kSections{{{"Heads", draw_heads_panel},
                                                {"Mask", draw_mask_panel},
                                                {"Score", draw_score_panel},
                                                {"Block", draw_block_panel},
                                                {"Display", draw_display_panel},
                                                {"Sandbox", draw_sandbox_panel},
                                                {"Train a head", draw_training_panel},
                                                {"Edits", draw_edits_panel}}};
/// The rail of maps from a file, which cannot be recomputed; a mask says which keys their measures count.
constexpr std::array<RailSection, 3> kDumpSections{
    {{"Maps from a file", draw_dump_panel}, {"Mask", draw_mask_panel}, {"Display", draw_display_panel}}};
constexpr float kFoot = 28;  ///< height of the line that names what lies below, in points

/// Draws the sections that the model has, and notes those whose title lies below `bottom`.
void draw_sections(Panel& panel, float bottom, LeftRail& rail) {
  rail.sections_below.clear();
  const auto sections = panel.is_dump() ? std::span<const RailSection>(kDumpSections) : std::span<const RailSection>(kSections);
  for (const RailSection& section : sections) {
    const float top = ImGui::GetCursorScreenPos().y;
    if (rail.wanted_section == section.title) {
      ImGui::SetScrollHereY(0);
      rail.wanted_section.clear();
    }
    section.draw(panel);
    if (ImGui::GetCursorScreenPos().y == top) continue;
    if (top + panel.look.px(kRow) > bottom) rail.sections_below.emplace_back(section.title);
    gap(panel.look, kUnit);
  }
  gap(panel.look, kFoot);  // so that the last title can be scrolled above the foot before the foot disappears
}

/// While the rail is longer than the window: the names of the sections further down; pressing one scrolls there.
void draw_foot(Panel& panel, const Box& box, LeftRail& rail) {
  const Look& look = panel.look;
  begin_region(look, "Foot of the left rail", box, look.colours.panel, {0, 0});
  ImGui::GetWindowDrawList()->AddRectFilled({box.x, box.y}, {box.right(), box.y + 1}, to_imgui(look.colours.line));
  float left = box.x + look.px(kBetween);
  for (const std::string& title : rail.sections_below) {
    const float width = text_width(look, Type::caption, title);
    if (left + width + look.px(kUnit) > box.right()) break;
    const Press press = word_button(look, ("Go to " + title).c_str(), title, left + width, box);
    hint(look, "Further down in this rail.");
    if (press.is_clicked) {
      rail.wanted_section = title;
      panel.view.rails.folded.erase(title);
    }
    left += width + look.px(12);
  }
  const float mark = box.right() - look.px(kBetween + 4);
  if (left < mark) draw_triangle(look, {mark, box.y + box.height / 2}, look.colours.text_second);
  end_region();
}

}  // namespace

void draw_left_rail(Panel& panel, const Box& box, LeftRail& rail) {
  const Look& look = panel.look;
  const bool has_foot = !rail.sections_below.empty();  // as of the last frame
  const float foot = look.px(kFoot);
  Box sections = box;
  if (has_foot) sections.height = std::max(1.0F, sections.height - foot);
  begin_scrolling_region(look, "Left rail", sections, look.colours.panel);
  draw_sections(panel, box.bottom() - foot, rail);
  end_scrolling_region();
  if (has_foot) draw_foot(panel, {box.x, box.bottom() - foot, box.width, foot}, rail);
}

}  // namespace headlight
