// Orders and filters of heads as JSON.
#pragma once

#include <vector>

#include "app/gui/state/pages.h"
#include "engine/formats/json.h"

namespace headlight {

Json sorts_json(const std::vector<ColumnSort>& sorts);
/// What makes no sense is left out; nothing where the key is missing.
std::vector<ColumnSort> sorts_from_json(const Json& json, const char* key);
Json ranges_json(const std::vector<ColumnRange>& ranges);
std::vector<ColumnRange> ranges_from_json(const Json& json, const char* key);

Json arrangement_json(const HeadArrangement& arrangement);
HeadArrangement arrangement_from_json(const Json& json, const char* key);

}  // namespace headlight
