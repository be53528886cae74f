#include <string>

#include "app/gui/bars/bars.h"
#include "app/gui/bars/subject_chips.h"
#include "app/gui/kit/region.h"
#include "app/gui/panel/panel.h"

namespace headlight {
namespace {

/// In a narrow window tabs are closer together, so that what is to their right keeps its place.
struct TabSpace {
  float inside = 12, between = kInside;  ///< points: from the edge of a tab to its name, and from tab to tab
};
TabSpace tab_space(const Look& look, const Box& box) {
  constexpr float kNarrow = 760, kWide = 1100;
  if (box.width < look.px(kNarrow)) return {4, 0};
  return box.width < look.px(kWide) ? TabSpace{8, 2} : TabSpace{};
}

float draw_tab(Panel& panel, const ViewRow& row, float left, const Box& box) {
  const std::string count = row.count ? row.count(panel) : std::string();
  const Look& look = panel.look;
  const TabSpace space = tab_space(look, box);
  const float label_width = text_width(look, Type::body, row.title);
  const float width =
      label_width + 2 * look.px(space.inside) + (count.empty() ? 0 : text_width(look, Type::number, count) + look.px(kUnit));
  const float height = look.px(kRow);
  const float top = box.y + std::round((box.height - height) / 2);
  const Press press = press_area(row.title, {left, top}, {width, height});
  const bool is_chosen = panel.view.view == row.view;
  if (press.is_clicked) panel.view.view = row.view;
  if (is_chosen) {
    ImGui::GetWindowDrawList()->AddRectFilled({left, top}, {left + width, top + height},
                                              to_imgui(mix(look.colours.raised, look.colours.line, 0.4F)), look.px(kCorner));
  }
  const Colour colour = is_chosen || press.is_hovered ? look.colours.text : look.colours.text_second;
  draw_text(look, left + look.px(space.inside), top + height / 2, Type::body, colour, row.title);
  draw_text(look, left + width - look.px(space.inside), top + height / 2, Type::number, look.colours.text_second, count, AlignX::right);
  return left + width + look.px(space.between);
}

/// Says in every view that the model does not continue with the edited maps.
void draw_effect_badge(const Panel& panel, float left, const Box& box) {
  const Look& look = panel.look;
  const Query& query = panel.draft.query;
  if (query.mask_reach != MaskReach::this_head || query.mask.rules.empty()) return;
  constexpr const char* kWord = "mask edits: this map only";
  const float middle = box.y + box.height / 2;
  const float width = draw_badge(look, left, middle, kWord, look.colours.query);
  press_area("Effect badge", {left, middle - look.px(9)}, {width, look.px(18)});
  hint(look, "Edited maps are shown as edited, but later layers were computed with the model's own mask.");
}

}  // namespace

void draw_tabs(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  begin_region(look, "Tabs", box, Colour{0, 0, 0, 0}, {0, 0});
  float left = box.x + look.px(kBetween);
  for (const ViewRow& row : panel.views) left = draw_tab(panel, row, left, box);
  float right = box.right() - look.px(24);
  const float before_menu = left + (panel.draft.baseline ? least_baseline_chip(look) + 2 * look.px(kInside) : 0);
  for (const ViewRow& row : panel.views) {
    const bool is_shown = row.view == panel.view.view;
    if (is_shown && row.draw_menu) right = row.draw_menu(panel, {box.x, right, box.y, box.height, before_menu});
  }
  if (panel.has_picture()) left = draw_baseline_chip(panel, left + look.px(kInside), right - look.px(kInside), box);
  draw_effect_badge(panel, left + look.px(kUnit), box);
  ImGui::GetWindowDrawList()->AddLine({box.x, box.bottom() - 1}, {box.right(), box.bottom() - 1}, to_imgui(look.colours.line));
  end_region();
}

}  // namespace headlight
