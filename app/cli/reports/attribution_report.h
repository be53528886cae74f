// Where a logit or a score comes from, as `attribute` prints it.
#pragma once

#include <string>
#include <vector>

#include "app/cli/options/report_option.h"
#include "engine/attribution/cell_parts.h"
#include "engine/attribution/logit_parts.h"

namespace headlight {

/// Every part of the model and what it adds to the logit. The table ends with the sum, CSV has the parts alone.
WrittenReport report_parts(const Snapshot& snapshot, const LogitParts& parts, const std::string& target);

/// One head's part by the tokens that it was read from.
struct HeadSources {
  HeadId head;
  std::vector<double> values;  ///< by key
  std::string problem;         ///< why there are none; empty: there are
};
WrittenReport report_sources(const Snapshot& snapshot, const LogitParts& parts, const std::vector<HeadSources>& heads,
                             const std::string& target);

/// What the two sides of a score are made of, and every pair of parts.
WrittenReport report_cell(const Snapshot& snapshot, const CellParts& cell);

}  // namespace headlight
