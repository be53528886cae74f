#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "app/document/amounts.h"
#include "app/document/wording.h"
#include "app/gui/browsing/choice_list.h"
#include "app/gui/browsing/folder_listing.h"
#include "app/gui/dialogs/dialog.h"
#include "app/gui/dialogs/dialogs.h"
#include "app/gui/panel/choices.h"
#include "engine/core/error.h"
#include "engine/model/files/model_places.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

void draw_built_in(Panel& panel) {
  const Look& look = panel.look;
  const std::string current = panel.draft.query.model.name;
  text_line(look, Type::heading, look.colours.text_second, "Built in");
  if (const auto models = panel.context.session.models().built_in()) {
    for (const ModelLine& model : *models) {
      if (draw_choice(look, "Choose " + model.name, model.name, model.summary, current == model.name, look.colours.text)) {
        choose_model(panel, model.name);
      }
    }
  }
  if (draw_choice(look, "Choose sandbox", "sandbox", "random weights, sizes of your choice", current == "sandbox", look.colours.text)) {
    choose_model(panel, "sandbox");
  }
}

void draw_recent(Panel& panel, const ModelPicker& picker) {
  const Look& look = panel.look;
  const std::vector<std::string> recent = picker.recent_models;
  if (recent.empty()) return;
  gap(look, kUnit);
  text_line(look, Type::heading, look.colours.text_second, "Recent models");
  begin_list(look, "recent", list_height(look, recent.size()));
  for (std::size_t i = 0; i < recent.size(); ++i) {
    const fs::path path(recent[i]);
    const bool is_cached = is_hub_id(recent[i]) || !id_of_snapshot(path).empty();
    const std::string place = is_cached ? "Hugging Face cache" : printable(path.parent_path().string());
    const bool is_chosen = panel.draft.query.model.name == recent[i];
    if (draw_choice(look, fmt::format("Choose recent {}", i), short_model_name(recent[i]), place, is_chosen, look.colours.text)) {
      choose_model(panel, recent[i]);
    }
  }
  end_list();
}

