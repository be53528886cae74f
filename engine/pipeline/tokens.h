// A query's texts as tokens, and what the layers see of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/forward/query.h"

namespace headlight {

/// What the layers see of the tokens.
struct TokenNumbers {
  std::vector<std::int64_t> ids;
  std::vector<int> types, sentences;
  bool operator==(const TokenNumbers&) const = default;
};
TokenNumbers numbers_of(const Encoding& encoding);

/// The model's own text, or its encoder's.
Encoding encode_text(const Tokenizer& tokenizer, const Query& query, const std::optional<std::string>& text_pair);

/// What the decoder reads: the model's start token, where it has one, and the text without special tokens. Where the query gives no such
/// text: the second sentence, or the same as the encoder.
Encoding encode_decoder_text(const Model& model, const Query& query);

/// Learned positions end somewhere: tokens beyond them are left out, with a notice. Others go on, though the model was not made for it.
void cut_to_positions(Encoding& encoding, const ModelConfig& config);

}  // namespace headlight
