// The section of the left rail that sets Flow, and what the window saves of it.
#include <fmt/core.h>

#include <array>

#include "app/gui/panel/saved_state.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/views/flow/flow_view.h"

namespace headlight {
namespace {

constexpr auto kWhich = name_table<FlowPage::Heads>("layer", "all", "pinned", "brushed");
constexpr auto kReductions = name_table<Reduction>("mean", "max", "min", "median", "rollout");

std::vector<Choice> reduction_choices() {
  std::vector<Choice> choices;
  for (const ReductionRow& row : kReductionRows) choices.push_back({std::string(row.label), row.help});
  return choices;
}

void choose_reduction(Panel& panel, const Row& row, const char* name) {
  auto chosen = static_cast<int>(panel.view.flow.settings.reduction);
  const std::vector<Choice> choices = reduction_choices();
  if (!drop_down(panel.look, row, name, choices, chosen)) return;
  panel.view.flow.settings.reduction = static_cast<Reduction>(chosen);
  // A rollout of one layer is hardly more than its mean.
  const bool is_first_rollout = panel.view.flow.settings.reduction == Reduction::rollout && panel.view.flow.which == FlowPage::Heads::layer;
  if (is_first_rollout) panel.view.flow.which = FlowPage::Heads::all;
}

void draw_which(Panel& panel) {
  FlowPage& page = panel.view.flow;
  const bool has_pins = !pinned_here(panel).empty(), has_brushed = !brushed_here(panel).empty();
  const std::array<Choice, 4> choices{
      Choice{"this layer", "All heads of the layer that is looked at (arrow keys change it)."},
      Choice{"all layers", "The heads of all layers between the same texts."},
      Choice{
          "pinned heads",
          has_pins ? "The pinned heads of this text." : "No head of this text is pinned yet: pin heads in the Overview with the space bar.",
          has_pins},
      Choice{"brushed heads", has_brushed ? "The heads that are brushed in Measures." : "No head is brushed yet: brush some in Measures.",
             has_brushed},
  };
  auto which = static_cast<int>(page.which);
  const Row row = begin_row(panel.look, "Heads of", "Whose maps become one.");
  if (drop_down(panel.look, row, "Flow of", choices, which)) page.which = static_cast<FlowPage::Heads>(which);
}

/// From the first layer with heads to the one that the slider names.
void draw_through(Panel& panel) {
  FlowPage& page = panel.view.flow;
  const std::vector<HeadId> heads = shown_flow(panel).heads;
  if (heads.empty() || heads.front().layer == heads.back().layer) return;
  int through = std::clamp(page.settings.through < 0 ? heads.back().layer : page.settings.through, heads.front().layer, heads.back().layer);
  const Row row = begin_row(panel.look, "Through layer", "The last layer that counts: what has reached each token so far.");
  if (!slider(panel.look, row, "Through layer", through, heads.front().layer, heads.back().layer,
              std::to_string(panel.snapshot->model->config.place(through).number))) {
    return;
  }
  page.settings.through = through == heads.back().layer ? -1 : through;
}

void draw_rollout(Panel& panel) {
  const Look& look = panel.look;
  FlowSettings& settings = panel.view.flow.settings;
  const Row row = begin_row(look, "Identity",
                            "How much of each layer is the token itself, for the skip connection around attention. "
                            "Double-click: 0.5, as Abnar & Zuidema have it.");
  float identity = settings.identity;
  if (slider(look, row, "Identity", identity, 0, 1, 0.5F, fmt::format("{:.2f}", identity)))
    settings.identity = std::round(identity * 20) / 20;
  const std::array<Choice, 2> fusions{Choice{"mean", "The mean of a layer's heads."},
                                      Choice{"maximum", "The largest weight of a layer's heads; the rows are then shared out again."}};
  int fusion = settings.fuses_by_max ? 1 : 0;
  if (segmented(look, begin_row(look, "In a layer", "How the heads of one layer become one map."), "Fusion", fusions, fusion))
    settings.fuses_by_max = fusion == 1;
  draw_through(panel);
}

}  // namespace

void draw_flow_settings(Panel& panel) {
  const Look& look = panel.look;
  if (!panel.has_picture() || !section(look, "As one map", panel.view.rails.folded, flow_state(panel))) return;
  choose_reduction(panel, begin_row(look, "Shown", "What becomes of the weights of the heads in one cell."), "Reduction");
  draw_which(panel);
  if (panel.view.flow.settings.reduction == Reduction::rollout) draw_rollout(panel);
}

std::string flow_state(const Panel& panel) {
  if (!panel.has_picture()) return {};
  const std::size_t heads = shown_flow(panel).heads.size();
  return fmt::format("{}, {} head{}", row_of(panel.view.flow.settings.reduction).label, heads, heads == 1 ? "" : "s");
}

float draw_flow_menu(Panel& panel, Row row) {
  row.help = row_of(panel.view.flow.settings.reduction).help;
  const std::string label(row_of(panel.view.flow.settings.reduction).label);
  choose_reduction(panel, row, "Flow as");
  return row.right - drop_down_width(panel.look, label);
}

void save_flow_view(const ViewState& view, Json& json) {
  const FlowPage& page = view.flow;
  Json& flow = json["flow"] = Json::object();
  flow["which"] = saved_name(kWhich, page.which);
  flow["reduction"] = saved_name(kReductions, page.settings.reduction);
  flow["identity"] = page.settings.identity;
  flow["fuses_by_max"] = page.settings.fuses_by_max;
}

void restore_flow_view(const Json& json, ViewState& view) {
  if (!json.contains("flow") || !json["flow"].is_object()) return;
  const Json& flow = json["flow"];
  FlowPage& page = view.flow;
  read_saved(flow, "which", kWhich, page.which);
  read_saved(flow, "reduction", kReductions, page.settings.reduction);
  read_saved(flow, "identity", page.settings.identity, 0, 1);
  read_saved(flow, "fuses_by_max", page.settings.fuses_by_max);
}

}  // namespace headlight
