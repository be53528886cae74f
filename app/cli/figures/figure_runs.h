// The runs that a figure of the command line needs, and its request.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "app/cli/figures/figure_options.h"
#include "app/document/document.h"
#include "app/recipe/recipe.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {

/// Runs by the ids of their subjects.
using Runs = std::map<int, std::shared_ptr<const Snapshot>>;

/// Of the text in front, and of those that the figure's heads are of.
Runs run_subjects(Pipeline& pipeline, const FigureKind& kind, const Document& document, const std::optional<RecordedFigure>& again,
                  Progress& progress);
/// `again`: the figure's file that is made again. Throws Error (usage) for what the model does not have.
FigureRequest request_of(const FigureOptions& options, const FigureKind& kind, const Document& document, const Runs& runs,
                         const std::optional<RecordedFigure>& again);
/// Throws Error (usage) where too few heads are named for the figure.
void check_named_heads(const FigureOptions& options, const FigureKind& kind, const Document& document);

}  // namespace headlight
