#include "app/gui/dialogs/dialog.h"

#include <fmt/core.h>

#include <system_error>

#include "engine/core/error.h"

namespace headlight {

namespace {

/// Opens the popup of a dialog at the place that was set for it.
bool begin_modal(const Look& look, const char* title, ImVec2 padding) {
  if (!ImGui::IsPopupOpen(title)) ImGui::OpenPopup(title);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, look.px(10));
  const bool is_drawn = ImGui::BeginPopupModal(
      title, nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar(2);
  return is_drawn;
}

/// The × of a dialog, Esc and a click outside.
void close_where_asked(const Look& look, const char* title, ImVec2 cross, bool& is_open) {
  const bool is_closed = close_button(look, (std::string("Close ") + title).c_str(), cross);
  const bool is_beside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::IsWindowAppearing() &&
                         !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem |
                                                 ImGuiHoveredFlags_AllowWhenBlockedByPopup);
  if (is_closed || is_beside || is_escape_for_popup()) is_open = false;
}

}  // namespace

bool begin_dialog(const Look& look, const char* title, float width, bool& is_open, DialogContent content) {
  if (!is_open) return false;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  // In a low window the dialog takes the full height, and scrolls if its content is still taller.
  const float edge = look.px(kBetween);
  const float top = display.y < look.px(760) ? edge : std::round(display.y * 0.12F);
  const float wide = std::min(look.px(width), display.x - 2 * edge);
  ImGui::SetNextWindowPos({display.x / 2, top}, ImGuiCond_Always, {0.5F, 0});
  ImGui::SetNextWindowSizeConstraints({wide, 0}, {wide, std::max(look.px(100), display.y - top - edge)});
  ImGui::SetNextWindowSize({wide, 0});
  if (!begin_modal(look, title, {look.px(24), look.px(20)})) return false;
  if (ImGui::IsWindowAppearing()) ImGui::SetScrollY(0);  // wherever it was when it was closed
  const Row row = begin_row(look, "", nullptr, 32);
  draw_text(look, row.left, row.middle() - look.px(4), Type::title, look.colours.text, title);
  // The keyboard begins at what the dialog is for. Where that is text alone, arrows scroll it.
  ImGui::PushItemFlag(content == DialogContent::text ? ImGuiItemFlags_NoNav : ImGuiItemFlags_NoNavDefaultFocus, true);
  close_where_asked(look, title, {row.right - look.px(8), row.middle() - look.px(4)}, is_open);
  ImGui::PopItemFlag();
  return true;
}

std::optional<Box> begin_large_dialog(const Look& look, const char* title, ImVec2 size, bool& is_open) {
  if (!is_open) return std::nullopt;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const ImVec2 wanted{std::min(look.px(size.x), display.x), std::min(look.px(size.y), display.y)};
  const ImVec2 corner{std::floor((display.x - wanted.x) / 2), std::floor((display.y - wanted.y) / 2)};
  ImGui::SetNextWindowPos(corner);
  ImGui::SetNextWindowSizeConstraints(wanted, wanted);
  ImGui::SetNextWindowSize(wanted);
  if (!begin_modal(look, title, {0, 0})) return std::nullopt;
  ImGui::PushItemFlag(ImGuiItemFlags_NoNavDefaultFocus, true);
  close_where_asked(look, title, {corner.x + wanted.x - look.px(32), corner.y + look.px(32)}, is_open);
  ImGui::PopItemFlag();
  return Box{corner.x, corner.y, wanted.x, wanted.y};
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

std::string replace_question(const std::filesystem::path& target, const char* button) {
  return fmt::format("{} already exists. “{}” overwrites it; choose another name to keep it.", printable(target.string(), 400), button);
}

void draw_replace_question(const Look& look, const std::filesystem::path& target, const char* button) {
  paragraph(look, Type::body, look.colours.bad, replace_question(target, button));
}

}  // namespace headlight
