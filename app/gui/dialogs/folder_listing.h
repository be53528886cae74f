// The folders of a folder, and which of them hold a model.
#pragma once

#include <filesystem>

#include "app/gui/panel/view_state.h"

namespace headlight {

/// Whether a folder has what a model needs (config.json and weights). Looks at names only and reads no file.
bool holds_model(const std::filesystem::path& folder);

/// Lists a folder, or the folder that a file is in. Looks at names only. Never throws: an unreadable folder gives a listing with a problem.
FolderListing list_folders(const std::filesystem::path& path);

}  // namespace headlight
