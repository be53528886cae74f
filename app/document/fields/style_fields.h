// The fields of the style, a row each (field.h).
#pragma once

#include "app/document/fields/field.h"
#include "engine/figure/style.h"

namespace headlight {

std::span<const Field<Style>> style_fields();

}  // namespace headlight
