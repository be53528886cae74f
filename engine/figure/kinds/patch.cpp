// What becomes of a target when a place of one text's run takes another's numbers, as the window shows it: layers down; of positions the share
// that comes back, of heads the change.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/figure/effects/effect_grid.h"
#include "engine/figure/effects/row_pen.h"
#include "engine/figure/effects/target_words.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/kinds/map_page.h"

namespace headlight {
namespace {

constexpr double kBeyondShare = 1.05;  // a little beyond the other text is as good as there

constexpr Names<PatchedPart> kTitles{"stream patched, layer by position", "z of layers patched, layer by position", "z of heads patched",
                                     "maps of heads patched"};
constexpr Names<PatchedPart> kPatched{"what one layer reads at one position", "z of all heads of one layer at one position",
                                      "z of one head", "the map of one head"};

/// A cell, as the window shows it: of places the share that comes back, of heads the change of the target.
struct ShownPlace {
  int layer = 0;
  Index column = 0;  ///< a position or a head
  double value = 0;
};

std::vector<ShownPlace> shown_places(const EffectsRequest& effects) {
  const bool has_positions = is_by_position(effects.part);
  std::vector<ShownPlace> places;
  if (const auto& study = effects.study) {
    const std::vector<double>& values = has_positions ? study->shares : study->ways.front().means;
    for (std::size_t at = 0; at < values.size(); ++at) places.push_back({study->places[at].layer, study->places[at].head, values[at]});
    return places;
  }
  const PatchSweep& sweep = *effects.patches;
  for (const PatchValue& patched : sweep.values) {
    const double change = patched.value - sweep.unpatched;
    places.push_back({patched.layer, has_positions ? patched.position : patched.head, has_positions ? sweep.recovered(patched) : change});
  }
  return places;
}

Index columns_of(const std::vector<ShownPlace>& places) {
  Index columns = 0;
  for (const ShownPlace& place : places) columns = std::max(columns, place.column + 1);
  return columns;
}

/// The token of a position in each of the texts: "horses / horse" where they are not the same.
std::vector<std::string> words_of_both(const Snapshot& snapshot, const PatchSweep& sweep) {
  std::vector<std::string> words;
  const std::vector<Token>& tokens = snapshot.encoding->tokens;
  for (std::size_t place = 0; place < tokens.size(); ++place) {
    words.push_back(vocabulary_label(*snapshot.model->tokenizer, tokens[place].id));
    const std::int64_t other = place < sweep.other_ids.size() ? sweep.other_ids[place] : tokens[place].id;
    if (other != tokens[place].id) words.back() += " / " + vocabulary_label(*snapshot.model->tokenizer, other);
  }
  return words;
}

std::vector<double> values_of(const std::vector<ShownPlace>& places) {
  std::vector<double> values;
  for (const ShownPlace& place : places) values.push_back(place.value);
  return values;
}

/// The value of the last colour.
double reach_of(const EffectsRequest& effects, const std::vector<ShownPlace>& places) {
  return is_by_position(effects.part) ? 1 : effect_reach(values_of(places));
}

/// A layer with fewer heads than another has no cells for the rest.
std::shared_ptr<const MapPicture> picture_of(const Snapshot& snapshot, const std::vector<ShownPlace>& places) {
  Matrix values = Matrix::Constant(snapshot.layers(), columns_of(places), kHiddenCell);
  for (const ShownPlace& place : places) values(place.layer, place.column) = static_cast<float>(place.value);
  const Index rows = values.rows(), columns = values.cols();
  return std::make_shared<const MapPicture>(std::move(values), 1, rows, columns, nullptr, true);
}

MapFigureRequest map_of(const Snapshot& snapshot, const FigureRequest& request) {
  const EffectsRequest& effects = request.effects;
  const bool has_positions = is_by_position(effects.part), has_words = has_positions && !effects.study;
  const std::vector<ShownPlace> places = shown_places(effects);
  MapFigureRequest map;
  map.picture = picture_of(snapshot, places);
  map.scale = effect_scale(reach_of(effects, places), request.style.theme);
  map.query_labels = std::make_shared<const std::vector<std::string>>(short_names_of_layers(snapshot));
  map.key_labels = has_words ? std::make_shared<const std::vector<std::string>>(words_of_both(snapshot, *effects.patches))
                             : number_labels(map.picture->columns());
  map.columns = has_words ? MapColumns::keys : MapColumns::numbers;
  map.titles = {"layers", has_positions ? "positions" : "heads"};
  map.has_plain_axes = true;
  map.words = std::make_shared<const MapWords>(MapWords{has_positions ? "share that comes back" : "change of the target", map.query_labels,
                                                        map.key_labels, "layer", has_positions ? "position" : "head"});
  map.theme = request.style.theme;
  return map;
}

/// What must be known of the colours.
std::string meaning_of(const EffectsRequest& effects) {
  const char* const mean = effects.study ? "mean " : "";
  const std::string what = is_by_position(effects.part)
                               ? effects.study
                                     ? fmt::format("mean change of the {} as a share of the mean difference", target_title(effects))
                                     : fmt::format("share of the difference in the {} that comes back", target_title(effects))
                               : fmt::format("Δ: {}change of the {}", mean, target_title(effects));
  const std::string other = effects.study ? "the text’s partner" : fmt::format("“{}”", effects.other_text);
  return fmt::format("{} when {} is taken from {}", what, kPatched[effects.part], other);
}

/// What is said even where the page has no other notes.
std::string kept_notes(const EffectsRequest& effects) {
  return effects.study ? study_note(*effects.study) + " · " + meaning_of(effects) : meaning_of(effects);
}

std::string notes_of_patches(const Snapshot& snapshot, const EffectsRequest& effects) {
  std::string notes = kept_notes(effects);
  const bool has_positions = is_by_position(effects.part);
  const char* const others = effects.study ? "in the partners" : "in the other text";
  const std::string here = number_text(effects.study ? effects.study->unpatched : effects.patches->unpatched, kTargetDigits);
  const std::string there = number_text(effects.study ? effects.study->partner : effects.patches->other, kTargetDigits);
  notes += has_positions ? fmt::format(" · 0: {}, as it is; 1: {}, as {}", here, there, others)
                         : fmt::format(" · {} as it is, {} {}", here, there, others);
  if (effects.study && has_positions) notes += " · shorter texts do not reach later positions";
  const std::vector<ShownPlace> places = shown_places(effects);
  if (const std::size_t beyond = count_beyond(values_of(places), has_positions ? kBeyondShare : reach_of(effects, places)); beyond > 0)
    notes += fmt::format(" · {} of {} {} beyond the colours", beyond, places.size(), has_positions ? "places" : "heads");
  return notes + " · " + notes_of_numbers(snapshot);
}

Scene make_patch(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  const EffectsRequest& effects = request.effects;
  const std::string title = fmt::format("{} · {}", snapshot.model->name, kTitles[effects.part]);
  const std::string text = effects.study ? texts_title(*effects.study) : sentence_of(snapshot);
  return make_map_page({title, text}, {notes_of_patches(snapshot, effects), kept_notes(effects)}, map_of(snapshot, request), request,
                       measure);
}

std::string patch_caption(const Snapshot&, const FigureRequest& request) {
  const EffectsRequest& effects = request.effects;
  const std::string from = effects.study ? "each text’s partner" : "another text";
  const std::string caption =
      is_by_position(effects.part)
          ? fmt::format("How far {} from {} brings back its {}", kPatched[effects.part], from, target_title(effects))
          : fmt::format("How {} from {} changes the {}", kPatched[effects.part], from, target_title(effects));
  return effects.study ? caption + ", over " + texts_title(*effects.study) : caption;
}

/// As `headlight patch --texts` writes them.
NumberList numbers_over_texts(const EffectsRequest& effects) {
  const EffectsOfTexts& study = *effects.study;
  const MeansOfTexts& way = study.ways.front();
  NumberList list{fmt::format("{}: {} as it is, {} in the partners; {}; {}", meaning_of(effects), study.unpatched, study.partner,
                              texts_title(study), study_note(study)),
                  {"layer", is_by_position(effects.part) ? "position" : "head", "n", "change", "standard_error", "recovered"},
                  {}};
  for (std::size_t at = 0; at < study.places.size(); ++at) {
    list.lines.push_back({std::int64_t{study.places[at].layer}, std::int64_t{study.places[at].head}, way.counts[at], way.means[at],
                          way.errors[at], study.shares[at]});
  }
  return list;
}

NumberList patch_numbers(const Snapshot& snapshot, const FigureRequest& request) {
  const EffectsRequest& effects = request.effects;
  if (effects.study) return numbers_over_texts(effects);
  const PatchSweep& sweep = *effects.patches;
  const bool has_positions = is_by_position(effects.part);
  NumberList list{fmt::format("{}: {} as it is, {} in the other text", meaning_of(effects), sweep.unpatched, sweep.other),
                  has_positions ? std::vector<std::string>{"layer", "position", "token", "other_token", "target", "recovered"}
                                : std::vector<std::string>{"layer", "head", "target", "change", "recovered"},
                  {}};
  for (const PatchValue& patched : sweep.values) {
    std::vector<ListCell>& line = list.lines.emplace_back();
    line = {std::int64_t{patched.layer}, std::int64_t{has_positions ? patched.position : patched.head}};
    if (has_positions) {
      const auto place = static_cast<std::size_t>(patched.position);
      line.emplace_back(snapshot.label(snapshot.encoding->tokens[place]).text);
      line.emplace_back(snapshot.model->tokenizer->token_of(sweep.other_ids[place]).value_or(""));
    }
    line.emplace_back(patched.value);
    if (!has_positions) line.emplace_back(patched.value - sweep.unpatched);
    line.emplace_back(sweep.recovered(patched));
  }
  return list;
}

}  // namespace

constexpr FigureKind kPatchFigure = {
    .name = "patch",
    .noun = "a figure of patches",
    .what = "what a number becomes when places or heads are patched from another text",
    .file_name = "patch",
    .needs = {.has_target = true, .has_patches = true, .has_bar = true, .has_cells = true, .is_plain = true},
    .caption = patch_caption,
    .scene = make_patch,
    .numbers = {.list = patch_numbers},
    .endings = kTableEndings,
};

}  // namespace headlight
