// Lists of heads as people type them: whole layers, single heads, ranges of them, pins, and those that have most of a measure.
#pragma once

#include <string>
#include <vector>

#include "app/document/document.h"
#include "engine/snapshot.h"

namespace headlight {

/// What a list can hold, for --help.
inline constexpr const char* kHeadListForms =
    "all, pinned, a layer such as 2 or layer:2, a head such as 2.5, a range such as 0-3 or 2.0-2.7, joined by commas; "
    "top:12, the heads whose attention is least spread, or top:12:MEASURE, those with most of a measure (`headlight heads --list`)";

/// "1.3,2.0-7", "layer:1", "top:12:induction". Each head once, in the order of the list. Throws Error (usage) naming `option` and the part of
/// the list that cannot be followed.
std::vector<HeadId> parse_head_list(const std::string& text, const std::string& option, const Document& document, const Snapshot& snapshot);

}  // namespace headlight
