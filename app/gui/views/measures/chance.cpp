#include "app/gui/views/measures/chance.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/document/amounts.h"
#include "app/gui/kit/items.h"
#include "engine/core/numbers.h"

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

std::optional<NoScore> why_no_z(const HeadColumn& column, const ColumnBaseline& chance, HeadId head) {
  if (std::isnan(column.values.of(head))) return NoScore{"no value", "The measure is undefined for this head."};
  if (std::isnan(chance.means.of(head)))
    return NoScore{"undefined by chance", "The measure is undefined for this head in every draw, so there is nothing to compare with."};
  if (chance.draws == 0) return NoScore{"not drawn", "This is computed and not drawn, so it has no deviation to divide by."};
  const double deviation = chance.deviations.of(head);
  if (std::isnan(deviation)) return NoScore{"one draw", "This head has a value in one draw, and a deviation needs two."};
  if (!(deviation > 0)) return NoScore{"deviation 0", "Every draw gives this head the same number, so there is no deviation to divide by."};
  return std::nullopt;
}

std::string chance_text(const HeadColumn& column, const ColumnBaseline& chance, HeadId head) {
  const double deviation = chance.deviations.of(head);
  const std::string mean = column_number(column, chance.means.of(head));
  return std::isnan(deviation) ? mean : fmt::format("{} ± {:.3g}", mean, deviation);
}

std::string how_z_is_made(const HeadColumn& column, const ColumnBaseline& chance, HeadId head) {
  if (const auto why = why_no_z(column, chance, head)) return why->sentence;
  const double value = column.values.of(head);
  return fmt::format("(value − mean) / deviation = ({:.5g} − {:.5g}) / {:.5g} = {}", value, chance.means.of(head),
                     chance.deviations.of(head), number_text(chance.z_score(head, value), 1));
}

void draw_chance_of_head(const Look& look, const HeadColumn& column, const ColumnBaseline& chance, HeadId head, float row) {
  const std::string help = chance.draws > 0
                               ? fmt::format("What this head has by chance: mean ± standard deviation over {}. z is made of these.",
                                             counted(chance.draws, "draw"))
                               : "What this head would have if there were nothing to find.";
  number_row(look, chance.name, chance_text(column, chance, head), help.c_str(), row);
  const auto why = why_no_z(column, chance, head);
  const std::string z = why ? fmt::format("– ({})", why->words) : number_text(chance.z_score(head, column.values.of(head)), 1);
  const std::string made = "Standard deviations above what this head has by chance.\n" + how_z_is_made(column, chance, head);
  number_row(look, "z, " + chance.name, z, made.c_str(), row);
}

std::string why_no_chance(const Panel& panel, const HeadColumn& column) {
  if (!column.baselines.empty()) return {};
  if (column.origin == ColumnOrigin::corpus) return "No z: this study was measured without random weights or shuffled tokens.";
  const bool is_of_file = column.origin == ColumnOrigin::text && panel.snapshot->is_dump();
  return is_of_file ? "No z: maps from a file have no model whose weights could be drawn by chance." : "";
}

}  // namespace headlight
