// The files of a folder that a dialog is about, and the folders around them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/browsing/folder_listing.h"
#include "app/gui/panel/panel.h"

namespace headlight {

/// Rows for the parent folder, the files and the folders of a listing; pressing a folder lists that. Returns the file that was pressed.
/// `kind`: what a file is, such as "texts".
std::optional<std::filesystem::path> draw_file_browser(const Look& look, FolderListing& listing, const std::vector<std::string>& files,
                                                       const char* kind, float rows);
/// The folder that the person works in: of a file, else of the document, else their own.
std::filesystem::path working_folder(const Panel& panel, const std::filesystem::path& file);

}  // namespace headlight
