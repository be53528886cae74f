// Names of files, for looking around in folders and for messages.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace headlight {

/// The first `most` names that the system gives for a folder, in its order, without "." and "..". `failure` says why there are none, or no
/// more. std::filesystem's iterators are not used anywhere: those of GCC 12 end the program when memory runs out.
std::vector<std::string> names_in_folder(const std::filesystem::path& folder, std::size_t most, std::error_code& failure);

/// What a folder holds, sorted; at most 10,000 names. Empty where there is no such folder. Throws nothing but std::bad_alloc.
std::vector<std::string> file_names_in(const std::filesystem::path& folder);

/// "a, b, c and 4 more", printable.
std::string name_list(const std::vector<std::string>& names);

}  // namespace headlight
