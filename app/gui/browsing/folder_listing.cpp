#include "app/gui/browsing/folder_listing.h"

#include <algorithm>
#include <system_error>

#include "engine/core/error.h"
#include "engine/dumps/dump_tensors.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/formats/file_names.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

/// The list that a file belongs to, by its ending; null: none.
std::vector<std::string>* files_of(FolderListing& listing, std::string_view name) {
  if (name.ends_with(".headlight.json")) return &listing.documents;
  if (name.starts_with('.')) return nullptr;
  if (name.ends_with(".study")) return &listing.studies;
  const auto has_ending = [&](std::string_view ending) { return name.ends_with(ending); };
  if (std::any_of(std::begin(kDrawnEndings), std::end(kDrawnEndings), has_ending)) return &listing.figures;
  const bool has_texts = name.ends_with(".txt") || name.ends_with(".csv") || name.ends_with(".jsonl");
  return has_texts ? &listing.texts : nullptr;
}

bool has_model_ending(const fs::path& path) {
  return path.extension() == ".gguf" || is_dump_name(path);
}

}  // namespace

bool holds_model(const fs::path& folder) {
  std::error_code failure;
  // Only opening it shows whether it can be opened: a model without safetensors should be refused with a reason, not hidden.
  return fs::exists(folder / "config.json", failure) || fs::exists(folder / "pytorch_model.bin", failure);
}

FolderListing list_folders(const fs::path& path) {
  constexpr std::size_t kMostNames = 100'000;
  constexpr std::size_t kMostEntries = 2000;  // a folder with more is not one that people browse
  FolderListing listing;
  std::error_code failure;
  listing.folder = fs::weakly_canonical(path, failure);
  if (failure) listing.folder = path;
  if (has_model_ending(listing.folder) && fs::is_regular_file(listing.folder, failure)) {
    listing.file = listing.folder;
    listing.folder = listing.folder.parent_path();
  }
  listing.is_model = holds_model(listing.folder);
  const std::vector<std::string> names = names_in_folder(listing.folder, kMostNames, failure);
  if (failure && failure != std::errc::permission_denied) {
    listing.problem = printable(listing.folder.string()) + " cannot be listed: " + failure.message() + ".";
    return listing;
  }
  for (const std::string& name : names) {
    if (listing.entries.size() == kMostEntries) break;
    if (std::vector<std::string>* files = files_of(listing, name); files != nullptr && files->size() < kMostEntries) files->push_back(name);
    if (name.starts_with('.') || !fs::is_directory(listing.folder / name, failure)) continue;
    listing.entries.push_back({name, holds_model(listing.folder / name)});
  }
  for (std::vector<std::string>* files : {&listing.documents, &listing.texts, &listing.figures, &listing.studies})
    std::sort(files->begin(), files->end());
  std::sort(listing.entries.begin(), listing.entries.end(),
            [](const auto& a, const auto& b) { return a.is_model != b.is_model ? a.is_model : a.name < b.name; });
  return listing;
}

}  // namespace headlight
