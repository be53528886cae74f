// The text that tokens of a file were cut from, and where each token is in it. In order of precedence:
//   1. `text` and `offsets` of the file, as `headlight trace` and the fast tokenizers of Hugging Face write them ("offset_mapping");
//   2. `text` alone, where the tokens are found in it one after another;
//   3. the tokens, joined as their kind of tokenizer joins them. Byte-level ("Ġcat") and SentencePiece ("▁cat", "<0xE2>") tokens are bytes
//      that follow one another; "cat</w>" ends a word; "##s" continues one, "cat@@" is continued, and so is an ideograph or kana by another;
//      else tokens are words, with a blank between them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/dumps/dump_tensors.h"
#include "engine/text/tokenizer.h"

namespace headlight {

/// Names tokens by their own text, with the marks of their kind turned back into what was typed; encodes nothing. Either list may be null.
/// Tokens of GPT-2's byte alphabet are known by "Ġ", or without one where all of them together are bytes of a text that is not ASCII.
std::shared_ptr<const Tokenizer> make_dump_tokenizer(const std::vector<std::string>* tokens, const std::vector<std::string>* queries);

/// `tokens`: `length` of them, or null: then they are numbered. `whole`: what the file says of the text, or null.
std::shared_ptr<const Encoding> make_dump_encoding(const std::vector<std::string>* tokens, std::int64_t length, const Tokenizer& tokenizer,
                                                   const DumpWholeText* whole);

}  // namespace headlight
