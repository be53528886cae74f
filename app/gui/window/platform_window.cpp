#include "app/gui/window/platform_window.h"

#include <fmt/core.h>
#include <glad/gl.h>
// glad comes before GLFW, which would include a header of its own.
#include <GLFW/glfw3.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

#include "engine/core/error.h"

namespace headlight {
namespace {

std::string last_glfw_error() {
  const char* description = nullptr;
  glfwGetError(&description);
  return description != nullptr ? printable(description) : "no reason was given";
}

[[noreturn]] void refuse(std::string problem, std::string found, std::string expected) {
  throw Error({.problem = std::move(problem),
               .found = std::move(found),
               .expected = std::move(expected),
               .hint = "The command line works without one: headlight export --help"});
}

/// A small causal map in the colours of magma.
Image paint_icon() {
  constexpr int kCells = 6, kCell = 8, kSide = kCells * kCell;
  Image icon{kSide, kSide, std::vector<std::uint8_t>(std::size_t{kSide} * kSide * 4)};
  const auto& colours = ramp(ColourMap::magma, true);
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const int query = y / kCell, key = x / kCell;
      if (key > query) continue;
      const int heat = query == key ? 255 : key == 1 ? 190 : 40 + 17 * ((query * 3 + key * 5) % 6);
      const Colour colour = colours[static_cast<std::size_t>(heat)];
      const std::array<std::uint8_t, 4> pixel{colour.red, colour.green, colour.blue, 255};
      std::copy(pixel.begin(), pixel.end(), icon.pixels.begin() + (std::ptrdiff_t{y} * kSide + x) * 4);
    }
  }
  return icon;
}

/// GLFW unloads OpenGL's libraries with its window, but Dear ImGui keeps their addresses for the next one of this process.
void keep_opengl_loaded() {
  for (const char* library : {"libGLX.so.0", "libGL.so.1", "libEGL.so.1", "libOpenGL.so.0"}) {
    ::dlopen(library, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);  // null: not loaded, so nothing to keep
  }
}

PlatformWindow& self(GLFWwindow* window) {
  return *static_cast<PlatformWindow*>(glfwGetWindowUserPointer(window));
}

}  // namespace

PlatformWindow::PlatformWindow(const WindowPlace& place, bool is_exact) : place_(place) {
  if (glfwInit() == GLFW_FALSE) refuse("No display", last_glfw_error(), "an X11 or Wayland display");
  try {
    create(is_exact);
  } catch (...) {
    glfwTerminate();  // destroys the window too
    throw;
  }
}

void PlatformWindow::create(bool is_exact) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, is_exact ? GLFW_FALSE : GLFW_TRUE);
  glfwWindowHint(GLFW_MAXIMIZED, place_.is_maximised && !is_exact ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "headlight");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "headlight");
  window_ = glfwCreateWindow(place_.width, place_.height, "Headlight", nullptr, nullptr);
  if (window_ == nullptr) refuse("no window with OpenGL could be opened", last_glfw_error(), "OpenGL 3.3");
  glfwMakeContextCurrent(window_);
  keep_opengl_loaded();
  const int version = gladLoadGL(glfwGetProcAddress);
  if (version < GLAD_MAKE_VERSION(3, 3)) {
    refuse("the graphics driver is too old", fmt::format("OpenGL {}.{}", GLAD_VERSION_MAJOR(version), GLAD_VERSION_MINOR(version)),
           "OpenGL 3.3");
  }
  glfwSwapInterval(is_exact ? 0 : 1);
  glfwSetWindowSizeLimits(window_, is_exact ? 1 : 480, is_exact ? 1 : 320, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwSetWindowUserPointer(window_, this);
  glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
    self(window).dropped_.insert(self(window).dropped_.end(), paths, paths + count);
  });
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* window) { self(window).is_damaged_ = true; });
  find_present_part();
  Image icon = paint_icon();
  const GLFWimage image{icon.width, icon.height, icon.pixels.data()};
  glfwSetWindowIcon(window_, 1, &image);
}

PlatformWindow::~PlatformWindow() {
  glfwTerminate();
}

bool PlatformWindow::wants_to_close() const {
  return glfwWindowShouldClose(window_) == GLFW_TRUE;
}

void PlatformWindow::close() {
  glfwSetWindowShouldClose(window_, GLFW_TRUE);
}

