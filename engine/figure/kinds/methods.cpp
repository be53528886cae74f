// Several ways to change each head, side by side.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/figure/effects/methods_figure.h"
#include "engine/figure/effects/target_words.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/page/page.h"

namespace headlight {
namespace {

constexpr float kMethodsWidth = 720;

std::string methods_text(const EffectsRequest& effects) {
  std::string text;
  const auto add = [&](std::string_view title) { text.append(text.empty() ? "" : ", ").append(title); };
  for (const EffectMethod method : effects.methods) add(HeadEffects{.method = method}.title());
  for (const PatchedPart part : effects.patched) add(HeadEffects{.part = part}.title());
  return text;
}

Scene make_methods(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  const ComparedEffects& compared = *request.effects.compared;
  const HeadEffects& first = compared.methods.front();
  const float room = room_across(request.page);
  const float width = room > 0 ? std::max(room, least_methods_width(compared.methods.size())) : kMethodsWidth;
  const std::string title = fmt::format("{} · each head changed alone: change of the {}", snapshot.model->name, target_title(first.target));
  Page page({title, sentence_of(snapshot)}, request.style, request.page, width, measure);
  std::string notes = fmt::format("{}: {} without any change", target_title(first.target), number_text(first.unchanged, kTargetDigits));
  if (!request.effects.patched.empty()) notes += fmt::format(" · the other text: “{}”", request.effects.other_text);
  notes += texts_note(request.effects) +
           " · bars: sizes, blue for less, red for more, each column by its own largest · one text: a hint, not a finding · ";
  notes += notes_of_numbers(snapshot);
  MethodsFigureRequest figure{.compared = compared,
                              .labels = {},
                              .name = [&snapshot](HeadId head) { return short_name_of_head(snapshot, head); },
                              .theme = request.style.theme,
                              .at = {page.left(), page.top()},
                              .width = width};
  for (const HeadEffects& method : compared.methods) figure.labels.emplace_back(method.title());
  figure.listed = compared_within(compared, page.room_below(notes));
  const EffectFigure drawn = make_methods_figure(figure, measure);
  page.add(drawn.scene);
  page.move_down(drawn.height);
  return page.finish(notes);
}

std::string methods_caption(const Snapshot&, const FigureRequest& request) {
  return fmt::format("The {} by each head changed alone, side by side: {}", target_title(request.effects), methods_text(request.effects));
}

/// A line for each head, and a column for each method.
NumberList methods_numbers(const Snapshot&, const FigureRequest& request) {
  const ComparedEffects& compared = *request.effects.compared;
  NumberList list{fmt::format("change of the {} by each head changed alone; of the gate its gradient; {} without any change",
                              target_title(compared.methods.front().target), compared.methods.front().unchanged),
                  {"layer", "head"},
                  {}};
  for (const HeadEffects& method : compared.methods) list.columns.emplace_back(method.id());
  const std::vector<HeadId>& heads = compared.methods.front().heads;
  for (std::size_t place = 0; place < heads.size(); ++place) {
    std::vector<ListCell>& line = list.lines.emplace_back();
    line = {std::int64_t{heads[place].layer}, std::int64_t{heads[place].head}};
    for (const HeadEffects& method : compared.methods) line.emplace_back(method.values[place]);
  }
  return list;
}

}  // namespace

constexpr FigureKind kMethodsFigure = {
    .name = "methods",
    .noun = "a comparison of effects",
    .what = "several ways to change each head, side by side",
    .file_name = "methods",
    .needs = {.has_target = true, .has_methods = true, .is_plain = true},
    .caption = methods_caption,
    .scene = make_methods,
    .numbers = {.list = methods_numbers},
    .endings = kTableEndings,
};

}  // namespace headlight
