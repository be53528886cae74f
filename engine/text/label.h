// How tokens are shown to a person.
#pragma once

#include <string_view>

#include "engine/text/tokenizer.h"

namespace headlight {

/// How a tokenizer writes blanks and bytes into its tokens.
enum class LabelScheme : std::uint8_t {
  plain,       ///< as they are
  byte_level,  ///< GPT-2's byte alphabet: "Ġ" is a blank
  metaspace,   ///< SentencePiece's: "▁" is a blank
};

/// Turns the marks back into what was typed. One leading blank becomes the flag; other blanks, line breaks and tabs are shown as ␣, ↵, ⇥,
/// and bytes of a broken character, controls and bidi marks as escapes. A token of blanks alone has no flag: its blanks are all shown.
TokenLabel make_label(std::string_view token, LabelScheme scheme);

/// The label of a token in its text. One that is a part of a character shows its bytes and the character: "E2 82 of €".
TokenLabel label_in_text(const Tokenizer& tokenizer, const Encoding& encoding, const Token& token);

}  // namespace headlight
