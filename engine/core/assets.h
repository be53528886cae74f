// Where the files that come with the program are: examples, models.
#pragma once

#include <filesystem>

namespace headlight {

/// HEADLIGHT_ASSETS, else `assets` or `share/headlight/assets` beside the program or up to three folders above it: a build finds the
/// project's, an installed program (bin/headlight) those of its prefix. Empty where there are none.
std::filesystem::path assets_folder();

}  // namespace headlight
