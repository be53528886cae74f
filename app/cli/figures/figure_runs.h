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
/// In their place, the text in front without edits: no subject has this id.
inline constexpr int kUnedited = 0;

/// Of the text in front, of those that the figure's heads are of, and of what predictions are compared with. `layer`: the only one that the
/// figure shows (Pipeline::run_layer_alone), unless its colours go by those of all; none: all.
Runs run_subjects(Pipeline& pipeline, const FigureKind& kind, const Document& document, const std::optional<RecordedFigure>& again,
                  std::optional<int> layer, Progress& progress);
/// The layer that a figure is of, where it is of the map of one head.
std::optional<int> layer_alone(const FigureOptions& options, const FigureKind& kind);
/// `again`: the figure's file that is made again. Throws Error (usage) for what the model does not have.
FigureRequest request_of(const FigureOptions& options, const FigureKind& kind, const Document& document, const Runs& runs,
                         const std::optional<RecordedFigure>& again);
/// Throws Error (usage) where too few heads are named for the figure.
void check_named_heads(const FigureOptions& options, const FigureKind& kind, const Document& document);

}  // namespace headlight
