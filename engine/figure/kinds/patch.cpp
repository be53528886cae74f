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

Index column_of(const PatchValue& patched) {
  return patched.position < 0 ? patched.head : patched.position;
}

Index columns_of(const PatchSweep& sweep) {
  Index columns = 0;
  for (const PatchValue& patched : sweep.values) columns = std::max(columns, column_of(patched) + 1);
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

/// As the window shows them: of places the share that comes back, of heads the change of the target.
double shown_value(const EffectsRequest& effects, const PatchValue& patched) {
  return is_by_position(effects.part) ? effects.patches->recovered(patched) : patched.value - effects.patches->unpatched;
}

std::vector<double> shown_values(const EffectsRequest& effects) {
  std::vector<double> values;
  for (const PatchValue& patched : effects.patches->values) values.push_back(shown_value(effects, patched));
  return values;
}

/// The value of the last colour.
double reach_of(const EffectsRequest& effects) {
  return is_by_position(effects.part) ? 1 : effect_reach(shown_values(effects));
}

/// A layer with fewer heads than another has no cells for the rest.
std::shared_ptr<const MapPicture> picture_of(const Snapshot& snapshot, const EffectsRequest& effects) {
  const PatchSweep& sweep = *effects.patches;
  Matrix values = Matrix::Constant(snapshot.layers(), columns_of(sweep), kHiddenCell);
  for (const PatchValue& patched : sweep.values)
    values(patched.layer, column_of(patched)) = static_cast<float>(shown_value(effects, patched));
  const Index rows = values.rows(), columns = values.cols();
  return std::make_shared<const MapPicture>(std::move(values), 1, rows, columns, nullptr, true);
}

MapFigureRequest map_of(const Snapshot& snapshot, const FigureRequest& request) {
  const PatchSweep& sweep = *request.effects.patches;
  const bool has_positions = is_by_position(request.effects.part);
  MapFigureRequest map;
  map.picture = picture_of(snapshot, request.effects);
  map.scale = effect_scale(reach_of(request.effects), request.style.theme);
  map.query_labels = std::make_shared<const std::vector<std::string>>(short_names_of_layers(snapshot));
  map.key_labels = has_positions ? std::make_shared<const std::vector<std::string>>(words_of_both(snapshot, sweep))
                                 : number_labels(map.picture->columns());
  map.columns = has_positions ? MapColumns::keys : MapColumns::numbers;
  map.titles = {"layers", has_positions ? "positions" : "heads"};
  map.has_plain_axes = true;
  map.words = std::make_shared<const MapWords>(MapWords{has_positions ? "share that comes back" : "change of the target", map.query_labels,
                                                        map.key_labels, "layer", has_positions ? "position" : "head"});
  map.theme = request.style.theme;
  return map;
}

/// What must be known of the colours.
std::string meaning_of(const EffectsRequest& effects) {
  const std::string what = is_by_position(effects.part)
                               ? fmt::format("share of the difference in the {} that comes back", target_title(effects))
                               : fmt::format("Δ: change of the {}", target_title(effects));
  return fmt::format("{} when {} is taken from “{}”", what, kPatched[effects.part], effects.other_text);
}

std::string notes_of(const Snapshot& snapshot, const PatchSweep& sweep, const EffectsRequest& effects) {
  std::string notes = meaning_of(effects);
  const bool has_positions = is_by_position(effects.part);
  const std::string here = number_text(sweep.unpatched, kTargetDigits), there = number_text(sweep.other, kTargetDigits);
  notes += has_positions ? fmt::format(" · 0: {}, as it is; 1: {}, as in the other text", here, there)
                         : fmt::format(" · {} as it is, {} in the other text", here, there);
  const std::vector<double> values = shown_values(effects);
  if (const std::size_t beyond = count_beyond(values, has_positions ? kBeyondShare : reach_of(effects)); beyond > 0)
    notes += fmt::format(" · {} of {} {} beyond the colours", beyond, values.size(), has_positions ? "places" : "heads");
  return notes + " · " + notes_of_numbers(snapshot);
}

Scene make_patch(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  const EffectsRequest& effects = request.effects;
  const PatchSweep& sweep = *effects.patches;
  const std::string title = fmt::format("{} · {}", snapshot.model->name, kTitles[effects.part]);
  return make_map_page({title, sentence_of(snapshot)}, {notes_of(snapshot, sweep, effects), meaning_of(effects)}, map_of(snapshot, request),
                       request, measure);
}

std::string patch_caption(const Snapshot&, const FigureRequest& request) {
  const EffectsRequest& effects = request.effects;
  return is_by_position(effects.part)
             ? fmt::format("How far {} from another text brings back its {}", kPatched[effects.part], target_title(effects))
             : fmt::format("How {} from another text changes the {}", kPatched[effects.part], target_title(effects));
}

NumberList patch_numbers(const Snapshot& snapshot, const FigureRequest& request) {
  const EffectsRequest& effects = request.effects;
  const PatchSweep& sweep = *effects.patches;
  const bool has_positions = is_by_position(effects.part);
  NumberList list{fmt::format("{}: {} as it is, {} in the other text", meaning_of(effects), sweep.unpatched, sweep.other),
                  has_positions ? std::vector<std::string>{"layer", "position", "token", "other_token", "target", "recovered"}
                                : std::vector<std::string>{"layer", "head", "target", "change", "recovered"},
                  {}};
  for (const PatchValue& patched : sweep.values) {
    std::vector<ListCell>& line = list.lines.emplace_back();
    line = {std::int64_t{patched.layer}, std::int64_t{column_of(patched)}};
    if (has_positions) {
      const auto place = static_cast<std::size_t>(patched.position);
      line.emplace_back(snapshot.label(snapshot.encoding->tokens[place]).text);
      line.emplace_back(snapshot.model->tokenizer->token_of(sweep.other_ids[place]).value_or(""));
    }
    line.emplace_back(patched.value);
    if (!has_positions) line.emplace_back(shown_value(effects, patched));
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
