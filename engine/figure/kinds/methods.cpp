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

std::string notes_of_methods(const Snapshot& snapshot, const EffectsRequest& effects) {
  const HeadEffects& first = effects.compared->methods.front();
  std::string notes =
      effects.study ? study_note(*effects.study)
                    : fmt::format("{}: {} without any change", target_title(first.target), number_text(first.unchanged, kTargetDigits));
  if (!effects.patched.empty()) notes += fmt::format(" · the other text: “{}”", effects.other_text);
  notes += texts_note(effects) + " · bars: sizes, blue for less, red for more, each column by its own largest · ";
  if (!effects.study) notes += "one text: a hint, not a finding · ";
  return notes + notes_of_numbers(snapshot);
}

Scene make_methods(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  const ComparedEffects& compared = *request.effects.compared;
  const HeadEffects& first = compared.methods.front();
  const float room = room_across(request.page);
  const float width = room > 0 ? std::max(room, least_methods_width(compared.methods.size())) : kMethodsWidth;
  const EffectsOfTexts* const study = request.effects.study.get();
  const std::string title = fmt::format("{} · each head changed alone: {}change of the {}", snapshot.model->name,
                                        study != nullptr ? "mean " : "", target_title(first.target));
  Page page({title, study != nullptr ? texts_title(*study) : sentence_of(snapshot)}, request.style, request.page, width, measure);
  const std::string notes = notes_of_methods(snapshot, request.effects);
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
  return fmt::format("The {} by each head changed alone{}, side by side: {}", target_title(request.effects),
                     request.effects.study ? ", over " + texts_title(*request.effects.study) : "", methods_text(request.effects));
}

/// Of texts each method has the standard error and the number of texts beside its mean.
NumberList numbers_over_texts(const EffectsOfTexts& study, const std::vector<EffectMethod>& methods) {
  NumberList list{fmt::format("mean change of the {} by each head changed alone; of the gate its gradient; {}; {}",
                              target_title(study.target), texts_title(study), study_note(study)),
                  {"layer", "head"},
                  {}};
  for (const EffectMethod method : methods) {
    const std::string id(effect_row(method).measure.id);
    list.columns.insert(list.columns.end(), {id, id + ".se", id + ".n"});
  }
  for (std::size_t place = 0; place < study.places.size(); ++place) {
    std::vector<ListCell>& line = list.lines.emplace_back();
    line = {std::int64_t{study.places[place].layer}, std::int64_t{study.places[place].head}};
    for (const EffectMethod method : methods) {
      const MeansOfTexts& way = *study.find(method);
      line.insert(line.end(), {way.means[place], way.errors[place], way.counts[place]});
    }
  }
  return list;
}

/// A line for each head, and a column for each method.
NumberList methods_numbers(const Snapshot&, const FigureRequest& request) {
  if (request.effects.study) return numbers_over_texts(*request.effects.study, request.effects.methods);
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
