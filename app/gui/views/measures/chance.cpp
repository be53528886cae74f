#include "app/gui/views/measures/chance.h"

#include <fmt/core.h>

#include <algorithm>

namespace headlight {
namespace {

constexpr double kSmall = 20e6;  // multiplications per token: such models are drawn without asking
constexpr Index kFewTokens = 256;

/// Maps from a file have no model that could be drawn.
bool can_be_drawn(const Panel& panel, const HeadColumn& column) {
  return column.origin == ColumnOrigin::text && column.request && !panel.snapshot->is_dump() && panel.view.measures.source.empty();
}

bool is_drawn_at_once(const Panel& panel) {
  const ModelConfig& config = panel.snapshot->model->config;
  const double work = 12.0 * config.layers * config.d_model * config.d_model;
  return work <= kSmall && panel.snapshot->tokens() <= kFewTokens;
}

bool is_wanted(const Panel& panel) {
  return is_drawn_at_once(panel) || panel.view.measures.wants_baselines;
}

std::shared_ptr<const ChanceFound> ask(Panel& panel) {
  return panel.context.session.chance_columns().ask(panel.snapshot, measures_in_table(panel.view.measures));
}

void add_baselines(const ChanceFound& found, HeadColumn& column) {
  const auto of = std::find(found.ids.begin(), found.ids.end(), column.id);
  if (of == found.ids.end()) return;
  const std::vector<ColumnBaseline>& baselines = found.baselines[static_cast<std::size_t>(of - found.ids.begin())];
  column.baselines.insert(column.baselines.begin(), baselines.begin(), baselines.end());
}

}  // namespace

ShownColumns with_chance(Panel& panel, ShownColumns shown) {
  if (panel.snapshot->is_dump() || !panel.view.measures.source.empty() || !is_wanted(panel)) return shown;
  const auto found = ask(panel);
  if (!found) return shown;
  ColumnsWithChance& kept = panel.caches.columns_with_chance;
  if (kept.found != found || kept.plain != shown.columns) {
    kept = {found, shown.columns, shown.columns};
    for (auto& column : kept.columns) {
      if (!can_be_drawn(panel, *column)) continue;
      auto more = std::make_shared<HeadColumn>(*column);
      add_baselines(*found, *more);
      column = std::move(more);
    }
  }
  shown.columns = kept.columns;
  return shown;
}

void draw_chance_offer(Panel& panel, const HeadColumn& column) {
  if (!can_be_drawn(panel, column) || !column.baselines.empty()) return;
  const Look& look = panel.look;
  if (is_wanted(panel)) return text_line(look, Type::caption, look.colours.text_second, "Drawing what chance gives …");
  constexpr const char* kLabel = "Compare with chance";
  const ImVec2 at = ImGui::GetCursorScreenPos();
  gap(look, kControl);
  if (quiet_button(look, kLabel, at, {button_width(look, kLabel), look.px(kControl)})) panel.view.measures.wants_baselines = true;
  hint(look, "Runs the text through the model with its weights shuffled, and its tokens shuffled, a few times each.");
}

}  // namespace headlight
