#include "app/gui/browsing/file_browser.h"

#include <fmt/core.h>

#include <cstdlib>

#include "app/gui/browsing/choice_list.h"
#include "engine/core/error.h"

namespace headlight {

namespace fs = std::filesystem;

std::optional<fs::path> draw_file_browser(const Look& look, FolderListing& listing, const std::vector<std::string>& files, const char* kind,
                                          float rows) {
  text_line(look, Type::heading, look.colours.text_second, printable(listing.folder.string(), 200));
  begin_list(look, "files", look.px(rows * kRow));
  std::optional<fs::path> next, pressed;
  const bool has_parent = listing.folder.has_parent_path() && listing.folder != listing.folder.root_path();
  if (has_parent && draw_choice(look, "Parent folder", "↑  parent folder", "", false, look.colours.text_second)) {
    next = listing.folder.parent_path();
  }
  for (const std::string& name : files) {
    if (draw_choice(look, "file " + name, printable(name), kind, false, look.colours.text)) pressed = listing.folder / name;
  }
  for (const FolderListing::Entry& entry : listing.entries) {
    if (draw_choice(look, "folder " + entry.name, printable(entry.name), "folder", false, look.colours.text_second)) {
      next = listing.folder / entry.name;
    }
  }
  if (!listing.problem.empty()) paragraph(look, Type::body, look.colours.bad, listing.problem);
  if (files.empty() && listing.problem.empty()) {
    text_line(look, Type::body, look.colours.text_second, fmt::format("No {} in this folder.", kind));
  }
  end_list();
  if (next) listing = list_folders(*next);
  return pressed;
}

fs::path working_folder(const Panel& panel, const fs::path& file) {
  if (!file.empty()) return file.parent_path();
  if (const fs::path& document = panel.context.session.file(); !document.empty()) return document.parent_path();
  const char* home = std::getenv("HOME");
  return home != nullptr ? fs::path(home) : fs::path("/");
}

}  // namespace headlight
