#include "engine/text/unicode/rewriting.h"

#include <fmt/core.h>
#include <utf8proc.h>

#include "engine/core/error.h"

namespace headlight {

namespace {

/// Capital letters of Unicode 16 and 17, which the library's tables may lack. Their small letters follow at a fixed distance; `small` is
/// the first one's.
struct YoungCapitals {
  char32_t first, last, small;
};
constexpr YoungCapitals kYoungCapitals[] = {
    {0x1C89, 0x1C89, 0x1C8A}, {0xA7CB, 0xA7CB, 0x264},  {0xA7CC, 0xA7CC, 0xA7CD}, {0xA7CE, 0xA7CE, 0xA7CF},    {0xA7D2, 0xA7D2, 0xA7D3},
    {0xA7D4, 0xA7D4, 0xA7D5}, {0xA7DA, 0xA7DA, 0xA7DB}, {0xA7DC, 0xA7DC, 0x19B},  {0x10D50, 0x10D65, 0x10D70}, {0x16EA0, 0x16EB8, 0x16EBB}};

char32_t small_letter_of(char32_t value) {
  if (value < 0x80) return value >= 'A' && value <= 'Z' ? value + ('a' - 'A') : value;
  for (const YoungCapitals& row : kYoungCapitals) {
    if (value >= row.first && value <= row.last) return row.small + (value - row.first);
  }
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(value)));
}

}  // namespace

AlignedText to_lower(const AlignedText& text) {
  constexpr char32_t kCapitalIWithDot = 0x130;  // the one character whose lower case is two
  std::vector<RewrittenCodePoint> result;
  result.reserve(text.text.size());
  for (std::size_t at = 0; at < text.text.size();) {
    const CodePoint code_point = code_point_at(text.text, at);
    if (code_point.value == kCapitalIWithDot) {
      result.push_back({U'i', 1});
      result.push_back({0x307, 0});
    } else {
      result.push_back({small_letter_of(code_point.value), 1});
    }
    at += code_point.bytes;
  }
  return text.rewritten(result);
}

AlignedText without(const AlignedText& text, bool (*is_dropped)(char32_t)) {
  AlignedText result;
  for (std::uint32_t at = 0; at < text.text.size();) {
    const CodePoint code_point = code_point_at(text.text, at);
    if (!is_dropped(code_point.value)) result.append(text, {at, at + code_point.bytes});
    at += code_point.bytes;
  }
  return result;
}

AlignedText mapped(const AlignedText& text, char32_t (*map)(char32_t)) {
  std::vector<RewrittenCodePoint> result;
  result.reserve(text.text.size());
  for (std::size_t at = 0; at < text.text.size();) {
    const CodePoint code_point = code_point_at(text.text, at);
    result.push_back({map(code_point.value), 1});
    at += code_point.bytes;
  }
  return text.rewritten(result);
}

void refuse_growth(const AlignedText& text, std::size_t bytes, const std::string& file, const std::string& field) {
  if (text.text.empty()) return;
  const std::size_t typed = text.origin.back().end - text.origin.front().begin;
  const std::size_t largest = (std::size_t{1} << 20U) + 32 * typed;
  if (bytes <= largest) return;
  throw Error({.kind = ErrorKind::input,
               .file = file,
               .field = field,
               .problem = "the normalizer makes the text too long",
               .found = fmt::format("at least {} bytes of {} bytes typed", bytes, typed),
               .expected = fmt::format("a text of at most {} bytes", largest)});
}

}  // namespace headlight
