#include "engine/text/label.h"

#include "engine/core/error.h"
#include "engine/text/signs.h"
#include "engine/text/unicode/byte_level.h"

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

}  // namespace

TokenLabel make_label(std::string_view token, LabelScheme scheme) {
  const std::string text = typed_text(token, scheme);
  const bool has_leading_blank = text.starts_with(' ') && text.find_first_not_of(' ') != std::string::npos;
  return {visible(std::string_view(text).substr(has_leading_blank ? 1 : 0)), has_leading_blank};
}

}  // namespace headlight
