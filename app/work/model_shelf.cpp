#include "app/work/model_shelf.h"

#include <fmt/core.h>

#include <algorithm>
#include <system_error>

#include "app/document/document.h"
#include "engine/core/error.h"
#include "engine/dumps/dump_tensors.h"
#include "engine/formats/file_names.h"
#include "engine/formats/file_reader.h"
#include "engine/formats/gguf/gguf.h"
#include "engine/formats/json.h"
#include "engine/model/files/load_model.h"
#include "engine/model/files/model_places.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestSummary = 200;

/// "GPT-2, 4 layers × 8 heads, width 256"
std::string describe_sizes(const ModelConfig& config) {
  return fmt::format("{}, {} layers × {} heads, width {}", config.family, config.layers, config.heads.count, config.d_model);
}

std::string summary_of(const fs::path& folder) {
  try {
    const fs::path card = folder / "card.json";
    std::error_code ignored;
    if (fs::exists(card, ignored)) {
      const JsonTree json = parse_json(read_file(card, kLargestCard), "card.json");
      const JsonFields fields(*json, "card.json");
      if (fields.has("summary")) return printable(fields.text("summary"), kLongestSummary);
    }
    return describe_sizes(read_model_config(folder));
  } catch (const Error& error) {
    return error.message();
  }
}

/// The kind of a file that can be opened where a model is named; empty for any other. `is_in_model`: safetensors and JSON beside it are its
/// own.
std::string kind_of(const fs::path& path, bool is_in_model) {
  if (is_gguf(path)) return "GGUF model";
  if (is_in_model && (path.extension() == ".safetensors" || path.extension() == ".json")) return {};
  return describe_dump_file(path);
}

}  // namespace

std::vector<ModelLine> read_model_lines() {
  std::vector<ModelLine> lines;
  for (const BuiltInModel& model : list_built_in_models()) lines.push_back({model.name, summary_of(model.folder)});
  std::stable_partition(lines.begin(), lines.end(), [](const ModelLine& line) { return line.name == kFirstModel; });
  return lines;
}

ModelFiles find_model_files(const fs::path& folder, Progress& progress) {
  constexpr int kMostLookedAt = 2000;  // a folder with more is not one that people browse
  ModelFiles found{folder, {}};
  std::error_code ignored;
  const bool is_in_model = fs::exists(folder / "config.json", ignored);
  int looked_at = 0;
  for (const std::string& name : file_names_in(folder)) {
    const fs::path path = folder / name;
    if (name.starts_with('.') || !fs::is_regular_file(path, ignored)) continue;
    if (++looked_at > kMostLookedAt) break;
    progress.step(0, "looking for models");
    const std::string what = kind_of(path, is_in_model);
    if (!what.empty()) found.files.push_back({name, what, fs::file_size(path, ignored)});
  }
  std::sort(found.files.begin(), found.files.end(), [](const ModelFile& a, const ModelFile& b) { return a.name < b.name; });
  return found;
}

ModelShelf::ModelShelf(Worker& worker)
    : built_in_(worker.desk(), [](std::monostate, StepContext&) { return read_model_lines(); }),
      files_(worker.desk(), [](const fs::path& folder, StepContext& context) { return find_model_files(folder, context.progress); }) {}

std::shared_ptr<const std::vector<ModelLine>> ModelShelf::built_in() {
  return built_in_.ask({});
}

std::shared_ptr<const ModelFiles> ModelShelf::files(const fs::path& folder) {
  auto found = files_.ask(folder);
  return found && found->folder == folder ? found : nullptr;
}

}  // namespace headlight
