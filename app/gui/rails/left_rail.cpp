#include <imgui_internal.h>

#include <algorithm>
#include <utility>

#include "app/gui/kit/region.h"
#include "app/gui/panel/panel.h"
#include "app/gui/rails/rail_stub.h"
#include "app/gui/rails/rails.h"

namespace headlight {
namespace {

constexpr float kFoot = 28;  ///< height of the line that names what lies below, in points

/// Draws the sections that the model has, and notes those whose title lies below `bottom`.
void draw_sections(Panel& panel, float bottom, LeftRail& rail) {
  rail.sections_below.clear();
  bool is_first = true;
  for (const RailSection& section : sections_of(panel)) {
    const float top = ImGui::GetCursorScreenPos().y;
    if (rail.wanted_section == section.title) {
      is_first ? ImGui::SetScrollY(0) : ImGui::SetScrollHereY(0);  // what is above the first title stays in sight too
      rail.wanted_section.clear();
    }
    is_first = false;
    section.draw(panel);
    if (top + panel.look.px(kRow) > bottom) rail.sections_below.emplace_back(section.title);
    gap(panel.look, kInside);
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

void draw_open_rail(Panel& panel, const Box& box, LeftRail& rail) {
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

}  // namespace

void draw_left_rail(Panel& panel, const Box& box, RailForm form, LeftRail& rail) {
  if (std::string& wanted = panel.view.rails.wanted_section; !wanted.empty()) {
    panel.view.rails.folded.erase(wanted);
    rail.wanted_section = std::exchange(wanted, {});
  }
  if (form == RailForm::open) draw_open_rail(panel, box, rail);
  if (form == RailForm::folded) draw_stub(panel, box, rail);
  if (form == RailForm::away) draw_wanted_section(panel, box, rail);
}

}  // namespace headlight
