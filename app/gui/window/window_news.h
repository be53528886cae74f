// What other threads have to tell the window: that something new can be drawn.
#pragma once

#include "engine/core/guarded.h"

namespace headlight {

/// Lives longer than the window on the screen: the model of the first picture is read while that is still being opened, and a figure that was
/// asked for is finished when it is gone. Thread contract: tell from any thread, the others from the UI thread.
class WindowNews {
 public:
  void tell();               ///< ends a wait for input, if there is a window to be woken
  bool take();               ///< whether tell was called since the last take
  void wakes(bool is_open);  ///< true from when the window is there; once false has returned, no thread calls the window system

 private:
  Mutex mutex_;
  bool is_open_ HEADLIGHT_GUARDED_BY(mutex_) = false;
  bool has_news_ HEADLIGHT_GUARDED_BY(mutex_) = false;
};

}  // namespace headlight
