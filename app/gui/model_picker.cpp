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
    const std::string id = id_of_snapshot(folder);
    const std::string name = id.empty() ? printable(folder.filename().string(), 60) : id;
    const std::string parent = printable(folder.parent_path().string(), 80);
    if (draw_choice(look, fmt::format("Choose recent {}", i), name, parent, current == recent[i], look.colours.text))
      choose_model(panel, recent[i]);
  }
}

/// The models of the cache that are not among the recent ones.
void draw_cached(Panel& panel) {
  constexpr std::size_t kShownAtOnce = 4;
  const Look& look = panel.look;
  const ViewState& view = panel.view;
  std::vector<CachedModel> models;
  for (const CachedModel& model : view.cached_models) {
    const bool is_recent =
        std::find(view.recent_models.begin(), view.recent_models.end(), model.folder.string()) != view.recent_models.end();
    if (!is_recent) models.push_back(model);
  }
  if (models.empty()) return;
  gap(look, kUnit);
  text_line(look, Type::heading, look.colours.text_second, "In the Hugging Face cache");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({at.x - look.px(kUnit), at.y});
  const auto rows = static_cast<float>(std::min(models.size(), kShownAtOnce));
  ImGui::BeginChild("cached", {ImGui::GetContentRegionAvail().x + look.px(kUnit), rows * look.px(kRow)}, 0, ImGuiWindowFlags_NoBackground);
  ImGui::Indent(look.px(kUnit));
  for (std::size_t i = 0; i < models.size(); ++i) {
    const std::string folder = models[i].folder.string();
    if (draw_choice(look, "Choose cached " + models[i].id, models[i].id, "", folder == panel.draft.query.model.name, look.colours.text)) {
      choose_model(panel, folder);
    }
  }
  ImGui::Unindent(look.px(kUnit));
  ImGui::EndChild();
}

/// How far the download is, or how the last one ended.
void draw_download_status(Panel& panel, Downloader& downloader, const DownloadStatus& status) {
  const Look& look = panel.look;
  if (!status.is_busy) {
    if (!status.problem.empty()) paragraph(look, Type::caption, look.colours.bad, as_sentence(status.problem));
    return;
  }
  const Row row = begin_row(look, "");
  const float cancel = button_width(look, "Cancel download");
  const float height = look.px(kControl);
  if (quiet_button(look, "Cancel download", {row.right - cancel, row.middle() - height / 2}, {cancel, height})) downloader.cancel();
  const float right = row.right - cancel - look.px(12);
  const float bar = look.px(160), half = look.px(2);
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  canvas.AddRectFilled({right - bar, row.middle() - half}, {right, row.middle() + half}, to_imgui(look.colours.line), half);
  canvas.AddRectFilled({right - bar, row.middle() - half}, {right - bar + bar * static_cast<float>(status.done), row.middle() + half},
                       to_imgui(look.colours.accent), half);
  draw_text(look, row.left, row.middle(), Type::caption, look.colours.text_second,
            elided(look, Type::caption, printable(status.step), right - bar - look.px(12) - row.left));
}

/// An id, and a button that fetches it.
void draw_download(Panel& panel) {
  Downloader* downloader = panel.context.downloader;
  if (downloader == nullptr) return;
  const Look& look = panel.look;
  std::string& id = panel.view.hub_id;
  const DownloadStatus status = downloader->status();
  gap(look, kBetween);
  text_line(look, Type::heading, look.colours.text_second, "Or download one from the Hugging Face hub");
  gap(look, kInside);
  const Row row = begin_row(look, "", nullptr, 36);
  const float button = button_width(look, "Download");
  text_box(look, "Hub id", "openai-community/gpt2", id, {row.left, row.top}, row.right - row.left - button - look.px(kUnit), kRow);
  const bool is_returned = ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGuiKey_Enter);
  const bool may_start = !status.is_busy && is_hub_id(id);
  const bool is_pressed = main_button(look, "Download", {row.right - button, row.top}, {button, look.px(kRow)}, may_start);
  hint(look,
       "Configuration, tokenizer and safetensors go into the cache that other Hugging Face programs use too. HF_ENDPOINT, HF_TOKEN and "
       "HF_HUB_OFFLINE count.");
  if ((is_pressed || is_returned) && may_start) downloader->start(id);
  draw_download_status(panel, *downloader, status);
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
  ImGui::BeginChild("folders", {ImGui::GetContentRegionAvail().x + look.px(kUnit), look.px(200)}, 0, ImGuiWindowFlags_NoBackground);
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

/// A model that was downloaded is opened, wherever the window is by then.
void take_download(Panel& panel) {
  if (panel.context.downloader == nullptr) return;
  const DownloadStatus status = panel.context.downloader->status();
  if (status.ended == panel.view.seen_downloads) return;
  panel.view.seen_downloads = status.ended;
  panel.view.cached_models = list_cached_models(hub_cache_folder());
  if (!status.folder.empty()) choose_model(panel, status.folder);
}

void draw_model_picker(Panel& panel) {
  const Look& look = panel.look;
  ViewState& view = panel.view;
  if (view.is_model_picker_open && !view.was_model_picker_open) {
    if (view.listing.folder.empty()) go_to(view, first_folder(view));
    view.cached_models = list_cached_models(hub_cache_folder());
  }
  view.was_model_picker_open = view.is_model_picker_open;
  if (!begin_dialog(look, "Choose a model", 640, view.is_model_picker_open)) return;
  draw_known(panel);
  draw_cached(panel);
  draw_download(panel);
  gap(look, kBetween);
  text_line(look, Type::heading, look.colours.text_second, "Or a folder with config.json, model.safetensors and a tokenizer");
  gap(look, kInside);
  draw_path(panel);
  draw_folders(panel);
  gap(look, kUnit);
  text_line(look, Type::caption, look.colours.text_second, "A folder, or a file of attention maps, can also be dropped on the window.");
  end_dialog(view.is_model_picker_open);
}

}  // namespace headlight
