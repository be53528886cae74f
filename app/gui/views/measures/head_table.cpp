#include "app/gui/views/measures/head_table.h"

#include <algorithm>
#include <cmath>

#include "app/document/wording.h"
#include "app/gui/columns/brush.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/focus.h"

namespace headlight {
namespace {

constexpr float kHeadColumn = 76, kWideHeadColumn = 104;  // the latter where layers have names
constexpr float kLeastColumn = 92, kTableRow = 24, kLeastBar = 34, kNumberWidth = 52;

void draw_row_ground(const HeadTable& table, HeadId head, const Box& box, bool is_hovered) {
  const Look& look = table.panel.look;
  const ImVec2 from{box.x, box.y}, to{box.right(), box.bottom()};
  const bool is_marked = is_brushed(table.panel, head);
  if (is_marked) fill(look, from, to, mix(look.colours.ground, look.colours.accent, 0.16F), 4);
  if (is_hovered && !is_marked) fill(look, from, to, look.colours.raised, 4);
  if (table.panel.view.head == head) outline(look, from, to, look.colours.accent, 4);
  const ImVec2 dot{box.x + look.px(14), box.y + box.height / 2};
  const ImU32 colour = to_imgui(is_marked ? look.colours.accent : look.colours.text_third);
  if (is_marked) {
    canvas().AddCircleFilled(dot, look.px(3.5F), colour);
  } else {
    canvas().AddCircle(dot, look.px(3), colour);
  }
}

/// The number face has one weight: a second stroke beside the first makes it bold.
void embolden(const Look& look, float right, float middle, Colour colour, const std::string& text) {
  const float size = look.points(Type::number) * look.scale;
  const ImVec2 at{std::round(right - text_width(look, Type::number, text)) + 0.6F * look.scale, std::round(middle - size / 2)};
  canvas().AddText(look.font(Type::number), size, at, to_imgui(colour), text.c_str());
}

/// The number at the right; in the column that sorts, a bar at its left.
void draw_value(const HeadTable& table, int number, HeadId head, const Box& box) {
  const Look& look = table.panel.look;
  const HeadColumn& column = table.column(number);
  const ColumnSpread& spread = table.spread(number);
  const double value = column.values.of(head);
  const std::vector<ColumnSort>& sorts = table.panel.view.measures.sorts;
  const bool is_first = is_best(column, spread, value);
  const bool is_sorted = !sorts.empty() && sorts.front().column == column.id;
  const std::string text = column_number(column, value);
  const float inset = look.px(kUnit), middle = box.y + box.height / 2;
  const Colour colour = is_first || is_sorted ? look.colours.text : look.colours.text_second;
  draw_text(look, box.right() - inset, middle, Type::number, colour, text, AlignX::right);
  if (is_first) embolden(look, box.right() - inset, middle, colour, text);
  if (!is_sorted || std::isnan(value)) return;
  // Beside the number where there is room, else under it.
  const float beside = box.right() - inset - look.px(kNumberWidth);
  const bool is_beside = beside - box.x - inset >= look.px(kLeastBar);
  const float left = box.x + inset, right = is_beside ? beside : box.right() - inset;
  const float bar = is_beside ? middle : box.bottom() - look.px(3), half = look.px(is_beside ? 2 : 1);
  fill(look, {left, bar - half}, {right, bar + half}, look.colours.line, 2);
  const float end = left + (right - left) * static_cast<float>(bar_of(column, spread, value));
  if (end > left + 1) fill(look, {left, bar - half}, {end, bar + half}, look.colours.accent, 2);
}

void answer_row(const HeadTable& table, HeadId head, const Press& press) {
  Panel& panel = table.panel;
  if (!press.is_hovered) return;
  panel.view.pointed.head = head;
  if (is_right_click()) ask_menu(panel, {.kind = MenuKind::head, .head = {head}});
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    panel.view.view = View::head;
    return;
  }
}

void draw_row(const HeadTable& table, HeadId head, const Box& box) {
  Panel& panel = table.panel;
  const Look& look = panel.look;
  const std::string name = short_name(*panel.snapshot, head);
  const Press press = press_area_in_list(("row " + name).c_str(), {box.x, box.y}, {box.width, box.height}, panel.view.head == head);
  draw_row_ground(table, head, box, press.is_hovered || hovered_head(panel) == head);
  draw_text(look, box.x + look.px(26), box.y + box.height / 2, Type::number, look.colours.text, name);
  for (int number = table.plan.first; number < table.plan.first + table.plan.shown; ++number) {
    draw_value(table, number, head, {box.x + table.plan.left_of(number), box.y, table.plan.column_width, box.height});
  }
  if (press.is_clicked) brush_by_click(panel.view, head, table.rows);
  answer_row(table, head, press);
}

/// Scrolls to the chosen head when it became another.
void reveal_chosen(const HeadTable& table, float height, float room) {
  ViewState& view = table.panel.view;
  if (view.measures.revealed == view.head) return;
  view.measures.revealed = view.head;
  const auto row = std::find(table.rows.begin(), table.rows.end(), view.head);
  if (row == table.rows.end()) return;
  const float top = height * static_cast<float>(row - table.rows.begin()), scroll = ImGui::GetScrollY();
  if (top < scroll) ImGui::SetScrollY(top);
  if (top + height > scroll + room) ImGui::SetScrollY(top + height - room);
}

/// Only those in sight.
void draw_rows(const HeadTable& table, const Box& box) {
  const float height = table.panel.look.px(kTableRow), scroll = ImGui::GetScrollY();
  reveal_chosen(table, height, box.height);
  const auto first =
      static_cast<std::size_t>(std::ceil(scroll / height));  // whole rows: none lies under the headings, and the last is seen
  for (std::size_t row = first; row < table.rows.size(); ++row) {
    const float top = box.y + height * static_cast<float>(row - first);
    if (top >= box.bottom()) break;
    draw_row(table, table.rows[row], {box.x, top, box.width, height});
  }
}

void draw_no_rows(const Look& look, const Box& box) {
  draw_text(look, box.x + box.width / 2, box.y + std::min(box.height / 2, look.px(48)), Type::body, look.colours.text_second,
            "No head passes all filters.", AlignX::centre);
}

float width_of_heads(const Panel& panel) {
  const bool has_names = panel.snapshot->model->config.place(0).stack != Stack::only;
  return panel.look.px(has_names ? kWideHeadColumn : kHeadColumn);
}

}  // namespace