/// The models of the cache that are not among the recent ones.
void draw_cached(Panel& panel, const ModelPicker& picker) {
  const Look& look = panel.look;
  const std::vector<std::string>& recent = picker.recent_models;
  std::vector<std::string> ids;
  for (const CachedModel& model : picker.cached_models) {
    const bool is_recent = std::any_of(recent.begin(), recent.end(),
                                       [&](const std::string& name) { return name == model.id || name == model.folder.string(); });
    if (!is_recent) ids.push_back(model.id);
  }
  if (ids.empty()) return;
  gap(look, kUnit);
  text_line(look, Type::heading, look.colours.text_second, "In the Hugging Face cache");
  begin_list(look, "cached", list_height(look, ids.size()));
  for (const std::string& id : ids) {
    if (draw_choice(look, "Choose cached " + id, id, "", id == panel.draft.query.model.name, look.colours.text)) choose_model(panel, id);
  }
  end_list();
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
void draw_download(Panel& panel, ModelPicker& picker) {
  Downloader* downloader = panel.context.downloader;
  if (downloader == nullptr) return;
  const Look& look = panel.look;
  std::string& id = picker.hub_id;
  const DownloadStatus status = downloader->status();
  gap(look, kBetween);
  text_line(look, Type::heading, look.colours.text_second, "Or download one from the Hugging Face hub");
  gap(look, kInside);
  const Row row = begin_row(look, "", nullptr, 36);
  const float button = button_width(look, "Download");
  text_box(look, "Hub id", "openai-community/gpt2", id, {row.left, row.top}, row.right - row.left - button - look.px(kUnit), kRow);
  const bool is_returned = is_entered();
  const bool may_start = !status.is_busy && is_hub_id(id);
  const bool is_pressed = main_button(look, "Download", {row.right - button, row.top}, {button, look.px(kRow)}, may_start);
  hint(look,
       "Configuration, tokenizer and safetensors go into the cache that other Hugging Face programs use too. HF_ENDPOINT, HF_TOKEN and "
       "HF_HUB_OFFLINE are respected.");
  if ((is_pressed || is_returned) && may_start) downloader->start(id);
  draw_download_status(panel, *downloader, status);
}

void go_to(ModelPicker& picker, const fs::path& folder) {
  picker.listing = list_folders(folder);
  picker.path = picker.listing.folder.string();
}

fs::path first_folder(const ModelPicker& picker) {
  for (const std::string& recent : picker.recent_models) {
    if (const fs::path path(recent); path.is_absolute()) return path.parent_path();
  }
  if (const char* home = std::getenv("HOME")) return home;
  return "/";
}

/// The typed path and its button. Enter opens a file or a model folder, and lists any other folder.
void draw_path(Panel& panel, ModelPicker& picker) {
  const Look& look = panel.look;
  const Row row = begin_row(look, "", nullptr, 36);
  const float button = button_width(look, "Open");
  const float height = look.px(kRow);
  const bool has_changed = text_box(look, "Folder", "Path of a folder or file", picker.path, {row.left, row.top},
                                    row.right - row.left - button - look.px(kUnit), kRow);
  const bool is_returned = is_entered();
  if (has_changed) picker.listing = list_folders(picker.path);
  const FolderListing& listing = picker.listing;
  const bool can_open = listing.is_model || !listing.file.empty();
  const bool is_pressed = main_button(look, "Open", {row.right - button, row.top}, {button, height}, can_open);
  if ((is_pressed || is_returned) && can_open) choose_model(panel, (listing.file.empty() ? listing.folder : listing.file).string());
}

/// The listed folders that hold a model, or those that do not. Returns the folder to list next.
std::optional<fs::path> draw_folders(const Panel& panel, const ModelPicker& picker, bool are_models) {
  const Look& look = panel.look;
  const FolderListing& listing = picker.listing;
  std::optional<fs::path> next;
  for (std::size_t i = 0; i < listing.entries.size(); ++i) {
    const FolderListing::Entry& entry = listing.entries[i];
    if (entry.is_model != are_models) continue;
    const Colour colour = are_models ? look.colours.text : look.colours.text_second;
    const bool is_chosen = (listing.folder / entry.name).string() == panel.draft.query.model.name;
    const std::string what = are_models ? "model folder" : "folder";
    if (draw_choice(look, fmt::format("folder {}", i), printable(entry.name), what, is_chosen, colour)) next = listing.folder / entry.name;
  }
  return next;
}

/// GGUF files and attention maps of the listed folder, once they are known.
void draw_files(Panel& panel, const ModelPicker& picker) {
  const fs::path folder = picker.listing.folder;
  const auto found = panel.context.session.models().files(folder);
  if (!found) return;
  const Look& look = panel.look;
  for (const ModelFile& file : found->files) {
    const std::string path = (folder / file.name).string();
    const std::string what = fmt::format("{} · {}", file.what, bytes_text(file.bytes));
    const bool is_chosen = path == panel.draft.query.model.name;
    if (draw_choice(look, "file " + file.name, printable(file.name), what, is_chosen, look.colours.text)) choose_model(panel, path);
  }
}

/// The height that a low window leaves for the dialog's last list, limited to what can be taken in at a glance.
float browser_height(const Look& look) {
  constexpr float kBelow = 72;                                         // the line under it, and the edges of dialog and window
  const float top = ImGui::GetWindowPos().y + ImGui::GetCursorPosY();  // however far it is scrolled
  return std::clamp(ImGui::GetIO().DisplaySize.y - look.px(kBelow) - top, look.px(4 * kRow), look.px(8 * kRow));
}

void draw_browser(Panel& panel, ModelPicker& picker) {
  const Look& look = panel.look;
  begin_list(look, "folders", browser_height(look));
  const fs::path here = picker.listing.folder;
  std::optional<fs::path> next;
  if (here.has_parent_path() && here != here.root_path() &&
      draw_choice(look, "Parent folder", "↑  parent folder", "", false, look.colours.text_second)) {
    next = here.parent_path();
  }
  if (const auto model = draw_folders(panel, picker, true)) choose_model(panel, model->string());
  draw_files(panel, picker);
  if (const auto folder = draw_folders(panel, picker, false)) next = folder;
  if (!picker.listing.problem.empty()) paragraph(look, Type::body, look.colours.bad, picker.listing.problem);
  const auto files = panel.context.session.models().files(here);
  if (picker.listing.entries.empty() && picker.listing.problem.empty() && files && files->files.empty()) {
    text_line(look, Type::body, look.colours.text_second,
              picker.listing.is_model ? "A model is here: open it." : "No folders or models here.");
  }
  end_list();
  if (next) go_to(picker, *next);
}

/// Looks up anew what the lists show, whenever the dialog opens.
void refresh(Panel& panel, ModelPicker& picker) {
  go_to(picker, picker.listing.folder.empty() ? first_folder(picker) : picker.listing.folder);
  picker.cached_models = list_cached_models(hub_cache_folder());
  panel.context.session.models().forget_files();
  panel.context.session.documents().forget();
  const std::string& name = panel.draft.query.model.name;
  const bool is_missing = is_hub_id(name) && name.find('/') != std::string::npos && !find_model(name);
  if (is_missing) picker.hub_id = name;  // a document asks for it: one press downloads it
}

}  // namespace

/// Opens a model that was downloaded, whatever the window shows by then.
void take_download(Panel& panel, ModelPicker& picker) {
  if (panel.context.downloader == nullptr) return;
  const DownloadStatus status = panel.context.downloader->status();
  if (status.ended == picker.seen_downloads) return;
  picker.seen_downloads = status.ended;
  picker.cached_models = list_cached_models(hub_cache_folder());
  if (!status.folder.empty()) choose_model(panel, status.folder);
}

void draw_model_picker(Panel& panel, ModelPicker& picker) {
  const Look& look = panel.look;
  if (panel.view.dialogs.model_picker && !picker.was_open) refresh(panel, picker);
  picker.was_open = panel.view.dialogs.model_picker;
  if (!begin_dialog(look, "Choose a model", 640, panel.view.dialogs.model_picker)) return;
  draw_built_in(panel);
  draw_kept_documents(panel);
  draw_recent(panel, picker);
  draw_cached(panel, picker);
  draw_download(panel, picker);
  gap(look, kBetween);
  text_line(look, Type::heading, look.colours.text_second, "Or open a folder, a GGUF file or attention maps");
  gap(look, kInside);
  draw_path(panel, picker);
  draw_browser(panel, picker);
  gap(look, kUnit);
  text_line(look, Type::caption, look.colours.text_second,
            "A folder needs config.json, safetensors and a tokenizer. You can also drop files, folders and documents.");
  end_dialog(panel.view.dialogs.model_picker);
}

}  // namespace headlight
