// All heads in a table: a column for each measure.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "engine/figure/figure_notes.h"
#include "engine/figure/figure_parts.h"
#include "engine/figure/heads/head_table.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/page/page.h"
#include "engine/measures/run/run_measures.h"

namespace headlight {
namespace {

/// "ordered by induction, largest first, then mean distance, smallest first"; of changes "by size".
std::string sorts_text(const HeadColumns& columns, const std::vector<ColumnSort>& sorts) {
  std::string text;
  for (const ColumnSort& sort : sorts) {
    const HeadColumn* column = find_column(columns, sort.column);
    if (column == nullptr) continue;
    text += (text.empty() ? " · ordered by " : ", then ") + describe_sort(*column, sort.is_rising);
  }
  return text;
}

/// "only induction > 0.5, mean distance 1 … 3".
std::string ranges_text(const HeadColumns& columns, const std::vector<ColumnRange>& ranges) {
  std::string text;
  for (const ColumnRange& range : ranges) {
    const HeadColumn* column = find_column(columns, range.column);
    if (column != nullptr) text += fmt::format("{}{} {}", text.empty() ? " · only " : ", ", column->title, range_text(range));
  }
  return text;
}

HeadTableRequest table_of(const Snapshot& snapshot, const FigureRequest& request, const MeasuredHeads& heads) {
  HeadTableRequest table{.columns = heads.columns,
                         .rows = heads.rows,
                         .all = heads.all,
                         .sorts = request.measures.sorts,
                         .ranges = request.measures.ranges,
                         .brushed = request.measures.brushed,
                         .name = [&snapshot](HeadId head) { return short_name_of_head(snapshot, head); },
                         .theme = request.style.theme};
  return table;
}

Scene make_measures(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  const MeasuredHeads heads = measured_heads(snapshot, request.measures);
  const PageWords words{snapshot.model->name + " · measures of " + sizes_of(snapshot), sentence_of(snapshot)};
  const std::string notes = measured_text(heads, request.measures) + " · " + notes_of_numbers(snapshot);
  HeadTableRequest table = table_of(snapshot, request, heads);
  table.room = {room_across(request.page), 0};
  Page empty(words, request.style, request.page, table.room.x, measure);
  table.room.y = empty.room_below(notes);
  table.around = {2 * kPrintMargin, empty.finish(notes).height};
  const Point size = head_table_size(table, measure);
  Page page(words, request.style, request.page, size.x, measure);
  page.add(make_head_table(table, {page.left(), page.top()}, measure));
  page.move_down(size.y);
  return page.finish(notes);
}

std::string measures_caption(const Snapshot& snapshot, const FigureRequest& request) {
  const std::size_t columns = request.measures.ids.size() + request.measures.given.size();
  return fmt::format("A table of {} heads and {} measure{}", snapshot.all_heads().size(), columns, columns == 1 ? "" : "s");
}

MeasuredHeads measured_numbers(const Snapshot& snapshot, const FigureRequest& request) {
  return measured_heads(snapshot, request.measures);
}

}  // namespace

MeasuredHeads measured_heads(const Snapshot& snapshot, const MeasuresRequest& request, const std::vector<HeadId>& listed) {
  MeasuredHeads heads{request.given, listed.empty() ? snapshot.all_heads() : listed, {}};
  const HeadColumns of_text = columns_of_run(snapshot, request.ids);
  heads.columns.insert(heads.columns.end(), of_text.begin(), of_text.end());
  heads.rows = sorted_heads(filtered_heads(heads.all, heads.columns, request.ranges), heads.columns, request.sorts);
  return heads;
}

std::shared_ptr<const HeadColumn> axis_column(const HeadColumns& columns, const std::string& id, std::size_t usual) {
  const auto named = std::find_if(columns.begin(), columns.end(), [&](const auto& column) { return column->id == id; });
  if (named != columns.end()) return *named;
  return columns.empty() ? nullptr : columns[std::min(usual, columns.size() - 1)];
}

std::string title_of_column(const MeasuresRequest& request, const std::string& id) {
  const HeadColumn* given = find_column(request.given, id);
  return given != nullptr ? given->title : title_of(measure_request(id, "figure"));
}

std::string why_not_measured(const MeasuresRequest& request, const FigureNeeds& needs) {
  std::vector<std::string> ids = request.ids;
  for (const auto& column : request.given) ids.push_back(column->id);
  if (ids.empty() && (!needs.tints_heads || request.arranges_heads())) return "no measure is chosen";
  const auto missing = [&](const std::string& id) { return std::find(ids.begin(), ids.end(), id) == ids.end(); };
  const auto problem = [](const std::string& what, const std::string& id) {
    return fmt::format("{} by “{}”, which is not one of its measures", what, id);
  };
  for (const ColumnSort& sort : request.sorts) {
    if (missing(sort.column)) return problem("the order is", sort.column);
  }
  for (const ColumnRange& range : request.ranges) {
    if (missing(range.column)) return problem("heads are filtered", range.column);
  }
  for (const std::string& id : {request.across, request.up, request.size}) {
    if (needs.has_axes && !id.empty() && missing(id)) return problem("points are placed", id);
  }
  if (needs.tints_heads && !request.tint.empty() && missing(request.tint)) return problem("maps are numbered", request.tint);
  return {};
}

std::string measured_text(const MeasuredHeads& heads, const MeasuresRequest& request) {
  std::string text = heads.rows.size() == heads.all.size() ? fmt::format("{} heads", heads.all.size())
                                                           : fmt::format("{} of {} heads", heads.rows.size(), heads.all.size());
  text += sorts_text(heads.columns, request.sorts) + ranges_text(heads.columns, request.ranges);
  std::vector<std::string> grounds;
  for (const auto& column : heads.columns) {
    if (!column->measured_on.empty() && std::find(grounds.begin(), grounds.end(), column->measured_on) == grounds.end())
      grounds.push_back(column->measured_on);
  }
  for (std::size_t i = 0; i < grounds.size(); ++i) text += (i == 0 ? " · measured on " : " and ") + grounds[i];
  return request.given.empty() ? text + ": hints, not findings" : text;
}

constexpr FigureKind kMeasuresFigure = {
    .name = "measures",
    .noun = "a table of measures",
    .what = "all heads in a table of measures",
    .file_name = "measures",
    .needs = {.has_measures = true, .lists_columns = true, .orders_heads = true},
    .caption = measures_caption,
    .scene = make_measures,
    .numbers = {.columns = measured_numbers},
    .endings = kTableEndings,
};

}  // namespace headlight
