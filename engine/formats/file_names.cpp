#include "engine/formats/file_names.h"

#include <dirent.h>
#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>

#include "engine/core/error.h"

namespace headlight {

std::vector<std::string> names_in_folder(const std::filesystem::path& folder, std::size_t most, std::error_code& failure) {
  failure.clear();
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
  if (!open) {
    failure.assign(errno, std::generic_category());
    return names;
  }
  while (names.size() < most) {
    errno = 0;
    const dirent* entry = ::readdir(open.get());  // NOLINT(concurrency-mt-unsafe): each call has a folder of its own
    if (entry == nullptr) {
      if (errno != 0) failure.assign(errno, std::generic_category());
      break;
    }
    const std::string_view name(static_cast<const char*>(entry->d_name));
    if (name != "." && name != "..") names.emplace_back(name);
  }
  return names;
}

std::vector<std::string> file_names_in(const std::filesystem::path& folder) {
  constexpr std::size_t kMostNames = 10'000;
  std::error_code ignored;
  std::vector<std::string> names = names_in_folder(folder, kMostNames, ignored);
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
