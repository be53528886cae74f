// Names of files, for looking around in folders and for messages.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headlight {

/// What a folder holds, sorted; at most 10,000 names. Empty where there is no such folder. Never throws.
std::vector<std::string> file_names_in(const std::filesystem::path& folder);

/// "a, b, c and 4 more", printable.
std::string name_list(const std::vector<std::string>& names);

}  // namespace headlight
