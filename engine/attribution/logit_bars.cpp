#include "engine/attribution/logit_bars.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"

namespace headlight {
namespace {

constexpr double kLeastListed = 0.015;  ///< of the largest: smaller ones are joined

bool is_of_embedding(PartKind kind) {
  return kind == PartKind::token || kind == PartKind::sentence_type || kind == PartKind::position || kind == PartKind::embedding_bias;
}

std::string layers_text(int first, int last) {
  return first == last ? fmt::format("of layer {}", first) : fmt::format("of layers {}–{}", first, last);
}

/// Sums the small parts of one kind.
struct Rest {
  int count = 0, first = 0, last = 0;
  double sum = 0;
  void add(const LogitPart& part) {
    if (count == 0) first = last = part.id.layer;
    first = std::min(first, part.id.layer), last = std::max(last, part.id.layer);
    ++count;
    sum += part.value;
  }
  /// Nothing where there are none.
  void add_bar(std::vector<LogitBar>& bars, const char* one, const char* several, const char* kind) const {
    if (count == 0) return;
    bars.push_back({count == 1 ? std::string(one) : fmt::format("{} {}", count, several),
                    fmt::format("{} {} that each add less than those above.", kind, layers_text(first, last)),
                    sum,
                    {}});
  }
};

/// Places of those that have a bar of their own, ascending: in the order of the computation.
std::vector<std::size_t> listed_places(const LogitParts& parts, std::size_t listed) {
  std::vector<double> values;
  for (const LogitPart& part : parts.parts) values.push_back(part.value);
  std::vector<std::size_t> order = places_by_size(values);
  std::erase_if(order, [&](std::size_t place) {
    const PartKind kind = parts.parts[place].id.kind;
    return kind != PartKind::head && kind != PartKind::feed_forward;
  });
  const auto size = [&](std::size_t place) { return std::abs(values[place]); };
  order.resize(std::min(order.size(), listed));
  if (!order.empty()) {
    const double least = kLeastListed * size(order.front());
    std::erase_if(order, [&](std::size_t place) { return size(place) < least; });
  }
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace

std::vector<LogitBar> logit_bars(const Snapshot& run, const LogitParts& parts, std::size_t listed) {
  const std::vector<std::size_t> order = listed_places(parts, listed);
  double embedding = 0, biases = 0;
  Rest heads, feed_forward;
  std::vector<LogitBar> single;
  for (std::size_t place = 0; place < parts.parts.size(); ++place) {
    const LogitPart& part = parts.parts[place];
    if (std::binary_search(order.begin(), order.end(), place)) {
      LogitBar bar{part_label(run, part.id), row_of(part.id.kind).help, part.value, {}};
      if (part.id.kind == PartKind::head) bar.head = HeadId{part.id.layer, part.id.head};
      single.push_back(std::move(bar));
    } else if (is_of_embedding(part.id.kind)) {
      embedding += part.value;
    } else if (part.id.kind == PartKind::head) {
      heads.add(part);
    } else if (part.id.kind == PartKind::feed_forward) {
      feed_forward.add(part);
    } else {
      biases += part.value;
    }
  }
  std::vector<LogitBar> bars{
      {"embedding and position", "The token's own vector and that of its position, straight to the logits.", embedding, {}}};
  bars.insert(bars.end(), single.begin(), single.end());
  heads.add_bar(bars, "1 other head", "other heads", "Heads");
  feed_forward.add_bar(bars, "1 other feed-forward", "other feed-forward", "Feed-forward parts");
  bars.push_back({"biases and norms", "Biases of projections, norms and the logits, which no head owns.", biases, {}});
  return bars;
}

std::optional<HeadId> largest_head(const LogitParts& parts) {
  const LogitPart* largest = nullptr;
  for (const LogitPart& part : parts.parts) {
    if (part.id.kind == PartKind::head && (largest == nullptr || std::abs(part.value) > std::abs(largest->value))) largest = &part;
  }
  return largest == nullptr ? std::nullopt : std::optional(HeadId{largest->id.layer, largest->id.head});
}

std::vector<SourceShare> source_shares(const std::vector<double>& adds, const std::vector<float>& weights, std::size_t listed) {
  std::vector<SourceShare> shares;
  SourceShare others{.joined = 0};
  for (const std::size_t place : places_by_size(adds)) {
    if (shares.size() < listed) {
      shares.push_back({static_cast<Index>(place), 1, weights[place], adds[place]});
    } else {
      others.weight += weights[place], others.adds += adds[place], ++others.joined;
    }
  }
  if (others.joined > 0) shares.push_back(others);
  return shares;
}

}  // namespace headlight
