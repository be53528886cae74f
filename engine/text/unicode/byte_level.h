// The byte alphabet of GPT-2: every byte has a visible character ("Ġ" is the blank), so that a vocabulary of text covers all bytes.
// github.com/openai/gpt-2/blob/master/src/encoder.py, bytes_to_unicode.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/text/unicode/aligned_text.h"

namespace headlight {

/// The character of a byte, as UTF-8.
std::string_view byte_to_character(unsigned char byte);

/// The bytes that a token's characters stand for; nullopt when one of them is not in the alphabet.
std::optional<std::string> characters_to_bytes(std::string_view token);

/// Appends the characters of the bytes of `range`; each stands for the whole character that its byte belongs to.
void append_byte_level(const AlignedText& text, ByteRange range, AlignedText& into);

}  // namespace headlight
