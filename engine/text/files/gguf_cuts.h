// How the byte-level vocabularies of GGUF files cut text into words before anything is merged: the names of tokenizer.ggml.pre.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/formats/gguf/gguf.h"

namespace headlight {

struct GgufCut {
  std::string_view names;                 ///< of tokenizer.ggml.pre, separated by blanks
  std::span<const char* const> patterns;  ///< applied one after the other: each match is a separate piece for the next one
  bool starts_with_begin_token = false;   ///< where the file does not say
  bool ignores_merges = false;            ///< a word that is a token is taken whole
};

/// The names in a list separated by blanks.
std::vector<std::string_view> names_in(std::string_view list);

/// The row for the file's tokenizer.ggml.pre, "default" where it has none. Throws Error (input) with the names that are known.
const GgufCut& find_gguf_cut(const GgufFile& file);

}  // namespace headlight
