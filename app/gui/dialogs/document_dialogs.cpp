// Opening and saving documents, and the question where opening another would lose an edit.
#include <fmt/core.h>

#include <cstdlib>

#include "app/gui/browsing/choice_list.h"
#include "app/gui/browsing/folder_listing.h"
#include "app/gui/dialogs/dialog.h"
#include "app/gui/dialogs/dialogs.h"
#include "app/gui/panel/choices.h"
#include "engine/core/error.h"
#include "engine/studies/study_file.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// The folder of the document, of the one that was open last, or the user's own.
fs::path first_folder(const Panel& panel, const DocumentFiles& files) {
  const fs::path& file = panel.context.session.file();
  if (!file.empty()) return file.parent_path();
  if (!files.recent.empty()) return fs::path(files.recent.front()).parent_path();
  const char* home = std::getenv("HOME");
  return home != nullptr ? fs::path(home) : fs::path("/");
}

/// What a document without a file may be called: the first words of its sentence.
std::string offered_name(const Document& document) {
  constexpr std::size_t kLongest = 32;
  std::string name;
  for (const char letter : document.query.text.substr(0, kLongest)) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(letter)) != 0;
    if (is_plain) name += letter;
    if (!is_plain && !name.empty() && name.back() != '-') name += '-';
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name.empty() ? "document" : name;
}

void list(DocumentFiles& files, const fs::path& folder) {
  files.listing = list_folders(folder);
}

/// Rows for the parent, the folders and the documents of the listed folder, and its studies. Returns the file that was pressed.
std::optional<fs::path> draw_browser(const Panel& panel, DocumentFiles& files, bool lists_studies) {
  const Look& look = panel.look;
  const FolderListing& listing = files.listing;
  text_line(look, Type::heading, look.colours.text_second, printable(listing.folder.string(), 200));
  begin_list(look, "files", look.px(7 * kRow));
  std::optional<fs::path> next, pressed;
  const bool has_parent = listing.folder.has_parent_path() && listing.folder != listing.folder.root_path();
  if (has_parent && draw_choice(look, "Parent folder", "↑  parent folder", "", false, look.colours.text_second)) {
    next = listing.folder.parent_path();
  }
  for (const std::string& name : listing.documents) {
    const bool is_open = listing.folder / name == panel.context.session.file();
    const std::string what = is_open ? "document · open now" : "document";
    if (draw_choice(look, "document " + name, printable(document_name(name)), what, is_open, look.colours.text))
      pressed = listing.folder / name;
  }
  for (const std::string& name : lists_studies ? listing.studies : std::vector<std::string>()) {
    if (draw_choice(look, "study " + name, printable(name), "heads measured over texts", false, look.colours.text))
      pressed = listing.folder / name;
  }
  for (const FolderListing::Entry& entry : listing.entries) {
    if (draw_choice(look, "folder " + entry.name, printable(entry.name), "folder", false, look.colours.text_second)) {
      next = listing.folder / entry.name;
    }
  }
  if (!listing.problem.empty()) paragraph(look, Type::body, look.colours.bad, listing.problem);
  if (listing.documents.empty() && listing.entries.empty() && listing.problem.empty()) {
    text_line(look, Type::body, look.colours.text_second, "No documents or folders here.");
  }
  end_list();
  if (next) list(files, *next);
  return pressed;
}

void draw_recent(Panel& panel, const DocumentFiles& files) {
  const Look& look = panel.look;
  if (files.recent.empty()) return;
  text_line(look, Type::heading, look.colours.text_second, "Recent");
  begin_list(look, "recent documents", list_height(look, files.recent.size()));
  for (std::size_t i = 0; i < files.recent.size(); ++i) {
    const fs::path path(files.recent[i]);
    const bool is_open = path == panel.context.session.file();
    const std::string name = printable(document_name(path)), folder = printable(path.parent_path().string());
    if (draw_choice(look, fmt::format("Open recent {}", i), name, folder, is_open, look.colours.text) && !is_open)
      want_document(panel, path);
  }
  end_list();
  gap(look, kUnit);
}

