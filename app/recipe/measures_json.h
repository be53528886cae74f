// What the figures of measures are asked for, as JSON. Measures of the figure's own text are named; columns of other numbers are written
// out, so that the figure can be made again without the corpus or the file that they came from.
#pragma once

#include "engine/figure/kinds/measures_request.h"
#include "engine/formats/json.h"

namespace headlight {

/// `has_axes`: of a scatter plot; `orders_heads`: of a table.
Json to_json(const MeasuresRequest& request, bool orders_heads, bool has_axes);
/// Throws Error (input).
MeasuresRequest measures_from(const JsonFields& fields);

}  // namespace headlight
