// Formulas as text: "_i" is set low and "^Q" high, and so are groups such as "_(i−j)".
#pragma once

#include <string_view>

#include "app/gui/kit/widgets.h"

namespace headlight {

/// A score function's formula without the part that no model has: the bias by distance S of relative scores, which only `attend` takes.
std::string_view formula_in_models(std::string_view formula);
float formula_width(const Look& look, std::string_view formula);
void draw_formula(const Look& look, float x, float y, Colour colour, std::string_view formula);
/// Draws a formula over the whole width. One that is too long continues on further lines, each beginning with its "+".
void formula_lines(const Look& look, Colour colour, std::string_view formula);

}  // namespace headlight
