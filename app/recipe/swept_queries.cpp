#include "app/recipe/swept_queries.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/core/error.h"

namespace headlight {
namespace {

[[noreturn]] void refuse_training(std::string problem, std::string found, std::string expected) {
  throw Error({.kind = ErrorKind::usage,
               .field = "--sweep training",
               .problem = std::move(problem),
               .found = std::move(found),
               .expected = std::move(expected)});
}

TargetMap target_of(const DrawnMap& drawn_map, const Snapshot& snapshot) {
  const HeadId head = drawn_map.head;
  if (!snapshot.contains(head)) {
    refuse_training("the map is drawn for a head that is not there", fmt::format("layer {} head {}", head.layer, head.head),
                    fmt::format("layers 0 to {}, heads 0 to {}", snapshot.layers() - 1, snapshot.heads() - 1));
  }
  return {head, wanted_map(drawn_map, snapshot.queries(head.layer), snapshot.keys(head.layer))};
}

std::vector<Query> trained_queries(const Sweep& sweep, const Query& query, Pipeline& pipeline, Progress& progress) {
  if (const std::string why = why_no_training(query, sweep.drawn_map); !why.empty())
    refuse_training(why, printable(query.model.name, 120), "a head of -m sandbox, and --draw 0.0@5:2 or a document with a drawn map");
  std::vector<int> counts;
  for (const double value : sweep.values) counts.push_back(static_cast<int>(value));
  std::sort(counts.begin(), counts.end());
  const std::shared_ptr<const Snapshot> run = pipeline.run(query, progress);
  const TargetMap target = target_of(sweep.drawn_map, *run);
  const std::vector<HeadFit> fits = fit_head_at(*run->model, run->trace.layer(target.head.layer), target, counts, progress);
  std::vector<Query> queries;
  for (const double value : sweep.values) {
    const auto place = std::lower_bound(counts.begin(), counts.end(), static_cast<int>(value)) - counts.begin();
    Query trained = query;
    if (value > 0) apply_fit(trained.model.sandbox, fits[static_cast<std::size_t>(place)]);
    queries.push_back(std::move(trained));
  }
  return queries;
}

}  // namespace

void frame_drawn_map(const Sweep& sweep, const Snapshot& snapshot, FigureRequest& request) {
  if (sweep.of != SweepOf::training || !request.kind->needs.has_head || !request.kind->needs.has_stage) return;
  std::erase_if(request.frames, [](const MapFrame& frame) { return frame.kind == FrameKind::drawn_map; });
  const std::vector<MapFrame> drawn = frames_of(sweep.drawn_map, snapshot, request.head);
  request.frames.insert(request.frames.begin(), drawn.begin(), drawn.end());
}

std::string why_no_training(const Query& query, const DrawnMap& drawn_map) {
  if (query.model.name != "sandbox")
    return "only heads of the sandbox are trained here: the weights of other models come from files, which hold no training steps";
  if (drawn_map.strokes.empty()) return "no map is drawn that the head should learn";
  return {};
}

std::vector<Query> queries_of_sweep(const Sweep& sweep, const Query& query, Pipeline& pipeline, Progress& progress) {
  if (sweep.of == SweepOf::training) return trained_queries(sweep, query, pipeline, progress);
  std::vector<Query> queries;
  for (const double value : sweep.values) {
    queries.push_back(query);
    set_in_query(sweep.of, value, queries.back());
  }
  return queries;
}

}  // namespace headlight
