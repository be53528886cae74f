// What the page Heads shows: numbers of every head under one or several ways to change it, of this text or of a file of texts.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/panel/panel.h"

namespace headlight {

inline constexpr double kAsksFromSeconds = 20;  ///< what takes longer is begun only when it is asked for
inline constexpr double kShareOfPass = 0.55;    ///< of a pass that one head takes, as it shares the layers below (headlight bench)

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
  const EffectColumn& column() const { return columns[chosen]; }
};

/// Nothing where the chosen kind is not known yet.
std::optional<ShownEffects> effects_of(const SweepFound& found, SweepKind chosen);
/// Of a study of effects; where it has not the chosen kind, its first. Nothing where it is of other heads than the picture's.
std::optional<ShownEffects> effects_of(const StoredStudy& stored, const Snapshot& run, SweepKind chosen);

/// A scale of colours with its ends, and how many cells lie beyond them.
void draw_effect_legend(Panel& panel, const char* words, double reach, std::size_t beyond);
/// Layers and heads.
void draw_effect_grid(Panel& panel, const ShownEffects& effects, double reach);
/// Layers and positions, of a kind that goes by position.
void draw_place_grid(Panel& panel, const SweepFound& found);

/// The heads that move the target most.
void draw_effect_ranking(Panel& panel, const ShownEffects& effects);
/// All ways to change heads that are known, side by side, and how alike they rank them.
void draw_effect_methods(Panel& panel, const ShownEffects& effects);
/// Heads switched off one after another, least important first.
void draw_pruning(Panel& panel);

/// What is done to each head, and what it takes from where.
void draw_sweep_controls(Panel& panel, bool has_many_texts);

/// Points at a head from a cell or a row: marks it everywhere, says what it does, and takes a click.
void answer_effect(Panel& panel, const Press& press, HeadId head, const std::string& words);

}  // namespace headlight
