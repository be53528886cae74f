// What the pages of Output say of the model's answer: what a logit is made of, what every layer would make of it, and what every head does to a
// target when it alone is changed.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "engine/attribution/lens.h"
#include "engine/core/error.h"
#include "engine/core/numbers.h"
#include "engine/figure/axes.h"
#include "engine/figure/effects/asked_logit.h"
#include "engine/figure/effects/effect_grid.h"
#include "engine/figure/effects/lens_figure.h"
#include "engine/figure/effects/target_words.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/page/page.h"
#include "engine/forward/layer_edits.h"

namespace headlight {
namespace {

constexpr float kEffectsWidth = 880;
constexpr std::size_t kLensListed = 5;

/// A sentence as one of several notes.
std::string as_note(std::string_view sentence) {
  return std::string(sentence.ends_with('.') ? sentence.substr(0, sentence.size() - 1) : sentence);
}

/// "the logit “follows” at position 5", or "the logit of the likeliest token".
std::string logit_text(const EffectsRequest& effects) {
  return effects.target ? "the " + target_title(*effects.target) : "the logit of the likeliest token";
}

/// A logit in parts, and one head's part by source tokens.
struct TakenApart {
  LogitWords words;
  LogitParts parts;
  std::optional<HeadId> head = {};
  SourceParts sources = {};
  std::string problem = {};  ///< why the head's part cannot be split, as a sentence
};

TakenApart taken_apart(const Snapshot& snapshot, const FigureRequest& request) {
  ThreadPool pool;
  SilentProgress silent;
  const LogitQuestion question = asked_logit(snapshot, request.effects, pool, silent);
  TakenApart apart{words_of(snapshot, question), attribute_logit(snapshot, question, pool, silent)};
  apart.head = request.effects.head ? request.effects.head : largest_head(apart.parts);
  if (!apart.head) return apart;
  try {
    apart.sources = attribute_sources(snapshot, question, *apart.head, pool, silent);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    apart.problem = error.detail().problem;
  }
  return apart;
}

std::string notes_of_parts(const Snapshot& snapshot, const TakenApart& apart) {
  std::string notes = "direct logit attribution: what each part writes straight to the logit, not what later parts make of it";
  if (apart.head && apart.problem.empty()) notes += " · by source token: weight × what the value adds, through W_O";
  for (const std::string& note : apart.parts.notes) notes += " · " + as_note(note);
  return notes + " · " + notes_of_numbers(snapshot);
}

ShownSources sources_of(const Snapshot& snapshot, const TakenApart& apart) {
  ShownSources sources;
  if (!apart.head) return sources;
  sources.head = short_name_of_head(snapshot, *apart.head);
  sources.problem = apart.problem;
  sources.shares = source_shares(apart.sources.adds, apart.sources.weights, kUsualSources);
  sources.tokens = *axis_labels(snapshot, snapshot.key_tokens(apart.head->layer));
  return sources;
}

Scene make_attribution(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  const TakenApart apart = taken_apart(snapshot, request);
  const float room = room_across(request.page), width = room > 0 ? std::max(room, kLeastPartsWidth) : kEffectsWidth;
  const std::string title =
      fmt::format("{} · parts of the logit of {} {}", snapshot.model->name, apart.words.tokens(), apart.words.where());
  Page page({title, sentence_of(snapshot)}, request.style, request.page, width, measure);
  const std::string notes = notes_of_parts(snapshot, apart);
  const float height = page.room_below(notes);
  const AttributionFigureRequest figure{.bars = logit_bars(snapshot, apart.parts, bars_within(width, height)),
                                        .logit = apart.parts.logit,
                                        .sources = sources_of(snapshot, apart),
                                        .theme = request.style.theme,
                                        .at = {page.left(), page.top()},
                                        .width = width,
                                        .height = height};
  const EffectFigure drawn = make_attribution_figure(figure, measure);
  page.add(drawn.scene);
  page.move_down(drawn.height);
  return page.finish(notes);
}

std::string attribution_caption(const Snapshot&, const FigureRequest& request) {
  return fmt::format("What {} is made of", logit_text(request.effects));
}

/// A line for every part, in the order of the computation; then one for every source token of the head whose part is split.
NumberList attribution_numbers(const Snapshot& snapshot, const FigureRequest& request) {
  const TakenApart apart = taken_apart(snapshot, request);
  NumberList list{
      fmt::format("parts of the logit of {} {}; lines of part source split that of their head", apart.words.tokens(), apart.words.where()),
      {"part", "layer", "head", "position", "token", "weight", "value"},
      {}};
  const auto number = [](int value) { return value < 0 ? ListCell() : ListCell(std::int64_t{value}); };
  for (const LogitPart& part : apart.parts.parts) {
    list.lines.push_back({std::string(row_of(part.id.kind).name), number(part.id.layer), number(part.id.head), {}, {}, {}, part.value});
  }
  if (!apart.head) return list;
  const Encoding& keys = snapshot.key_tokens(apart.head->layer);
  for (std::size_t key = 0; key < apart.sources.adds.size(); ++key) {
    list.lines.push_back({std::string("source"), number(apart.head->layer), number(apart.head->head), static_cast<std::int64_t>(key),
                          snapshot.label(keys.tokens[key]).text, apart.sources.weights[key], apart.sources.adds[key]});
  }
  return list;
}

/// What every layer would predict at a position.
struct Lens {
  LogitQuestion question;
  LogitWords words;
  std::vector<LensLayer> layers;
  std::vector<std::vector<LikelyToken>> followed;
};

Lens lens_of(const Snapshot& snapshot, const FigureRequest& request) {
  ThreadPool pool;
  SilentProgress silent;
  const LogitQuestion question = asked_logit(snapshot, request.effects, pool, silent);
  return {question, words_of(snapshot, question), read_lens(snapshot, {question.position, 1, kLensListed}, pool, silent),
          follow_tokens(snapshot, question.position, {question.token}, pool, silent)};
}

Scene make_lens(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  const Lens lens = lens_of(snapshot, request);
  const float room = room_across(request.page), width = room > 0 ? std::max(room, kLeastLensWidth) : kEffectsWidth;
  LensFigureRequest figure{.rows = {}, .followed = lens.words.token, .theme = request.style.theme, .width = width};
  for (std::size_t layer = 0; layer < lens.layers.size(); ++layer) {
    LensRow row{.label = lens_label(snapshot, lens.layers[layer].layer), .followed = lens.followed[layer].front()};
    row.likeliest = lens.layers[layer].predictions.front().likeliest;
    for (const LikelyToken& likely : row.likeliest) row.names.push_back(vocabulary_label(*snapshot.model->tokenizer, likely.id));
    figure.rows.push_back(std::move(row));
  }
  const std::string title =
      fmt::format("{} · what each layer would {} {}", snapshot.model->name, lens.words.is_next ? "write" : "guess", lens.words.where());
  Page page({title, sentence_of(snapshot)}, request.style, request.page, width, measure);
  figure.at = {page.left(), page.top()};
  const EffectFigure drawn = make_lens_figure(figure, measure);
  page.add(drawn.scene);
  page.move_down(drawn.height);
  return page.finish(fmt::format("logit lens: the stream after each layer through the last norm and the logit head · {} · {}",
                                 as_note(kLensCaveat), notes_of_numbers(snapshot)));
}

std::string lens_caption(const Snapshot&, const FigureRequest& request) {
  return fmt::format("What each layer would predict, and {}", logit_text(request.effects));
}

/// Of every layer the likeliest tokens, and the one that is followed where that is not among them.
NumberList lens_numbers(const Snapshot& snapshot, const FigureRequest& request) {
  const Lens lens = lens_of(snapshot, request);
  NumberList list{fmt::format("logit lens {}, following “{}”", lens.words.where(), lens.words.token),
                  {"layer", "after", "position", "token", "rank", "id", "predicted", "logit", "probability", "is_followed"},
                  {}};
  const Token& token = predicted_text(snapshot).tokens[static_cast<std::size_t>(lens.question.position)];
  for (std::size_t place = 0; place < lens.layers.size(); ++place) {
    const int layer = lens.layers[place].layer;
    bool is_listed = false;
    const auto add = [&](const LikelyToken& likely) {
      const bool is_followed = likely.id == lens.question.token;
      is_listed = is_listed || is_followed;
      list.lines.push_back({layer < 0 ? ListCell() : ListCell(std::int64_t{layer}), lens_label(snapshot, layer),
                            std::int64_t{lens.question.position}, snapshot.label(token).text, std::int64_t{likely.rank}, likely.id,
                            snapshot.model->tokenizer->token_of(likely.id).value_or(""), likely.logit, likely.probability,
                            std::int64_t{is_followed}});
    };
    for (const LikelyToken& likely : lens.layers[place].predictions.front().likeliest) add(likely);
    if (!is_listed) add(lens.followed[place].front());
  }
  return list;
}

/// "each head switched off, alone".
std::string changed_text(EffectMethod method) {
  if (method == EffectMethod::zero) return "each head switched off, alone";
  if (method == EffectMethod::gate) return "each head's gate, alone";
  const EffectRow& row = effect_row(method);
  return row.map ? fmt::format("each head with the map “{}”, alone", row.measure.title) : fmt::format("each head, {}", row.measure.title);
}

/// What every head does, in the text or over those of a study. check_figure has no objection.
HeadEffects shown_effects(const EffectsRequest& request) {
  return request.study ? request.study->effects_of(*request.study->find(request.method)) : *request.found;
}

std::string notes_of_effects(const Snapshot& snapshot, const EffectsRequest& request, const HeadEffects& effects) {
  const double reach = effect_reach(effects.values);
  std::string notes =
      request.study ? study_note(*request.study)
                    : fmt::format("{}: {} without any change", target_title(effects.target), number_text(effects.unchanged, kTargetDigits));
  notes += " · " + as_note(effect_row(effects.method).measure.meaning);
  if (const std::size_t beyond = count_beyond(effects.values, reach); beyond > 0)
    notes += fmt::format(" · {} of {} heads beyond the colours", beyond, effects.heads.size());
  notes += request.study ? " · lines at the bars’ ends: standard error" : texts_note(request) + " · one text: a hint, not a finding";
  return notes + " · " + notes_of_numbers(snapshot);
}

Scene make_effects(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  const HeadEffects effects = shown_effects(request.effects);
  const EffectsOfTexts* const study = request.effects.study.get();
  const float room = room_across(request.page), width = room > 0 ? std::max(room, kLeastEffectsWidth) : kEffectsWidth;
  const std::string title =
      fmt::format("{} · {}: {}{} of the {}", snapshot.model->name, changed_text(effects.method), study != nullptr ? "mean " : "",
                  effects.is_of_gate() ? "gradient" : "change", target_title(effects.target));
  Page page({title, study != nullptr ? texts_title(*study) : sentence_of(snapshot)}, request.style, request.page, width, measure);
  const std::string notes = notes_of_effects(snapshot, request.effects, effects);
  EffectGridRequest figure{.effects = effects,
                           .layers = short_names_of_layers(snapshot),
                           .is_off = [&snapshot](HeadId head) { return is_switched_off(snapshot.query, head); },
                           .name = [&snapshot](HeadId head) { return short_name_of_head(snapshot, head); },
                           .over_texts = study != nullptr ? study->find(effects.method) : nullptr,
                           .has_bar = request.page.has(PagePart::bar),
                           .theme = request.style.theme,
                           .at = {page.left(), page.top()},
                           .width = width};
  figure.listed = ranked_within(figure, page.room_below(notes), measure);
  const EffectFigure drawn = make_effect_grid(figure, measure);
  page.add(drawn.scene);
  page.move_down(drawn.height);
  return page.finish(notes);
}

std::string effects_caption(const Snapshot&, const FigureRequest& request) {
  const EffectsRequest& effects = request.effects;
  return fmt::format("The {} by {}{}", target_title(effects), changed_text(effects.method),
                     effects.study ? ", over " + texts_title(*effects.study) : "");
}

/// Of texts what a target would be is not known: means with their standard errors, and how many texts have a number.
NumberList numbers_over_texts(const EffectsOfTexts& study, const MeansOfTexts& way) {
  const HeadEffects effects = study.effects_of(way);
  NumberList list{fmt::format("mean {} of the {}: {}; {}; {}", effects.is_of_gate() ? "gradient" : "change", target_title(study.target),
                              changed_text(way.method), texts_title(study), study_note(study)),
                  {"layer", "head", std::string(effects.id()), "standard_error", "n"},
                  {}};
  for (std::size_t place = 0; place < study.places.size(); ++place) {
    const HeadId head = study.places[place];
    list.lines.push_back({std::int64_t{head.layer}, std::int64_t{head.head}, way.means[place], way.errors[place], way.counts[place]});
  }
  return list;
}

NumberList effects_numbers(const Snapshot&, const FigureRequest& request) {
  if (const auto& study = request.effects.study) return numbers_over_texts(*study, *study->find(request.effects.method));
  const HeadEffects& effects = *request.effects.found;
  const bool is_gate = effects.is_of_gate();
  NumberList list{
      fmt::format("{} of the {}: {}", is_gate ? "gradient" : "change", target_title(effects.target), changed_text(effects.method)),
      {"layer", "head", std::string(effect_row(effects.method).measure.id), "target"},
      {}};
  for (std::size_t place = 0; place < effects.heads.size(); ++place) {
    const HeadId head = effects.heads[place];
    const double value = effects.values[place];
    list.lines.push_back({std::int64_t{head.layer}, std::int64_t{head.head}, value,
                          is_gate ? ListCell(effects.unchanged) : ListCell(effects.unchanged + value)});
  }
  return list;
}

}  // namespace

constexpr FigureKind kAttributionFigure = {
    .name = "attribution",
    .noun = "an attribution",
    .what = "what a logit is made of",
    .file_name = "attribution",
    .needs = {.has_parts = true, .is_plain = true},
    .caption = attribution_caption,
    .scene = make_attribution,
    .numbers = {.list = attribution_numbers},
    .endings = kTableEndings,
};

constexpr FigureKind kLensFigure = {
    .name = "lens",
    .noun = "a logit lens",
    .what = "what each layer would predict",
    .file_name = "lens",
    .needs = {.has_lens = true, .is_plain = true},
    .caption = lens_caption,
    .scene = make_lens,
    .numbers = {.list = lens_numbers},
    .endings = kTableEndings,
};

constexpr FigureKind kEffectsFigure = {
    .name = "effects",
    .noun = "a figure of effects",
    .what = "what each head does to the target, changed alone",
    .file_name = "effects",
    .needs = {.has_target = true, .has_method = true, .has_bar = true, .is_plain = true},
    .caption = effects_caption,
    .scene = make_effects,
    .numbers = {.list = effects_numbers},
    .endings = kTableEndings,
};

}  // namespace headlight
