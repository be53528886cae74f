#include "app/recipe/any_text.h"

#include <algorithm>

namespace headlight {
namespace {

/// Columns, orders and filters of measures alone. Of points, the measures that they show.
MeasuresRequest of_measures(MeasuresRequest measures, bool has_axes) {
  measures.given.clear();
  const auto is_there = [&](const std::string& id) {
    return std::find(measures.ids.begin(), measures.ids.end(), id) != measures.ids.end();
  };
  std::erase_if(measures.sorts, [&](const ColumnSort& sort) { return !is_there(sort.column); });
  std::erase_if(measures.ranges, [&](const ColumnRange& range) { return !is_there(range.column); });
  if (!is_there(measures.tint)) measures.tint.clear();
  if (!has_axes) measures.across = measures.up = measures.size = {};
  if (!has_axes || measures.ids.empty()) return measures;
  if (!is_there(measures.across)) measures.across = measures.ids.front();
  if (!is_there(measures.up)) measures.up = measures.ids[std::min<std::size_t>(1, measures.ids.size() - 1)];
  if (!is_there(measures.size)) measures.size.clear();
  keep_shown_measures(measures);
  return measures;
}

}  // namespace

void keep_shown_measures(MeasuresRequest& measures) {
  std::erase_if(measures.ids, [&](const std::string& id) {
    const bool is_filter =
        std::any_of(measures.ranges.begin(), measures.ranges.end(), [&](const ColumnRange& range) { return range.column == id; });
    return id != measures.across && id != measures.up && id != measures.size && !is_filter;
  });
}

FigureRequest of_any_text(FigureRequest request) {
  std::erase_if(request.heads, [](const ComparedHead& head) { return head.of != nullptr; });
  for (ComparedHead& head : request.heads) head.subject.clear();
  if (request.kind->needs.marks_heads) request.heads.clear();
  request.difference.reset();
  if (request.heads.size() == 2) request.difference = ComparedPair{};
  request.frames.clear();
  request.baseline.reset();
  request.moment = Moment::now;
  request.part = {};
  request.marked = {};
  request.query.reset();
  request.lab.query.reset();
  request.output.position.reset();
  request.effects.position.reset();
  if (request.effects.target)
    request.effects.target->first = request.effects.target->last = std::nullopt, request.effects.target->is_open = false;
  request.chosen_key.reset();
  request.opened_keys.clear();
  request.links.focus.reset();
  request.links.is_kept = false;
  if (request.kind->needs.has_measures) request.measures = of_measures(std::move(request.measures), request.kind->needs.has_axes);
  return request;
}

bool shows_any_text(const FigureRequest& request) {
  const FigureNeeds& needs = request.kind->needs;
  if (needs.has_target && request.effects.study) return false;
  const bool needs_measures = needs.has_measures && !needs.tints_heads;  // heads of a grid are by layer without them
  const bool fits_any =
      !needs.has_patches && (!needs.has_methods || request.effects.patched.empty());  // of two texts of equally many tokens
  return fits_any && request.heads.size() >= needs.named_heads && !(needs_measures && request.measures.ids.empty());
}

}  // namespace headlight
