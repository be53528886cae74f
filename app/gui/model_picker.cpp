#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "app/gui/dialog.h"
#include "app/gui/folder_listing.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// One line that can be chosen: a name, and what it is at the right. `label` names it for scripts.
bool draw_choice(const Look& look, const std::string& label, const std::string& name, const std::string& what, bool is_chosen,
                 Colour colour) {
  const Row row = begin_row(look, "");
  const Press press = press_area(label.c_str(), {row.left, row.top}, {row.right - row.left, row.height});
  const float inset = look.px(kUnit);
  if (press.is_hovered || is_chosen) {
    ImGui::GetWindowDrawList()->AddRectFilled({row.left - inset, row.top}, {row.right + inset, row.top + row.height},
                                              to_imgui(look.colours.raised), look.px(kCorner));
  }
  const float room = row.right - row.left - text_width(look, Type::caption, what) - look.px(kBetween);
  draw_text(look, row.left, row.middle(), Type::body, colour, elided(look, Type::body, name, room));
  draw_text(look, row.right, row.middle(), Type::caption, look.colours.text_second, what, AlignX::right);
  return press.is_clicked;
}

void draw_known(Panel& panel) {
  const Look& look = panel.look;
  const std::string& current = panel.draft.query.model.name;
  text_line(look, Type::heading, look.colours.text_second, "Models");
  if (draw_choice(look, "Choose sandbox", "sandbox", "random weights, sizes of your choice", current == "sandbox", look.colours.text)) {
    choose_model(panel, "sandbox");
  }
  const std::vector<std::string> recent = panel.view.recent_models;
  for (std::size_t i = 0; i < recent.size(); ++i) {
    const fs::path folder(recent[i]);
    const std::string name = printable(folder.filename().string(), 60);
    const std::string parent = printable(folder.parent_path().string(), 80);
    if (draw_choice(look, fmt::format("Choose recent {}", i), name, parent, current == recent[i], look.colours.text))
      choose_model(panel, recent[i]);
  }
}

void go_to(ViewState& view, const fs::path& folder) {
  view.listing = list_folders(folder);
  view.model_path = view.listing.folder.string();
}

fs::path first_folder(const ViewState& view) {
  if (!view.recent_models.empty()) return fs::path(view.recent_models.front()).parent_path();
  if (const char* home = std::getenv("HOME")) return home;
  return "/";
}

/// The typed path and its button. Return goes to a folder; one that holds a model is opened.
void draw_path(Panel& panel) {
  const Look& look = panel.look;
  ViewState& view = panel.view;
  const Row row = begin_row(look, "", nullptr, 36);
  const float button = button_width(look, "Open");
  const float height = look.px(kRow);
  const bool has_changed = text_box(look, "Folder", "Path of a folder", view.model_path, {row.left, row.top},
                                    row.right - row.left - button - look.px(kUnit), kRow);
  const bool is_returned = ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGuiKey_Enter);
  if (has_changed) view.listing = list_folders(view.model_path);
  const bool is_pressed = main_button(look, "Open", {row.right - button, row.top}, {button, height}, view.listing.is_model);
  if ((is_pressed || is_returned) && view.listing.is_model) choose_model(panel, view.listing.folder.string());
}

void draw_folders(Panel& panel) {
  const Look& look = panel.look;
  ViewState& view = panel.view;
  // Wider than the column by what the mark of a chosen line needs at both sides.
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({at.x - look.px(kUnit), at.y});
  ImGui::BeginChild("folders", {ImGui::GetContentRegionAvail().x + look.px(kUnit), look.px(264)}, 0, ImGuiWindowFlags_NoBackground);
  ImGui::Indent(look.px(kUnit));
  const fs::path here = view.listing.folder;
  std::optional<fs::path> next;
  if (here.has_parent_path() && here != here.root_path() &&
      draw_choice(look, "Parent folder", "↑  parent folder", "", false, look.colours.text_second)) {
    next = here.parent_path();
  }
  for (std::size_t i = 0; i < view.listing.entries.size(); ++i) {
    const FolderListing::Entry& entry = view.listing.entries[i];
    const Colour colour = entry.is_model ? look.colours.text : look.colours.text_second;
    const std::string name = printable(entry.name, 80);
    if (!draw_choice(look, fmt::format("folder {}", i), name, entry.is_model ? "model" : "", false, colour)) continue;
    if (entry.is_model) {
      choose_model(panel, (here / entry.name).string());
    } else {
      next = here / entry.name;
    }
  }
  if (!view.listing.problem.empty()) paragraph(look, Type::body, look.colours.bad, view.listing.problem);
  if (view.listing.entries.empty() && view.listing.problem.empty()) {
    text_line(look, Type::body, look.colours.text_second, view.listing.is_model ? "A model is here: open it." : "No folders in here.");
  }
  ImGui::Unindent(look.px(kUnit));
  ImGui::EndChild();
  if (next) go_to(view, *next);
}

}  // namespace

void draw_model_picker(Panel& panel) {
  const Look& look = panel.look;
  ViewState& view = panel.view;
  if (view.is_model_picker_open && view.listing.folder.empty()) go_to(view, first_folder(view));
  if (!begin_dialog(look, "Choose a model", 640, view.is_model_picker_open)) return;
  draw_known(panel);
  gap(look, kBetween);
  text_line(look, Type::heading, look.colours.text_second, "Or a folder with config.json, model.safetensors and a tokenizer");
  gap(look, kInside);
  draw_path(panel);
  draw_folders(panel);
  gap(look, kUnit);
  text_line(look, Type::caption, look.colours.text_second, "A folder can also be dropped on the window.");
  end_dialog(view.is_model_picker_open);
}

}  // namespace headlight
