// A figure as it is made of many texts.
#pragma once

#include "engine/figure/kinds/figure_kinds.h"

namespace headlight {

/// The request without what is of its own text: parts of maps, marked tokens, frames, the token that links, a look inside or predictions are
/// of, other texts and moments, and columns that were measured on them.
FigureRequest of_any_text(FigureRequest request);

/// Columns of a figure of points: the measures that it shows or filters by, as the command line has them.
void keep_shown_measures(MeasuresRequest& measures);

/// Whether such a request shows something: heads that are compared are all of other texts, or columns of no measure.
bool shows_any_text(const FigureRequest& request);

}  // namespace headlight
