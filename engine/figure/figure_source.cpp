#include "engine/figure/figure_source.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/core/error.h"
#include "engine/figure/pictures.h"

namespace headlight {

void check_head(const Snapshot& snapshot, HeadId head) {
  if (snapshot.contains(head)) return;
  throw Error({.kind = ErrorKind::usage,
               .field = "figure",
               .problem = "no such head",
               .found = fmt::format("layer {}, head {}", head.layer, head.head),
               .expected = fmt::format("layers 0…{} and heads 0…{}", snapshot.layers() - 1, snapshot.heads() - 1)});
}

std::vector<ComparedHead> compared(std::span<const HeadId> heads) {
  std::vector<ComparedHead> result;
  for (const HeadId head : heads) result.push_back({head});
  return result;
}

bool are_subtractable(const Snapshot& own, const ComparedHead& left, const ComparedHead& right) {
  if (!left.problem.empty() || !right.problem.empty()) return false;
  const Snapshot &a = run_of(left, own), &b = run_of(right, own);
  const int layer = left.head.layer, other = right.head.layer;
  return a.contains(left.head) && b.contains(right.head) && a.queries(layer) == b.queries(other) && a.keys(layer) == b.keys(other);
}

std::string unequal_sizes_text(Index queries, Index keys, Index other_queries, Index other_keys) {
  return fmt::format("{} × {} and {} × {} cells: only maps of one size can be subtracted.", queries, keys, other_queries, other_keys);
}

std::optional<ComparedPair> first_subtractable(const Snapshot& own, std::span<const ComparedHead> heads) {
  for (std::size_t left = 0; left < heads.size(); ++left) {
    for (std::size_t right = left + 1; right < heads.size(); ++right) {
      if (are_subtractable(own, heads[left], heads[right])) return ComparedPair{left, right};
    }
  }
  return std::nullopt;
}

std::shared_ptr<const MapPicture> picture_of_difference(const ShownMaps& left_run, const HeadWithMaps& left, const ShownMaps& right_run,
                                                        const HeadWithMaps& right) {
  return picture_of_difference(left_run.cells(left.head.head, *left.maps), left.maps->mask, right_run.cells(right.head.head, *right.maps),
                               right.maps->mask);
}

std::shared_ptr<const HeadMaps> FreshMaps::maps(const ComparedHead& head) {
  const Snapshot& run = run_of(head, own_);
  if (has_steps_) return std::make_shared<const HeadMaps>(run.maps(head.head));
  HeadMaps maps;
  maps.weights = run.weights(head.head);
  maps.mask = run.trace.layer(head.head.layer).rule(head.head.head).mask;
  return std::make_shared<const HeadMaps>(std::move(maps));
}

ShownMaps& FreshMaps::shown(const ComparedHead& head, const Style& style) {
  const Snapshot& run = run_of(head, own_);
  auto known = std::find_if(shown_.begin(), shown_.end(), [&](const ShownMaps& each) { return each.is_of(run); });
  ShownMaps& maps = known != shown_.end() ? *known : shown_.emplace_back();
  maps.show(run, style);
  return maps;
}

std::shared_ptr<const MapPicture> FreshMaps::stage(const ComparedHead& head, const std::shared_ptr<const HeadMaps>& maps, Stage stage,
                                                   const Style& style) {
  return shown(head, style).stage(head.head, *maps, stage);
}

std::shared_ptr<const MapPicture> FreshMaps::difference(const HeadWithMaps& left, const HeadWithMaps& right, const Style& style) {
  const ShownMaps& left_run = shown(left.head, style);
  return picture_of_difference(left_run, left, shown(right.head, style), right);
}

AxisLabels FreshMaps::labels(const Snapshot& snapshot, const Encoding& encoding) {
  return axis_labels(snapshot, encoding);
}

}  // namespace headlight
