#include "app/gui/window/gui_context.h"

#include <glad/gl.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>

#include <cmath>
#include <string_view>

#include "app/gui/window/cleared_grounds.h"
#include "app/gui/window/paired_triangles.h"

namespace headlight {
namespace {

void clear_box(const ImDrawList* list, const ImDrawCmd* command) {
  const ImDrawData& data = *ImGui::GetDrawData();
  const ImVec4& box = command->ClipRect;
  if (box.x >= box.z || box.y >= box.w) return;  // outside of what is drawn of this frame
  const auto pixel = [](float points, float scale) { return static_cast<int>(std::lround(points * scale)); };
  const int left = pixel(box.x, data.FramebufferScale.x), right = pixel(box.z, data.FramebufferScale.x);
  const int top = pixel(box.y, data.FramebufferScale.y), bottom = pixel(box.w, data.FramebufferScale.y);
  const ImVec4 colour = ImGui::ColorConvertU32ToFloat4(colour_of(*list, *command));
  glScissor(left, pixel(data.DisplaySize.y, data.FramebufferScale.y) - bottom, right - left, bottom - top);
  glClearColor(colour.x, colour.y, colour.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

bool is_modifier(const ImGuiInputEvent& event) {
  return event.Type == ImGuiInputEventType_Key && (event.Key.Key & ImGuiMod_Mask_) != 0;
}

/// Dear ImGui spreads quick input over frames, but takes "key down, ctrl up" in one: ctrl+q, pressed faster than a frame, would be q. Takes
/// out of the queue what must wait for the next frame.
ImVector<ImGuiInputEvent> hold_back_releases(ImVector<ImGuiInputEvent>& queue) {
  ImVector<ImGuiInputEvent> later;
  bool is_pressed = false;
  for (int i = 0; i < queue.Size; ++i) {
    const ImGuiInputEvent& event = queue[i];
    if (is_pressed && is_modifier(event) && !event.Key.Down) {
      for (int j = i; j < queue.Size; ++j) later.push_back(queue[j]);
      queue.resize(i);
      break;
    }
    is_pressed |= event.Type == ImGuiInputEventType_Key && event.Key.Down && !is_modifier(event);
  }
  return later;
}

}  // namespace

GuiContext::GuiContext(GLFWwindow* window, bool has_platform_input) : has_platform_input_(has_platform_input) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // what is remembered is in settings.json
  io.LogFilename = nullptr;
  io.ConfigErrorRecoveryEnableTooltip = false;
  io.ConfigDebugHighlightIdConflicts = false;
  if (has_platform_input) {
    ImGui_ImplGlfw_InitForOpenGL(window, true);
  } else {
    io.DeltaTime = 1.0F / 60;
    io.ConfigInputTextCursorBlink = false;
  }
  ImGui_ImplOpenGL3_Init("#version 330 core");
  const auto* const renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  is_software_ = renderer != nullptr && std::string_view(renderer).starts_with("llvmpipe");
}

GuiContext::~GuiContext() {
  ImGui_ImplOpenGL3_Shutdown();
  if (has_platform_input_) ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

void GuiContext::begin_frame(int width, int height) const {
  ImGui_ImplOpenGL3_NewFrame();
  if (has_platform_input_) {
    ImGui_ImplGlfw_NewFrame();
  } else {
    ImGui::GetIO().DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  }
  ImVector<ImGuiInputEvent>& queue = ImGui::GetCurrentContext()->InputEventsQueue;
  const ImVector<ImGuiInputEvent> later = hold_back_releases(queue);
  ImGui::NewFrame();
  for (const ImGuiInputEvent& event : later) queue.push_back(event);
}

void GuiContext::prepare() const {
  if (!is_software_) return;  // a graphics card gains nothing by either
  pair_triangles(*ImGui::GetDrawData());
  take_out_grounds(*ImGui::GetDrawData(), clear_box);
}

void GuiContext::render() const {
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool GuiContext::has_queued_input() const {
  return ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
}

}  // namespace headlight
