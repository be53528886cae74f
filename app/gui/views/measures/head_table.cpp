#include "app/gui/views/measures/head_table.h"

#include <algorithm>
#include <cmath>

#include "app/document/wording.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/kit/shapes.h"

namespace headlight {
namespace {

constexpr float kHeadColumn = 88, kLeastColumn = 92, kHeading = 40, kTableRow = 24;

struct TableFrame {
  Panel& panel;
  const ShownColumns& shown;
  TablePlan plan;
  std::vector<HeadId> heads;  ///< in the order of the rows
};

/// A click sorts by the column, the largest first; another turns the order round, a third goes back to layers. With shift it is the second
/// key.
void click_heading(MeasuresPage& page, const std::string& id, bool is_second) {
  const auto found = std::find_if(page.sorts.begin(), page.sorts.end(), [&](const ColumnSort& sort) { return sort.column == id; });
  ColumnSort next{id, false};
  bool is_over = false;
  if (found != page.sorts.end()) {
    next.is_rising = true;
    is_over = found->is_rising;
    page.sorts.erase(found);
  }
  if (!is_second) page.sorts.clear();
  if (!is_over) page.sorts.push_back(next);
}

void draw_heading(const TableFrame& frame, int column, const Box& box) {
  const Look& look = frame.panel.look;
  const HeadColumn& of = *frame.shown.columns[static_cast<std::size_t>(column)];
  MeasuresPage& page = frame.panel.view.measures;
  const Press press = press_area(("column " + of.id).c_str(), {box.x, box.y}, {box.width, box.height});
  hint(look, (of.title + ". " + of.meaning).c_str());
  const auto sort = std::find_if(page.sorts.begin(), page.sorts.end(), [&](const ColumnSort& each) { return each.column == of.id; });
  const bool is_sorted = sort != page.sorts.end();
  const float inset = look.px(kUnit), mark = is_sorted ? look.px(12) : 0;
  draw_text(look, box.right() - inset - mark, box.y + box.height / 2, is_sorted ? Type::strong : Type::body,
            is_sorted || press.is_hovered ? look.colours.text : look.colours.text_second,
            elided(look, is_sorted ? Type::strong : Type::body, of.title, box.width - 2 * inset - mark), AlignX::right);
  if (is_sorted) draw_triangle(look, {box.right() - inset - look.px(4), box.y + box.height / 2}, look.colours.accent, sort->is_rising);
  if (press.is_clicked) click_heading(page, of.id, ImGui::GetIO().KeyShift);
}

void draw_headings(const TableFrame& frame, const Box& box) {
  const Look& look = frame.panel.look;
  draw_text(look, box.x + look.px(kBetween), box.y + box.height / 2, Type::body, look.colours.text_second, "Head");
  for (int column = frame.plan.first; column < frame.plan.first + frame.plan.shown; ++column) {
    draw_heading(frame, column, {box.x + frame.plan.left_of(column), box.y, frame.plan.column_width, box.height});
  }
}

void draw_row(const TableFrame& frame, HeadId head, const Box& box) {
  const Look& look = frame.panel.look;
  const std::string name = short_name(*frame.panel.snapshot, head);
  const Press press = press_area(("row " + name).c_str(), {box.x, box.y}, {box.width, box.height});
  if (press.is_hovered) fill(look, {box.x, box.y}, {box.right(), box.bottom()}, look.colours.raised, 4);
  const float middle = box.y + box.height / 2;
  draw_text(look, box.x + look.px(kBetween), middle, Type::number, look.colours.text, name);
  for (int column = frame.plan.first; column < frame.plan.first + frame.plan.shown; ++column) {
    const HeadColumn& of = *frame.shown.columns[static_cast<std::size_t>(column)];
    draw_text(look, box.x + frame.plan.left_of(column) + frame.plan.column_width - look.px(kUnit), middle, Type::number,
              look.colours.text_second, column_number(of, of.values.of(head)), AlignX::right);
  }
  if (press.is_clicked) frame.panel.view.head = head;
}

/// Only those in sight.
void draw_rows(const TableFrame& frame, const Box& box) {
  const float height = frame.panel.look.px(kTableRow), scroll = ImGui::GetScrollY();
  const auto first = static_cast<std::size_t>(scroll / height);
  for (std::size_t row = first; row < frame.heads.size(); ++row) {
    const float top = box.y + height * static_cast<float>(row) - scroll;
    if (top >= box.bottom()) break;
    draw_row(frame, frame.heads[row], {box.x, top, box.width, height});
  }
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

void draw_head_table(Panel& panel, const ShownColumns& shown, const Box& box) {
  const Look& look = panel.look;
  begin_region(look, "Table of heads", box, Colour{0, 0, 0, 0}, {0, 0});
  TableFrame frame{panel, shown, {}, sorted_heads(heads_of(*panel.snapshot), shown.columns, panel.view.measures.sorts)};
  const Box rows{box.x, box.y + look.px(kHeading), box.width, std::max(1.0F, box.height - look.px(kHeading))};
  ImGui::SetCursorScreenPos({rows.x, rows.y});
  ImGui::BeginChild("rows", {rows.width, rows.height}, ImGuiChildFlags_NavFlattened,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoBackground);
  const float room = rows.width - ImGui::GetStyle().ScrollbarSize;
  frame.plan = plan_table(room, look.px(kLeastColumn), look.px(kHeadColumn), static_cast<int>(shown.columns.size()), ImGui::GetScrollX());
  ImGui::Dummy({frame.plan.shown < frame.plan.columns ? frame.plan.content_width() : 1,
                look.px(kTableRow) * static_cast<float>(frame.heads.size())});
  draw_rows(frame, {rows.x, rows.y, room, rows.height});
  ImGui::EndChild();
  draw_headings(frame, {box.x, box.y, room, look.px(kHeading)});
  ImGui::GetWindowDrawList()->AddRectFilled({box.x, rows.y - 1}, {box.x + room, rows.y}, to_imgui(look.colours.line));
  end_region();
}

}  // namespace headlight
