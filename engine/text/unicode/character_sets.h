// Sets of characters as Hugging Face's tokenizers 0.23.1 has them.
//
// Each of its steps asks a different library, and each library was made from a different version of Unicode: for BertPreTokenizer "؝"
// (U+061D, Unicode 14) is not punctuation, while Digits knows the digits of Unicode 17. A model was trained with those answers, so the
// tables are the reference's, whatever Unicode this machine's libraries have. They were read out of it, one code point at a time;
// tests/reference/tokenizer-steps/characters.json holds what it said.
#pragma once

namespace headlight {

bool is_punctuation(char32_t value);      ///< BertPreTokenizer, Punctuation: symbols of ASCII, and category P of Unicode 8
bool is_nonspacing_mark(char32_t value);  ///< what BertNormalizer takes for an accent: Mn of Unicode 8
bool is_control(char32_t value);          ///< what BertNormalizer cleans away: Cc, Cf and Co of Unicode 8, U+FFFD; no tab, no line break
bool is_combining_mark(char32_t value);   ///< StripAccents: M of Unicode 9
bool is_reordered_mark(char32_t value);   ///< NFC and the other forms: canonical combining class above 0, Unicode 9
bool is_numeric(char32_t value);          ///< Digits: Nd, Nl and No of Unicode 17
bool is_word_character(char32_t value);   ///< Whitespace, and single words among the added tokens: \w, Unicode 16

}  // namespace headlight
