#include "app/gui/columns/arranged_heads.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace headlight {

ArrangedHeads arranged_heads(Panel& panel, const HeadArrangement& arrangement) {
  ArrangedHeads arranged;
  std::vector<std::string> ids;
  if (arrangement.sort) ids.push_back(arrangement.sort->column);
  if (!arrangement.tint.empty()) ids.push_back(arrangement.tint);
  for (const ColumnRange& range : arrangement.ranges) ids.push_back(range.column);
  arranged.shown = shown_columns(panel, ids);
  const HeadColumns& columns = arranged.shown.columns;
  const std::vector<HeadId> all = panel.snapshot->all_heads();
  arranged.all = all.size();
  arranged.heads = filtered_heads(all, columns, arrangement.ranges);
  if (arrangement.sort) {
    arranged.sort = find_column(columns, arrangement.sort->column);
    arranged.heads = sorted_heads(std::move(arranged.heads), columns, std::span(&*arrangement.sort, 1));
  }
  arranged.tint = find_column(columns, arrangement.tint);
  if (arranged.tint != nullptr) arranged.tints = spread_of(*arranged.tint, all);
  return arranged;
}

std::string arrangement_text(const ArrangedHeads& arranged, const HeadArrangement& arrangement) {
  std::string text;
  if (arranged.sort != nullptr)
    text = fmt::format("ordered by {}, layers mixed", describe_sort(*arranged.sort, arrangement.sort->is_rising));
  if (!arrangement.ranges.empty())
    text += fmt::format("{}{} of {} heads shown", text.empty() ? "" : " · ", arranged.heads.size(), arranged.all);
  return text;
}

void arrange_overview(Panel& panel, HeadArrangement arrangement) {
  panel.view.overview.arrangement = std::move(arrangement);
  panel.view.overview.scroll = 0;
}

std::vector<ColumnName> columns_to_arrange_by(const Panel& panel) {
  std::vector<ColumnName> names;
  const auto add = [&](const std::string& id, const std::string& title) {
    if (std::none_of(names.begin(), names.end(), [&](const ColumnName& name) { return name.id == id; })) names.push_back({id, title});
  };
  for (const auto& column : panel.context.session.columns().grouped()) add(column->id, column->title);
  if (const ColumnSource* source = panel.context.session.columns().source(panel.view.measures.source)) {
    for (const auto& column : source->columns) add(column->id, column->title);
    return names;
  }
  for (const std::string& id : measures_in_table(panel.view.measures)) add(id, title_of(measure_request(id, "measure")));
  for (const MeasureRequest& request : measure_requests(kUsualMeasures, "measures")) add(request.id, title_of(request));
  return names;
}

}  // namespace headlight
