// What a choice of model names, opened and checked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/parallel.h"
#include "engine/core/progress.h"
#include "engine/model/model.h"

namespace headlight {

/// Opens what a choice names. Throws Error (input) for a folder that cannot be used: nothing half loaded is ever returned.
std::shared_ptr<const Model> load_model(const ModelChoice& choice, Progress& progress);

/// Told between two layers, on the calling thread, while a model is read from files: all that the first `layers` layers need is there and stays
/// as it is; later layers, the last norm and logits are not there. What it throws ends the reading.
using ReadLayers = std::function<void(const std::shared_ptr<const Model>& model, int layers)>;
/// The same by the threads of a pool.
std::shared_ptr<const Model> load_model(const ModelChoice& choice, ThreadPool& pool, Progress& progress, const ReadLayers& on_layer = {});

/// The sizes that a folder's config.json states; no other file is read. Throws Error (input).
ModelConfig read_model_config(const std::filesystem::path& folder);

/// What `headlight inspect` and the model card say of a folder or a GGUF file.
struct ModelFacts {
  ModelConfig config = {};
  std::int64_t parameters = 0;
  std::uint64_t bytes = 0;     ///< of the weight files
  std::string dtype = {};      ///< as stored: "F32", or "mixed"
  std::string tokenizer = {};  ///< Tokenizer::description
  std::vector<std::string> warnings = {};
};
/// Checks a folder or a GGUF file as load_model does. Reads every tensor once to count NaN and ∞, and keeps none. Throws Error
/// (input).
ModelFacts inspect_model(const std::filesystem::path& path);

}  // namespace headlight
