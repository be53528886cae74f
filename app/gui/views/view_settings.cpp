// The settings of the views: the menus at the right of the tabs, and what the window saves of each view.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/gui/columns/saved_columns.h"
#include "app/gui/panel/saved_state.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/views/views.h"

namespace headlight {
namespace {

constexpr auto kMomentNames = name_table<Moment>("now", "before", "difference");
constexpr auto kStageNames =
    name_table<Stage>("weights", "scores", "scaled", "mask", "masked", "value_weights", "z", "value_share", "norm_weights");

constexpr std::array<const char*, 3> kMomentLabels{"now", "before", "Δ"};
constexpr float kLeastStage = 24;  // of the stage's name, in points

std::size_t place_of_stage(const Panel& panel) {
  return static_cast<std::size_t>(std::find(kStages.begin(), kStages.end(), panel.view.head_page.stage) - kStages.begin());
}

/// Zooming ends where columns change their meaning: a range of keys says nothing about numbers of z.
void choose_stage(HeadPage& page, Stage stage) {
  if (row_of(page.stage).columns != row_of(stage).columns) page.zoom = {};
  page.stage = stage;
}

/// How much of the stage's name fits beside the moments: the baseline's chip, which is left of the row, keeps its place.
std::string shown_stage_label(const Panel& panel, const Row& row) {
  const Look& look = panel.look;
  const char* const label = row_of(panel.view.head_page.stage).label;
  if (!panel.draft.baseline) return label;
  const std::vector<std::string> moments(kMomentLabels.begin(), kMomentLabels.end());
  const float room = row.right - row.control_left - segments_width(look, moments) - look.px(6) - drop_down_width(look, "");
  return elided(look, Type::body, label, std::max(look.px(kLeastStage), room));
}

/// Left of the stage: now, before or the difference, while there is a baseline. Returns its left edge.
float draw_moments(Panel& panel, Row row) {
  if (!panel.draft.baseline) return row.right;
  row.right -= drop_down_width(panel.look, shown_stage_label(panel, row)) + panel.look.px(6);
  constexpr std::array<const char*, 3> kHelp{"The map as it is now.", "The map as it was in the baseline, with the baseline's own words.",
                                             "The weights now minus those before: red is more than before, blue is less."};
  std::array<Choice, 3> choices;
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const std::string problem = why_not_shown(panel, static_cast<Moment>(i));
    choices[i] = {kMomentLabels[i], problem.empty() ? kHelp[i] : problem, problem.empty()};
    labels.push_back(choices[i].label);
  }
  auto moment = static_cast<int>(shown_moment(panel));
  if (segmented(panel.look, row, "Moment", choices, moment)) panel.view.head_page.moment = static_cast<Moment>(moment);
  return row.right - segments_width(panel.look, labels);
}

}  // namespace

void save_overview(const ViewState& view, Json& json) {
  json["overview_scroll"] = view.overview.scroll;
  json["overview_stage"] = saved_name(kStageNames, view.overview.stage);
  json["overview_arrangement"] = arrangement_json(view.overview.arrangement);
}

void restore_overview(const Json& json, ViewState& view) {
  view.overview.arrangement = arrangement_from_json(json, "overview_arrangement");
  read_saved(json, "overview_stage", kStageNames, view.overview.stage);
  if (!is_of_lengths(view.overview.stage)) view.overview.stage = Stage::weights;
}

float draw_overview_menu(Panel& panel, Row row) {
  if (!panel.has_picture() || panel.is_dump()) return row.right;  // the weights are all there is
  row.help = "What all maps show: the weights, or how much of what each key gives gets through.";
  std::vector<Choice> choices;
  std::vector<Stage> stages;
  int chosen = 0;
  for (const StageRow& each : kStageRows) {
    if (each.stage != Stage::weights && !is_of_lengths(each.stage)) continue;
    if (each.stage == panel.view.overview.stage) chosen = static_cast<int>(stages.size());
    stages.push_back(each.stage);
    choices.push_back({each.label, each.help});
  }
  if (drop_down(panel.look, row, "Maps", choices, chosen)) panel.view.overview.stage = stages[static_cast<std::size_t>(chosen)];
  return row.right - drop_down_width(panel.look, row_of(panel.view.overview.stage).label);
}

float draw_head_menu(Panel& panel, Row row) {
  const float left = draw_moments(panel, row);
  if (panel.is_dump() || shown_moment(panel) == Moment::difference) return left;  // the weights are the only step
  row.help =
      "The step of the computation that the map shows: scores, scaled, the mask itself, final scores of what it allows, the weights that "
      "softmax makes of them, how much of each value they let through, and z, the mix of values that the head hands on.";
  std::vector<Choice> stages;
  for (const StageRow& each : kStageRows) stages.push_back({each.label, each.help});
  const float stage_left = row.right - drop_down_width(panel.look, shown_stage_label(panel, row));
  row.control_left = stage_left + drop_down_width(panel.look, "") - panel.look.px(18) - 1;  // a pixel, so that rounding elides nothing more
  auto stage = static_cast<int>(place_of_stage(panel));
  if (drop_down(panel.look, row, "Stage", stages, stage)) choose_stage(panel.view.head_page, kStages[static_cast<std::size_t>(stage)]);
  return std::min(left, stage_left);
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
