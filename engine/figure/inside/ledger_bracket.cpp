// Grouped heads: who shares keys and values.
#include <fmt/core.h>

#include <algorithm>

#include "engine/figure/figure_parts.h"
#include "engine/figure/inside/ledger.h"

namespace headlight {

std::string Ledger::sharing_text() const {
  const HeadRange sharing = sharing_heads(inside_);
  const int last = sharing.end - 1;
  if (last <= sharing.begin) return {};
  return last == sharing.begin + 1 ? fmt::format("heads {} and {} share k and v", sharing.begin, last)
                                   : fmt::format("heads {} to {} share k and v", sharing.begin, last);
}

/// Only where there are columns to bracket: the first step and the last take the whole area, a low one has no room.
bool Ledger::has_bracket() const {
  const bool has_columns = moment_.step != InsideStep::query && moment_.step != InsideStep::output;
  return has_columns && request_.area.height >= kLowArea && !sharing_text().empty();
}

void Ledger::draw_bracket_over(InsideStep step, float y, Colour colour) {
  constexpr float kTooth = 5;
  const LedgerGroup& place = group(step);
  pen_.line({place.left, y}, {place.right(), y}, colour, 1.5F);
  pen_.line({place.left, y}, {place.left, y + kTooth}, colour, 1.5F);
  pen_.line({place.right(), y}, {place.right(), y + kTooth}, colour, 1.5F);
}

/// Keys and values under one bracket, as what is shared comes from one pair of matrices; the words between them say who shares.
void Ledger::draw_bracket() {
  constexpr float kAboveHeadings = 14, kBesideWords = 8;
  const Palette& colours = pen_.colours();
  const float y = lines_.header - kAboveHeadings;
  const bool has_keys = is_shown(InsideStep::keys), has_values = is_shown(InsideStep::values);
  if (has_keys) draw_bracket_over(InsideStep::keys, y, colours.key);
  if (has_values) draw_bracket_over(InsideStep::values, y, colours.value);
  const float left = has_keys ? group(InsideStep::keys).right() : area_.x;
  const float right = has_values ? group(InsideStep::values).left : area_.right();
  const float room = std::max(1.0F, right - left - 2 * kBesideWords);
  const float width = std::min(room, pen_.width(sharing_text(), kCaptionSize)), middle = (left + right) / 2;
  if (has_keys) pen_.line({left, y}, {middle - width / 2 - kBesideWords, y}, colours.text_third, 1);
  if (has_values) pen_.line({middle + width / 2 + kBesideWords, y}, {right, y}, colours.text_third, 1);
  pen_.text({middle, y}, sharing_text(), colours.text_second, {kCaptionSize, FontFace::ui, AlignX::centre}, room);
}

}  // namespace headlight
