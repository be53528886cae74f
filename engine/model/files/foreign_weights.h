// Weights in forms that are not opened: what they are called, and how a person gets model.safetensors from them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// One form, known by the beginning and the ending of a file's name. Fixed text.
struct ForeignWeights {
  std::string_view beginning, ending;
  std::string_view what;  ///< "TensorFlow's weights"
  std::string_view way;   ///< a sentence or two for a hint; commands are for a shell in the file's folder
};

/// The form of a file of this name; nullptr for any other name.
const ForeignWeights* recognize_foreign_weights(std::string_view name);

struct ForeignFile {
  std::string name;
  const ForeignWeights* form = nullptr;
};
/// Of a folder's sorted file names, the one that best explains why the folder does not open.
std::optional<ForeignFile> find_foreign_weights(const std::vector<std::string>& names);

}  // namespace headlight
