#include "app/gui/zoom.h"

#include <algorithm>

namespace headlight {
namespace {

constexpr float kFewestCells = 3;  // nearer than this there is nothing more to see

/// Moves [begin, begin + length) inside [0, size).
float clamped_begin(float begin, float length, float size) {
  return std::clamp(begin, 0.0F, std::max(0.0F, size - length));
}

}  // namespace

CellWindow shown_window(const CellWindow& zoom, Index tokens) {
  const auto size = static_cast<float>(tokens);
  const float length = zoom.row_end - zoom.row_begin;
  if (!(length > 0) || length >= size) return {0, size, 0, size};
  const float row = clamped_begin(zoom.row_begin, length, size);
  const float column = clamped_begin(zoom.column_begin, length, size);
  return {row, row + length, column, column + length};
}

CellWindow zoomed_about(const CellWindow& zoom, Index tokens, float query, float key, float factor) {
  const CellWindow now = shown_window(zoom, tokens);
  const auto size = static_cast<float>(tokens);
  const float before = now.row_end - now.row_begin;
  const float after = std::clamp(before / factor, std::min(kFewestCells, size), size);
  if (after >= size) return {};
  const float row = query - (query - now.row_begin) * after / before;
  const float column = key - (key - now.column_begin) * after / before;
  return shown_window({row, row + after, column, column + after}, tokens);
}

CellWindow panned(const CellWindow& zoom, Index tokens, float queries, float keys) {
  const CellWindow now = shown_window(zoom, tokens);
  if (now.row_end - now.row_begin >= static_cast<float>(tokens)) return {};
  return shown_window({now.row_begin + queries, now.row_end + queries, now.column_begin + keys, now.column_end + keys}, tokens);
}

}  // namespace headlight
