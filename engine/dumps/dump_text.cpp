#include "engine/dumps/dump_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "engine/text/label.h"
#include "engine/text/unicode/byte_level.h"
#include "engine/text/unicode/unicode.h"

namespace headlight {
namespace {

constexpr std::string_view kByteBlank = "\xc4\xa0";      // "Ġ"
constexpr std::string_view kMetaspace = "\xe2\x96\x81";  // "▁"
constexpr std::string_view kWordEnd = "</w>";
constexpr std::string_view kContinues = "##";
constexpr std::string_view kGoesOn = "@@";

using Texts = std::vector<std::string>;

class DumpTokenizer final : public Tokenizer {
 public:
  explicit DumpTokenizer(bool is_byte_level) : is_byte_level_(is_byte_level) {}
  Encoding encode(std::string_view, std::optional<std::string_view>, EncodeOptions) const override { return {}; }
  std::string decode(std::span<const std::int64_t>, bool) const override { return {}; }
  std::optional<std::string> token_of(std::int64_t) const override { return std::nullopt; }
  TokenLabel label(const Token& token) const override {
    if (token.text.find(kMetaspace) != std::string::npos) return make_label(token.text, LabelScheme::metaspace);
    return make_label(token.text, is_byte_level_ ? LabelScheme::byte_level : LabelScheme::plain);
  }
  std::string description() const override { return "the tokens of a file"; }
  const std::vector<std::string>& warnings() const override { return warnings_; }

