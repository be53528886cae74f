#include "app/gui/window/lost_display.h"

#include <dlfcn.h>

#include <cstdlib>
#include <utility>

namespace headlight {
namespace {

/// A function of a library that the program has loaded, or null: so the window needs neither X11's headers nor to be linked with it.
template <typename Function>
Function* find_function(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast): as POSIX has it
}

int keep_quiet(void*) {
  return 0;  // Xlib's own message says less than ours
}

void end_program(void*, void* on_lost) {
  (*static_cast<std::function<void()>*>(on_lost))();
  std::_Exit(1);  // the window is gone, and cleaning up would use it again
}

/// Null `data` brings back Xlib's own way of ending.
void set_exit_handler(std::function<void()>* data) {
  using ExitHandler = void(void* display, void* data);
  // From Xlib.h and glfw3native.h, where void* is Display*. The exit handler is there since libX11 1.7.
  auto* const display_of_window = find_function<void*()>("glfwGetX11Display");
  auto* const set_handler = find_function<void(void*, ExitHandler*, void*)>("XSetIOErrorExitHandler");
  if (display_of_window == nullptr || set_handler == nullptr) return;
  if (void* const display = display_of_window()) set_handler(display, data == nullptr ? nullptr : end_program, data);
}

}  // namespace

DisplayWatch::DisplayWatch(std::function<void()> on_lost) : on_lost_(std::move(on_lost)) {
  using ErrorHandler = int(void* display);
  if (auto* const set_handler = find_function<ErrorHandler*(ErrorHandler*)>("XSetIOErrorHandler")) set_handler(keep_quiet);
  set_exit_handler(&on_lost_);
}

DisplayWatch::~DisplayWatch() {
  set_exit_handler(nullptr);
}

}  // namespace headlight
