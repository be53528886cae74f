#include "app/gui/folder_listing.h"

#include <algorithm>
#include <system_error>

#include "engine/core/error.h"

namespace headlight {

namespace fs = std::filesystem;

bool holds_model(const fs::path& folder) {
  std::error_code failure;
  if (!fs::exists(folder / "config.json", failure)) return false;
  return fs::exists(folder / "model.safetensors", failure) || fs::exists(folder / "model.safetensors.index.json", failure);
}

FolderListing list_folders(const fs::path& folder) {
  constexpr std::size_t kMostEntries = 2000;  // a folder with more is not one that people browse
  FolderListing listing;
  std::error_code failure;
  listing.folder = fs::weakly_canonical(folder, failure);
  if (failure) listing.folder = folder;
  listing.is_model = holds_model(listing.folder);
  fs::directory_iterator entry(listing.folder, fs::directory_options::skip_permission_denied, failure);
  if (failure) {
    listing.problem = printable(listing.folder.string()) + " cannot be listed: " + failure.message() + ".";
    return listing;
  }
  for (; entry != fs::directory_iterator() && listing.entries.size() < kMostEntries; entry.increment(failure)) {
    std::error_code unknown;
    const std::string name = entry->path().filename().string();
    if (!entry->is_directory(unknown) || name.starts_with('.')) continue;
    listing.entries.push_back({name, holds_model(entry->path())});
  }
  std::sort(listing.entries.begin(), listing.entries.end(),
            [](const auto& a, const auto& b) { return a.is_model != b.is_model ? a.is_model : a.name < b.name; });
  return listing;
}

}  // namespace headlight
