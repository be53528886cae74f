#include "engine/figure/files/written_maps.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/memory_limit.h"

namespace headlight {
namespace {

/// The first map of another size than the first.
const WrittenMap* other_size(const Snapshot& own, const std::vector<WrittenMap>& maps) {
  const Snapshot& first = run_of(maps.front().head, own);
  const int first_layer = maps.front().head.head.layer;
  const auto found = std::find_if(maps.begin(), maps.end(), [&](const WrittenMap& map) {
    const Snapshot& run = run_of(map.head, own);
    const int layer = map.head.head.layer;
    return run.queries(layer) != first.queries(first_layer) || run.keys(layer) != first.keys(first_layer);
  });
  return found == maps.end() ? nullptr : &*found;
}

}  // namespace

std::vector<WrittenMap> written_maps(const Snapshot& snapshot, const FigureRequest& request) {
  std::vector<WrittenMap> maps;
  for (ComparedHead& head : request.kind->numbers.heads(snapshot, request)) maps.push_back({std::move(head)});
  const auto has_difference = request.kind->numbers.has_difference;
  if (has_difference == nullptr || !has_difference(request)) return maps;
  WrittenMap difference{maps.at(0).head, maps.at(1).head};
  difference.head.subject += " - " + difference.subtracted->subject;
  maps.push_back(std::move(difference));
  return maps;
}

Matrix values_of(const Snapshot& own, const FigureRequest& request, const WrittenMap& map) {
  const auto values = [&](const ComparedHead& head) {
    const Snapshot& run = run_of(head, own);
    const Stage stage = shown_stage(request);
    return stage == Stage::weights ? run.weights(head.head) : stage_values(run, head.head, run.maps(head.head), stage);
  };
  if (!map.subtracted) return values(map.head);
  return values(map.head) - values(*map.subtracted);
}

bool has_subjects(const std::vector<WrittenMap>& maps) {
  return std::any_of(maps.begin(), maps.end(), [](const WrittenMap& map) { return !map.head.subject.empty(); });
}

bool have_one_size(const Snapshot& own, const std::vector<WrittenMap>& maps) {
  return other_size(own, maps) == nullptr;
}

void check_same_size(const Snapshot& own, const std::vector<WrittenMap>& maps, const std::filesystem::path& path) {
  const WrittenMap* other = other_size(own, maps);
  if (other == nullptr) return;
  const auto size_text = [&](const ComparedHead& head) {
    const Snapshot& run = run_of(head, own);
    const int layer = head.head.layer;
    return fmt::format("{} × {} in {}", run.queries(layer), run.keys(layer), run.layer_name(layer));
  };
  throw Error({.kind = ErrorKind::usage,
               .file = printable(path.native()),
               .problem = "maps of different sizes do not fit one array",
               .found = size_text(maps.front().head) + " and " + size_text(other->head),
               .hint = "Write .npz, .safetensors, .csv or .json, one head at a time, or every layer with `headlight trace`."});
}

void check_room(const Snapshot& own, const FigureRequest& request, const std::vector<WrittenMap>& maps, const std::filesystem::path& path) {
  double bytes = 0;
  for (const WrittenMap& map : maps) {
    const Snapshot& run = run_of(map.head, own);
    const int layer = map.head.head.layer;
    bytes += static_cast<double>(run.queries(layer)) * static_cast<double>(columns_of(run, layer, shown_stage(request))) * sizeof(float);
  }
  require_memory(
      bytes, allowed_memory(),
      {.file = printable(path.native()), .problem = "too many numbers for one file", .hint = "Write fewer heads or a shorter text."});
}

std::vector<std::int64_t> shape_of(const Snapshot& own, const FigureRequest& request, const std::vector<WrittenMap>& maps) {
  const ComparedHead& head = maps.front().head;
  const Snapshot& run = run_of(head, own);
  std::vector<std::int64_t> shape = request.kind->numbers.axes(own, request);
  shape.insert(shape.end(), {run.queries(head.head.layer), columns_of(run, head.head.layer, shown_stage(request))});
  return shape;
}

}  // namespace headlight
