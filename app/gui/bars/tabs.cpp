#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/gui/bars/bars.h"
#include "app/gui/bars/subject_chips.h"
#include "app/gui/kit/region.h"
#include "app/gui/panel/panel.h"

namespace headlight {
namespace {

/// Points: from the edge of a tab to its name, and from tab to tab.
struct TabSpace {
  float inside = 0, between = 0;
};
/// The widest that fits is taken. Closer than the last the names would run into each other: rather the last views go into a menu.
constexpr std::array kTabSpaces{TabSpace{12, kInside}, TabSpace{9, 2}, TabSpace{7, 0}, TabSpace{5, 0}, TabSpace{4.5F, 0}};
constexpr std::size_t kWideSpaces = 2;
// Points at the right of the tabs for the menu of a view, and while there is a baseline for its chip and for the moments as well: at least, and
// so much that the chip can say what differs, if the tabs can be set so close. The same in every view: tabs do not move when one of them is pressed.
constexpr float kMenuRoom = 126, kLeastBaselineRoom = 219, kBaselineRoom = 450;
constexpr float kMore = 72;  // of "More ▾"

struct Tab {
  const ViewRow* row = nullptr;
  std::string count;
  float text = 0;  ///< pixels of its name and its count
};

Tab make_tab(const Panel& panel, const ViewRow& row) {
  const Look& look = panel.look;
  Tab tab{&row, row.count ? row.count(panel) : std::string(), text_width(look, Type::body, row.title)};
  if (!tab.count.empty()) tab.text += text_width(look, Type::number, tab.count) + look.px(kInside + 2);
  return tab;
}

float width_of(const Look& look, const Tab& tab, TabSpace space) {
  return tab.text + 2 * look.px(space.inside);
}

float width_of(const Look& look, const std::vector<Tab>& tabs, TabSpace space) {
  float width = 0;
  for (const Tab& tab : tabs) width += width_of(look, tab, space) + look.px(space.between);
  return width;
}

/// Which views have tabs, how far apart, and which are in a menu at their end.
struct TabPlan {
  TabSpace space;
  std::vector<Tab> tabs;
  std::vector<const ViewRow*> in_menu;
};

/// For tabs, chip and menu together. The shown view always has a tab.
TabPlan plan_tabs(const Panel& panel, float room) {
  TabPlan plan;
  const bool has_baseline = panel.draft.baseline.has_value();
  for (const ViewRow& row : panel.views) plan.tabs.push_back(make_tab(panel, row));
  const auto fits = [&](float after) { return width_of(panel.look, plan.tabs, plan.space) + panel.look.px(after) <= room; };
  for (const TabSpace& space : kTabSpaces) {
    plan.space = space;
    if (fits(has_baseline ? kBaselineRoom : kMenuRoom)) return plan;
  }
  // Where even close tabs leave too little for what differs, they need not be the closest.
  for (std::size_t place = kWideSpaces; has_baseline && place < kTabSpaces.size(); ++place) {
    plan.space = kTabSpaces[place];
    if (fits(kLeastBaselineRoom)) return plan;
  }
  const float before_menu = room - panel.look.px((has_baseline ? kLeastBaselineRoom : kMenuRoom) + kMore);
  while (plan.tabs.size() > 1 && width_of(panel.look, plan.tabs, plan.space) > before_menu) {
    const bool is_last_shown = plan.tabs.back().row->view == panel.view.view;
    const auto leaves = plan.tabs.end() - (is_last_shown ? 2 : 1);
    plan.in_menu.insert(plan.in_menu.begin(), leaves->row);
    plan.tabs.erase(leaves);
  }
  return plan;
}

float draw_tab(Panel& panel, const Tab& tab, TabSpace space, float left, const Box& box) {
  const Look& look = panel.look;
  const ViewRow& row = *tab.row;
  const float width = width_of(look, tab, space), height = look.px(kRow);
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
  draw_text(look, left + width - look.px(space.inside), top + height / 2, Type::number, look.colours.text_second, tab.count, AlignX::right);
  return left + width + look.px(space.between);
}

/// "More ▾": the views without a tab. Returns its right edge.
float draw_more(Panel& panel, const std::vector<const ViewRow*>& rows, float left, const Box& box) {
  const Look& look = panel.look;
  constexpr const char* kPopup = "more views";
  const float right = left + look.px(kMore), width = look.px(120);
  if (drop_button(look, "More views", right, box.y + box.height / 2, "More")) ImGui::OpenPopup(kPopup);
  ImGui::SetNextWindowPos({left, box.bottom()}, ImGuiCond_Appearing);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(kUnit), look.px(kUnit)));
  if (begin_popup(kPopup)) {
    for (const ViewRow* row : rows) {
      if (list_entry(look, row->title, false, width)) panel.view.view = row->view;
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
  return right;
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
  float left = box.x + look.px(kUnit);
  float right = box.right() - look.px(24);
  const TabPlan plan = plan_tabs(panel, right - left);
  for (const Tab& tab : plan.tabs) left = draw_tab(panel, tab, plan.space, left, box);
  if (!plan.in_menu.empty()) left = draw_more(panel, plan.in_menu, left, box);
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
