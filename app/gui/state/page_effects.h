// What the page Heads of Output shows, as a figure is asked for it.
#pragma once

#include <memory>

#include "app/gui/state/pages.h"
#include "app/work/effects/effects.h"

namespace headlight {

/// The figure of what the page shows: its grid; beside a grid of effects, what is chosen there.
const FigureKind& figure_of_heads(const OutputPage& page);

/// What a figure with a target asks for, and what was found for it: nothing before all of it is computed, nor for a file of texts.
EffectsRequest page_effects(const OutputPage& page, const Effects& effects, const std::shared_ptr<const Snapshot>& run,
                            const Target& target, const FigureNeeds& needs);

}  // namespace headlight
