#include "app/gui/state/zoom.h"

#include <algorithm>

namespace headlight {
namespace {

constexpr float kFewestCells = 3;  // zooming in further would show nothing more

/// The part of one axis that is shown.
struct AxisPart {
  float begin = 0, end = 0;
  float length() const { return end - begin; }
};

/// Moved inside [0, size); the whole axis if there is no part, or none smaller.
AxisPart clamped(AxisPart span, Index cells) {
  const auto size = static_cast<float>(cells);
  const float length = span.length();
  if (!(length > 0) || length >= size) return {0, size};
  const float begin = std::clamp(span.begin, 0.0F, std::max(0.0F, size - length));
  return {begin, begin + length};
}

AxisPart zoomed(AxisPart now, Index cells, float about, float factor) {
  const auto size = static_cast<float>(cells);
  const float after = std::clamp(now.length() / factor, std::min(kFewestCells, size), size);
  const float begin = about - (about - now.begin) * after / now.length();
  return {begin, begin + after};
}

AxisPart rows_of(const CellWindow& window) {
  return {window.row_begin, window.row_end};
}

AxisPart columns_of(const CellWindow& window) {
  return {window.column_begin, window.column_end};
}

CellWindow window_of(AxisPart rows, AxisPart columns, MapShape shape) {
  const AxisPart shown_rows = clamped(rows, shape.queries), shown_columns = clamped(columns, shape.keys);
  return {shown_rows.begin, shown_rows.end, shown_columns.begin, shown_columns.end};
}

CellWindow or_empty(const CellWindow& window, MapShape shape) {
  return is_whole(window, shape) ? CellWindow{} : window;
}

}  // namespace

CellWindow shown_window(const CellWindow& zoom, MapShape shape) {
  return window_of(rows_of(zoom), columns_of(zoom), shape);
}

bool is_whole(const CellWindow& zoom, MapShape shape) {
  return shown_window(zoom, shape) == shown_window({}, shape);
}

CellWindow zoomed_about(const CellWindow& zoom, MapShape shape, float query, float key, float factor) {
  const CellWindow now = shown_window(zoom, shape);
  const AxisPart rows = zoomed(rows_of(now), shape.queries, query, factor), columns = zoomed(columns_of(now), shape.keys, key, factor);
  return or_empty(window_of(rows, columns, shape), shape);
}

CellWindow panned(const CellWindow& zoom, MapShape shape, float queries, float keys) {
  const CellWindow now = shown_window(zoom, shape);
  const AxisPart rows{now.row_begin + queries, now.row_end + queries}, columns{now.column_begin + keys, now.column_end + keys};
  return or_empty(window_of(rows, columns, shape), shape);
}

}  // namespace headlight
