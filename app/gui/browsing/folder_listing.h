// The folders of a folder, and which of them hold a model.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headlight {

/// What the program's own folder browser lists.
struct FolderListing {
  struct Entry {
    std::string name;
    bool is_model = false;
  };
  std::filesystem::path folder;
  std::filesystem::path file;          ///< the typed file, in `folder`, if its ending is that of a model or of maps; else empty
  std::vector<Entry> entries;          ///< folders only, models first, sorted
  std::vector<std::string> documents;  ///< files that end in .headlight.json, sorted
  std::vector<std::string> texts;      ///< files that may hold many texts: .txt, .csv, .jsonl; sorted
  std::vector<std::string> figures;    ///< pictures of figures: .png, .svg, .pdf, .html; sorted
  std::vector<std::string> studies;    ///< files that end in .study, sorted
  bool is_model = false;               ///< of `folder` itself
  std::string problem;                 ///< why it cannot be listed
};

/// Whether a folder has what a model needs (config.json and weights). Looks at names only and reads no file.
bool holds_model(const std::filesystem::path& folder);

/// Lists a folder, or the folder that a file is in. Looks at names only. Never throws: an unreadable folder gives a listing with a problem.
FolderListing list_folders(const std::filesystem::path& path);

}  // namespace headlight
