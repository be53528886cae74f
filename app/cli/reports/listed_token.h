// Tokens as commands list them.
#pragma once

#include <cstdint>
#include <string>

#include "engine/text/tokenizer.h"

namespace headlight {

/// With a leading blank marked, as in the window's lists: "·the" and "the" are two tokens. One without a text is named by its id.
std::string listed_token(const Tokenizer& tokenizer, std::int64_t id);

}  // namespace headlight