 private:
  bool is_byte_level_;
  std::vector<std::string> warnings_;
};

bool holds_any(const Texts& tokens, std::string_view mark) {
  return std::any_of(tokens.begin(), tokens.end(), [&](const std::string& token) { return token.find(mark) != std::string::npos; });
}

bool is_valid(std::string_view text) {
  return repair_utf8(text).replaced == 0;
}

/// GPT-2's bytes, by the mark of a blank; or, of a text without blanks, because their characters are the bytes of another text.
bool is_byte_level(const Texts* tokens) {
  if (tokens == nullptr) return false;
  if (holds_any(*tokens, kByteBlank)) return true;
  std::string bytes, characters;
  for (const std::string& token : *tokens) {
    const std::optional<std::string> own = characters_to_bytes(token);
    if (!own) return false;
    bytes += *own;
    characters += token;
  }
  return bytes != characters && is_valid(bytes);
}

/// How tokens are joined.
enum class Joining : std::uint8_t {
  bytes,    ///< one after another: "Ġcat", "▁cat", " cat"
  at_ends,  ///< "cat</w>" ends a word
  words,    ///< "The", "cat", "##s" or "cat@@", "s": a blank before all but those that continue a word
};

Joining joining_of(const Texts& tokens) {
  if (is_byte_level(&tokens) || holds_any(tokens, kMetaspace)) return Joining::bytes;
  if (holds_any(tokens, " ") || holds_any(tokens, "\n") || holds_any(tokens, "\t")) return Joining::bytes;
  const auto ends_word = [](const std::string& token) { return token.ends_with(kWordEnd); };
  return std::any_of(tokens.begin(), tokens.end(), ends_word) ? Joining::at_ends : Joining::words;
}

/// "<0xE2>", as SentencePiece has bytes.
std::optional<char> byte_of(const std::string& token) {
  if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') return std::nullopt;
  const std::string digits = token.substr(3, 2);
  if (digits.find_first_not_of("0123456789ABCDEFabcdef") != std::string::npos) return std::nullopt;
  return static_cast<char>(std::stoi(digits, nullptr, 16));
}

/// What a token adds to its text, blanks among it.
std::string bytes_of(const std::string& token, bool is_byte_level) {
  if (const auto bytes = is_byte_level ? characters_to_bytes(token) : std::nullopt) return *bytes;
  if (const std::optional<char> byte = byte_of(token)) return {*byte};
  std::string text = token;
  for (std::size_t at = text.find(kMetaspace); at != std::string::npos; at = text.find(kMetaspace, at)) {
    text.replace(at, kMetaspace.size(), " ");
  }
  return text;
}

/// "cat@@", as the BPE of subword-nmt and fastBPE writes a part of a word that another part follows.
bool goes_on(std::string_view token) {
  return token.size() > kGoesOn.size() && token.ends_with(kGoesOn);
}

/// Without the marks that say where words end.
std::string_view letters_of(std::string_view token) {
  if (token.ends_with(kWordEnd)) token.remove_suffix(kWordEnd.size());
  if (goes_on(token)) token.remove_suffix(kGoesOn.size());
  if (token.starts_with(kContinues) && token.size() > kContinues.size()) token.remove_prefix(kContinues.size());
  return token;
}

/// Of scripts that are written without blanks: ideographs and kana.
bool needs_no_blank(std::string_view text, bool at_end) {
  std::size_t at = at_end ? text.size() - 1 : 0;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) --at;
  const char32_t value = code_point_at(text, at).value;
  const auto is_in = [value](char32_t first, char32_t last) { return first <= value && value <= last; };
  return is_in(0x3041, 0x30FF) || is_in(0x3400, 0x4DBF) || is_in(0x4E00, 0x9FFF) || is_in(0xF900, 0xFAFF) || is_in(0x20000, 0x323AF);
}

/// Signs that WordPiece joins to the word before them when it writes tokens as text (clean_up_tokenization of the library transformers), and
/// those of scripts without blanks.
bool ends_phrase(std::string_view token) {
  constexpr std::array<std::string_view, 12> kSigns{".", ",", "!", "?", "'", "。", "，", "、", "！", "？", "；", "："};
  return std::find(kSigns.begin(), kSigns.end(), token) != kSigns.end();
}

/// Whether a blank comes between two tokens that are words, or parts of them.
bool is_parted(std::string_view before, std::string_view token) {
  if (token.starts_with(kContinues) && token != kContinues) return false;
  if (goes_on(before)) return false;
  if (ends_phrase(token) || before == "'") return false;
  const bool is_text = !before.empty() && !token.empty() && is_valid(before) && is_valid(token);
  return !is_text || !needs_no_blank(before, true) || !needs_no_blank(token, false);
}

/// Brings a range of bytes to the borders of characters: tokens inside one character share its whole range.
ByteRange whole_characters(std::string_view text, ByteRange range) {
  const auto is_inside = [&](std::uint32_t at) {
    return at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  };
  while (is_inside(range.begin)) --range.begin;
  while (is_inside(range.end)) ++range.end;
  return range;
}

std::vector<Token> named_tokens(const Texts& texts) {
  std::vector<Token> tokens;
  for (const std::string& text : texts) {
    Token token;
    token.id = std::ssize(tokens);
    token.text = text;
    tokens.push_back(std::move(token));
  }
  return tokens;
}

/// The bytes of all tokens, without a blank at the beginning; nothing if they are not valid UTF-8.
std::optional<Encoding> joined_bytes(const Texts& texts) {
  const bool has_byte_alphabet = is_byte_level(&texts);
  Encoding encoding;
  encoding.tokens = named_tokens(texts);
  for (Token& token : encoding.tokens) {
    std::string bytes = bytes_of(token.text, has_byte_alphabet);
    if (encoding.text.empty() && bytes.starts_with(' ')) bytes.erase(0, 1);
    const bool has_blank = bytes.size() > 1 && bytes.front() == ' ';
    token.bytes.begin = static_cast<std::uint32_t>(encoding.text.size() + (has_blank ? 1 : 0));
    encoding.text += bytes;
    token.bytes.end = static_cast<std::uint32_t>(encoding.text.size());
  }
  if (!is_valid(encoding.text)) return std::nullopt;
  for (Token& token : encoding.tokens) token.bytes = whole_characters(encoding.text, token.bytes);
  return encoding;
}

/// Words and parts of words, as they are shown.
Encoding joined_words(const Texts& texts, Joining joining, const Tokenizer& tokenizer) {
  Encoding encoding;
  encoding.tokens = named_tokens(texts);
  std::string before;
  for (Token& token : encoding.tokens) {
    const TokenLabel label = tokenizer.label(token);
    const bool is_first = token.id == 0;
    const bool is_apart = joining == Joining::words     ? is_parted(before, label.text)
                          : joining == Joining::at_ends ? before.ends_with(kWordEnd)
                                                        : label.has_leading_blank;
    if (!is_first && is_apart) encoding.text += ' ';
    token.bytes.begin = static_cast<std::uint32_t>(encoding.text.size());
    encoding.text += joining == Joining::bytes ? std::string_view(label.text) : letters_of(label.text);
    token.bytes.end = static_cast<std::uint32_t>(encoding.text.size());
    before = label.text;
  }
  return encoding;
}

/// Where each code point of a text begins, and its end.
std::vector<std::uint32_t> begins_of(std::string_view text) {
  std::vector<std::uint32_t> begins;
  for (std::uint32_t at = 0; at < text.size(); at += code_point_at(text, at).bytes) begins.push_back(at);
  begins.push_back(static_cast<std::uint32_t>(text.size()));
  return begins;
}

/// By the file's offsets; nothing where they do not fit. They begin again where the second text of a pair does.
std::optional<Encoding> with_offsets(const Texts& texts, const DumpWholeText& whole) {
  if (whole.offsets.size() != texts.size() || !is_valid(whole.text) || !is_valid(whole.pair)) return std::nullopt;
  const std::vector<std::uint32_t> begins[] = {begins_of(whole.text), begins_of(whole.pair)};
  Encoding encoding{whole.text, whole.pair, named_tokens(texts), {}};
  std::size_t sequence = 0;
  std::uint32_t before = 0;
  for (std::size_t at = 0; at < texts.size(); ++at) {
    const auto [begin, end] = whole.offsets[at];
    Token& token = encoding.tokens[at];
    token.is_special = begin == end;
    if (begin > end) return std::nullopt;
    if (!token.is_special && begin < before && ++sequence > 1) return std::nullopt;
    if (end >= begins[sequence].size()) return std::nullopt;
    token.sequence = token.type_id = static_cast<int>(sequence);
    token.bytes = token.is_special ? ByteRange{} : ByteRange{begins[sequence][begin], begins[sequence][end]};
    if (!token.is_special) before = begin;
  }
  return encoding;
}

/// "[CLS]", "<s>", "<|endoftext|>": what a tokenizer adds to a text.
bool looks_added(const std::string& token) {
  return token.size() > 2 && ((token.front() == '[' && token.back() == ']') || (token.front() == '<' && token.back() == '>'));
}

/// By finding the tokens in the text one after another; nothing where one is not there, or where the text goes on behind the last.
std::optional<Encoding> found_in(const Texts& texts, const std::string& text) {
  if (!is_valid(text)) return std::nullopt;
  const bool has_byte_alphabet = is_byte_level(&texts);
  Encoding encoding{text, {}, named_tokens(texts), {}};
  const auto skip_blanks = [&](std::size_t at) { return std::min(text.find_first_not_of(" \t\r\n", at), text.size()); };
  std::size_t at = 0;
  for (Token& token : encoding.tokens) {
    std::string letters = bytes_of(std::string(letters_of(token.text)), has_byte_alphabet);
    letters.erase(0, letters.find_first_not_of(' ') == std::string::npos ? 0 : letters.find_first_not_of(' '));
    const std::size_t begin = letters.find_first_not_of(" \t\r\n") == std::string::npos ? at : skip_blanks(at);
    if (!letters.empty() && text.compare(begin, letters.size(), letters) == 0) {
      at = begin + letters.size();
      token.bytes = whole_characters(text, {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at)});
    } else if (looks_added(token.text)) {
      token.is_special = true;
    } else {
      return std::nullopt;
    }
  }
  return skip_blanks(at) == text.size() ? std::optional(std::move(encoding)) : std::nullopt;
}

