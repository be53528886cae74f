#include "app/gui/finding/chips.h"

#include <algorithm>
#include <cmath>

#include "app/gui/kit/shapes.h"

namespace headlight {

Box Flow::place(float width) {
  const float line = look_.px(kControl + kInside);
  if (at_.x > room_.x && at_.x + width > room_.right()) at_ = {room_.x, at_.y + line};
  const Box box{at_.x, at_.y, std::min(width, room_.width), look_.px(kControl)};
  at_.x += width + look_.px(kInside);
  return box;
}

float chip_width(const Look& look, std::span<const Span> words, bool has_close) {
  float width = look.px(2 * kUnit) + (has_close ? look.px(kBetween) : 0);
  for (const Span& span : words) width += text_width(look, span.type, span.text);
  return std::ceil(width);
}

bool draw_chip(const Look& look, Flow& flow, const char* name, std::span<const Span> words, const char* help, bool is_on, bool has_close) {
  const Palette& colours = look.colours;
  const float close = has_close ? look.px(kBetween) : 0;
  const Box box = flow.place(chip_width(look, words, has_close));
  const Press press = press_area(name, {box.x, box.y}, {box.width, box.height});
  hint(look, help);
  const ImVec2 from{box.x, box.y}, to{box.right(), box.bottom()};
  fill(look, from, to, is_on ? mix(colours.panel, colours.accent, 0.2F) : press.is_hovered ? colours.raised : colours.ground);
  outline(look, from, to, is_on ? colours.accent : colours.line);
  float left = box.x + look.px(kUnit);
  const float middle = box.y + box.height / 2, end = box.right() - look.px(kUnit) - close;
  for (const Span& span : words) {
    const std::string text = elided(look, span.type, span.text, std::max(0.0F, end - left));
    draw_text(look, left, middle, span.type, span.colour, text);
    left += text_width(look, span.type, text);
  }
  if (has_close) draw_text(look, box.right() - look.px(kUnit), middle, Type::body, colours.text_second, "×", AlignX::right);
  return press.is_clicked;
}

}  // namespace headlight
