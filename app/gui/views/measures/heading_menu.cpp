// The menu of a column: its order, its filter as text, and where else it is shown.
#include <fmt/core.h>

#include <algorithm>

#include "app/gui/columns/arranged_heads.h"
#include "app/gui/kit/items.h"
#include "app/gui/views/measures/column_settings.h"
#include "app/gui/views/measures/head_table.h"

namespace headlight {
namespace {

constexpr float kMenu = 240;

void draw_typed_range(Panel& panel, const HeadColumn& column) {
  const Look& look = panel.look;
  MeasuresPage& page = panel.view.measures;
  if (ImGui::IsWindowAppearing()) {
    const ColumnRange* range = range_of(page.ranges, column.id);
    page.typed_range = range == nullptr ? std::string() : range_text(*range);
  }
  text_line(look, Type::caption, look.colours.text_second, "Show only heads with");
  gap(look, kInside);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({look.px(kMenu), look.px(kControl)});
  const std::string before = page.typed_range;
  text_box(look, "Range", "> 0.5, or 0.2 … 0.5", page.typed_range, at, look.px(kMenu));
  const std::optional<ColumnRange> typed = parse_range(page.typed_range, column.id);
  if (page.typed_range != before && (typed || page.typed_range.empty())) set_range(page, typed.value_or(ColumnRange{.column = column.id}));
  gap(look, kInside);
  const bool is_wrong = !page.typed_range.empty() && !typed;
  text_line(look, Type::caption, is_wrong ? look.colours.bad : look.colours.text_second,
            is_wrong ? "Not a range: write > 0.5, < 2 or 0.2 … 0.5" : "Heads without a value are left out.");
  gap(look, kUnit);
}

bool is_measure_of_table(const Panel& panel, const std::string& id) {
  const std::vector<std::string> ids = measures_in_table(panel.view.measures);
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

/// Of a study its own columns are hidden, and not those of the text.
bool may_hide(const Panel& panel, const std::string& id) {
  const MeasuresPage& page = panel.view.measures;
  const ColumnSource* source = panel.context.session.columns().source(page.source);
  if (source == nullptr) return is_measure_of_table(panel, id) && measures_in_table(page).size() > 1;
  return find_column(source->columns, id) != nullptr && page.hidden_of_study.size() + 1 < source->columns.size();
}

void hide(Panel& panel, const std::string& id) {
  MeasuresPage& page = panel.view.measures;
  if (panel.context.session.columns().source(page.source) != nullptr) {
    page.hidden_of_study.insert(id);
  } else {
    std::vector<std::string> ids = measures_in_table(page);
    std::erase(ids, id);
    page.columns = std::move(ids);
  }
  std::erase_if(page.sorts, [&](const ColumnSort& sort) { return sort.column == id; });
  std::erase_if(page.ranges, [&](const ColumnRange& range) { return range.column == id; });
}

}  // namespace

void draw_heading_menu(Panel& panel, const HeadColumn& column, const char* name) {
  const Look& look = panel.look;
  MeasuresPage& page = panel.view.measures;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(kUnit), look.px(kUnit)));
  if (begin_popup(name)) {
    const float width = look.px(kMenu);
    text_line(look, Type::strong, look.colours.text, elided(look, Type::strong, column.title, width));
    gap(look, kUnit);
    draw_column_settings(panel, column);
    draw_typed_range(panel, column);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(look.px(kUnit), look.px(kUnit)));
    if (list_entry(look, "Largest first", false, width)) page.sorts = {{column.id, false}};
    if (list_entry(look, "Smallest first", false, width)) page.sorts = {{column.id, true}};
    if (list_entry(look, "Explain at the right", false, width)) page.explained = column.id;
    if (list_entry(look, "Across in the scatter plot", false, width)) page.across = column.id;
    if (list_entry(look, "Up in the scatter plot", false, width)) page.up = column.id;
    if (list_entry(look, "Order the Overview by it", false, width)) {
      arrange_overview(panel, {.sort = ColumnSort{column.id}, .ranges = page.ranges, .tint = column.id});
      panel.view.view = View::overview;
    }
    const bool can_hide = may_hide(panel, column.id);
    if (list_entry(look, "Hide this column", false, width, kLine, can_hide ? 0 : ImGuiSelectableFlags_Disabled)) hide(panel, column.id);
    ImGui::PopStyleVar();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace headlight
