#include "engine/figure/links/link_maps.h"

#include <algorithm>
#include <cmath>

#include "engine/figure/pictures.h"

namespace headlight {
namespace {

std::vector<double> received_by_keys(const Matrix& weights) {
  std::vector<double> received(static_cast<std::size_t>(weights.cols()));
  for (Index query = 0; query < weights.rows(); ++query) {
    for (Index key = 0; key < weights.cols(); ++key) {
      const auto weight = static_cast<double>(weights(query, key));
      if (std::isfinite(weight)) received[static_cast<std::size_t>(key)] += weight;
    }
  }
  return received;
}

/// Without the keys that a style leaves out: nothing goes to them.
LinkedHead linked_head(const Snapshot& snapshot, HeadId head, std::shared_ptr<const Matrix> weights, const Style& style) {
  const std::shared_ptr<const LayerTrace>& layer = snapshot.trace.layers.at(static_cast<std::size_t>(head.layer));
  LinkedHead linked{head, layer, std::move(weights), {}, 0};
  if (const std::vector<std::uint8_t> keys = hidden_keys(snapshot, style, head.layer); !keys.empty()) {
    const bool can_share = layer->given.empty() || layer->given[static_cast<std::size_t>(head.head)].sums.are_weights();
    ShownCells shown = leave_out(*linked.weights, layer->mask(head.head), keys, style.hiding == Hiding::renormalise, can_share);
    shown.values = (shown.values.array() == kHiddenCell).select(0, shown.values);
    linked.hidden_mass = shown.left_out.mean_mass;
    linked.weights = std::make_shared<const Matrix>(std::move(shown.values));
  }
  linked.received = received_by_keys(*linked.weights);
  return linked;
}

std::shared_ptr<const Matrix> weights_of(const Snapshot& snapshot, HeadId head, const Watch& watch) {
  const LayerTrace& layer = snapshot.trace.layer(head.layer);
  if (!layer.given.empty()) return layer.given[static_cast<std::size_t>(head.head)].cells;
  return std::make_shared<const Matrix>(std::move(snapshot.maps(head, watch).weights));
}

float number_or_zero(float weight) {
  return std::isfinite(weight) ? weight : 0;
}

/// Divides sums by how many there were of each.
std::vector<float> divided(const std::vector<double>& sums, double by) {
  std::vector<float> means;
  means.reserve(sums.size());
  for (const double sum : sums) means.push_back(static_cast<float>(by > 0 ? sum / by : 0));
  return means;
}

}  // namespace

std::vector<float> LinkMaps::mean_of_query(Index query) const {
  std::vector<double> sums(static_cast<std::size_t>(keys));
  for (const LinkedHead& head : heads) {
    for (Index key = 0; key < keys; ++key)
      sums[static_cast<std::size_t>(key)] += static_cast<double>(number_or_zero((*head.weights)(query, key)));
  }
  return divided(sums, static_cast<double>(heads.size()));
}

std::vector<float> LinkMaps::mean_of_key(Index key) const {
  std::vector<double> sums(static_cast<std::size_t>(queries));
  for (const LinkedHead& head : heads) {
    for (Index query = 0; query < queries; ++query)
      sums[static_cast<std::size_t>(query)] += static_cast<double>(number_or_zero((*head.weights)(query, key)));
  }
  return divided(sums, static_cast<double>(heads.size()));
}

std::vector<float> LinkMaps::mean_received() const {
  std::vector<double> sums(static_cast<std::size_t>(keys));
  for (const LinkedHead& head : heads) {
    for (std::size_t key = 0; key < sums.size(); ++key) sums[key] += head.received[key];
  }
  return divided(sums, static_cast<double>(heads.size()) * static_cast<double>(queries));
}

std::string LinkMaps::derived_text() const {
  if (hidden.is_empty()) return {};
  double sum = 0;
  int known = 0;
  for (const LinkedHead& head : heads) {
    if (std::isnan(head.hidden_mass)) continue;
    sum += head.hidden_mass;
    ++known;
  }
  return hiding_text(hidden, hiding == Hiding::renormalise) + (known > 0 ? hidden_mass_text(sum / known) + ", mean of the heads" : "");
}

bool has_same_texts(const Snapshot& snapshot, int layer, int other) {
  return &snapshot.query_tokens(layer) == &snapshot.query_tokens(other) && &snapshot.key_tokens(layer) == &snapshot.key_tokens(other);
}

std::vector<HeadId> heads_between_texts_of(const Snapshot& snapshot, int layer, std::span<const HeadId> heads) {
  std::vector<HeadId> found;
  for (const HeadId head : heads) {
    if (snapshot.contains(head) && has_same_texts(snapshot, layer, head.layer)) found.push_back(head);
  }
  return found;
}

LinkMaps make_link_maps(const Snapshot& snapshot, std::span<const HeadId> heads, const Style& style, const LinkMaps* before,
                        Progress& progress) {
  LinkMaps maps;
  if (heads.empty()) return maps;
  if (!hidden_keys(snapshot, style, heads.front().layer).empty()) maps.hidden = style.hidden, maps.hiding = style.hiding;
  if (before != nullptr && (before->hidden != maps.hidden || before->hiding != maps.hiding)) before = nullptr;
  maps.queries = snapshot.queries(heads.front().layer);
  maps.keys = snapshot.keys(heads.front().layer);
  const std::size_t bytes_of_head = static_cast<std::size_t>(maps.queries * maps.keys) * sizeof(float);
  const std::size_t most = std::max(std::size_t{1}, kLinkBytes / std::max(std::size_t{1}, bytes_of_head));
  const std::size_t count = std::min(heads.size(), most);
  maps.left_out = heads.size() - count;
  for (std::size_t place = 0; place < count; ++place) {
    progress.step(static_cast<double>(place) / static_cast<double>(count), "weights of the heads");
    const HeadId head = heads[place];
    const std::shared_ptr<const LayerTrace>& layer = snapshot.trace.layers.at(static_cast<std::size_t>(head.layer));
    const auto is_known = [&](const LinkedHead& each) { return each.layer == layer && each.head.head == head.head; };
    if (before != nullptr) {
      if (const auto known = std::find_if(before->heads.begin(), before->heads.end(), is_known); known != before->heads.end()) {
        maps.heads.push_back(*known);
        continue;
      }
    }
    maps.heads.push_back(linked_head(snapshot, head, weights_of(snapshot, head, Watch(progress)), style));
  }
  return maps;
}

}  // namespace headlight
