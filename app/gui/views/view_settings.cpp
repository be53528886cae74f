// The settings of the views: the menus at the right of the tabs, and what the window saves of each view.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/gui/panel/saved_state.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/views/views.h"

namespace headlight {
namespace {

constexpr std::array<const char*, kStages.size()> kStageLabels{"scores", "scaled scores", "mask", "masked scores", "weights"};
constexpr auto kMomentNames = name_table<Moment>("now", "before", "difference");
constexpr auto kStageNames = name_table<Stage>("weights", "scores", "scaled", "mask", "masked");

/// Left of the stage: now, before or the difference, while there is a baseline to compare with. Returns its left edge.
float draw_moments(Panel& panel, Row row) {
  if (!can_compare(*panel.snapshot, baseline_run(panel).get(), panel.view.head)) return row.right;
  const auto stage = std::find(kStages.begin(), kStages.end(), panel.view.head_page.stage) - kStages.begin();
  row.right -= drop_down_width(panel.look, kStageLabels[static_cast<std::size_t>(stage)]) + panel.look.px(6);
  row.help = "The map now, as it was in the baseline, and the weights now minus those before: red is more than before, blue is less.";
  const std::array<std::string, 3> labels{"now", "before", "Δ"};
  int moment = static_cast<int>(panel.view.head_page.moment);
  if (segmented(panel.look, row, "Moment", labels, moment)) panel.view.head_page.moment = static_cast<Moment>(moment);
  return row.right - segments_width(panel.look, labels);
}

}  // namespace

void save_overview(const ViewState& view, Json& json) {
  json["overview_scroll"] = view.overview.scroll;
}

float draw_head_menu(Panel& panel, Row row) {
  const float left = draw_moments(panel, row);
  if (panel.is_dump() || shown_moment(panel) == Moment::difference) return left;  // the weights are the only step
  row.help =
      "The step of the computation that the map shows: scores, scaled, the mask itself, final scores of what it allows, and the weights "
      "that softmax makes of them.";
  const std::vector<std::string> stages(kStageLabels.begin(), kStageLabels.end());
  auto stage = static_cast<int>(std::find(kStages.begin(), kStages.end(), panel.view.head_page.stage) - kStages.begin());
  if (drop_down(panel.look, row, "Stage", stages, stage)) panel.view.head_page.stage = kStages[static_cast<std::size_t>(stage)];
  return std::min(left, row.right - drop_down_width(panel.look, stages[static_cast<std::size_t>(stage)]));
}

void save_head_view(const ViewState& view, Json& json) {
  json["stage"] = saved_name(kStageNames, view.head_page.stage);
  json["moment"] = saved_name(kMomentNames, view.head_page.moment);
  json["zoom"] = {view.head_page.zoom.row_begin, view.head_page.zoom.row_end, view.head_page.zoom.column_begin,
                  view.head_page.zoom.column_end};
}

void restore_head_view(const Json& json, ViewState& view) {
  read_saved(json, "stage", kStageNames, view.head_page.stage);
  read_saved(json, "moment", kMomentNames, view.head_page.moment);
}

float draw_compare_menu(Panel& panel, Row row) {
  row.help = "Shared: a colour means the same weight on every card. Own: each card's colours end at its own largest weight.";
  const std::array<std::string, 2> scales{"shared scale", "own scale"};
  int scale = panel.view.compare.has_shared_scale ? 0 : 1;
  if (drop_down(panel.look, row, "Card scale", scales, scale)) panel.view.compare.has_shared_scale = scale == 0;
  return row.right - drop_down_width(panel.look, scales[static_cast<std::size_t>(scale)]);
}

void save_compare_view(const ViewState& view, Json& json) {
  json["shared_scale"] = view.compare.has_shared_scale;
}

void restore_compare_view(const Json& json, ViewState& view) {
  read_saved(json, "shared_scale", view.compare.has_shared_scale);
}

}  // namespace headlight