TablePlan plan_table(float room, float least_width, float head_width, int columns, float scroll) {
  TablePlan plan{.head_width = head_width, .columns = columns};
  const float left = std::max(least_width, room - head_width);
  plan.shown = std::min(columns, std::max(1, static_cast<int>(left / least_width)));
  plan.column_width = plan.shown > 0 ? std::floor(left / static_cast<float>(plan.shown)) : 0;
  if (plan.column_width > 0) {
    plan.first = std::clamp(static_cast<int>(std::round(scroll / plan.column_width)), 0, columns - plan.shown);
  }
  return plan;
}

std::vector<HeadId> rows_of_table(const Panel& panel, const ShownColumns& shown) {
  const MeasuresPage& page = panel.view.measures;
  return sorted_heads(filtered_heads(panel.snapshot->all_heads(), shown.columns, page.ranges), shown.columns, page.sorts);
}

void draw_head_table(Panel& panel, const ShownColumns& shown, const std::vector<HeadId>& heads, const Box& box, bool drops_questions) {
  const Look& look = panel.look;
  begin_region(look, "Table of heads", box, Colour{0, 0, 0, 0}, {0, 0});
  HeadTable table{panel, shown, heads};
  table.drops_questions = drops_questions;
  const float bar = ImGui::GetStyle().ScrollbarSize, least = look.px(kLeastColumn);
  const auto plan_at = [&](float scroll) {
    return plan_table(box.width - bar, least, width_of_heads(panel), static_cast<int>(shown.columns.size()), scroll);
  };
  table.title_lines = lines_of_titles(look, shown.columns, plan_at(0).column_width, box.height);
  const float heading = look.px(heading_height(look, table.title_lines, box.height));
  const Box rows{box.x, box.y + heading, box.width, std::max(1.0F, box.height - heading)};
  ImGui::SetCursorScreenPos({rows.x, rows.y});
  ImGui::BeginChild("rows", {rows.width, rows.height}, ImGuiChildFlags_NavFlattened,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoBackground);
  const float room = rows.width - bar;
  table.plan = plan_at(ImGui::GetScrollX());
  const std::vector<HeadId> all = panel.snapshot->all_heads();
  for (int number = table.plan.first; number < table.plan.first + table.plan.shown; ++number) {
    table.spreads.push_back(spread_of(table.column(number), all));
  }
  const bool is_scrolled = table.plan.shown < table.plan.columns;
  const float height = look.px(kTableRow) * static_cast<float>(table.rows.size());
  ImGui::Dummy({is_scrolled ? table.plan.content_width() : 1, height + panel.caches.notes_height});
  draw_rows(table, {rows.x, rows.y, room, rows.height - (is_scrolled ? bar : 0)});
  if (table.rows.empty()) draw_no_rows(look, rows);
  ImGui::EndChild();
  draw_headings(table, {box.x, box.y, room, heading});
  canvas().AddRectFilled({box.x, rows.y - 1}, {box.x + room, rows.y}, to_imgui(look.colours.line));
  end_region();
}

}  // namespace headlight
