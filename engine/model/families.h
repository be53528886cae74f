// The kinds of models that can be loaded: one row per model_type of config.json. Adding a family is adding a row, its config reader and
// its table of tensors; nothing else asks which family a model is of.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/json.h"
#include "engine/model/model.h"

namespace headlight {

/// config.json in our terms.
struct FileConfig {
  ModelConfig sizes;
  bool is_tied = true;  ///< logits are made with the embedding table
  std::vector<std::string> notices;
};

/// One axis of a stored tensor: the field it comes from, and the key of config.json that people know it by.
struct Extent {
  std::string_view key = {};
  int ModelConfig::*size = nullptr;  ///< nullptr: no such axis
  int factor = 1;
};

/// One stored tensor. "{}" in the name stands for the layer. Vectors come as one row.
struct TensorRow {
  enum class Need : std::uint8_t { always, untied };
  std::string_view name;
  std::array<Extent, 2> shape;
  void (*store)(Parameters& parameters, std::size_t layer, Matrix&& tensor);
  Need need = Need::always;
};

struct FamilyRow {
  std::string_view model_type;  ///< as config.json has it
  FileConfig (*read_config)(const JsonFields& fields);
  std::span<const std::string_view> prefixes;  ///< that names may have
  std::span<const TensorRow> tensors;
  std::span<const std::string_view> ignored;  ///< stored by some versions, never used: mask buffers, tied copies
};

/// The row for "model_type" of config.json. Throws Error (input) naming the type and the supported ones.
const FamilyRow& find_family(const JsonFields& config);

/// Whether `name` is `pattern` with a number in the place of "{}".
bool matches_pattern(std::string_view pattern, std::string_view name);

}  // namespace headlight
