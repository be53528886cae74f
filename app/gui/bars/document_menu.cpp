#include "app/gui/bars/document_menu.h"

#include <array>

#include "app/gui/panel/choices.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr float kWidth = 248;

/// A line of the menu: what it does, its keys, and how.
struct MenuLine {
  const char* name;
  const char* keys;
  void (*act)(Panel& panel);
  bool begins_group = false;
};
constexpr std::array kLines{
    MenuLine{"New", "ctrl+N", want_new_document},
    MenuLine{"Open …", "ctrl+O", [](Panel& panel) { panel.view.dialogs.document_open = true; }},
    MenuLine{"Save", "ctrl+S", save_document},
    MenuLine{"Save as …", "ctrl+shift+S", [](Panel& panel) { panel.view.dialogs.document_save = true; }},
    MenuLine{"Export a figure …", "ctrl+E", [](Panel& panel) { panel.view.dialogs.figure_export = panel.has_picture(); }, true},
    MenuLine{"Present", "F5", [](Panel& panel) { panel.view.shell.is_presenting = true; }, true},
    MenuLine{"Help", "F1", [](Panel& panel) { panel.view.dialogs.help = true; }},
};

/// The document's name, and whether it has changes that its file has not.
std::string title_of(const Session& session) {
  if (session.file().empty()) return "Document without a file";
  return printable(document_name(session.file()), 40) + (session.is_modified() ? " · changed" : " · saved");
}

void draw_line(Panel& panel, const MenuLine& line) {
  const Look& look = panel.look;
  if (line.begins_group) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y}, {at.x + look.px(kWidth), at.y + 1}, to_imgui(look.colours.line));
    gap(look, kInside);
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool is_taken = list_entry(look, line.name, false, look.px(kWidth));
  draw_text(look, at.x + look.px(kWidth), at.y + look.px(kLine) / 2, Type::caption, look.colours.text_second, line.keys, AlignX::right);
  if (is_taken) line.act(panel);
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
    text_line(look, Type::heading, look.colours.text_second, title_of(panel.context.session));
    for (const MenuLine& line : kLines) draw_line(panel, line);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

}  // namespace headlight
