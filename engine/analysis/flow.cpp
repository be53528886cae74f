#include "engine/analysis/flow.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/enumeration.h"

namespace headlight {
namespace {

using Doubles = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Values of a median are held for this many bytes at a time.
constexpr double kMedianBytes = 256 * 1024.0 * 1024.0;

/// A map from a file is shared, another is rebuilt.
std::shared_ptr<const Matrix> weights_of(const LayerTrace& layer, int head, const Watch& watch) {
  if (!layer.given.empty()) return layer.given[static_cast<std::size_t>(head)].cells;
  return std::make_shared<const Matrix>(std::move(rebuild_head(layer, head, watch).weights));
}

/// Allowed by any of the heads.
std::shared_ptr<const Mask> any_mask(const Trace& trace, std::span<const HeadId> heads, bool has_diagonal) {
  const auto mask_of = [&](HeadId head) { return trace.layer(head.layer).rule(head.head).mask; };
  const std::shared_ptr<const Mask> first = mask_of(heads.front());
  std::shared_ptr<Mask> joined;
  for (const HeadId head : heads) {
    const std::shared_ptr<const Mask> mask = mask_of(head);
    if (mask == first || *mask == *first) continue;
    if (!joined) joined = std::make_shared<Mask>(*first);
    for (Index query = 0; query < mask->queries(); ++query) {
      std::uint8_t* const into = joined->row(query);
      const std::uint8_t* const from = mask->row(query);
      for (Index key = 0; key < mask->keys(); ++key) into[key] |= from[key];
    }
  }
  if (!has_diagonal) return joined ? joined : first;
  // What reaches a token through several layers: allowed by a chain of keys, for which the union of the masks is a bound from below.
  if (!joined) joined = std::make_shared<Mask>(*first);
  for (Index token = 0; token < joined->queries(); ++token) joined->set(token, token, true);
  return joined;
}

/// Extends a mask by every key that is reached: cells with weight are allowed.
std::shared_ptr<const Mask> with_reached(std::shared_ptr<const Mask> mask, const Matrix& values) {
  std::shared_ptr<Mask> wider;
  for (Index query = 0; query < values.rows(); ++query) {
    for (Index key = 0; key < values.cols(); ++key) {
      if (values(query, key) == 0 || mask->allows(query, key)) continue;
      if (!wider) wider = std::make_shared<Mask>(*mask);
      wider->set(query, key, true);
    }
  }
  return wider ? wider : mask;
}

Matrix mean_of(const Trace& trace, std::span<const HeadId> heads, Progress& progress, double from, double to) {
  Doubles sum;
  for (std::size_t place = 0; place < heads.size(); ++place) {
    progress.step(from + (to - from) * static_cast<double>(place) / static_cast<double>(heads.size()), "weights of the heads");
    const auto weights = weights_of(trace.layer(heads[place].layer), heads[place].head, Watch(progress));
    if (sum.size() == 0) sum = Doubles::Zero(weights->rows(), weights->cols());
    sum += weights->cast<double>();
  }
  return (sum / static_cast<double>(heads.size())).cast<float>();
}

/// The largest or smallest of each cell. NaN stays.
Matrix extreme_of(const Trace& trace, std::span<const HeadId> heads, bool is_max, Progress& progress, double from, double to) {
  Matrix extreme;
  for (std::size_t place = 0; place < heads.size(); ++place) {
    progress.step(from + (to - from) * static_cast<double>(place) / static_cast<double>(heads.size()), "weights of the heads");
    const auto weights = weights_of(trace.layer(heads[place].layer), heads[place].head, Watch(progress));
    if (place == 0) {
      extreme = *weights;
    } else if (is_max) {
      extreme = extreme.cwiseMax<Eigen::PropagateNaN>(*weights);
    } else {
      extreme = extreme.cwiseMin<Eigen::PropagateNaN>(*weights);
    }
  }
  return extreme;
}

float median(std::vector<float>& values) {
  if (std::any_of(values.begin(), values.end(), [](float value) { return std::isnan(value); })) {
    return std::numeric_limits<float>::quiet_NaN();
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  const float below = *std::max_element(values.begin(), middle);
  return (below + *middle) / 2;
}

/// Some rows at a time, with the weights of all heads in them.
Matrix median_of(const Trace& trace, std::span<const HeadId> heads, Index queries, Index keys, Progress& progress) {
  Matrix result(queries, keys);
  const double bytes_of_row = static_cast<double>(heads.size()) * static_cast<double>(keys) * sizeof(float);
  const Index rows = std::clamp(static_cast<Index>(kMedianBytes / std::max(1.0, bytes_of_row)), Index{1}, queries);
  std::vector<Matrix> parts(heads.size());
  std::vector<float> values(heads.size());
  for (Index first = 0; first < queries; first += rows) {
    const Index count = std::min(rows, queries - first);
    for (std::size_t place = 0; place < heads.size(); ++place) {
      const double part = static_cast<double>(place) / static_cast<double>(heads.size());
      progress.step((static_cast<double>(first) + part * static_cast<double>(count)) / static_cast<double>(queries),
                    "weights of the heads");
      parts[place] = weights_of(trace.layer(heads[place].layer), heads[place].head, Watch(progress))->middleRows(first, count);
    }
    for (Index cell = 0; cell < count * keys; ++cell) {
      for (std::size_t place = 0; place < heads.size(); ++place) values[place] = parts[place].data()[cell];
      result.data()[first * keys + cell] = median(values);
      if (cell % keys == 0) progress.check();
    }
  }
  return result;
}

/// One layer more: Â R.
Doubles next_rollout(const Matrix& fused, float identity, const Doubles& before, const Watch& watch) {
  Doubles mixed = fused.cast<double>();
  const auto own = static_cast<double>(identity);
  for (Index token = 0; token < mixed.rows(); ++token) {
    const double sum = mixed.row(token).sum();
    if (sum > 0) {
      mixed.row(token) *= (1 - own) / sum;
      mixed(token, token) += own;
    } else {
      mixed.row(token).setZero();
      mixed(token, token) = 1;
    }
  }
  Doubles after(mixed.rows(), before.cols());
  const Index rows = watch.rows_at_once(mixed.cols() * before.cols());
  for (Index first = 0; first < mixed.rows(); first += rows) {
    watch.check();
    const Index count = std::min(rows, mixed.rows() - first);
    after.middleRows(first, count).noalias() = mixed.middleRows(first, count) * before;
  }
  return after;
}

FlowMap make_rollout(const Trace& trace, std::vector<HeadId> heads, const FlowSettings& settings, Progress& progress) {
  std::erase_if(heads, [&](HeadId head) { return settings.through >= 0 && head.layer > settings.through; });
  FlowMap flow;
  flow.heads = heads.size();
  const Index tokens = trace.layer(0).rule(0).mask->queries();
  Doubles rolled = Doubles::Identity(tokens, tokens);
  for (std::size_t begin = 0; begin < heads.size();) {
    const auto is_later = [&](HeadId head) { return head.layer != heads[begin].layer; };
    const auto end =
        static_cast<std::size_t>(std::find_if(heads.begin() + static_cast<std::ptrdiff_t>(begin), heads.end(), is_later) - heads.begin());
    const std::span<const HeadId> layer = std::span(heads).subspan(begin, end - begin);
    const auto share = [&](std::size_t place) { return static_cast<double>(place) / static_cast<double>(heads.size()); };
    const Matrix fused = settings.fuses_by_max ? extreme_of(trace, layer, true, progress, share(begin), share(end))
                                               : mean_of(trace, layer, progress, share(begin), share(end));
    rolled = next_rollout(fused, settings.identity, rolled, Watch(progress));
    flow.layers.push_back(heads[begin].layer);
    begin = end;
  }
  flow.values = rolled.cast<float>();
  if (!heads.empty()) flow.mask = with_reached(any_mask(trace, heads, true), flow.values);
  return flow;
}

}  // namespace

const ReductionRow& row_of(Reduction reduction) {
  static_assert(has_row_of_each(kReductionRows, &ReductionRow::reduction));
  return kReductionRows[static_cast<std::size_t>(reduction)];
}

std::string reduction_names() {
  std::string names;
  for (const ReductionRow& row : kReductionRows) names.append(names.empty() ? "" : ", ").append(row.name);
  return names;
}

double flow_bytes(Index queries, Index keys, std::size_t heads, const FlowSettings& settings) {
  const double cells = static_cast<double>(queries) * static_cast<double>(keys);
  const double one_head = 3 * cells * sizeof(float);  // scores and weights while a head is rebuilt, and its mask
  switch (settings.reduction) {
    case Reduction::mean:
      return one_head + cells * (sizeof(double) + sizeof(float));
    case Reduction::max:
    case Reduction::min:
      return one_head + 2 * cells * sizeof(float);
    case Reduction::median:
      return one_head + cells * sizeof(float) + std::min(kMedianBytes, static_cast<double>(heads) * cells * sizeof(float));
    case Reduction::rollout:
      return one_head + cells * (4 * sizeof(double) + 2 * sizeof(float));
  }
  return one_head;
}

FlowMap make_flow(const Trace& trace, std::span<const HeadId> heads, const FlowSettings& settings, Progress& progress) {
  std::vector<HeadId> sorted(heads.begin(), heads.end());
  std::sort(sorted.begin(), sorted.end());  // so that sums do not depend on the order
  if (settings.reduction == Reduction::rollout) return make_rollout(trace, std::move(sorted), settings, progress);
  FlowMap flow;
  flow.heads = sorted.size();
  for (const HeadId head : sorted) {
    if (flow.layers.empty() || flow.layers.back() != head.layer) flow.layers.push_back(head.layer);
  }
  flow.mask = any_mask(trace, sorted, false);
  if (settings.reduction == Reduction::mean) {
    flow.values = mean_of(trace, sorted, progress, 0, 1);
  } else if (settings.reduction == Reduction::median) {
    flow.values = median_of(trace, sorted, flow.mask->queries(), flow.mask->keys(), progress);
  } else {
    flow.values = extreme_of(trace, sorted, settings.reduction == Reduction::max, progress, 0, 1);
  }
  return flow;
}

Matrix rollout_of(std::span<const Matrix> maps, float identity) {
  if (maps.empty()) return {};
  Doubles rolled = Doubles::Identity(maps.front().rows(), maps.front().rows());
  for (const Matrix& map : maps) rolled = next_rollout(map, identity, rolled, {});
  return rolled.cast<float>();
}

}  // namespace headlight
