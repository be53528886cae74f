#include "engine/text/familiarity.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/text/words.h"

namespace headlight {
namespace {

/// A code point of a word, and neither a digit nor a sign: signs beyond ASCII lie in a few blocks.
bool is_letter(char32_t value) {
  if (value < 0x80) return (value >= U'a' && value <= U'z') || (value >= U'A' && value <= U'Z');
  const bool is_sign = value < 0xC0 || (value >= 0x2000 && value < 0x2C00) || (value >= 0x3000 && value < 0x3040) ||
                       (value >= 0xFE00 && value < 0xFE20) || (value >= 0xFF00 && value < 0xFF20) || (value >= 0x1F000 && value < 0x20000);
  return !is_sign;
}

int letters_in(std::string_view text) {
  int letters = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    letters += is_letter(point.value) ? 1 : 0;
    at += point.bytes;
  }
  return letters;
}

/// The unknown token, as vocabularies write it.
bool is_unknown(const Token& token) {
  constexpr std::array<std::string_view, 4> kNames{"[UNK]", "<unk>", "<UNK>", "unk"};
  return std::find(kNames.begin(), kNames.end(), token.text) != kNames.end();
}

/// One word while its tokens are gathered.
struct Word {
  std::uint32_t begin = 0, end = 0;
  int pieces = 0;
  bool has_unknown = false;
};

/// Where an ending begins: at the apostrophe. The end of the word where it has none.
std::size_t ending_of(std::string_view word) {
  return std::min({word.find('\''), word.find("’"), word.size()});
}

class Counter {
 public:
  explicit Counter(const Encoding& encoding) : encoding_(encoding) {}

  void add(const Token& token) {
    const std::string_view text(encoding_.text);
    if (word_.pieces == 0) word_.begin = word_.end = token.bytes.begin;
    const std::string_view before = text.substr(word_.begin, token.bytes.begin - word_.begin);
    const bool is_ending = word_.pieces > 0 && ending_of(before) < before.size();
    const bool begins_ending = word_.pieces > 0 && ending_of(text.substr(token.bytes.begin, token.bytes.end - token.bytes.begin)) == 0;
    word_.end = std::max(word_.end, token.bytes.end);
    word_.pieces += is_ending || begins_ending ? 0 : 1;
    word_.has_unknown |= is_unknown(token);
  }

  void finish_word(bool counts) {
    const Word word = std::exchange(word_, {});
    if (word.pieces == 0 || !counts) return;
    std::string_view typed = std::string_view(encoding_.text).substr(word.begin, word.end - word.begin);
    const int letters = letters_in(typed.substr(0, ending_of(typed)));
    if (letters == 0) return;
    ++found_.words;
    found_.unknown += word.has_unknown ? 1 : 0;
    found_.in_pieces += word.pieces > 1 || word.has_unknown ? 1 : 0;
    if (!is_spelled(letters, word.pieces)) return;
    typed.remove_prefix(std::min(typed.find_first_not_of(' '), typed.size()));
    if (found_.spelled++ == 0) found_.first_spelled = typed;
  }

  const Familiarity& found() const { return found_; }

 private:
  const Encoding& encoding_;
  Word word_;
  Familiarity found_;
};

}  // namespace

bool is_spelled(int letters, int pieces) {
  return pieces > letters || (pieces >= 3 && pieces == letters) || (pieces >= 4 && 2 * letters <= 3 * pieces);
}

Familiarity familiarity_of(const Encoding& encoding, bool is_typing, std::size_t most) {
  const std::vector<std::uint32_t> words = words_of_tokens(encoding);
  Counter counter(encoding);
  const std::size_t count = std::min(most, encoding.tokens.size());
  std::uint32_t end = 0;  // of the last token's text
  for (std::size_t at = 0; at < count; ++at) {
    const Token& token = encoding.tokens[at];
    if (token.sequence != 0 || ((token.is_special || token.is_typed_special) && !is_unknown(token))) continue;
    if (at > 0 && words[at] != words[at - 1]) counter.finish_word(true);
    counter.add(token);
    end = token.bytes.end;
  }
  const bool is_cut = count < encoding.tokens.size();
  counter.finish_word(!is_cut && !(is_typing && end == encoding.text.size()));
  return counter.found();
}

}  // namespace headlight