/// A path, and a button that takes it; Enter does likewise. Returns whether it was pressed.
bool draw_path(const Look& look, const char* button, const char* placeholder, std::string& path, bool is_enabled, bool takes_keyboard) {
  const Row row = begin_row(look, "", nullptr, 36);
  const float width = button_width(look, button);
  if (takes_keyboard && ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  text_box(look, "Document path", placeholder, path, {row.left, row.top}, row.right - row.left - width - look.px(kUnit), kRow);
  const bool is_returned = is_entered();
  const bool is_pressed = main_button(look, button, {row.right - width, row.top}, {width, look.px(kRow)}, is_enabled);
  return (is_pressed || is_returned) && is_enabled;
}

void draw_open_dialog(Panel& panel, DocumentFiles& files) {
  const Look& look = panel.look;
  bool& is_open = panel.view.dialogs.document_open;
  if (!begin_dialog(look, "Open a document", 640, is_open)) return;
  draw_recent(panel, files);
  draw_kept_documents(panel);
  gap(look, kUnit);
  std::optional<fs::path> chosen = draw_browser(panel, files, true);
  if (draw_path(look, "Open", "Path of a document (.headlight.json) or a study (.study)", files.path, !files.path.empty(), false)) {
    chosen = fs::absolute(files.path).lexically_normal();
  }
  const bool is_study = chosen && names_study(*chosen);
  if (is_study) panel.view.corpus.wanted = *chosen;
  if (chosen && !is_study) want_document(panel, *chosen);
  if (is_study || panel.view.dialogs.wanted_document) is_open = false;
  end_dialog(is_open);
}

void draw_save_dialog(Panel& panel, DocumentFiles& files) {
  const Look& look = panel.look;
  bool& is_open = panel.view.dialogs.document_save;
  if (!begin_dialog(look, "Save the document", 640, is_open)) return;
  if (const std::optional<fs::path> pressed = draw_browser(panel, files, false)) files.path = pressed->filename().string();
  const bool is_returned = draw_path(look, "Save", "Name of the document", files.path, !files.path.empty(), true);
  const fs::path target = with_document_ending((files.listing.folder / files.path).lexically_normal());
  if (files.asked == target) draw_replace_question(look, target, "Save");
  const bool is_own = target == panel.context.session.file();  // saving over itself asks nothing
  if (is_returned && (is_own || may_write(target, files.asked))) {
    save_document_to(panel, target);
    is_open = false;
  }
  gap(look, kUnit);
  text_line(look, Type::caption, look.colours.text_second,
            "Holds the sentence, the model's name, every edit, the pins and what you look at; not the model itself.");
  end_dialog(is_open);
}

/// Stands while another document is wanted and this one would be lost.
void draw_loss_question(Panel& panel) {
  const Look& look = panel.look;
  std::optional<fs::path>& wanted = panel.view.dialogs.wanted_document;
  const bool is_being_saved = panel.view.dialogs.document_save || panel.context.session.exporter().status().is_busy;
  bool is_open = wanted.has_value() && would_be_lost(panel) && !is_being_saved;
  if (!begin_dialog(look, "Keep your changes?", 440, is_open)) return;
  paragraph(look, Type::body, look.colours.text, "This document has changes that are saved nowhere.");
  gap(look, kBetween);
  const Row row = begin_row(look, "", nullptr, 36);
  const float height = look.px(kRow), save = button_width(look, "Save"), discard = button_width(look, "Discard changes");
  if (main_button(look, "Save", {row.right - save, row.top}, {save, height})) {
    save_document(panel);  // once it is written, nothing can be lost, and what was wanted is shown
  }
  if (quiet_button(look, "Discard changes", {row.right - save - look.px(kUnit) - discard, row.top}, {discard, height})) {
    panel.context.session.forget_changes();
  }
  if (!is_open) wanted.reset();
  end_dialog(is_open && wanted.has_value());
}

}  // namespace

void draw_document_dialogs(Panel& panel, DocumentFiles& files) {
  const OpenDialogs& dialogs = panel.view.dialogs;
  const bool is_open = dialogs.document_open || dialogs.document_save;
  if (is_open && !files.was_open) {
    list(files, first_folder(panel, files));
    panel.context.session.documents().forget();
    const fs::path& file = panel.context.session.file();
    files.path = dialogs.document_open ? std::string() : document_name(file.empty() ? fs::path(offered_name(panel.draft)) : file);
    files.asked.clear();
  }
  files.was_open = is_open;
  draw_open_dialog(panel, files);
  draw_save_dialog(panel, files);
  draw_loss_question(panel);
}

}  // namespace headlight
