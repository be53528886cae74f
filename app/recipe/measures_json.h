// What the figures of measures, of effects and of labs are asked for, as JSON. Measures of the figure's own text are named; columns of other numbers are written
// out, so that the figure can be made again without the corpus or the file that they came from.
#pragma once

#include "engine/figure/kinds/figure_kinds.h"
#include "engine/formats/json.h"

namespace headlight {

/// What a figure with these needs reads of it.
Json to_json(const MeasuresRequest& request, const FigureNeeds& needs);
Json to_json(const EffectsRequest& effects, const FigureNeeds& needs);
Json to_json(const LabFigureRequest& lab);
/// Throws Error (input).
MeasuresRequest measures_from(const JsonFields& fields);
EffectsRequest effects_from(const JsonFields& fields);
LabFigureRequest lab_from(const JsonFields& fields);

}  // namespace headlight
