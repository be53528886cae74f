// The words of a step: plain, strong, formulas, and numbers whose digits are a tooltip.
#pragma once

#include "app/gui/kit/widgets.h"
#include "app/lessons/play/played_step.h"

namespace headlight {

/// A paragraph over the whole width. `type`: of its plain words.
void draw_filled(const Look& look, const FilledParagraph& paragraph, Type type, Colour colour);
void draw_paragraphs(const Look& look, const std::vector<FilledParagraph>& paragraphs);
/// As it is written, where its numbers are not known yet: "…" in place of each.
FilledParagraph without_numbers(const Paragraph& paragraph);

}  // namespace headlight
