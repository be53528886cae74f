// The numbers of the compared heads beside each other: their measures, and one row of their maps, key by key.
#pragma once

#include <string>
#include <vector>

#include "app/gui/panel/panel.h"
#include "engine/figure/compare/compare_figure.h"

namespace headlight {

/// What all measures need, in pixels: of so many cards; and with their heading.
float least_numbers_width(const Look& look, std::size_t cards);
float least_numbers_height(const Panel& panel);

/// The measures, and in what they leave of a box of pixels the row that is looked at: its keys in the order of the text, with the weight that
/// each head gives them. Of more keys than there is room for, those with the largest weights.
void draw_numbers(Panel& panel, const std::vector<CompareCard>& cards, const Box& box, ComparedPair pair);

/// "+0.12", "−0.05"
std::string signed_text(double value);

}  // namespace headlight
