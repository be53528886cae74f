#include "app/gui/gui_context.h"

#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>

namespace headlight {

GuiContext::GuiContext(GLFWwindow* window, bool has_platform_input) : has_platform_input_(has_platform_input) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // what is remembered is in state.json
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
}

GuiContext::~GuiContext() {
  ImGui_ImplOpenGL3_Shutdown();
  if (has_platform_input_) ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

void GuiContext::begin_frame(int width, int height) {
  ImGui_ImplOpenGL3_NewFrame();
  if (has_platform_input_) {
    ImGui_ImplGlfw_NewFrame();
  } else {
    ImGui::GetIO().DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  }
  ImGui::NewFrame();
}

void GuiContext::render() {
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool GuiContext::has_queued_input() const {
  return ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
}

}  // namespace headlight
