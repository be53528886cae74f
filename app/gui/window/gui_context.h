// The Dear ImGui context of the window with its renderer, and the input of a real mouse and keyboard if there is one.
#pragma once

struct GLFWwindow;

namespace headlight {

class GuiContext {
 public:
  /// `has_platform_input` false: nothing but a script feeds the input queue, the clock ticks 60 times a second, and the caret does not
  /// blink.
  GuiContext(GLFWwindow* window, bool has_platform_input);
  ~GuiContext();
  GuiContext(const GuiContext&) = delete;
  GuiContext& operator=(const GuiContext&) = delete;

  void begin_frame(int width, int height) const;     ///< of the framebuffer, for a context without platform input
  void prepare() const;                              ///< what ImGui::Render has made, once before it is rendered, whole or in parts
  void render() const;                               ///< into the current framebuffer
  bool is_software() const { return is_software_; }  ///< Mesa's llvmpipe draws, without a graphics card
  /// Input waits to be taken by a frame: Dear ImGui spreads quick events over several.
  bool has_queued_input() const;

 private:
  bool has_platform_input_;
  bool is_software_ = false;
};

}  // namespace headlight
