// Tokens as JSON, for `tokenize` and for the metadata of `trace`.
#pragma once

#include "engine/formats/json.h"
#include "engine/text/tokenizer.h"

namespace headlight {

/// {"ids", "tokens", "offsets", "type_ids"}: one entry per token. Offsets count code points of the token's own text, [begin, end); tokens
/// that the tokenizer added have [0, 0]. Keys keep this order.
nlohmann::ordered_json encoding_json(const Encoding& encoding);

}  // namespace headlight
