// Patches of one text, or of many, as numbers for other programs: the same bytes from the command line and from the window.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "engine/studies/importance/patch_study.h"

namespace headlight {

/// "layer,position,value,recovered", or head in the place of position; a line each. A share that is undefined is empty.
std::string patch_csv(const PatchSweep& sweep);
/// target: its text.
nlohmann::ordered_json patch_json(const PatchSweep& sweep, const std::string& target);

/// "layer,position,n,change,standard_error,recovered": the mean change over n texts; likewise. Numbers that are undefined are empty.
std::string patch_csv(const PatchStudy& study);
nlohmann::ordered_json patch_json(const PatchStudy& study, const std::string& target);

}  // namespace headlight
