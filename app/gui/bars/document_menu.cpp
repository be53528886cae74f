#include "app/gui/bars/document_menu.h"

#include "app/gui/commands/commands.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr float kWidth = 248;

/// The document's name, and whether it has changes that its file has not.
void draw_title(const Look& look, const Session& session) {
  if (session.file().empty()) return text_line(look, Type::heading, look.colours.text_second, "Document without a file");
  const std::string state = session.is_modified() ? " · changed" : " · saved", name = printable(document_name(session.file()));
  const float room = look.px(kWidth) - text_width(look, Type::heading, state);
  const std::string shown = elided_middle(look, Type::heading, name, room);
  text_line(look, Type::heading, look.colours.text_second, shown + state);
  if (shown != name) hint(look, name.c_str());
}

void draw_line(Panel& panel, const WindowCommand& command) {
  const Look& look = panel.look;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool is_enabled = why_not(panel, command).empty();
  const bool is_taken =
      list_entry(look, command.name, false, look.px(kWidth), kLine, is_enabled ? ImGuiSelectableFlags_None : ImGuiSelectableFlags_Disabled);
  draw_text(look, at.x + look.px(kWidth), at.y + look.px(kLine) / 2, Type::caption, look.colours.text_second, keys_text(command.keys[0]),
            AlignX::right);
  if (is_taken) give(panel, command);
}

/// The commands that belong in it, with a line between the groups.
void draw_lines_of_menu(Panel& panel) {
  const Look& look = panel.look;
  CommandGroup group = window_commands().front().group;
  for (const WindowCommand& command : window_commands()) {
    if (!command.is_in_menu) continue;
    if (command.group != group) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y}, {at.x + look.px(kWidth), at.y + 1}, to_imgui(look.colours.line));
      gap(look, kInside);
    }
    group = command.group;
    draw_line(panel, command);
  }
}

}  // namespace

void draw_document_menu(Panel& panel, float left, float top) {
  const Look& look = panel.look;
  const float side = look.px(kDocumentMenu);
  const Press press = press_area("Document menu", {left, top}, {side, side});
  hint(look, "New, open, save; presenting and help.");
  const ImU32 colour = to_imgui(press.is_hovered ? look.colours.text : look.colours.text_second);
  const float half = look.px(8), thick = std::max(1.0F, look.px(1.5F));
  for (const float row : {-5.0F, 0.0F, 5.0F}) {
    const float y = std::round(top + side / 2 + look.px(row));
    ImGui::GetWindowDrawList()->AddRectFilled({left + side / 2 - half, y - thick / 2}, {left + side / 2 + half, y + thick / 2}, colour);
  }
  constexpr const char* kPopup = "document menu";
  if (press.is_clicked) ImGui::OpenPopup(kPopup);
  ImGui::SetNextWindowPos({left, top + side + look.px(kInside)}, ImGuiCond_Appearing);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(12), look.px(kUnit)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(look.px(kUnit), look.px(kUnit)));
  if (begin_popup(kPopup)) {
    draw_title(look, panel.context.session);
    draw_lines_of_menu(panel);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

}  // namespace headlight
