#include "app/gui/kit/region.h"

#include <algorithm>

namespace headlight {
namespace {

/// Dear ImGui puts a new window that does not come to the front behind all others.
constexpr ImGuiWindowFlags kBehind = ImGuiWindowFlags_NoBringToFrontOnFocus;

constexpr ImGuiWindowFlags kPlain =
    ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNavFocus |
    ImGuiWindowFlags_NoFocusOnAppearing;  // a note that appears must not take the keyboard from the sentence

}  // namespace

bool begin_region(const Look& look, const char* name, const Box& box, Colour fill, ImVec2 padding, ImGuiWindowFlags flags) {
  ImGui::SetNextWindowPos({box.x, box.y});
  ImGui::SetNextWindowSize({std::max(1.0F, box.width), std::max(1.0F, box.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(padding.x), look.px(padding.y)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, to_imgui(fill));
  // A region without a fill draws nothing: the ground is what the window was cleared to.
  if (fill.alpha == 0) flags |= ImGuiWindowFlags_NoBackground;
  const bool is_visible = ImGui::Begin(name, nullptr, flags | kPlain | kBehind);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  return is_visible;
}

void end_region() {
  ImGui::End();
}

void begin_overlay(const char* name, const Box& box, ImGuiWindowFlags flags) {
  ImGui::SetNextWindowPos({box.x, box.y});
  ImGui::SetNextWindowSize({std::max(1.0F, box.width), std::max(1.0F, box.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  ImGui::Begin(name, nullptr,
               flags | kPlain | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar(2);
}

void begin_scrolling_column(const Look& look, const char* name, const Box& box, Colour fill) {
  const float bar = ImGui::GetStyle().ScrollbarSize;
  ImGui::SetCursorScreenPos({box.x, box.y});
  const ImVec2 size{std::max(1.0F, box.width + bar), box.height};
  ImGui::BeginChild(name, size, ImGuiChildFlags_NavFlattened, ImGuiWindowFlags_AlwaysVerticalScrollbar | ImGuiWindowFlags_NoBackground);
  if (ImGui::GetScrollMaxY() <= 0) {  // nothing to scroll: hide the bar but keep its room
    ImDrawList& canvas = *ImGui::GetWindowDrawList();
    canvas.PushClipRectFullScreen();
    canvas.AddRectFilled({box.x + size.x - bar, box.y}, {box.x + size.x, box.bottom()}, to_imgui(fill));
    canvas.PopClipRect();
  }
  gap(look, kUnit);
}

void begin_scrolling_region(const Look& look, const char* name, const Box& box, Colour fill) {
  begin_region(look, name, box, fill, {0, 0});
  const float margin = look.px(kBetween);
  begin_scrolling_column(look, "content", {box.x + margin, box.y, box.width - 2 * margin, box.height}, fill);
}

void end_scrolling_region() {
  ImGui::EndChild();
  end_region();
}

}  // namespace headlight
