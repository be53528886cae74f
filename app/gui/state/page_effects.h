// What the page Heads of Output shows, as a figure is asked for it.
#pragma once

#include <memory>

#include "app/gui/state/pages.h"
#include "app/work/corpora/corpus_studies.h"
#include "app/work/effects/effects.h"

namespace headlight {

/// The study of effects over a file of texts that the page shows; null: it shows a text, or there is none.
std::shared_ptr<const StoredStudy> study_of_page(const OutputPage& page, const CorpusStudies& corpora);

/// The figure of what the page shows: its grid; beside a grid of effects, what is chosen there.
/// `study`: of effects over a file of texts that the page shows; null: none.
const FigureKind& figure_of_heads(const OutputPage& page, const StoredStudy* study);

/// What a figure with a target asks for of a text, and what was found for it: nothing before all of it is computed.
EffectsRequest page_effects(const OutputPage& page, const Effects& effects, const std::shared_ptr<const Snapshot>& run,
                            const Target& target, const FigureNeeds& needs);

/// The same over the texts of the page's study, as far as it is done; nothing where it is of other weights than `weights`, a digest.
EffectsRequest page_effects(const OutputPage& page, const CorpusStudies& corpora, const std::string& weights, const FigureNeeds& needs);

}  // namespace headlight
