#include "app/gui/window/window_news.h"

#include <utility>

#include "app/gui/window/platform_window.h"

namespace headlight {

void WindowNews::tell() {
  const Lock lock(mutex_);
  has_news_ = true;
  if (is_open_) PlatformWindow::wake();
}

bool WindowNews::take() {
  const Lock lock(mutex_);
  return std::exchange(has_news_, false);
}

void WindowNews::wakes(bool is_open) {
  const Lock lock(mutex_);
  is_open_ = is_open;
}

}  // namespace headlight
