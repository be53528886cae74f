#include "engine/figure/page/sized_map.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "engine/figure/figure_parts.h"

namespace headlight {
namespace {

constexpr float kLargestCell = 44;

/// Without the labels of cells for which `is_left_out`: no room is kept for them.
template <typename LeftOut>
AxisLabels without(const AxisLabels& labels, LeftOut is_left_out) {
  if (!labels) return labels;
  auto kept = std::make_shared<std::vector<std::string>>(*labels);
  for (std::size_t i = 0; i < kept->size(); ++i) {
    if (is_left_out(static_cast<Index>(i))) (*kept)[i].clear();
  }
  return kept;
}

/// Without the labels that a file leaves out; a marked token keeps its own.
AxisLabels thinned(const AxisLabels& labels, Index stride, std::optional<Index> marked) {
  if (stride == 1) return labels;
  return without(labels, [&](Index cell) { return cell % stride != 0 && cell != marked; });
}

/// The labels of the cells that are shown.
AxisLabels in_part(const AxisLabels& labels, float begin, float end) {
  if (!labels || (begin <= 0 && end >= static_cast<float>(labels->size()))) return labels;
  return without(labels, [&](Index cell) { return static_cast<float>(cell + 1) <= begin || static_cast<float>(cell) >= end; });
}

float share_for_labels(const MapRoom& room) {
  return room.width > 0 ? std::min(room.width, room.share_of) : room.share_of;
}

/// So that labels, map and bar are no wider than the room. Labels depend on the cells, and cells on what labels leave.
float widest_cell(const MapFigureRequest& request, const MapRoom& room, const MeasureText& measure) {
  constexpr float kLeastMap = 48;
  if (room.width <= 0) return std::numeric_limits<float>::infinity();
  const CellWindow part = shown_window(request);
  const float columns = part.column_end - part.column_begin, share_of = share_for_labels(room);
  const LongestLabels longest(request);
  float cell = room.width / columns;
  for (int look = 0; look < 3; ++look) {
    const MapMargins margins = margins_of(request, longest, share_of, share_of, cell, measure);
    cell = std::max(room.width - margins.left - margins.right, kLeastMap) / columns;
  }
  return cell;
}

}  // namespace

SizedMap size_map(MapFigureRequest request, const MapRoom& room, const MeasureText& measure) {
  const CellWindow part = shown_window(request);
  const float rows = part.row_end - part.row_begin, columns = part.column_end - part.column_begin;
  if (!request.words)
    request.words = std::make_shared<const MapWords>(
        MapWords{request.title, request.query_labels, request.key_labels, "query", request.columns == MapColumns::keys ? "key" : "number"});
  request.query_labels = in_part(request.query_labels, part.row_begin, part.row_end);
  request.key_labels = in_part(request.key_labels, part.column_begin, part.column_end);
  const float share_of = share_for_labels(room);
  float cell = std::min(kLargestCell, room.largest_side / std::max(rows, columns));
  if (cell >= 4) cell = std::floor(cell);
  const float limit = widest_cell(request, room, measure);
  cell = std::min(cell, limit);
  // So that a long thin map does not become a line.
  const float width = std::max(cell * columns, std::min({160.0F, columns * kCaptionPitch, limit * columns, room.largest_side}));
  const float height = std::max(cell * rows, std::min({160.0F, rows * kCaptionPitch, room.largest_side}));
  const MapMargins pitches = margins_of(request, LongestLabels(request), share_of, share_of, width / columns, measure);
  const Index of_queries = label_stride(height / rows, pitches.query_pitch()), of_keys = label_stride(width / columns, pitches.key_pitch());
  request.query_labels = thinned(request.query_labels, of_queries, request.pinned_query);
  request.key_labels = thinned(request.key_labels, of_keys, request.pinned_key);
  // Labels may take the share of a full-size figure, however few cells there are.
  const MapMargins margins = margins_of(request, LongestLabels(request), share_of, share_of, width / columns, measure);
  request.area = {0, 0, margins.left + width + margins.right, margins.top + height + margins.bottom};
  const Index stride = std::max(request.query_labels ? of_queries : Index{1}, request.key_labels ? of_keys : Index{1});
  return {std::move(request), {margins, {margins.left, margins.top, width, height}}, stride};
}

MapFigure draw_sized(SizedMap map, Point at, const MeasureText& measure) {
  map.request.area.x += at.x;
  map.request.area.y += at.y;
  map.placed.map.x += at.x;
  map.placed.map.y += at.y;
  return draw_map_figure(map.request, map.placed, measure);
}

}  // namespace headlight