Encoding numbered(std::int64_t length) {
  Encoding encoding;
  for (std::int64_t at = 0; at < length; ++at) {
    Token token;
    token.id = at;
    token.text = std::to_string(at);
    if (at > 0) encoding.text += ' ';
    token.bytes.begin = static_cast<std::uint32_t>(encoding.text.size());
    encoding.text += token.text;
    token.bytes.end = static_cast<std::uint32_t>(encoding.text.size());
    encoding.tokens.push_back(std::move(token));
  }
  return encoding;
}

Encoding joined(const Texts& texts, const Tokenizer& tokenizer, const DumpWholeText* whole) {
  if (whole != nullptr && !whole->text.empty()) {
    if (std::optional<Encoding> found = with_offsets(texts, *whole)) return *found;
    if (std::optional<Encoding> found = found_in(texts, whole->text)) return *found;
  }
  const Joining joining = joining_of(texts);
  if (joining == Joining::bytes) {
    if (std::optional<Encoding> joined = joined_bytes(texts)) return *joined;
  }
  return joined_words(texts, joining, tokenizer);
}

/// Which tokens are special is what the file says, or else what the way in which they were joined has found.
Encoding encoding_of(const Texts& texts, const Tokenizer& tokenizer, const DumpWholeText* whole) {
  Encoding encoding = joined(texts, tokenizer, whole);
  if (whole == nullptr || whole->are_special.size() != encoding.tokens.size()) return encoding;
  for (std::size_t at = 0; at < encoding.tokens.size(); ++at) {
    Token& token = encoding.tokens[at];
    const bool was_typed = token.bytes.begin < token.bytes.end;
    token.is_special = whole->are_special[at] && !was_typed;
    token.is_typed_special = whole->are_special[at] && was_typed;
  }
  return encoding;
}

}  // namespace

std::shared_ptr<const Tokenizer> make_dump_tokenizer(const Texts* tokens, const Texts* queries) {
  return std::make_shared<DumpTokenizer>(is_byte_level(tokens) || is_byte_level(queries));
}

std::shared_ptr<const Encoding> make_dump_encoding(const Texts* tokens, std::int64_t length, const Tokenizer& tokenizer,
                                                   const DumpWholeText* whole) {
  return std::make_shared<const Encoding>(tokens == nullptr ? numbered(length) : encoding_of(*tokens, tokenizer, whole));
}

}  // namespace headlight
