// `headlight heads --list`: every measure with its definition, formula, range, source, worked example, and what chance gives in a text.
#pragma once

#include <string>

#include "engine/studies/study_file.h"

namespace headlight {

/// Those of the table that a given text has, each with its example's parameter where it needs one. `has_chance`: beside chance of every kind.
StudySettings settings_of_list(bool has_chance);
/// `measured`: one text, by settings_of_list; null: only how to get its numbers is said.
std::string list_of_measures(const StoredStudy* measured);

}  // namespace headlight
