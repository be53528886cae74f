#include "app/gui/browsing/choice_list.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/gui/panel/choices.h"

namespace headlight {
namespace {

constexpr std::size_t kRowsShown = 3;

}  // namespace

bool draw_choice(const Look& look, const std::string& label, const std::string& name, const std::string& what, bool is_chosen,
                 Colour colour) {
  const Row row = begin_row(look, "");
  const Press press = press_area(label.c_str(), {row.left, row.top}, {row.right - row.left, row.height});
  if (is_chosen) ImGui::SetItemDefaultFocus();  // where the arrows begin
  const float inset = look.px(kUnit);
  if (press.is_hovered || is_chosen) {
    ImGui::GetWindowDrawList()->AddRectFilled({row.left - inset, row.top}, {row.right + inset, row.top + row.height},
                                              to_imgui(look.colours.raised), look.px(kCorner));
  }
  const float room = row.right - row.left - look.px(kBetween);
  const std::string shown = elided_middle(look, Type::body, name, std::max(room * 0.4F, room - text_width(look, Type::caption, what)));
  const std::string shown_what = elided_middle(look, Type::caption, what, room - text_width(look, Type::body, shown));
  if (shown != name) {
    hint(look, (name + "\n" + what).c_str());
  } else if (shown_what != what) {
    hint(look, what.c_str());
  }
  draw_text(look, row.left, row.middle(), Type::body, colour, shown);
  draw_text(look, row.right, row.middle(), Type::caption, look.colours.text_second, shown_what, AlignX::right);
  return press.is_clicked;
}

void begin_list(const Look& look, const char* name, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float inset = look.px(kUnit);
  const float width = ImGui::GetContentRegionAvail().x + 2 * inset;
  ImGui::SetCursorScreenPos({at.x - inset, at.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(inset, 0));
  ImGui::BeginChild(name, {width, height}, ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened,
                    ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar();
}

void end_list() {
  ImGui::EndChild();
}

float list_height(const Look& look, std::size_t rows) {
  return static_cast<float>(std::min(rows, kRowsShown)) * look.px(kRow);
}

void draw_kept_documents(Panel& panel) {
  const Keeping& keeping = panel.context.keeping;
  if (keeping.state_folder.empty()) return;
  const auto lines = panel.context.session.documents().lines(keeping.state_folder);
  if (!lines || lines->empty()) return;
  const Look& look = panel.look;
  gap(look, kUnit);
  text_line(look, Type::heading, look.colours.text_second, "Your documents, saved as you work");
  begin_list(look, "documents", list_height(look, lines->size()));
  for (std::size_t i = 0; i < lines->size(); ++i) {
    const DocumentLine& line = (*lines)[i];
    const bool is_open = !line.is_earlier && line.path.parent_path() == keeping.document_folder;
    const std::string what = fmt::format("{} · {}", line.model, is_open ? "open now" : line.date);
    const std::string text = line.text.empty() ? "(no sentence)" : line.text;
    const std::string name = line.is_earlier ? "    earlier: " + text : text;
    const Colour colour = line.is_earlier ? look.colours.text_second : look.colours.text;
    if (draw_choice(look, fmt::format("Choose document {}", i), name, what, is_open, colour) && !is_open) {
      want_document(panel, line.path);
    }
  }
  end_list();
}

}  // namespace headlight
