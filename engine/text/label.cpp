#include "engine/text/label.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/core/error.h"
#include "engine/text/byte_tokens.h"
#include "engine/text/signs.h"
#include "engine/text/unicode/byte_level.h"
#include "engine/text/unicode/unicode.h"

namespace headlight {
namespace {

constexpr std::string_view kMetaspace = "\xe2\x96\x81";  // "▁"

std::string with_blanks(std::string_view token) {
  std::string text;
  while (!token.empty()) {
    const bool is_mark = token.starts_with(kMetaspace);
    text.append(is_mark ? " " : token.substr(0, 1));
    token.remove_prefix(is_mark ? kMetaspace.size() : 1);
  }
  return text;
}

std::string typed_text(std::string_view token, LabelScheme scheme) {
  if (scheme == LabelScheme::metaspace) return with_blanks(token);
  if (scheme == LabelScheme::plain) return std::string(token);
  return characters_to_bytes(token).value_or(std::string(token));  // added tokens are not in the byte alphabet
}

/// Blanks inside a label stay blanks where there are letters on both sides.
std::string visible(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  const std::size_t last = text.find_last_not_of(' ');
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_inner = first < at && at < last && last != std::string_view::npos;
    switch (text[at]) {
      case ' ':
        result += is_inner ? " " : kBlankSign;
        break;
      case '\n':
        result += kLineBreakSign;
        break;
      case '\r':
        result += kReturnSign;
        break;
      case '\t':
        result += kTabSign;
        break;
      default:
        result += text[at];
    }
  }
  return printable(result);
}

/// How many bytes at the start of a text are whole characters.
std::size_t whole_characters(std::string_view bytes) {
  std::size_t end = bytes.size();
  while (end > 0 && repair_utf8(bytes.substr(0, end)).replaced > 0) --end;
  return end;
}

/// Bytes of a token: whole characters, then those of broken ones, then whole characters again.
struct TokenParts {
  std::string_view before, broken, after;
};
TokenParts parts_of(std::string_view bytes) {
  const std::size_t begin = whole_characters(bytes);
  std::size_t end = begin;
  while (repair_utf8(bytes.substr(end)).replaced > 0) ++end;
  return {bytes.substr(0, begin), bytes.substr(begin, end - begin), bytes.substr(end)};
}

std::string in_digits(std::string_view bytes) {
  std::string digits;
  for (const char byte : bytes) digits += fmt::format("{}{:02X}", digits.empty() ? "" : " ", static_cast<unsigned char>(byte));
  return digits;
}

}  // namespace

TokenLabel make_label(std::string_view token, LabelScheme scheme) {
  const std::string text = typed_text(token, scheme);
  const bool has_leading_blank = text.starts_with(' ') && text.find_first_not_of(' ') != std::string::npos;
  const std::string_view shown = std::string_view(text).substr(has_leading_blank ? 1 : 0);
  TokenLabel label{visible(shown), has_leading_blank, {}};
  const std::optional<unsigned char> byte = byte_of_token(token);
  if (byte && *byte >= 0x80) {
    label.bytes = std::string(1, static_cast<char>(*byte));
  } else if (whole_characters(shown) < shown.size()) {
    label.bytes = shown;
  }
  return label;
}

TokenLabel label_in_text(const Tokenizer& tokenizer, const Encoding& encoding, const Token& token) {
  TokenLabel label = tokenizer.label(token);
  const std::string& text = token.sequence == 0 ? encoding.text : encoding.text_pair;
  const bool is_of_text = token.bytes.end > token.bytes.begin && token.bytes.end <= text.size();
  if (label.bytes.empty() || !is_of_text) return label;
  std::string_view characters = std::string_view(text).substr(token.bytes.begin, token.bytes.end - token.bytes.begin);
  if (label.has_leading_blank && characters.starts_with(' ')) characters.remove_prefix(1);
  const TokenParts parts = parts_of(label.bytes);
  if (characters.starts_with(parts.before)) characters.remove_prefix(parts.before.size());
  if (characters.ends_with(parts.after)) characters.remove_suffix(parts.after.size());
  label.text.clear();
  if (!parts.before.empty()) label.text.append(visible(parts.before)).append(" ");
  label.text.append(in_digits(parts.broken)).append(" of ").append(visible(characters));
  if (!parts.after.empty()) label.text.append(" ").append(visible(parts.after));
  return label;
}

}  // namespace headlight
