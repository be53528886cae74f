// What a file or folder is, and whether it is sound.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// Options for a file of maps. For other files a warning says that they do nothing.
struct InspectedMaps {
  std::optional<int> item = {};         ///< which text of a batch
  std::vector<std::string> masks = {};  ///< mask texts that take the place of the file's own
};

/// Adds "kind", facts and "warnings" to `report`, in that order. The kind is decided by the bytes, then by the file's ending. Throws
/// Error for whatever is not sound; what was found before that stays in the report.
void inspect_path(const std::filesystem::path& path, const InspectedMaps& maps, nlohmann::ordered_json& report);

}  // namespace headlight
