// The built-in models as lists show them, and the files of a folder that can be opened instead of a model.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "app/work/compute/worker.h"

namespace headlight {

/// A line of a list of built-in models.
struct ModelLine {
  std::string name;
  std::string summary;  ///< one sentence: the field of card.json, else family and sizes, else what is wrong with the folder
  bool operator==(const ModelLine&) const = default;
};

/// All of assets/models, kFirstModel first, then by name. Never throws.
std::vector<ModelLine> read_model_lines();

/// A file that can be opened where a model is named.
struct ModelFile {
  std::string name;  ///< without its folder
  std::string what;  ///< "GGUF model", "attention maps"
  std::uint64_t bytes = 0;
  bool operator==(const ModelFile&) const = default;
};
struct ModelFiles {
  std::filesystem::path folder;
  std::vector<ModelFile> files;  ///< sorted by name
};

/// GGUF files and attention maps, recognised by their first bytes, names and shapes. An unreadable folder has none. Throws Cancelled.
ModelFiles find_model_files(const std::filesystem::path& folder, Progress& progress);

/// Both as the window asks for them: read on the compute thread. Thread contract: the UI thread only.
class ModelShelf {
 public:
  explicit ModelShelf(Worker& worker);
  /// Read once; null until then.
  std::shared_ptr<const std::vector<ModelLine>> built_in();
  /// Asks anew when the folder changes, or after `forget_files`. Null until the folder's files are known.
  std::shared_ptr<const ModelFiles> files(const std::filesystem::path& folder);
  void forget_files() { files_.forget_request(); }

 private:
  Study<std::monostate, std::vector<ModelLine>> built_in_;
  Study<std::filesystem::path, ModelFiles> files_;
};

}  // namespace headlight
