#include "app/gui/typing/text_typed.h"

#include <fmt/core.h>
#include <imgui_internal.h>

namespace headlight {

std::optional<std::string> text_being_typed(const char* name) {
  const ImGuiID box = ImGui::GetID(fmt::format("##{}", name).c_str());  // as text_box names it
  const ImGuiInputTextState* const state = ImGui::GetActiveID() == box ? ImGui::GetInputTextState(box) : nullptr;
  if (state == nullptr) return std::nullopt;
  return std::string(state->TextA.Data, static_cast<std::size_t>(state->TextLen));
}

}  // namespace headlight
