// What a person sets of a view beside its picture: the menus at the right of the tabs, and what the window saves of it.
#include <algorithm>
#include <array>

#include "app/gui/panel/saved_state.h"
#include "app/gui/views/views.h"

namespace headlight {
namespace {

constexpr auto kStageNames = name_table<Stage>("weights", "scores", "scaled", "mask", "masked");

}  // namespace

void save_overview(const ViewState& view, Json& json) {
  json["overview_scroll"] = view.overview_scroll;
}

void draw_head_menu(Panel& panel, Row row) {
  if (panel.is_dump()) return;  // there is no step but the weights
  row.help =
      "The step of the computation that the map shows: scores, scaled, the mask itself, final scores of what it allows, and the weights "
      "that softmax makes of them.";
  const std::array<std::string, kStages.size()> stages{"scores", "scaled scores", "mask", "masked scores", "weights"};
  auto stage = static_cast<int>(std::find(kStages.begin(), kStages.end(), panel.view.stage) - kStages.begin());
  if (drop_down(panel.look, row, "Stage", stages, stage)) panel.view.stage = kStages[static_cast<std::size_t>(stage)];
}

void save_head_view(const ViewState& view, Json& json) {
  json["stage"] = saved_name(kStageNames, view.stage);
  json["zoom"] = {view.zoom.row_begin, view.zoom.row_end, view.zoom.column_begin, view.zoom.column_end};
}

void restore_head_view(const Json& json, ViewState& view) {
  read_saved(json, "stage", kStageNames, view.stage);
}

void draw_compare_menu(Panel& panel, Row row) {
  row.help = "Shared: a colour means the same weight on every card. Own: each card's colours end at its own largest weight.";
  const std::array<std::string, 2> scales{"shared scale", "own scale"};
  int scale = panel.view.has_shared_scale ? 0 : 1;
  if (drop_down(panel.look, row, "Card scale", scales, scale)) panel.view.has_shared_scale = scale == 0;
}

void save_compare_view(const ViewState& view, Json& json) {
  json["shared_scale"] = view.has_shared_scale;
}

void restore_compare_view(const Json& json, ViewState& view) {
  read_saved(json, "shared_scale", view.has_shared_scale);
}

}  // namespace headlight
