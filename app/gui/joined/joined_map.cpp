#include "app/gui/joined/joined_map.h"

#include <cmath>

#include "app/gui/panel/shown_figure.h"

namespace headlight {
namespace {

constexpr double kAsksFrom = 1024.0 * 1024.0 * 1024.0;  // bytes: more is made only when it is asked for

}  // namespace

std::optional<float> JoinedMap::shown_value(Cell cell) const {
  const auto row = static_cast<float>(cell.query), column = static_cast<float>(cell.key);
  const float value = shown->picture->value(row, row + 1, column, column + 1);
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

bool shows_joined_map(const Panel& panel) {
  return panel.view.view == View::flow && panel.has_picture();
}

std::optional<double> unasked_flow_bytes(const Panel& panel) {
  const FlowRequest flow = shown_flow(panel);
  const int layer = flow.heads.front().layer;
  const double bytes = flow_bytes(panel.snapshot->queries(layer), panel.snapshot->keys(layer), flow.heads.size(), flow.settings);
  return bytes < kAsksFrom || panel.view.flow.agreed_bytes >= bytes ? std::nullopt : std::optional(bytes);
}

std::optional<JoinedMap> joined_map(const Panel& panel) {
  if (!shows_joined_map(panel)) return std::nullopt;
  const FlowRequest flow = shown_flow(panel);
  if (!why_no_flow(*panel.snapshot, flow).empty() || unasked_flow_bytes(panel)) return std::nullopt;
  JoinedMap joined;
  joined.shown = panel.context.session.flows().ask(panel.snapshot, flow.heads, flow.settings, panel.draft.style);
  if (!joined.shown) return std::nullopt;
  // What is still shown is named by its own heads.
  joined.flow = {joined.shown->found->heads, joined.shown->found->settings};
  joined.is_current = joined.shown->found->snapshot == panel.snapshot;
  return joined;
}

}  // namespace headlight
