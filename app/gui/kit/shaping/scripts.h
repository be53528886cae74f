// Which texts Dear ImGui draws wrong: it puts one glyph beside the other, from left to right.
#pragma once

#include <string_view>

namespace headlight {

/// Whether a text has a character that joins, reorders, stacks or has colours of its own: Arabic, Hebrew, the scripts of India and South-east
/// Asia, combining marks, emoji. Latin, Greek, Cyrillic, Chinese, Japanese, Korean and signs have none. `text` must be valid UTF-8. Costs
/// about a nanosecond a byte, so nobody keeps the answer.
bool needs_shaping(std::string_view text);

}  // namespace headlight