void PlatformWindow::keep_open() {
  glfwSetWindowShouldClose(window_, GLFW_FALSE);
}

void PlatformWindow::hide() {
  glfwHideWindow(window_);
}

float PlatformWindow::content_scale() const {
  float scale = 1, ignored = 1;
  int width = 0, height = 0, pixels = 0;
  glfwGetWindowContentScale(window_, &scale, &ignored);
  glfwGetWindowSize(window_, &width, &height);
  glfwGetFramebufferSize(window_, &pixels, &height);
  // Where a unit of the window already is a point (macOS, Wayland), Dear ImGui draws in points.
  const float density = width > 0 && pixels > 0 ? static_cast<float>(pixels) / static_cast<float>(width) : 1;
  scale /= density;
  return scale > 0.25F ? scale : 1;  // some virtual monitors claim 0
}

void PlatformWindow::framebuffer_size(int& width, int& height) const {
  glfwGetFramebufferSize(window_, &width, &height);
}

void PlatformWindow::resize(int width, int height) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  glfwSetWindowSize(window_, width, height);
  int now_width = 0, now_height = 0;
  for (;;) {
    framebuffer_size(now_width, now_height);
    if (now_width == width && now_height == height) return;
    if (std::chrono::steady_clock::now() > deadline) break;
    glfwWaitEventsTimeout(0.01);
  }
  throw Error({.problem = "the window system did not resize the window",
               .found = fmt::format("{}x{}", now_width, now_height),
               .expected = fmt::format("{}x{}", width, height)});
}

void PlatformWindow::set_title(const std::string& title) {
  glfwSetWindowTitle(window_, title.c_str());
}

void PlatformWindow::present() {
  glfwSwapBuffers(window_);
}

void PlatformWindow::find_present_part() {
  if (glfwExtensionSupported("GLX_MESA_copy_sub_buffer") == GLFW_FALSE) return;
  glx_display_ = reinterpret_cast<decltype(glx_display_)>(glfwGetProcAddress("glXGetCurrentDisplay"));
  glx_drawable_ = reinterpret_cast<decltype(glx_drawable_)>(glfwGetProcAddress("glXGetCurrentDrawable"));
  if (glx_display_ == nullptr || glx_drawable_ == nullptr) return;
  copy_part_ = reinterpret_cast<CopyPart>(glfwGetProcAddress("glXCopySubBufferMESA"));
}

void PlatformWindow::present_part(int x, int y, int width, int height) {
  if (copy_part_ != nullptr) copy_part_(glx_display_(), glx_drawable_(), x, y, width, height);
}

std::vector<std::string> PlatformWindow::take_dropped() {
  return std::exchange(dropped_, {});
}

void PlatformWindow::remember_place() {
  place_.is_maximised = glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) == GLFW_TRUE;
  if (place_.is_maximised || glfwGetWindowAttrib(window_, GLFW_ICONIFIED) == GLFW_TRUE) return;
  int width = 0, height = 0;
  glfwGetWindowSize(window_, &width, &height);
  const float scale = content_scale();
  place_.width = static_cast<int>(std::round(static_cast<float>(width) / scale));
  place_.height = static_cast<int>(std::round(static_cast<float>(height) / scale));
}

void PlatformWindow::poll() {
  glfwPollEvents();
  remember_place();
}

void PlatformWindow::wait(double seconds) {
  glfwWaitEventsTimeout(seconds);
  remember_place();
}

void PlatformWindow::wake() {
  glfwPostEmptyEvent();
}

Image read_back_buffer(int width, int height) {
  Image image{width, height, {}};
  const std::size_t stride = static_cast<std::size_t>(width) * 4;
  image.pixels.resize(stride * static_cast<std::size_t>(height));
  glReadBuffer(GL_BACK);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.pixels.data());
  for (int y = 0; y < height / 2; ++y) {  // OpenGL counts rows from the bottom
    const auto upper = image.pixels.begin() + static_cast<std::ptrdiff_t>(stride) * y;
    const auto lower = image.pixels.begin() + static_cast<std::ptrdiff_t>(stride) * (height - 1 - y);
    std::swap_ranges(upper, upper + static_cast<std::ptrdiff_t>(stride), lower);
  }
  for (std::size_t i = 3; i < image.pixels.size(); i += 4) image.pixels[i] = 255;  // blending leaves meaningless values of alpha
  return image;
}

}  // namespace headlight
