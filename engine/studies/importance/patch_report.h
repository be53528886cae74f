// Patches of one text, or of many, as numbers for other programs: the same bytes from the command line and from the window.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/studies/importance/patch_study.h"
#include "engine/studies/study_tables.h"

namespace headlight {

/// "layer,position,value,recovered", or head in the place of position; a line each. A share that is undefined is empty.
std::string patch_csv(const PatchSweep& sweep);
/// target: its text.
nlohmann::ordered_json patch_json(const PatchSweep& sweep, const std::string& target);

/// "layer,position,n,change,standard_error,recovered": the mean change over n texts; likewise. Numbers that are undefined are empty.
std::string patch_csv(const PatchStudy& study);
nlohmann::ordered_json patch_json(const PatchStudy& study, const std::string& target);

/// Refuses what study_table and patches do not write: patches are a .csv, .json or .study, without further details. Throws Error (usage).
void check_patch_file(const std::filesystem::path& path, bool has_details);
/// Any study in the form that the ending names, as write_study_table; one of patches as above.
void write_found(const std::filesystem::path& path, const StoredStudy& stored, const TableOptions& options);

}  // namespace headlight
