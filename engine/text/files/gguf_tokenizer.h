// The tokenizer inside a GGUF file, put together from the same steps as those of tokenizer.json.
#pragma once

#include <memory>

#include "engine/formats/gguf/gguf.h"
#include "engine/text/tokenizer.h"

namespace headlight {

/// Reads tokenizer.ggml.*: "llama" (SentencePiece's pieces with scores) and "gpt2" (byte-level tokens with merges; tokenizer.ggml.pre says
/// how text is cut). Throws Error (input) naming the value and, for any other kind, the supported ones.
std::shared_ptr<const Tokenizer> load_gguf_tokenizer(const GgufFile& file);

}  // namespace headlight
