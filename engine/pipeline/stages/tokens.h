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

/// What the decoder reads: the model's start token, if it has one, and the text without special tokens. Where the query gives no such
/// text: the second sentence, or the same as the encoder.
Encoding encode_decoder_text(const Model& model, const Query& query);

/// Leaves out tokens beyond the model's learned positions, with a notice. Positions of other kinds continue, with a notice that the model
/// was not made for them.
/// Returns whether tokens were left out.
bool cut_to_positions(Encoding& encoding, const ModelConfig& config);

}  // namespace headlight
