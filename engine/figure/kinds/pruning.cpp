// A target while heads are switched off one after another, the least important first.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/figure/effects/curves_figure.h"
#include "engine/figure/effects/target_words.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/page/page.h"

namespace headlight {
namespace {

constexpr float kPruningWidth = 560;

EffectCurve curve_of(const Snapshot& snapshot, const std::vector<PruningStep>& steps, double whole, bool is_exact) {
  EffectCurve curve{.name = is_exact ? "exact: importance is found anew after each head" : "one-shot: the order is found once",
                    .is_exact = is_exact};
  for (std::size_t step = 0; step < steps.size(); ++step) {
    const PruningStep& each = steps[step];
    curve.values.push_back(each.value);
    curve.said.push_back(fmt::format("{} goes as number {}{}: the target is then {} ({:+} from the whole model)",
                                     short_name_of_head(snapshot, each.removed), step + 1, is_exact ? ", exact" : "", each.value,
                                     each.value - whole));
  }
  return curve;
}

std::string importance_text(EffectMethod method) {
  return fmt::format("least important first, by “{}”", effect_row(method).measure.title);
}

Scene make_pruning(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  const PruningCurves& curves = *request.effects.pruned;
  const float room = room_across(request.page), width = room > 0 ? std::max(room, kLeastCurvesWidth) : kPruningWidth;
  const std::string title = fmt::format("{} · {} while heads are switched off", snapshot.model->name, target_title(request.effects));
  Page page({title, sentence_of(snapshot)}, request.style, request.page, width, measure);
  const std::string notes =
      fmt::format("{}, one head of each layer stays · {} with all heads · one text: a hint, not a finding · {}",
                  importance_text(request.effects.method), number_text(curves.whole, kTargetDigits), notes_of_numbers(snapshot));
  const float below = page.room_below(notes);
  CurvesFigureRequest figure{.curves = {curve_of(snapshot, curves.once, curves.whole, false)},
                             .start = curves.whole,
                             .across = "heads switched off",
                             .up = target_title(request.effects),
                             .theme = request.style.theme,
                             .at = {page.left(), page.top()},
                             .width = width,
                             .height = below > 0 ? std::max(below, kLeastCurvesHeight) : 0};
  if (!curves.anew.empty()) figure.curves.push_back(curve_of(snapshot, curves.anew, curves.whole, true));
  const EffectFigure drawn = make_curves_figure(figure, measure);
  page.add(drawn.scene);
  page.move_down(drawn.height);
  return page.finish(notes);
}

std::string pruning_caption(const Snapshot&, const FigureRequest& request) {
  return fmt::format("The {} while heads are switched off, {}", target_title(request.effects), importance_text(request.effects.method));
}

/// The whole model first, then a line for each step of each curve.
NumberList pruning_numbers(const Snapshot&, const FigureRequest& request) {
  const PruningCurves& curves = *request.effects.pruned;
  NumberList list{
      fmt::format("{} while heads are switched off, {}", target_title(request.effects), importance_text(request.effects.method)),
      {"curve", "removed", "layer", "head", "target"},
      {{std::string("whole"), std::int64_t{0}, {}, {}, curves.whole}}};
  const auto add = [&](const char* name, const std::vector<PruningStep>& steps) {
    std::int64_t removed = 0;
    for (const PruningStep& step : steps)
      list.lines.push_back({std::string(name), ++removed, std::int64_t{step.removed.layer}, std::int64_t{step.removed.head}, step.value});
  };
  add("one-shot", curves.once);
  add("exact", curves.anew);
  return list;
}

}  // namespace

constexpr FigureKind kPruningFigure = {
    .name = "pruning",
    .noun = "a pruning curve",
    .what = "the target while heads are switched off one after another",
    .file_name = "pruning",
    .needs = {.has_target = true, .has_method = true, .has_pruning = true, .is_plain = true},
    .caption = pruning_caption,
    .scene = make_pruning,
    .numbers = {.list = pruning_numbers},
    .endings = kTableEndings,
};

}  // namespace headlight
