#include "engine/finding/head_ranking.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace headlight {

PatternGauge::PatternGauge(const Mask& targets, std::shared_ptr<const MaskRows> masks, bool shares_axis)
    : targets_(targets), masks_(std::move(masks)) {
  if (shares_axis) by_offset_.assign(static_cast<std::size_t>(targets.queries() + targets.keys() - 1), 0);
}

void PatternGauge::add(const HeadRows& rows) {
  for (Index at = 0; at < rows.weights.rows(); ++at) {
    const std::optional<MeasuredRow> row = measured_row(*masks_, rows.first_query + at, numbers_of_row(rows.weights, at));
    if (!row || row->allowed < 2) continue;
    const std::uint8_t* targets = targets_.row(row->query);
    double mass = 0;
    Index count = 0;
    for (Index key = 0; key < row->weights.size(); ++key) {
      if (targets[key] == 0 || row->cells[key] == 0) continue;
      const float weight = row->weights[key];
      mass += static_cast<double>(weight);
      ++count;
      if (best_.query < 0 || weight > best_.weight) best_ = {row->query, key, weight, mass};
      if (!by_offset_.empty()) ++by_offset_[static_cast<std::size_t>(key - row->query + targets_.queries() - 1)];
    }
    if (count == 0) continue;
    mass_ += mass;
    uniform_ += static_cast<double>(count) / static_cast<double>(row->allowed);
    ++rows_;
  }
}

std::optional<RankedHead> PatternGauge::found(HeadId head) const {
  if (rows_ == 0 || std::isnan(mass_)) return std::nullopt;
  const auto rows = static_cast<double>(rows_);
  RankedHead found{.head = head, .mass = mass_ / rows, .uniform = uniform_ / rows, .rows = rows_, .best = best_};
  Index most = 0;
  for (std::size_t place = 0; place < by_offset_.size(); ++place) {
    const Index offset = static_cast<Index>(place) - (targets_.queries() - 1);
    const bool is_nearer = std::abs(offset) < std::abs(found.offset);
    if (by_offset_[place] < most || (by_offset_[place] == most && !is_nearer)) continue;
    most = by_offset_[place];
    found.offset = offset;
  }
  if (most > 0) found.fixed = static_cast<double>(most) / rows;
  return found;
}

std::optional<RankedHead> rank_head(const LayerTrace& layer, HeadId head, const Mask& targets, bool shares_axis, const Watch& watch) {
  const bool has_weights = layer.given.empty() || layer.given[static_cast<std::size_t>(head.head)].sums.are_weights();
  if (!has_weights) return std::nullopt;
  PatternGauge gauge(targets, std::make_shared<const MaskRows>(layer.mask(head.head)), shares_axis);
  pass_head(
      layer, head.head, [&](const HeadRows& rows) { gauge.add(rows); }, watch);
  return gauge.found(head);
}

namespace {

/// The heads of one layer, in their order; nullopt: undefined.
std::vector<std::optional<RankedHead>> rank_layer(const Snapshot& run, int number, const Mask& targets, ThreadPool& pool,
                                                  Progress& progress) {
  const LayerTrace& layer = run.trace.layer(number);
  const bool shares_axis = tokens_of(run, number).is_one_text();
  std::vector<std::optional<RankedHead>> found(layer.rules.size());
  pool.for_each(std::ssize(found), [&](Index head) {
    found[static_cast<std::size_t>(head)] = rank_head(layer, {number, static_cast<int>(head)}, targets, shares_axis, progress);
  });
  return found;
}

}  // namespace

HeadRanking rank_heads(const Snapshot& run, const HeadQuestion& question, ThreadPool& pool, Progress& progress) {
  HeadRanking ranking;
  std::map<std::pair<const Encoding*, const Encoding*>, std::optional<Mask>> known;  // layers share axes
  for (int number = 0; number < run.layers(); ++number) {
    progress.step(static_cast<double>(number) / run.layers(), "ranking heads");
    const MapTokens tokens = tokens_of(run, number);
    const auto [entry, is_new] = known.try_emplace({&tokens.queries, &tokens.keys});
    if (is_new) entry->second = targets_of(question, tokens, progress);
    std::vector<std::optional<RankedHead>> heads(run.trace.layer(number).rules.size());
    if (entry->second) heads = rank_layer(run, number, *entry->second, pool, progress);
    for (std::size_t head = 0; head < heads.size(); ++head) {
      if (heads[head]) {
        ranking.heads.push_back(*heads[head]);
      } else {
        ranking.undefined.push_back({number, static_cast<int>(head)});
      }
    }
  }
  std::stable_sort(ranking.heads.begin(), ranking.heads.end(), [](const RankedHead& a, const RankedHead& b) { return a.mass > b.mass; });
  return ranking;
}

}  // namespace headlight
