#include "engine/pipeline/dump_snapshot.h"

#include <fmt/core.h>

#include "engine/dumps/dump_masks.h"
#include "engine/pipeline/stages/memo.h"

namespace headlight {
namespace {

using Summaries = std::vector<HeadSummary>;

std::shared_ptr<const Summaries> measure(const LayerTrace& layer, bool is_square, Measures measures, ThreadPool& pool, const Watch& watch) {
  auto summaries = std::make_shared<Summaries>(static_cast<std::size_t>(layer.heads));
  pool.for_each(layer.heads, [&](Index head) {
    const GivenMap& map = layer.given[static_cast<std::size_t>(head)];
    const Mask& mask = layer.mask(static_cast<int>(head));
    HeadSummary& summary = (*summaries)[static_cast<std::size_t>(head)];
    if (!map.sums.are_weights()) {
      summary = summarise_numbers(map.weights(), watch, measures);
    } else {
      summary =
          is_square ? summarise_head(map.weights(), mask, watch, measures) : summarise_cross_head(map.weights(), mask, watch, measures);
    }
  });
  return summaries;
}

/// Notes that nothing but the maps themselves says what the mask was.
void note_assumed(const Snapshot& snapshot, std::vector<std::string>& notices) {
  int assumed = 0;
  for (const auto& layer : snapshot.trace.layers) assumed += layer->given_mask.origin == GivenMask::Origin::assumed;
  if (assumed == 0) return;
  notices.push_back(
      fmt::format("Causal mask assumed in {} of {} layers: no query gives weight to a later token, and the file names no mask. If every "
                  "key was allowed, choose the mask none.",
                  assumed, snapshot.layers()));
}

/// Notes weight where the mask forbids it, which shows that mask and maps do not belong together.
void note_forbidden(const Snapshot& snapshot, std::vector<std::string>& notices) {
  std::int64_t cells = 0;
  int heads = 0, all = 0;
  std::string first;
  for (int layer = 0; layer < snapshot.layers(); ++layer) {
    const LayerTrace& trace = snapshot.trace.layer(layer);
    for (int head = 0; head < trace.heads; ++head, ++all) {
      const std::int64_t found = trace.given[static_cast<std::size_t>(head)].sums.forbidden_cells;
      if (found == 0) continue;
      if (heads++ == 0) first = fmt::format("{}, head {}", snapshot.layer_name(layer), head);
      cells += found;
    }
  }
  if (heads == 0) return;
  notices.push_back(fmt::format(
      "The mask does not fit the maps: {} masked cell{} of {} of {} heads hold{} weight, first in {}. Measures of these heads are "
      "left out (–); give the mask that the maps were made with.",
      cells, cells == 1 ? "" : "s", heads, all, cells == 1 ? "s" : "", first));
}

}  // namespace

std::shared_ptr<Snapshot> make_dump_snapshot(const AttentionDump& dump, const Query& query, Measures measures, ThreadPool& pool,
                                             Progress& progress) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->query.model = query.model;
  snapshot->query.item = query.item;
  snapshot->query.mask = query.mask;
  snapshot->query.text = dump.encoding->text;
  snapshot->model = dump.model;
  snapshot->encoding = dump.encoding;
  snapshot->decoder_encoding = dump.decoder_encoding;
  snapshot->notices = dump.notices;
  snapshot->axes = dump.axes;
  const auto count = static_cast<int>(dump.layers.size());
  for (int layer = 0; layer < count; ++layer) {
    progress.step(static_cast<double>(layer) / count, "measuring maps");
    const Stack stack = dump.model->config.place(layer).stack;
    snapshot->trace.layers.push_back(with_edits(dump.layers[static_cast<std::size_t>(layer)], layer, query.mask, stack, progress));
    const bool is_square = &snapshot->query_tokens(layer) == &snapshot->key_tokens(layer);
    snapshot->summaries.push_back(measure(*snapshot->trace.layers.back(), is_square, measures, pool, progress));
    snapshot->cost.bytes += bytes_of(*snapshot->summaries.back());
  }
  snapshot->cost.add_memory(snapshot->trace);
  note_assumed(*snapshot, snapshot->notices);
  note_forbidden(*snapshot, snapshot->notices);
  return snapshot;
}

}  // namespace headlight
