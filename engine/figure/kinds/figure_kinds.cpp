#include "engine/figure/kinds/figure_kinds.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "engine/attribution/lens.h"
#include "engine/core/error.h"
#include "engine/figure/effects/asked_logit.h"

namespace headlight {
namespace {

constexpr Index kMostTokens = std::numeric_limits<Index>::max();
constexpr std::array kKinds{&kHeatmapFigure, &kGridFigure,        &kCompareFigure, &kCompareMeasuresFigure, &kLinksFigure,
                            &kTextFigure,    &kFlowFigure,        &kInsideFigure,  &kMeasuresFigure,        &kScatterFigure,
                            &kOutputFigure,  &kAttributionFigure, &kEffectsFigure, &kMethodsFigure,         &kPatchFigure,
                            &kPruningFigure, &kLensFigure,        &kLabFigure};

void check_links(const Snapshot& snapshot, const LinksRequest& links) {
  const auto refuse = [](std::string problem) {
    throw Error({.kind = ErrorKind::usage, .field = "figure", .problem = std::move(problem)});
  };
  if (links.heads.empty()) refuse("links need at least one head");
  for (const HeadId head : links.heads) {
    check_head(snapshot, head);
    if (!has_same_texts(snapshot, links.heads.front().layer, head.layer)) refuse("the heads of links have the same queries and keys");
  }
  const int layer = links.heads.front().layer;
  if (links.has_arcs && !link_texts(snapshot, layer).is_one_text) refuse("arcs need queries and keys of one text; this is cross-attention");
  if (!links.focus) return;
  const Index tokens = links.focus->is_key ? snapshot.keys(layer) : snapshot.queries(layer);
  if (links.focus->token < 0 || links.focus->token >= tokens)
    refuse(fmt::format("there is no token {}: tokens 0 to {}", links.focus->token, tokens - 1));
}

/// A map of a request that shows a part of its maps: its run, layer and columns.
struct MapOfRequest {
  const Snapshot* run;
  int layer;
  Index columns;
};

std::vector<MapOfRequest> maps_of(const Snapshot& snapshot, const FigureRequest& request) {
  const FigureNeeds& needs = request.kind->needs;
  const auto map_of = [&](const Snapshot& run, int layer) {
    return MapOfRequest{&run, layer, columns_of(run, layer, shown_stage(request))};
  };
  if (needs.has_head) return {map_of(request.moment == Moment::before ? *request.baseline : snapshot, request.head.layer)};
  if (needs.has_flow) return {map_of(snapshot, request.flow.heads.front().layer)};
  std::vector<MapOfRequest> maps;
  if (needs.heads > 0) {
    for (const ComparedHead& head : request.heads) maps.push_back(map_of(run_of(head, snapshot), head.head.layer));
  } else {
    for (int layer = 0; layer < snapshot.layers(); ++layer) maps.push_back(map_of(snapshot, layer));
  }
  return maps;
}

/// The part begins in every map and ends in the largest.
template <typename Refuse>
void check_part(const CellWindow& part, const std::vector<MapOfRequest>& maps, const Refuse& refuse) {
  if (part == CellWindow{}) return;
  Index fewest_queries = kMostTokens, fewest_columns = kMostTokens, queries = 0, columns = 0;
  for (const MapOfRequest& map : maps) {
    fewest_queries = std::min(fewest_queries, map.run->queries(map.layer));
    fewest_columns = std::min(fewest_columns, map.columns);
    queries = std::max(queries, map.run->queries(map.layer));
    columns = std::max(columns, map.columns);
  }
  const auto check = [&](float begin, float end, Index fewest, Index most, const char* what) {
    if (begin >= 0 && begin < end && begin < static_cast<float>(fewest) && end <= static_cast<float>(most)) return;
    refuse(fmt::format("there are no such {}: the map has {} 0 to {}", what, what, std::min(fewest, most) - 1));
  };
  check(part.row_begin, part.row_end, fewest_queries, queries, "queries");
  check(part.column_begin, part.column_end, fewest_columns, columns, "keys");
}

/// Some map has the tokens.
template <typename Refuse>
void check_marked(const Snapshot& snapshot, const MarkedTokens& marked, const std::vector<MapOfRequest>& maps, const Refuse& refuse) {
  if (marked.of_layer && (*marked.of_layer < 0 || *marked.of_layer >= snapshot.layers())) refuse("there is no such layer of marked tokens");
  Index queries = 0, keys = 0;
  for (const MapOfRequest& map : maps) {
    queries = std::max(queries, map.run->queries(map.layer));
    keys = std::max(keys, map.run->keys(map.layer));
  }
  const auto check = [&](std::optional<Index> token, Index count, const char* what) {
    if (token && (*token < 0 || *token >= count)) refuse(fmt::format("there is no {} {}: the text has 0 to {}", what, *token, count - 1));
  };
  check(marked.query, queries, "query");
  check(marked.key, keys, "key");
}

template <typename Refuse>
void check_measures(const FigureRequest& request, const Refuse& refuse) {
  for (const std::string& id : request.measures.ids) measure_request(id, "figure");
  if (std::string problem = why_not_measured(request.measures, request.kind->needs); !problem.empty()) refuse(std::move(problem));
}

template <typename Refuse>
void check_query(const Snapshot& snapshot, const FigureRequest& request, const Refuse& refuse) {
  const Index queries = snapshot.queries(request.head.layer);
  if (request.query && (*request.query < 0 || *request.query >= queries))
    refuse(fmt::format("there is no query {}: the text has queries 0 to {}", *request.query, queries - 1));
  const Index keys = snapshot.keys(request.head.layer);
  if (request.chosen_key && (*request.chosen_key < 0 || *request.chosen_key >= keys))
    refuse(fmt::format("there is no key {}: the text has keys 0 to {}", *request.chosen_key, keys - 1));
}

template <typename Refuse>
void check_output(const Snapshot& snapshot, const OutputRequest& output, const Refuse& refuse) {
  const Index tokens = std::ssize(predicted_text(snapshot).tokens);
  if (output.position && (*output.position < 0 || *output.position >= tokens))
    refuse(fmt::format("there is no position {}: the text has 0 to {}", *output.position, tokens - 1));
  if (output.count == 0) return;
  if (output.first < 0 || output.count < 0 || output.first + output.count > tokens)
    refuse(fmt::format("there are no positions {} to {}: the text has 0 to {}", output.first, output.first + output.count - 1, tokens - 1));
  const Index position = output.position.value_or(asked_position(snapshot));
  if (position < output.first || position >= output.first + output.count)
    refuse(fmt::format("position {}, whose likeliest tokens are listed, is not among {} to {}", position, output.first,
                       output.first + output.count - 1));
}

/// Why the target has no value.
std::string problem_of(const FigureNeeds& needs, const EffectsRequest& effects) {
  if (needs.has_methods) return effects.compared->methods.front().problem;
  return effects.found && !needs.has_patches && !needs.has_pruning ? effects.found->problem : std::string();
}

/// Why a study has not what a kind of figure shows, as a sentence; empty: it has.
std::string why_not_of_study(const FigureNeeds& needs, const EffectsRequest& effects, const Snapshot& snapshot) {
  const EffectsOfTexts& study = *effects.study;
  if (needs.has_pruning) return "pruning curves are of one text, and a study has none";
  if (needs.has_patches && study.part != effects.part)
    return study.part ? "the study is of another part"
                      : "the study is of heads that are changed, not of patches: effects or methods shows it";
  if (!needs.has_patches && study.part) return "the study is of patches: a figure of patches shows it";
  const auto has = [&](EffectMethod method) { return study.find(method) != nullptr; };
  const bool has_all = needs.has_methods ? std::all_of(effects.methods.begin(), effects.methods.end(), has) : has(effects.method);
  if (!needs.has_patches && !has_all) return "the study has no numbers of this way to change heads";
  if (study.places.empty()) return "no text of the study has a number yet";
  const auto is_layer = [&](HeadId place) { return place.layer < snapshot.layers(); };
  const bool has_layers = std::all_of(study.places.begin(), study.places.end(), is_layer);
  const bool has_heads = needs.has_patches && is_by_position(effects.part) ? has_layers : study.places == snapshot.all_heads();
  return has_heads ? "" : "the study is of a model with other heads";
}

template <typename Refuse>
void check_effects(const Snapshot& snapshot, const FigureRequest& request, const Refuse& refuse) {
  const FigureNeeds& needs = request.kind->needs;
  const EffectsRequest& effects = request.effects;
  if (needs.has_logit()) {
    if (std::string problem = why_no_logit(snapshot, effects); !problem.empty()) refuse(std::move(problem));
  }
  if (needs.has_parts && effects.head) check_head(snapshot, *effects.head);
  if (!needs.has_target) return;
  if (effects.study) {
    if (std::string problem = why_not_of_study(needs, effects, snapshot); !problem.empty()) refuse(std::move(problem));
    return;
  }
  if (needs_other_texts(needs, effects) && !(needs.takes_texts() && effects.texts))
    refuse("this way to change a head needs other texts, and the figure has none");
  if (needs.has_methods && effects.methods.empty() && effects.patched.empty())
    refuse("a comparison needs at least one way to change heads");
  if (needs.has_methods && !effects.patched.empty() && effects.other_text.empty())
    refuse("a patch needs another text to take numbers from");
  if (needs.has_patches && effects.other_text.empty()) refuse("a patch needs another text to take numbers from");
  if (!is_found(needs, effects)) refuse("the change of the target is not computed yet");
  if (needs.has_patches && effects.patches->values.empty()) refuse("there is nothing to patch");
  if (needs.has_pruning && effects.pruned->once.empty()) refuse("every layer has one head, which stays: nothing can be switched off");
  if (std::string problem = problem_of(needs, effects); !problem.empty()) refuse(std::move(problem));
}

}  // namespace

FigureKinds figure_kinds() {
  return kKinds;
}

const FigureKind* find_figure(FigureKinds kinds, std::string_view name) {
  const auto* const found =
      std::find_if(kinds.data(), kinds.data() + kinds.size(), [&](const FigureKind* kind) { return kind->name == name; });
  return found == kinds.data() + kinds.size() ? nullptr : *found;
}

std::string why_not_shown(Moment moment, const Snapshot& now, const Snapshot* baseline, HeadId head) {
  if (moment == Moment::now) return {};
  if (baseline == nullptr) return "There is no baseline, or it is still being computed.";
  if (!baseline->contains(head)) {
    return fmt::format("The baseline has no head {}.{}: its model has {} layers, with {} heads in the first.", head.layer, head.head,
                       baseline->layers(), baseline->layers() > 0 ? baseline->heads(0) : 0);
  }
  if (moment == Moment::before) return {};
  const int layer = head.layer;
  const bool is_one_size = now.contains(head) && now.queries(layer) == baseline->queries(layer) && now.keys(layer) == baseline->keys(layer);
  if (is_one_size) return {};
  return unequal_sizes_text(now.queries(layer), now.keys(layer), baseline->queries(layer), baseline->keys(layer));
}

bool needs_other_texts(const FigureNeeds& needs, const EffectsRequest& effects) {
  const auto is_of_others = [](EffectMethod method) { return effect_row(method).needs_other_texts; };
  if (needs.has_methods) return std::any_of(effects.methods.begin(), effects.methods.end(), is_of_others);
  return needs.has_method && is_of_others(effects.method);
}

bool is_found(const FigureNeeds& needs, const EffectsRequest& effects) {
  if (needs.has_target && effects.study) return !needs.has_methods || effects.compared;
  if (needs.has_methods) return effects.compared && !effects.compared->methods.empty();
  if (needs.has_patches) return effects.patches != nullptr;
  if (needs.has_pruning) return effects.pruned != nullptr;
  return !needs.has_target || effects.found != nullptr;
}

bool is_found(const FigureRequest& request) {
  return is_found(request.kind->needs, request.effects) && (!request.kind->needs.has_lab || request.lab.found);
}

std::string why_no_figure(const FigureKind& kind, const Snapshot& snapshot) {
  if (kind.needs.has_lab && snapshot.is_dump()) return "maps from a file hold only weights; labs need the model";
  if (kind.needs.has_step && snapshot.is_dump()) return "maps from a file hold weights alone: there is nothing inside to draw";
  const bool predicts = kind.needs.has_output || kind.needs.has_effects();
  if (!predicts) return {};
  if (snapshot.is_dump()) return "maps from a file hold weights alone: they predict nothing";
  if (!snapshot.model->config.has_logits) return "the model predicts no tokens: it has no language-model head";
  if (kind.needs.has_parts) return why_no_logit_parts(snapshot);
  return kind.needs.has_lens ? why_no_lens(snapshot) : "";
}

void check_figure(const Snapshot& snapshot, const FigureRequest& request) {
  const auto refuse = [](std::string problem) {
    throw Error({.kind = ErrorKind::usage, .field = "figure", .problem = std::move(problem)});
  };
  const FigureNeeds& needs = request.kind->needs;
  const bool is_of_texts = needs.has_target && request.effects.study;
  if (snapshot.is_empty() && !is_of_texts) refuse("there is nothing to draw: the text has no tokens");
  if (snapshot.layers() == 0 || snapshot.heads() == 0) refuse("there is nothing to draw: the model has no heads");
  if (std::string problem = why_no_figure(*request.kind, snapshot); !problem.empty()) refuse(std::move(problem));
  if (needs.has_head) check_head(snapshot, request.head);
  if (needs.has_step) check_query(snapshot, request, refuse);
  if (std::string problem = why_not_shown(request.moment, snapshot, request.baseline.get(), request.head); !problem.empty()) {
    refuse(std::move(problem));
  }
  if (request.stage != Stage::weights && !takes_stage(*request.kind, request.stage))
    refuse(needs.has_lengths
               ? "this stage can only be drawn for one head; all heads together have weights, value-weights, value-share and norm-weights"
               : "a stage other than the weights can only be drawn for one head, or for all of them");
  if (needs.has_links || needs.has_tint) check_links(snapshot, request.links);
  if (needs.has_output) check_output(snapshot, request.output, refuse);
  if (needs.has_effects()) check_effects(snapshot, request, refuse);
  if (needs.has_flow) {
    for (const HeadId head : request.flow.heads) check_head(snapshot, head);
    if (std::string problem = why_no_flow(snapshot, request.flow); !problem.empty()) refuse(std::move(problem));
  }
  if (needs.has_lab && !request.lab.found) refuse("the lab is not computed yet");
  if (needs.has_lab && request.lab.found->parts.empty()) refuse(request.lab.found->notes.front());
  if (needs.has_measures) check_measures(request, refuse);
  if (needs.lists_heads) {
    for (const HeadId head : request.only) check_head(snapshot, head);
  }
  if (needs.heads > 0 && request.heads.size() < needs.heads)
    refuse(fmt::format("{} needs at least {} named head{}", request.kind->noun, needs.heads, needs.heads == 1 ? "" : "s"));
  if (needs.heads > 0) {
    for (const ComparedHead& head : request.heads) check_head(run_of(head, snapshot), head.head);
  }
  if (needs.shows_part) check_part(request.part, maps_of(snapshot, request), refuse);
  if (needs.marks_tokens) check_marked(snapshot, request.marked, maps_of(snapshot, request), refuse);
}

Scene make_figure(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  check_figure(snapshot, request);
  return printed(request.kind->scene(snapshot, request, measure), request.page);
}

}  // namespace headlight
