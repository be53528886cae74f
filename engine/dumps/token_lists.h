// Lists of tokens as JSON, inside a file of maps or beside it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/dumps/dump_tensors.h"
#include "engine/formats/json.h"

namespace headlight {

/// A list of strings, named `name`; or one for each text of a batch, named `name`.0, `name`.1 … Nothing where it is something else.
std::optional<std::vector<DumpTexts>> token_lists(const Json& tree, const std::string& name);

}  // namespace headlight
