// How lines look: a colour of its own for each head, and what width and opacity say.
#pragma once

#include <cstddef>
#include <string>

#include "engine/figure/style.h"

namespace headlight {

/// How many heads have a colour that no other has. Those beyond share it and differ by letter too.
inline constexpr std::size_t kLinkColours = 10;

/// By the head's place among those that are shown. None is close to the amber of queries or the teal of keys.
Colour link_colour(Theme theme, std::size_t place);
/// What is written on a head's square: nothing for the first ten, then "b" for the next ten, "c", …; after "z" numbers.
std::string link_letter(std::size_t place);

/// Of a line, in points; a weight above 1 (in maps from a file) counts as 1.
float link_width(float weight);
/// `colour` as opaque as the weight says.
Colour link_shade(Colour colour, float weight);
/// What both mean, in words.
inline constexpr const char* kLinkLooksText = "width 1 + 7 w, opacity ¼ + ¾ w";
/// Opacity of all other lines while those of one token are shown.
inline constexpr float kFaintLink = 0.07F;

}  // namespace headlight
