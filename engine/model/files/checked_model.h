// A model's files that agree with each other: config, names and shapes of tensors, tokenizer, before any tensor is read.
#pragma once

#include <filesystem>

#include "engine/model/families/families.h"
#include "engine/model/files/weight_files.h"

namespace headlight {

/// One stored tensor and every place that it goes to: layers may share it.
struct PlannedTensor {
  StoredTensor stored;
  const TensorRow* row = nullptr;
  std::vector<Spot> spots;
};

struct CheckedModel {
  FileConfig config;
  WeightFiles weights;
  std::vector<PlannedTensor> plan;
  std::shared_ptr<const Tokenizer> tokenizer;
  std::vector<std::string> notices;
};

/// A folder in Hugging Face layout. Throws Error (input) naming file, field, what was found and what was expected; tensors that are
/// missing are listed, those that nothing uses are noted.
CheckedModel check_model_folder(const std::filesystem::path& folder);
/// The same for a GGUF file, which has everything in one file.
CheckedModel check_gguf(const std::filesystem::path& path);

}  // namespace headlight
