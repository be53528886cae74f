#include "engine/finding/alike_heads.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/measures/pair_measure.h"

namespace headlight {
namespace {

/// z of a head [queries, d_value]; empty where only its map is known.
Matrix output_of(const LayerTrace& layer, int head) {
  if (layer.z.size() == 0) return {};
  Matrix copy;
  return head_columns(layer.z, layer.heads, head, copy);
}

bool has_weights(const LayerTrace& layer, int head) {
  return layer.given.empty() || layer.given[static_cast<std::size_t>(head)].sums.are_weights();
}

/// The head that others are compared with.
struct Example {
  const Mask& mask;
  MaskRows rows;
  Matrix weights, output;
};

std::optional<AlikeHead> compare(const Example& example, const LayerTrace& layer, HeadId head, const Watch& watch) {
  if (!has_weights(layer, head.head)) return std::nullopt;
  const MaskRows masks(layer.mask(head.head));
  const Matrix output = output_of(layer, head.head);
  const bool has_outputs = output.size() > 0 && output.cols() == example.output.cols();
  PairGauge divergence(pair_measure_of("jensen-shannon")), agreement(pair_measure_of("output-agreement"));
  const RowVector none;
  RowVector whole(example.weights.cols());
  const auto add = [&](const HeadRows& rows) {
    for (Index at = 0; at < rows.weights.rows(); ++at) {
      const Index query = rows.first_query + at;
      const auto a = measured_row(example.rows, query, numbers_of_row(example.weights, query));
      const auto b = measured_row(masks, query, numbers_of_row(rows.weights, at));
      if (!a || !b || a->allowed < 2 || b->allowed < 2) continue;
      whole.setZero();
      whole.head(rows.weights.cols()) = rows.weights.row(at);
      divergence.add({example.weights.row(query), whole, none, none});
      if (has_outputs) agreement.add({none, none, example.output.row(query), output.row(query)});
    }
  };
  pass_head(layer, head.head, add, watch);
  if (std::isnan(divergence.value())) return std::nullopt;
  return AlikeHead{.head = head,
                   .divergence = divergence.value(),
                   .rows = divergence.rows(),
                   .agreement = agreement.value(),
                   .skipped = agreement.skipped()};
}

}  // namespace

void sort_alike(std::vector<AlikeHead>& heads, AlikeBy by) {
  const auto apart = [by](const AlikeHead& head) {  // the lower, the more alike
    if (by == AlikeBy::divergence) return head.divergence;
    return std::isnan(head.agreement) ? std::numeric_limits<double>::infinity() : -head.agreement;
  };
  const auto place = [](const AlikeHead& head) { return std::pair(head.run, head.head); };
  std::sort(heads.begin(), heads.end(), [&](const AlikeHead& a, const AlikeHead& b) {
    const double of_a = apart(a), of_b = apart(b);
    return of_a != of_b ? of_a < of_b : place(a) < place(b);
  });
}

std::vector<AlikeHead> heads_alike(std::span<const std::shared_ptr<const Snapshot>> runs, HeadId head, ThreadPool& pool,
                                   Progress& progress) {
  const LayerTrace& own = runs.front()->trace.layer(head.layer);
  if (!has_weights(own, head.head)) return {};
  const Mask& mask = own.mask(head.head);
  const Example example{mask, MaskRows(mask), rebuild_head(own, head.head, progress).weights, output_of(own, head.head)};
  std::vector<AlikeHead> all;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const Snapshot& snapshot = *runs[run];
    for (int number = 0; number < snapshot.layers(); ++number) {
      const auto part = static_cast<double>(number) / snapshot.layers();
      progress.step((static_cast<double>(run) + part) / static_cast<double>(runs.size()), "comparing heads");
      if (snapshot.queries(number) != mask.queries() || snapshot.keys(number) != mask.keys()) continue;
      const LayerTrace& layer = snapshot.trace.layer(number);
      std::vector<std::optional<AlikeHead>> found(layer.rules.size());
      pool.for_each(std::ssize(found), [&](Index place) {
        const HeadId other{number, static_cast<int>(place)};
        const bool is_itself = run == 0 && other == head;
        if (!is_itself) found[static_cast<std::size_t>(place)] = compare(example, layer, other, progress);
      });
      for (const std::optional<AlikeHead>& each : found) {
        if (each) all.emplace_back(*each).run = run;
      }
    }
  }
  sort_alike(all, AlikeBy::divergence);
  return all;
}

}  // namespace headlight
