// Rewritings of a text that several normalizers share. Each keeps the alignment as Hugging Face's NormalizedString does.
#pragma once

#include <string>

#include "engine/text/unicode/aligned_text.h"

namespace headlight {

/// Character by character, as Rust's char::to_lowercase of Unicode 17: "Σ" is "σ" at the end of a word too.
AlignedText to_lower(const AlignedText& text);

/// The text without the code points for which `is_dropped` holds.
AlignedText without(const AlignedText& text, bool (*is_dropped)(char32_t));

/// Each code point replaced by `map(code point)`.
AlignedText mapped(const AlignedText& text, char32_t (*map)(char32_t));

/// A chain of rewritings can multiply a text a trillion times; real ones stay below tenfold. Throws Error (input) naming the place when
/// `bytes` is more than 1 MiB + 32 times what was typed.
void refuse_growth(const AlignedText& text, std::size_t bytes, const std::string& file, const std::string& field);

}  // namespace headlight
