// Whether a tokenizer's ids and a model's embeddings belong together.
#pragma once

#include <string>
#include <vector>

#include "engine/text/tokenizer.h"

namespace headlight {

/// Tables are often a little longer than the vocabulary, for the sake of round numbers; one that is far longer is another model's.
void note_short_vocabulary(const Tokenizer& tokenizer, int vocabulary, const std::string& config_file, std::vector<std::string>& notices);

/// A vocabulary that reaches beyond the embeddings is another model's. Tokens that were added afterwards are common there and do no harm
/// until a text holds one (`embed` refuses it).
/// Throws Error (input) naming the token, its id and the rows.
void check_token_ids(const Tokenizer& tokenizer, int rows, const std::string& config_file, std::vector<std::string>& notices);

}  // namespace headlight
