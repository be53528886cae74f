// What to do when the display goes away under the window.
#pragma once

#include <functional>

namespace headlight {

/// Xlib ends the program when the connection to its server breaks, without a chance to save. While this lives it calls `on_lost` first, from
/// whichever thread noticed, and then the program ends with exit status 1. `on_lost` may call nothing of the window system. Nothing happens
/// without X11, where the window is told to close instead.
class DisplayWatch {
 public:
  explicit DisplayWatch(std::function<void()> on_lost);
  ~DisplayWatch();
  DisplayWatch(const DisplayWatch&) = delete;
  DisplayWatch& operator=(const DisplayWatch&) = delete;

 private:
  std::function<void()> on_lost_;
};

}  // namespace headlight
