// Where one text's run comes back to what another's gives, when a place of it takes the other's numbers: layers down, positions or heads across.
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

std::vector<double> shares_of(const PatchSweep& sweep) {
  std::vector<double> shares;
  for (const PatchValue& patched : sweep.values) shares.push_back(sweep.recovered(patched));
  return shares;
}

/// A layer with fewer heads than another has no cells for the rest.
std::shared_ptr<const MapPicture> picture_of(const Snapshot& snapshot, const PatchSweep& sweep) {
  Matrix shares = Matrix::Constant(snapshot.layers(), columns_of(sweep), kHiddenCell);
  for (const PatchValue& patched : sweep.values) shares(patched.layer, column_of(patched)) = static_cast<float>(sweep.recovered(patched));
  const Index rows = shares.rows(), columns = shares.cols();
  return std::make_shared<const MapPicture>(std::move(shares), 1, rows, columns, nullptr, true);
}

MapFigureRequest map_of(const Snapshot& snapshot, const FigureRequest& request) {
  const PatchSweep& sweep = *request.effects.patches;
  const bool has_positions = is_by_position(request.effects.part);
  MapFigureRequest map;
  map.picture = picture_of(snapshot, sweep);
  map.scale = effect_scale(1, request.style.theme);
  map.query_labels = std::make_shared<const std::vector<std::string>>(short_names_of_layers(snapshot));
  map.key_labels = has_positions ? std::make_shared<const std::vector<std::string>>(words_of_both(snapshot, sweep))
                                 : number_labels(map.picture->columns());
  map.columns = has_positions ? MapColumns::keys : MapColumns::numbers;
  map.titles = {"layers", has_positions ? "positions" : "heads"};
  map.has_plain_axes = true;
  map.words = std::make_shared<const MapWords>(
      MapWords{"share that comes back", map.query_labels, map.key_labels, "layer", has_positions ? "position" : "head"});
  map.theme = request.style.theme;
  return map;
}

/// What must be known of the colours.
std::string meaning_of(const EffectsRequest& effects) {
  return fmt::format("share of the difference in the {} that comes back when {} is taken from “{}”", target_title(effects),
                     kPatched[effects.part], effects.other_text);
}

std::string notes_of(const Snapshot& snapshot, const PatchSweep& sweep, const EffectsRequest& effects) {
  std::string notes = meaning_of(effects);
  notes += fmt::format(" · 0: {}, as it is; 1: {}, as in the other text", number_text(sweep.unpatched, kTargetDigits),
                       number_text(sweep.other, kTargetDigits));
  const std::vector<double> shares = shares_of(sweep);
  if (const std::size_t beyond = count_beyond(shares, kBeyondShare); beyond > 0)
    notes += fmt::format(" · {} of {} places beyond the colours", beyond, shares.size());
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
  return fmt::format("How far {} from another text brings back its {}", kPatched[request.effects.part], target_title(request.effects));
}

NumberList patch_numbers(const Snapshot& snapshot, const FigureRequest& request) {
  const EffectsRequest& effects = request.effects;
  const PatchSweep& sweep = *effects.patches;
  const bool has_positions = is_by_position(effects.part);
  NumberList list{fmt::format("{}: {} as it is, {} in the other text", meaning_of(effects), sweep.unpatched, sweep.other),
                  has_positions ? std::vector<std::string>{"layer", "position", "token", "other_token", "target", "recovered"}
                                : std::vector<std::string>{"layer", "head", "target", "recovered"},
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
    line.emplace_back(sweep.recovered(patched));
  }
  return list;
}

}  // namespace

constexpr FigureKind kPatchFigure = {
    .name = "patch",
    .noun = "a figure of patches",
    .what = "where a number comes back when places are patched from another text",
    .file_name = "patch",
    .needs = {.has_target = true, .has_patches = true, .has_bar = true, .has_cells = true, .is_plain = true},
    .caption = patch_caption,
    .scene = make_patch,
    .numbers = {.list = patch_numbers},
    .endings = kTableEndings,
};

}  // namespace headlight
