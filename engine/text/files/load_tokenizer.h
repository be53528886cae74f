// The tokenizer of a folder.
#pragma once

#include <filesystem>
#include <memory>

#include "engine/text/tokenizer.h"

namespace headlight {

/// Reads the tokenizer of a Hugging Face folder: tokenizer.json, else source.spm + target.spm + vocab.json, else a SentencePiece model,
/// else vocab.txt, else vocab.json + merges.txt. Padding and truncation that a file asks for are not applied. Throws Error (input).
std::shared_ptr<const Tokenizer> load_tokenizer(const std::filesystem::path& folder);

}  // namespace headlight
