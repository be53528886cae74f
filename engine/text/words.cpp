#include "engine/text/words.h"

#include <algorithm>
#include <array>
#include <string>

namespace headlight {
namespace {

constexpr std::uint32_t kNoWord = 0xFFFFFFFF;

/// For each byte of a text the number of the word that it is in, kNoWord for blanks.
std::vector<std::uint32_t> words_of_bytes(const std::string& text) {
  std::vector<std::uint32_t> words(text.size(), kNoWord);
  std::uint32_t number = 0;
  for (const ByteRange& word : split_words(text)) std::fill(words.begin() + word.begin, words.begin() + word.end, number++);
  return words;
}

bool are_one_word(const Token& left, const Token& right, const std::vector<std::uint32_t>& words) {
  const bool is_empty = left.bytes.begin == left.bytes.end || right.bytes.begin == right.bytes.end;
  if (left.sequence != right.sequence || left.is_special || right.is_special || is_empty) return false;
  if (right.bytes.begin < left.bytes.end) return true;  // they share a character
  std::uint32_t end = left.bytes.end;
  while (end > left.bytes.begin && words[end - 1] == kNoWord) --end;
  std::uint32_t begin = right.bytes.begin;
  while (begin < right.bytes.end && words[begin] == kNoWord) ++begin;
  return end > left.bytes.begin && begin < right.bytes.end && words[end - 1] == words[begin];
}

}  // namespace

std::vector<std::uint32_t> words_of_tokens(const Encoding& encoding) {
  const std::array<std::vector<std::uint32_t>, 2> words = {words_of_bytes(encoding.text), words_of_bytes(encoding.text_pair)};
  std::vector<std::uint32_t> result;
  result.reserve(encoding.tokens.size());
  for (std::size_t at = 0; at < encoding.tokens.size(); ++at) {
    const Token& token = encoding.tokens[at];
    const bool continues = at > 0 && are_one_word(encoding.tokens[at - 1], token, words[token.sequence == 0 ? 0 : 1]);
    result.push_back(at == 0 ? 0 : result.back() + (continues ? 0 : 1));
  }
  return result;
}

}  // namespace headlight
