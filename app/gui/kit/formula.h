// Formulas as text: "_i" is set low and "^Q" high, and so are groups such as "_(i−j)".
#pragma once

#include <string_view>

#include "app/gui/kit/widgets.h"

namespace headlight {

/// A score function's formula without what no model holds: the bias by distance S of relative scores, which only `attend` takes.
std::string_view formula_in_models(std::string_view formula);
float formula_width(const Look& look, std::string_view formula);
void draw_formula(const Look& look, float x, float y, Colour colour, std::string_view formula);
/// Over the whole width, on further lines where it is too long for one: they begin with their "+".
void formula_lines(const Look& look, Colour colour, std::string_view formula);

}  // namespace headlight
