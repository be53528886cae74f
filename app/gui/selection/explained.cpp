#include "app/gui/selection/explained.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "app/gui/panel/focus.h"
#include "app/gui/selection/pictured_copying.h"
#include "engine/inside/numbers.h"

namespace headlight {
namespace {

Explanation plain(std::string text) {
  return {{Wording::Kind::plain, std::move(text)}};
}

/// Number 5 of the z of “it” (8) is −0.482: “animal” (1) adds 0.8 × −0.53, …
Explanation number_told(const ExplainedHead& head, VectorNumber at) {
  constexpr std::size_t kMost = 3;
  const auto number = [](float value) { return score_text(value); };
  const auto name = [](const AxisLabels& labels, Index token) { return fmt::format("“{}”", (*labels)[static_cast<std::size_t>(token)]); };
  using Kind = Wording::Kind;
  const float z = row_of_z(head.maps, at.query)(at.number);
  const std::vector<MixedPart> parts = parts_of_z(head.maps, at.query, at.number);
  Explanation said{{Kind::plain, fmt::format("Number {} of the z of ", at.number)},
                   {Kind::query, name(head.queries, at.query)},
                   {Kind::plain, fmt::format(" ({}) is {}", at.query, number(z))}};
  for (std::size_t i = 0; i < std::min(kMost, parts.size()); ++i) {
    said.push_back({Kind::plain, i == 0 ? ": " : ", "});
    said.push_back({Kind::key, name(head.keys, parts[i].key)});
    said.push_back({Kind::plain, fmt::format(" ({}) adds {} × {}", parts[i].key, weight_text(static_cast<double>(parts[i].weight)),
                                             number(parts[i].value))});
  }
  said.push_back({Kind::plain, parts.size() > kMost ? fmt::format(", and {} more keys the rest.", parts.size() - kMost) : "."});
  return said;
}

/// “it” 8 → “animal” 1: A is 0.12, B is 0.3, A − B is −0.18.
Explanation numbers_told(const PicturedNumbers& numbers, Cell cell) {
  std::string text = pictured_place_text(numbers, cell.query, cell.key) + ": ";
  const MapPicture& shown = *numbers.columns.back().picture;
  if (shown.mask() && !shown.mask()->allows(cell.query, cell.key)) return plain(text + "the mask leaves this cell out.");
  for (std::size_t i = 0; i < numbers.columns.size(); ++i) {
    const auto row = static_cast<float>(cell.query), column = static_cast<float>(cell.key);
    const std::string name = numbers.columns.size() > 1 ? numbers.columns[i].name + " is " : std::string();
    text += (i == 0 ? "" : ", ") + name + score_text(numbers.columns[i].picture->value(row, row + 1, column, column + 1));
  }
  return plain(text + ".");
}

}  // namespace

std::vector<Explanation> explained(const Panel& panel, const MenuTarget& target) {
  if (panel.context.session.lessons().hides_weights()) return {plain("This would give the answer away: guess first.")};
  if (target.pictured && !target.query) return {plain("Point at a cell, and this says what its number is.")};
  if (target.pictured) return {numbers_told(*target.pictured, {*target.query, *target.key})};
  const Snapshot& run = run_of(target.head, *panel.snapshot);
  const HeadId id = target.head.head;
  if (!run.contains(id)) return {plain("This head is not part of the picture any more.")};
  const std::shared_ptr<const HeadMaps> maps = maps_of(panel, target.head);
  if (!maps) return {plain("Making the maps …")};
  if (target.kind == MenuKind::head) return explain_head_here(panel, target.head, maps);
  const auto is_inside = [](std::optional<Index> token, Index count) { return !token || *token < count; };
  if (!is_inside(target.query, maps->weights.rows()) || !is_inside(target.key, maps->weights.cols())) {
    return {plain("The text has changed.")};
  }
  const ExplainedHead head = explained_head(panel, target.head, *maps);
  std::vector<Explanation> paragraphs;
  if (target.kind == MenuKind::cell) paragraphs = explain_cell_here(panel, target.head, *maps, {*target.query, *target.key});
  if (target.kind == MenuKind::number && target.number < maps->v.cols())
    paragraphs.push_back(number_told(head, {*target.query, target.number}));
  if (target.query && target.kind != MenuKind::cell) paragraphs.push_back(explain_row(head, *target.query));
  if (target.key) paragraphs.push_back(explain_key(head, *target.key));
  return paragraphs;
}

}  // namespace headlight
