// GLFW and the OpenGL context: a window on the screen, and nothing of what is drawn in it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/figure/map/map_picture.h"

struct GLFWwindow;

namespace headlight {

/// In points, which are pixels of a monitor of scale 1.
struct WindowPlace {
  int width = 1600, height = 1000;
  bool is_maximised = false;
};

/// Thread contract: the main thread only, except wake().
class PlatformWindow {
 public:
  /// `is_exact`: `place` counts pixels, whatever the monitor's scale, and pictures are not held back for the monitor (scripts).
  /// Throws Error (internal) with what was found and what is needed when there is no display or no OpenGL 3.3.
  PlatformWindow(const WindowPlace& place, bool is_exact);
  ~PlatformWindow();
  PlatformWindow(const PlatformWindow&) = delete;
  PlatformWindow& operator=(const PlatformWindow&) = delete;

  GLFWwindow* handle() const { return window_; }
  bool wants_to_close() const;
  void close();  ///< as if the person had closed it
  void keep_open();
  void hide();                                         ///< nothing of it stays on the screen, though it still exists
  float content_scale() const;                         ///< pixels per point of the monitor that it is on
  const WindowPlace& place() const { return place_; }  ///< in points, unmaximised: to be restored at the next start
  void framebuffer_size(int& width, int& height) const;
  /// Waits until the window system has taken it over. Throws Error (internal) when it does not.
  void resize(int width, int height);
  void set_title(const std::string& title);
  void present();
  /// Whether present_part does anything: it needs GLX_MESA_copy_sub_buffer, which Mesa's renderers have on X11.
  bool can_present_part() const { return copy_part_ != nullptr; }
  /// Presents only a box of the back buffer; the rest of the screen stays. x and y are its lower left corner, as in OpenGL.
  void present_part(int x, int y, int width, int height);
  /// The screen lost what it showed since the last call, and everything has to be presented again.
  bool take_damage() { return std::exchange(is_damaged_, false); }
  /// Files and folders dropped since the last call.
  std::vector<std::string> take_dropped();

  void poll();                ///< takes the input since the last call
  void wait(double seconds);  ///< the same, but sleeps until something happens
  static void wake();         ///< ends a wait(); from any thread

 private:
  void create(bool is_exact);
  void find_present_part();
  void remember_place();
  GLFWwindow* window_ = nullptr;
  std::vector<std::string> dropped_;
  WindowPlace place_;
  bool is_damaged_ = true;
  // GLX's own functions, whose headers would bring in all of X11's.
  using CopyPart = void (*)(void* display, unsigned long drawable, int x, int y, int width, int height);
  CopyPart copy_part_ = nullptr;
  void* (*glx_display_)() = nullptr;
  unsigned long (*glx_drawable_)() = nullptr;
};

/// The pixels of the back buffer: call it after drawing and before present().
Image read_back_buffer(int width, int height);

}  // namespace headlight
