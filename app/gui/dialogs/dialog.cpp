#include "app/gui/dialogs/dialog.h"

#include <fmt/core.h>

#include <system_error>

#include "engine/core/error.h"

namespace headlight {

bool begin_dialog(const Look& look, const char* title, float width, bool& is_open, DialogContent content) {
  if (!is_open) return false;
  if (!ImGui::IsPopupOpen(title)) ImGui::OpenPopup(title);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  // In a low window the dialog takes the full height, and scrolls if its content is still taller.
  const float edge = look.px(kBetween);
  const float top = display.y < look.px(760) ? edge : std::round(display.y * 0.12F);
  const float wide = std::min(look.px(width), display.x - 2 * edge);
  ImGui::SetNextWindowPos({display.x / 2, top}, ImGuiCond_Always, {0.5F, 0});
  ImGui::SetNextWindowSizeConstraints({wide, 0}, {wide, std::max(look.px(100), display.y - top - edge)});
  ImGui::SetNextWindowSize({wide, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(24), look.px(20)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, look.px(10));
  const bool is_drawn = ImGui::BeginPopupModal(
      title, nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar(2);
  if (!is_drawn) return false;
  const Row row = begin_row(look, "", nullptr, 32);
  draw_text(look, row.left, row.middle() - look.px(4), Type::title, look.colours.text, title);
  // The keyboard begins at what the dialog is for. Where that is text alone, arrows scroll it.
  ImGui::PushItemFlag(content == DialogContent::text ? ImGuiItemFlags_NoNav : ImGuiItemFlags_NoNavDefaultFocus, true);
  const bool is_closed = close_button(look, (std::string("Close ") + title).c_str(), {row.right - look.px(8), row.middle() - look.px(4)});
  ImGui::PopItemFlag();
  const bool is_beside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::IsWindowAppearing() &&
                         !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem |
                                                 ImGuiHoveredFlags_AllowWhenBlockedByPopup);
  if (is_closed || is_beside || is_escape_for_popup()) is_open = false;
  return true;
}

void end_dialog(bool is_open) {
  if (!is_open) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

bool may_write(const std::filesystem::path& target, std::filesystem::path& asked) {
  std::error_code ignored;
  const bool may = asked == target || !std::filesystem::is_regular_file(target, ignored);
  asked = may ? std::filesystem::path() : target;
  return may;
}

void draw_replace_question(const Look& look, const std::filesystem::path& target, const char* button) {
  paragraph(look, Type::body, look.colours.bad,
            fmt::format("{} already exists. “{}” overwrites it; choose another name to keep it.", printable(target.string(), 400), button));
}

}  // namespace headlight
