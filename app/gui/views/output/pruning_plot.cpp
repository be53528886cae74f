// Heads of this text switched off one after another: the target against how many are gone.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/document/wording.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/views/output/output_pages.h"
#include "app/gui/views/output/shown_effects.h"
#include "app/gui/watching/target_here.h"
#include "engine/core/numbers.h"

namespace headlight {
namespace {

constexpr float kPlotHeight = 220, kPlotAxis = 56;

struct Plot {
  Box box;  ///< pixels
  std::size_t steps = 0;
  double low = 0, high = 1;  ///< of the target
  ImVec2 at(std::size_t removed, double value) const {
    const double across = steps == 0 ? 0 : static_cast<double>(removed) / static_cast<double>(steps);
    const double up = high > low ? (value - low) / (high - low) : 0.5;
    return {box.x + static_cast<float>(across) * box.width, box.bottom() - static_cast<float>(up) * box.height};
  }
};

Plot plot_of(const PruningCurves& curves, const Box& box) {
  Plot plot{.box = box, .steps = std::max(curves.once.size(), curves.anew.size()), .low = curves.whole, .high = curves.whole};
  for (const auto* curve : {&curves.once, &curves.anew}) {
    for (const PruningStep& step : *curve) {
      if (!std::isfinite(step.value)) continue;
      plot.low = std::min(plot.low, step.value);
      plot.high = std::max(plot.high, step.value);
    }
  }
  return plot;
}

void draw_axes(const Look& look, const Plot& plot) {
  const Box& box = plot.box;
  canvas().AddLine({box.x, box.y}, {box.x, box.bottom()}, to_imgui(look.colours.line));
  canvas().AddLine({box.x, box.bottom()}, {box.right(), box.bottom()}, to_imgui(look.colours.line));
  const float left = box.x - look.px(kUnit);
  draw_text(look, left, box.y + look.px(4), Type::number, look.colours.text_second, target_number(plot.high), AlignX::right);
  draw_text(look, left, box.bottom() - look.px(4), Type::number, look.colours.text_second, target_number(plot.low), AlignX::right);
  const float foot = box.bottom() + look.px(12);
  draw_text(look, box.x, foot, Type::number, look.colours.text_second, "0", AlignX::left);
  draw_text(look, box.x + box.width / 2, foot, Type::caption, look.colours.text_second, "heads switched off", AlignX::centre);
  draw_text(look, box.right(), foot, Type::number, look.colours.text_second, std::to_string(plot.steps), AlignX::right);
}

void draw_curve(Panel& panel, const PruningCurves& curves, const Plot& plot, bool is_anew) {
  const Look& look = panel.look;
  const std::vector<PruningStep>& curve = is_anew ? curves.anew : curves.once;
  const Colour colour = is_anew ? look.colours.query : look.colours.key;
  ImVec2 before = plot.at(0, curves.whole);
  const float half = look.px(4);
  for (std::size_t step = 0; step < curve.size(); ++step) {
    const ImVec2 here = plot.at(step + 1, curve[step].value);
    if (!std::isfinite(curve[step].value)) continue;
    canvas().AddLine(before, here, to_imgui(colour), look.px(1.5F));
    canvas().AddCircleFilled(here, look.px(2.5F), to_imgui(colour));
    const std::string name = fmt::format("{} step {}", is_anew ? "Exact" : "One-shot", step + 1);
    const Press press = press_area(name.c_str(), {here.x - half, here.y - half}, {2 * half, 2 * half});
    if (press.is_clicked) panel.view.head = curve[step].removed;
    if (press.is_hovered) {
      panel.view.output.pointed = curve[step].removed;
      hint(look, fmt::format("{} goes as number {}: the target is then {} ({} from the whole model).",
                             short_name(*panel.snapshot, curve[step].removed), step + 1, target_number(curve[step].value),
                             target_change(curve[step].value - curves.whole))
                     .c_str());
    }
    before = here;
  }
}

void draw_key(const Look& look, const char* words, Colour colour, bool is_there) {
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  canvas().AddLine({row.left, row.middle()}, {row.left + look.px(20), row.middle()}, to_imgui(colour), look.px(1.5F));
  draw_text(look, row.left + look.px(28), row.middle(), Type::body, look.colours.text_second,
            std::string(words) + (is_there ? "" : ", being computed …"));
}

void choose_importance(Panel& panel) {
  const Row row = begin_row(panel.look, "Least important by", "What the order of removal goes by.");
  const std::vector<Choice> choices{{"switching off", "A head whose loss raises the target's error least goes first."},
                                    {"gate gradient", "A head whose gate the target answers to least goes first (Michel et al. 2019)."}};
  int chosen = panel.view.output.prunes_by_gate ? 1 : 0;
  if (segmented(panel.look, row, "Pruned by", choices, chosen)) panel.view.output.prunes_by_gate = chosen == 1;
}

/// Passes through the model: each of n steps runs what is left of n heads.
double seconds_of_pruning(const Panel& panel) {
  const auto heads = static_cast<double>(panel.snapshot->all_heads().size());
  return seconds_of_pass(*panel.snapshot) * heads * (heads / 2 * kShareOfPass + 2);
}

}  // namespace

void draw_pruning(Panel& panel) {
  const Look& look = panel.look;
  paragraph(
      look, Type::body, look.colours.text_second,
      "Heads of this text go one after another, the least important first; one of each layer stays. How many can go before the target "
      "moves?");
  choose_importance(panel);
  gap(look, kUnit);
  const double seconds = seconds_of_pruning(panel);
  const std::string words = fmt::format("That takes about {:.0f} s here, beside everything else.", std::ceil(seconds));
  if (!is_agreed(panel, seconds, words, "Draw the curve")) return;
  Effects& effects = panel.context.session.effects();
  const EffectMethod by = panel.view.output.prunes_by_gate ? EffectMethod::gate : EffectMethod::zero;
  const std::shared_ptr<const PruningFound> found = effects.pruning({panel.snapshot, panel.draft.target, by});
  const StudyStatus status = effects.pruning_status();
  if (!found) {
    paragraph(look, Type::body, look.colours.text_second, status.error ? as_sentence(status.error_message) : "Being computed …");
    return;
  }
  if (found->is_complete && found->curves.once.empty()) {
    paragraph(look, Type::body, look.colours.text_second,
              "Each layer keeps at least one head, and here each has only one, so nothing can be pruned.");
    return;
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  const Plot plot =
      plot_of(found->curves, {at.x + look.px(kPlotAxis), at.y + look.px(kUnit), room - look.px(kPlotAxis + kUnit), look.px(kPlotHeight)});
  draw_axes(look, plot);
  draw_curve(panel, found->curves, plot, false);
  draw_curve(panel, found->curves, plot, true);
  ImGui::SetCursorScreenPos({at.x, plot.box.bottom() + look.px(kRow)});
  draw_key(look, "one-shot: the order is found once", look.colours.key, true);
  draw_key(look, "exact: importance is found anew after each head", look.colours.query, found->is_complete);
}

}  // namespace headlight
