#include "engine/text/words.h"

#include <algorithm>
#include <array>
#include <cctype>
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

bool is_part_of_word(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return std::isalnum(value) != 0 || value >= 0x80U;
}

/// Whether a word could go on across the border before `at`.
bool is_inside_word(std::string_view text, std::size_t at) {
  return at > 0 && at < text.size() && is_part_of_word(text[at - 1]) && is_part_of_word(text[at]);
}

/// Where a word stands on its own for the `occurrence`-th time; npos where it does not.
std::size_t find_word(std::string_view text, std::string_view word, int occurrence) {
  std::size_t at = word.empty() ? std::string_view::npos : text.find(word);
  for (; at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool is_own_word = !is_inside_word(text, at) && !is_inside_word(text, at + word.size());
    if (is_own_word && --occurrence == 0) return at;
  }
  return at;
}

}  // namespace

std::optional<TokenRange> tokens_of_word(const Encoding& encoding, std::string_view word, int occurrence) {
  const std::size_t begin = find_word(encoding.text, word, occurrence), end = begin + word.size();
  if (begin == std::string_view::npos) return std::nullopt;
  TokenRange found;
  for (std::size_t place = 0; place < encoding.tokens.size(); ++place) {
    const Token& token = encoding.tokens[place];
    if (token.sequence != 0 || token.bytes.begin >= end || token.bytes.end <= begin) continue;
    if (found.end == 0) found.begin = static_cast<int>(place);
    found.end = static_cast<int>(place) + 1;
  }
  return found.end == 0 ? std::nullopt : std::optional(found);
}

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
