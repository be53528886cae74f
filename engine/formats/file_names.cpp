#include "engine/formats/file_names.h"

#include <fmt/core.h>

#include <algorithm>
#include <system_error>

#include "engine/core/error.h"

namespace headlight {

std::vector<std::string> file_names_in(const std::filesystem::path& folder) {
  constexpr std::size_t kMostNames = 10'000;
  std::vector<std::string> names;
  std::error_code failure;
  for (std::filesystem::directory_iterator entry(folder, failure);
       !failure && entry != std::filesystem::directory_iterator() && names.size() < kMostNames; entry.increment(failure)) {
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string name_list(const std::vector<std::string>& names) {
  constexpr std::size_t kMostShown = 6;
  std::string list;
  for (std::size_t at = 0; at < std::min(names.size(), kMostShown); ++at) list += (at == 0 ? "" : ", ") + printable(names[at]);
  if (names.size() > kMostShown) list += fmt::format(" and {} more", names.size() - kMostShown);
  return list;
}

}  // namespace headlight
