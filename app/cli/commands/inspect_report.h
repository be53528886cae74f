// What a file or folder is, and whether it is sound.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace headlight {

/// Adds "kind", facts and "warnings" to `report`, in that order. The kind is told by what the bytes say, then by the file's ending. Throws
/// Error for whatever is not sound; what was found out before that stays in the report.
void inspect_path(const std::filesystem::path& path, nlohmann::ordered_json& report);

}  // namespace headlight
