#include "engine/studies/importance/ranking.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace headlight {
namespace {

std::vector<std::size_t> rising_order(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  return order;
}

/// Whether a layer may lose one more head.
class LayerSizes {
 public:
  LayerSizes(const std::vector<HeadId>& heads, int kept) : kept_(kept) {
    for (const HeadId& head : heads) ++left_[head.layer];
  }
  bool can_lose(HeadId head) const { return left_.at(head.layer) > kept_; }
  void remove(HeadId head) { --left_[head.layer]; }

 private:
  int kept_;
  std::map<int, int> left_;
};

}  // namespace

std::vector<double> ranks_of(const std::vector<double>& values) {
  if (std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); })) return {};
  const std::vector<std::size_t> order = rising_order(values);
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::size_t at = begin; at < end; ++at) ranks[order[at]] = static_cast<double>(begin + end - 1) / 2;
    begin = end;
  }
  return ranks;
}

double correlation_of_ranks(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() < 2 || a.size() != b.size()) return std::numeric_limits<double>::quiet_NaN();
  const double mean = static_cast<double>(a.size() - 1) / 2;
  double both = 0, square_a = 0, square_b = 0;
  for (std::size_t at = 0; at < a.size(); ++at) {
    both += (a[at] - mean) * (b[at] - mean);
    square_a += (a[at] - mean) * (a[at] - mean);
    square_b += (b[at] - mean) * (b[at] - mean);
  }
  return both / std::sqrt(square_a * square_b);
}

double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  return correlation_of_ranks(ranks_of(a), ranks_of(b));
}

std::vector<HeadId> removal_order(const std::vector<HeadId>& heads, const std::vector<double>& importance, int kept_per_layer) {
  LayerSizes sizes(heads, kept_per_layer);
  std::vector<HeadId> order;
  for (const std::size_t at : rising_order(importance)) {
    if (!sizes.can_lose(heads[at])) continue;
    sizes.remove(heads[at]);
    order.push_back(heads[at]);
  }
  return order;
}

std::vector<PruningStep> pruning_curve(const std::vector<HeadId>& order, const std::function<double(const std::vector<HeadId>&)>& value) {
  std::vector<PruningStep> curve;
  std::vector<HeadId> removed;
  for (const HeadId& head : order) {
    removed.push_back(head);
    curve.push_back({head, value(removed)});
  }
  return curve;
}

std::vector<PruningStep> exact_pruning_curve(const std::vector<HeadId>& heads, int kept_per_layer,
                                             const std::function<double(const std::vector<HeadId>&, HeadId)>& importance,
                                             const std::function<double(const std::vector<HeadId>&)>& value) {
  LayerSizes sizes(heads, kept_per_layer);
  std::vector<HeadId> left = heads, removed;
  std::vector<PruningStep> curve;
  for (;;) {
    auto least = left.end();
    double lowest = std::numeric_limits<double>::infinity();
    for (auto head = left.begin(); head != left.end(); ++head) {
      if (!sizes.can_lose(*head)) continue;
      const double found = importance(removed, *head);
      if (least != left.end() && !(found < lowest)) continue;
      least = head;
      lowest = found;
    }
    if (least == left.end()) return curve;
    sizes.remove(*least);
    removed.push_back(*least);
    curve.push_back({*least, value(removed)});
    left.erase(least);
  }
}

}  // namespace headlight
