// Chips: words in frames that are on or off, one beside the other.
#pragma once

#include "app/gui/kit/widgets.h"

namespace headlight {

/// Places things of different widths beside each other, and on the next line where they do not fit.
class Flow {
 public:
  /// Lines as wide as `room` (pixels), from its top left corner.
  Flow(const Look& look, const Box& room) : look_(look), room_(room), at_{room.x, room.y} {}
  /// The next place for something so wide, one control high.
  Box place(float width);
  /// Of all lines so far, in pixels.
  float height() const { return at_.y - room_.y + look_.px(kControl); }

 private:
  const Look& look_;
  Box room_;
  ImVec2 at_;
};

/// How wide a chip of these words is, in pixels.
float chip_width(const Look& look, std::span<const Span> words, bool has_close = false);

/// Returns whether it was pressed. `has_close`: pressing it takes away what it names, and it has a × that says so.
bool draw_chip(const Look& look, Flow& flow, const char* name, std::span<const Span> words, const char* help, bool is_on,
               bool has_close = false);

}  // namespace headlight
