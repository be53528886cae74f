#include "engine/core/assets.h"

#include <cstdlib>
#include <system_error>

namespace headlight {

std::filesystem::path assets_folder() {
  namespace fs = std::filesystem;
  if (const char* named = std::getenv("HEADLIGHT_ASSETS"); named != nullptr && *named != '\0') return named;
  std::error_code failure;
  fs::path folder = fs::read_symlink("/proc/self/exe", failure).parent_path();
  constexpr int kLevels = 4;
  for (int level = 0; level < kLevels && !folder.empty(); ++level, folder = folder.parent_path()) {
    for (const char* name : {"assets", "share/headlight/assets"}) {
      if (fs::is_directory(folder / name / "examples", failure)) return folder / name;
    }
  }
  return {};
}

}  // namespace headlight
