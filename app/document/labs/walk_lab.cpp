#include "app/document/labs/walk_lab.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/document/labs/lab_runs.h"
#include "engine/core/enumeration.h"
#include "engine/forward/block.h"
#include "engine/labs/layer_walk.h"

namespace headlight {
namespace {

constexpr int kCurvePlaces = 241;

std::string_view name_of_bend(Activation activation) {
  static constexpr Names<Activation> kNames{"GELU", "GELU", "ReLU", "SiLU", "GELU"};
  return kNames[activation];
}

double length_of(const RowVector& row) {
  return row.cast<double>().norm();
}

std::vector<float> bent_by(Activation activation, const std::vector<float>& numbers) {
  RowVector row = Eigen::Map<const RowVector>(numbers.data(), std::ssize(numbers));
  apply_activation(activation, row);
  return {row.data(), row.data() + row.size()};
}

void take_lengths(const LayerWalk& walk, const Snapshot& snapshot, WalkFound& found) {
  const BlockSwitches& block = snapshot.query.block;
  const bool is_norm_before = snapshot.model->config.norm.place == NormPlace::before;
  const char* normed = is_norm_before ? "" : ", normed";
  const auto add = [&](std::string name, const RowVector& row, bool is_added) {
    found.lengths.push_back({std::move(name), length_of(row), is_added});
  };
  add("before the layer", walk.before, false);
  add(block.has_attention_skip ? "attention adds" : "attention alone", walk.attention, true);
  add(fmt::format("after attention{}", normed), walk.after_attention, false);
  if (walk.inner.size() == 0) return;
  const bool is_added = block.has_feed_forward_skip || snapshot.model->config.feed_forward.is_parallel;
  add(is_added ? "feed-forward adds" : "feed-forward alone", walk.feed_forward, true);
  add(fmt::format("after the layer{}", normed), walk.after, false);
}

void take_bend(const RowVector& inner, Activation activation, WalkFound& found) {
  if (inner.size() == 0) return;
  found.activation = name_of_bend(activation);
  found.inner.assign(inner.data(), inner.data() + inner.size());
  found.bent = bent_by(activation, found.inner);
  const float reach = std::clamp(std::ceil(inner.cwiseAbs().maxCoeff()), kUsualBend, kWidestBend);
  for (int place = 0; place < kCurvePlaces; ++place)
    found.places.push_back(reach * (2 * static_cast<float>(place) / static_cast<float>(kCurvePlaces - 1) - 1));
  found.curve = bent_by(activation, found.places);
  found.left_out = std::count_if(found.inner.begin(), found.inner.end(), [&](float x) { return !(std::abs(x) <= reach); });
}

}  // namespace

double WalkFound::largest() const {
  double most = 0;
  for (const Length& each : lengths) most = std::max(most, each.length);
  return most;
}

WalkFound run_walk(const LabRequest& request) {
  const Snapshot& snapshot = *request.snapshot;
  const int layer = request.head.layer;
  const Index last = snapshot.queries(layer) - 1;
  WalkFound found;
  found.position = std::clamp(request.query.value_or(last / 2), Index{0}, last);
  found.token = labels_of(snapshot, snapshot.query_tokens(layer), found.position + 1).back();
  found.layer = snapshot.layer_name(layer);
  ThreadPool pool(1);
  const LayerWalk walk = walk_layer(*snapshot.model, snapshot.trace, layer, snapshot.query.block, found.position, pool);
  found.is_gated = snapshot.model->parameters.layer(layer).ff_gate.weight.size() > 0;
  take_lengths(walk, snapshot, found);
  take_bend(walk.inner, snapshot.model->config.feed_forward.activation, found);
  return found;
}

std::string lengths_title(const WalkFound& found) {
  return fmt::format("Length of “{}” in {}", found.token, found.layer);
}

std::string bend_title(const WalkFound& found) {
  if (found.inner.empty()) return "This layer has no feed-forward part.";
  return fmt::format("{} and the {} numbers of “{}”", found.activation, found.inner.size(), found.token);
}

std::string bend_note(const WalkFound& found) {
  constexpr float kNearlyNothing = 0.2F;
  if (found.inner.empty()) return {};
  const auto below = std::count_if(found.inner.begin(), found.inner.end(), [](float x) { return x < 0; });
  const auto small = std::count_if(found.bent.begin(), found.bent.end(), [&](float y) { return std::abs(y) < kNearlyNothing; });
  return fmt::format("{} of {} numbers of {} are below 0; {} come out between −0.2 and 0.2.", below, found.inner.size(),
                     found.is_gated ? "the gate" : "W_1 · x", small);
}

Sheet walk_sheet(const LabRequest& request, const WalkFound& found) {
  Sheet sheet{.title = fmt::format("a token's way through {}", request.snapshot->layer_name(request.head.layer)), .notes = {}};
  SheetTable table{.headings = {"vector", "length"}, .rows = {}, .first = 200, .heading = lengths_title(found)};
  NamedNumbers lengths{.name = "lengths", .rows = {}, .columns = {"length"}, .values = {}};
  for (const WalkFound::Length& each : found.lengths) {
    table.rows.push_back({.cells = {each.name, fmt::format("{:.3f}", each.length)}});
    lengths.rows.push_back(each.name);
    lengths.exact.push_back(each.length);
  }
  sheet.parts.emplace_back(std::move(table));
  sheet.of_tables.push_back(std::move(lengths));
  if (found.inner.empty()) return sheet;
  sheet.notes = {bend_title(found) + ".", bend_note(found)};
  NamedNumbers bend{.name = "bend", .rows = {}, .columns = {"before", "after"}, .values = {}};
  for (std::size_t place = 0; place < found.inner.size(); ++place)
    bend.exact.insert(bend.exact.end(), {static_cast<double>(found.inner[place]), static_cast<double>(found.bent[place])});
  bend.rows.resize(found.inner.size());
  for (std::size_t place = 0; place < bend.rows.size(); ++place) bend.rows[place] = std::to_string(place);
  sheet.of_tables.push_back(std::move(bend));
  return sheet;
}

}  // namespace headlight
