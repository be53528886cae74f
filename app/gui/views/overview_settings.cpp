// What the Overview is ordered, filtered and tinted by: the section of the left rail, and the palette's offers.
#include <fmt/core.h>

#include <algorithm>

#include "app/gui/columns/arranged_heads.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/views/views.h"

namespace headlight {
namespace {

std::string title_of_column(const std::vector<ColumnName>& columns, const std::string& id) {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const ColumnName& column) { return column.id == id; });
  if (found != columns.end()) return found->title;
  return is_measure(id) ? title_of(measure_request(id, "measure")) : id;
}

/// One of the columns, or `none`; returns whether another was chosen, and which: an empty id is none.
bool choose_column(const Panel& panel, const Row& row, const char* name, const char* none, const std::vector<ColumnName>& columns,
                   std::string& id) {
  std::vector<std::string> labels{none};
  int chosen = 0;
  for (const ColumnName& column : columns) {
    if (column.id == id) chosen = static_cast<int>(labels.size());
    labels.push_back(column.title);
  }
  if (!id.empty() && chosen == 0) {
    chosen = static_cast<int>(labels.size());
    labels.push_back(title_of_column(columns, id));
  }
  if (!drop_down(panel.look, row, name, labels, chosen)) return false;
  id = chosen == 0 ? std::string() : columns[static_cast<std::size_t>(chosen - 1)].id;
  return true;
}

void draw_order(Panel& panel, const std::vector<ColumnName>& columns) {
  const Look& look = panel.look;
  HeadArrangement& arrangement = panel.view.overview.arrangement;
  std::string id = arrangement.sort ? arrangement.sort->column : std::string();
  const Row order = begin_row(look, "Order by", "Sets the heads one after the other by a measure, layers mixed; each says its layer.");
  if (choose_column(panel, order, "Order by", "layer", columns, id)) {
    panel.view.overview.scroll = 0;
    arrangement.sort = id.empty() ? std::nullopt : std::optional(ColumnSort{id, arrangement.sort && arrangement.sort->is_rising});
    if (!id.empty()) arrangement.tint = id;
  }
  if (arrangement.sort) {
    const std::array<std::string, 2> ends{"largest", "smallest"};
    int end = arrangement.sort->is_rising ? 1 : 0;
    if (segmented(look, begin_row(look, "First"), "First", ends, end)) arrangement.sort->is_rising = end == 1;
  }
  const Row number = begin_row(look, "Number and bar", "What is written at each head, and how far the bar under its map reaches.");
  choose_column(panel, number, "Number and bar", "spread alone", columns, arrangement.tint);
}

/// The filter of one column: its range as text, and a way to take it off.
void draw_filter(Panel& panel, const std::vector<ColumnName>& columns, std::size_t place, std::optional<std::size_t>& removed) {
  const Look& look = panel.look;
  ColumnRange& range = panel.view.overview.arrangement.ranges[place];
  const Row row = begin_row(look, "", "Only heads whose value is in this range are shown.");
  const std::string title = title_of_column(columns, range.column), text = range_text(range);
  const float close = look.px(kControl), right = row.right - close;
  const float number = text_width(look, Type::number, text);
  draw_text(look, row.left, row.middle(), Type::body, look.colours.text_second,
            elided(look, Type::body, title, right - number - look.px(kUnit) - row.left));
  draw_text(look, right, row.middle(), Type::number, look.colours.accent, text, AlignX::right);
  if (close_button(look, ("remove filter " + range.column).c_str(), {row.right - close / 2, row.middle()})) removed = place;
}

void draw_filters(Panel& panel, const std::vector<ColumnName>& columns) {
  const Look& look = panel.look;
  OverviewPage& page = panel.view.overview;
  std::optional<std::size_t> removed;
  for (std::size_t place = 0; place < page.arrangement.ranges.size(); ++place) draw_filter(panel, columns, place, removed);
  if (removed) page.arrangement.ranges.erase(page.arrangement.ranges.begin() + static_cast<std::ptrdiff_t>(*removed));
  const Row row = begin_row(look, "Show only", "Heads whose value of this measure is in a range.");
  choose_column(panel, row, "Show only", "all heads", columns, page.filtered);
  if (page.filtered.empty()) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, button = button_width(look, "Add");
  ImGui::Dummy({width, look.px(kControl)});
  text_box(look, "Range of the filter", "> 0.5, or 0.2 … 0.5", page.typed_range, at, width - button - look.px(kUnit));
  const bool is_returned = is_entered();
  const std::optional<ColumnRange> range = parse_range(page.typed_range, page.filtered);
  const bool is_pressed = quiet_button(look, "Add", {at.x + width - button, at.y}, {button, look.px(kControl)}, range.has_value());
  if (!range && page.typed_range.find_first_not_of(' ') != std::string::npos)
    paragraph(look, Type::caption, look.colours.bad, "A range is written as > 0.5, < 0.5 or 0.2 … 0.5.", width);
  if (range && (is_pressed || is_returned)) {
    std::erase_if(page.arrangement.ranges, [&](const ColumnRange& each) { return each.column == page.filtered; });
    page.arrangement.ranges.push_back(*range);
    page.filtered.clear();
    page.typed_range.clear();
  }
  gap(look, kInside);
}

}  // namespace

void draw_overview_settings(Panel& panel) {
  const Look& look = panel.look;
  if (!panel.has_picture() || !section(look, "Order", panel.view.rails.folded, overview_state(panel))) return;
  const std::vector<ColumnName> columns = columns_to_arrange_by(panel);
  draw_order(panel, columns);
  draw_filters(panel, columns);
}

std::string overview_state(const Panel& panel) {
  const HeadArrangement& arrangement = panel.view.overview.arrangement;
  if (arrangement.sort) return title_of_column(columns_to_arrange_by(panel), arrangement.sort->column);
  return arrangement.ranges.empty() ? "by layer" : "filtered";
}

void add_overview_orders(const Panel& panel, std::vector<Offer>& offers) {
  if (!panel.has_picture()) return;
  offers.push_back(
      {.name = "Overview by layer and head", .note = "reset order and filter", .words = "all heads unfiltered", .act = [](Panel& here) {
         arrange_overview(here, {});
         here.view.view = View::overview;
       }});
  for (const ColumnName& column : columns_to_arrange_by(panel)) {
    offers.push_back({.name = "Overview by " + column.title,
                      .note = "order of the heads",
                      .words = "sort rank tint measure " + column.id,
                      .act = [id = column.id](Panel& here) {
                        arrange_overview(here, {.sort = ColumnSort{id}, .ranges = {}, .tint = id});
                        here.view.view = View::overview;
                      }});
  }
}

}  // namespace headlight
