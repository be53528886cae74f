#include "app/gui/kit/shapes.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

namespace headlight {

ImDrawList& canvas() {
  return *ImGui::GetWindowDrawList();
}

void fill(const Look& look, ImVec2 from, ImVec2 to, Colour colour, float corner) {
  canvas().AddRectFilled(from, to, to_imgui(colour), look.px(corner));
}

void outline(const Look& look, ImVec2 from, ImVec2 to, Colour colour, float corner) {
  canvas().AddRect(from, to, to_imgui(colour), look.px(corner), 0, std::max(1.0F, std::floor(look.scale)));
}

bool is_in_popup() {
  return (ImGui::GetCurrentWindow()->RootWindow->Flags & ImGuiWindowFlags_Popup) != 0;
}

}  // namespace headlight
