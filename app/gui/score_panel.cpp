#include <fmt/core.h>

#include <cmath>

#include "app/gui/panel.h"

namespace headlight {

void draw_score_panel(Panel& panel) {
  const Look& look = panel.look;
  if (!section(look, "Score", panel.view.folded)) return;
  ScoreSettings& score = panel.draft.query.score;
  on_off(look,
         begin_row(look, "Scaled by √d_head",
                   "Divide q·k by the root of the head's width. Without it, wide heads attend to almost one key only."),
         "Scaled", score.is_scaled);
  // The slider runs over powers of ten, 0.1 … 10, and rests at 1.
  float power = std::log10(score.temperature);
  const Row row =
      begin_row(look, "Temperature", "Scores are divided by it before the softmax: below 1 sharper, above 1 flatter. Double click: 1.");
  if (slider(look, row, "Temperature", power, -1, 1, 0, fmt::format("{:.2f}", score.temperature))) {
    constexpr float kRest = 0.04F;
    score.temperature = std::abs(power) < kRest ? 1.0F : std::round(std::pow(10.0F, power) * 100) / 100;
  }
}

}  // namespace headlight
