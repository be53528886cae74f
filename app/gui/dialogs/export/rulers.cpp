#include "app/gui/dialogs/export/rulers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/gui/kit/shapes.h"
#include "app/gui/kit/written_text.h"

namespace headlight {
namespace {

/// Millimetres between numbers, so that they keep apart.
int numbered_step(const Look& look, float mm) {
  constexpr std::array kSteps{10, 20, 50, 100, 200, 500};
  for (const int step : kSteps) {
    if (static_cast<float>(step) * mm >= look.px(32)) return step;
  }
  return kSteps.back();
}

/// Millimetres between ticks: as fine as can be told apart, and a part of a numbered step.
int tick_step(const Look& look, float mm, int numbered) {
  for (const int parts : {10, 5, 2}) {
    if (numbered % parts == 0 && mm * static_cast<float>(numbered) / static_cast<float>(parts) >= look.px(3)) return numbered / parts;
  }
  return numbered;
}

/// The millimetres of a ruler that are in sight: `from` and `to` are pixels along it, `zero` is the figure's edge.
template <typename Draw>
void for_ticks(const Look& look, float from, float to, float zero, float mm, const Draw& draw) {
  const int numbered = numbered_step(look, mm), step = tick_step(look, mm, numbered);
  const int first = std::max(0, static_cast<int>(std::ceil((from - zero) / mm / static_cast<float>(step)))) * step;
  for (int at = first; zero + static_cast<float>(at) * mm <= to; at += step) {
    const bool is_numbered = at % numbered == 0, is_half = at % (numbered / 2) == 0;
    draw(std::round(zero + static_cast<float>(at) * mm), is_numbered ? std::to_string(at) : std::string(),
         look.px(is_numbered ? 9.0F
                 : is_half   ? 6.0F
                             : 3.0F));
  }
}

void draw_top(const Look& look, const Box& box, const Measured& figure) {
  const float width = look.px(kRuler), bottom = box.y + width, from = box.x + width;
  canvas().PushClipRect({from, box.y}, {box.right(), bottom}, true);
  for_ticks(look, from, box.right(), figure.origin.x, figure.mm, [&](float x, const std::string& number, float length) {
    fill(look, {x, bottom - length}, {x + 1, bottom}, look.colours.text_third, 0);
    const bool has_room = x >= from && x + look.px(3) + text_width(look, Type::caption, number) <= box.right();
    if (has_room) draw_text(look, x + look.px(3), box.y + look.px(9), Type::caption, look.colours.text_second, number);
  });
  fill(look, {figure.origin.x, bottom - look.px(2)}, {figure.origin.x + figure.size.x, bottom}, look.colours.accent, 0);
  canvas().PopClipRect();
}

void draw_left(const Look& look, const Box& box, const Measured& figure) {
  const float width = look.px(kRuler), right = box.x + width, from = box.y + width;
  canvas().PushClipRect({box.x, from}, {right, box.bottom()}, true);
  for_ticks(look, from, box.bottom(), figure.origin.y, figure.mm, [&](float y, const std::string& number, float length) {
    fill(look, {right - length, y}, {right, y + 1}, look.colours.text_third, 0);
    const float middle = y + look.px(9);
    if (middle - look.px(8) >= from && middle + look.px(8) <= box.bottom())
      draw_text(look, box.x + look.px(3), middle, Type::caption, look.colours.text_second, number);
  });
  fill(look, {right - look.px(2), figure.origin.y}, {right, figure.origin.y + figure.size.y}, look.colours.accent, 0);
  canvas().PopClipRect();
}

}  // namespace

void draw_rulers(const Look& look, const Box& box, const Measured& figure) {
  const float width = look.px(kRuler);
  fill(look, {box.x, box.y}, {box.right(), box.y + width}, look.colours.raised, 0);
  fill(look, {box.x, box.y + width}, {box.x + width, box.bottom()}, look.colours.raised, 0);
  draw_text(look, box.x + width / 2, box.y + width / 2, Type::caption, look.colours.text_second, "mm", AlignX::centre);
  draw_top(look, box, figure);
  draw_left(look, box, figure);
  outline(look, {box.x, box.y}, {box.right(), box.bottom()}, look.colours.line);
}

}  // namespace headlight
