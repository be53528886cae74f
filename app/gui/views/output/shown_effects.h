// What the page Heads shows: numbers of every head under one or several ways to change it, of this text or of a file of texts.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/panel/panel.h"
#include "engine/studies/importance/patch_study.h"

namespace headlight {

inline constexpr double kShareOfPass = 0.55;  ///< of a pass that one head takes, as it shares the layers below (headlight bench)
/// Of a whole pass over the shown text on this machine.
double seconds_of_pass(const Snapshot& run);
/// Whether what takes so long may begin: at once where it is short, was agreed to, or a script plays; else `words` and the button are shown.
bool is_agreed(Panel& panel, double seconds, const std::string& words, const char* button);

/// The numbers of one way to change heads.
struct EffectColumn {
  const SweepRow* row = nullptr;
  std::vector<double> values, errors;  ///< of each head, as far as it is done; errors: over texts, empty for one
  std::vector<std::size_t> by_size;    ///< places of the values that are numbers, the largest first
  double other = 0;                    ///< of a patch: the target in the other text
};

struct ShownEffects {
  std::vector<HeadId> heads;
  std::vector<EffectColumn> columns;
  std::size_t chosen = 0;           ///< of `columns`
  std::optional<double> unchanged;  ///< the target of this text; none over many
  std::string target;               ///< in words
  std::int64_t texts = 1;
  std::vector<RankAgreement> agreements;  ///< of `finished`, by their places there
  std::vector<std::size_t> finished;      ///< columns with a number or none for every head
  std::optional<PatchStudy> patches;      ///< over many texts: of each from its partner
  const EffectColumn& column() const { return columns[chosen]; }
};

/// Of the kind that is chosen; null where it is not known yet. Kept from frame to frame.
std::shared_ptr<const ShownEffects> effects_of(Panel& panel, const std::shared_ptr<const SweepFound>& found);
/// Of a study of effects; where it does not have the chosen kind, its first. Null where it is of other heads than the picture's, or of no
/// effects. Kept likewise.
std::shared_ptr<const ShownEffects> effects_of(Panel& panel, const std::shared_ptr<const StoredStudy>& stored);

/// What one head's number says; `name`: the head's.
std::string words_of_effect(const ShownEffects& effects, std::size_t place, const std::string& name);

/// A scale of colours with its ends, and how many cells lie beyond them.
void draw_effect_legend(Panel& panel, const char* words, double reach, std::size_t beyond);
/// Layers and heads.
void draw_effect_grid(Panel& panel, const ShownEffects& effects, double reach);
/// A layer at a position, and the share of the difference that a patch there brings back.
struct PlaceShare {
  int layer = 0;
  Index position = 0;
  double share = 0;
};
/// Layers and positions, of a kind that goes by position.
struct PlaceGrid {
  std::vector<PlaceShare> places;
  Index positions = 0;
  std::shared_ptr<const Snapshot> text = {};                 ///< whose tokens the positions have; null: of many texts
  std::function<std::string(std::size_t place)> words = {};  ///< what is said of a place, after its name
};
PlaceGrid places_of(const SweepFound& found);
PlaceGrid places_of(const PatchStudy& study);
/// Its name and its numbers.
std::string words_of_place(const Panel& panel, const PlaceGrid& grid, std::size_t place);
void draw_place_grid(Panel& panel, const PlaceGrid& grid);
/// The places that bring most back.
void draw_place_ranking(Panel& panel, const PlaceGrid& grid);

/// The texts in which the head that is looked at, or the place that was clicked, changes the target most, where a study kept some.
void draw_effect_texts(Panel& panel, const ShownEffects& effects);
void draw_place_texts(Panel& panel);

/// The heads that move the target most.
void draw_effect_ranking(Panel& panel, const ShownEffects& effects);
/// All ways to change heads that are known, side by side, and how alike they rank them.
void draw_effect_methods(Panel& panel, const ShownEffects& effects);
/// Heads switched off one after another, least important first.
void draw_pruning(Panel& panel);

/// What is done to each head, and what it takes from where.
void draw_sweep_controls(Panel& panel, bool has_many_texts);

/// Points at a head from a cell or a row: marks it everywhere and takes a click. Returns whether hint_effect is to say what changing it does.
bool answer_effect(Panel& panel, const Press& press, HeadId head);
void hint_effect(const Look& look, const std::string& words);

}  // namespace headlight
