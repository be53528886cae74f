// What every tokenizer does first with a text that came from outside.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// Repairs broken UTF-8 and says so in `notices`. Throws Error (limit) for a text over 64 MiB.
std::string take_typed_text(std::string_view bytes, std::vector<std::string>& notices);

}  // namespace headlight
