// Which cells of a map a request shows, and which row and column it marks.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/figure/kinds/figure_kinds.h"

namespace headlight {
namespace {

bool has_same_text(const Encoding& a, const Encoding& b) {
  return &a == &b || a.tokens == b.tokens;
}

/// "3–9", both ends included; a cell of which any part is shown counts.
std::string range_text(float begin, float end) {
  return fmt::format("{:.0f}–{:.0f}", std::floor(begin), std::ceil(end) - 1);
}

}  // namespace

CellWindow part_of(const FigureRequest& request, Index queries, Index columns) {
  const auto rows = static_cast<float>(queries), width = static_cast<float>(columns);
  const CellWindow& part = request.part;
  const CellWindow inside{part.row_begin, std::min(part.row_end, rows), part.column_begin, std::min(part.column_end, width)};
  const bool has_cells = inside.row_begin < inside.row_end && inside.column_begin < inside.column_end;
  return !has_cells || inside == CellWindow{0, rows, 0, width} ? CellWindow{} : inside;
}

std::string part_text(const FigureRequest& request, Index queries, Index columns, std::string_view column) {
  const CellWindow part = part_of(request, queries, columns);
  if (part == CellWindow{}) return {};
  return fmt::format("part shown: queries {}, {} {} of {} × {}", range_text(part.row_begin, part.row_end), column,
                     range_text(part.column_begin, part.column_end), queries, columns);
}

MarkedTokens marked_in(MarkedTokens marked, const Snapshot& own, const Snapshot& run, int layer) {
  const auto is_of = [&](const Encoding& (Snapshot::*text)(int) const) {
    return !marked.of_layer || has_same_text((own.*text)(*marked.of_layer), (run.*text)(layer));
  };
  const auto drop = [](std::optional<Index>& token, bool has_text, Index count) {
    if (token && (!has_text || *token < 0 || *token >= count)) token.reset();
  };
  drop(marked.query, is_of(&Snapshot::query_tokens), run.queries(layer));
  drop(marked.key, is_of(&Snapshot::key_tokens), run.keys(layer));
  return marked;
}

}  // namespace headlight
