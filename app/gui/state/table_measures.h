// The measures that are columns of the table of heads.
#pragma once

#include <string>
#include <vector>

#include "app/gui/state/pages.h"

namespace headlight {

/// Their ids: those that were chosen, else the usual ones.
std::vector<std::string> measures_in_table(const MeasuresPage& page);
/// Whether the id is one of a measure of the rows of a map (measure_request): not of a question, a file, or a later version.
bool is_measure(const std::string& id);

}  // namespace headlight
