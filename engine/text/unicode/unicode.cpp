#include "engine/text/unicode/unicode.h"

#include <uniwbrk.h>
#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <utility>

namespace headlight {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

struct Sequence {
  std::size_t bytes = 1;  // of the character, or of its broken part
  bool is_whole = false;
};

/// The sequence at the start of `bytes`, by the table of well-formed sequences (Unicode 15, table 3-7): only the second byte has
/// narrower bounds than 80..BF, and a sequence that breaks off is replaced as far as it was well-formed.
Sequence first_sequence(std::string_view bytes) {
  const auto lead = static_cast<unsigned char>(bytes[0]);
  if (lead < 0x80) return {1, true};
  if (lead < 0xC2 || lead > 0xF4) return {1, false};
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  const unsigned char lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  std::size_t at = 1;
  for (; at < length && at < bytes.size(); ++at) {
    const auto next = static_cast<unsigned char>(bytes[at]);
    if (at == 1 ? next < lowest || next > highest : (next & 0xC0U) != 0x80U) break;
  }
  return {at, at == length};
}

bool starts_code_point(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

bool is_blank(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint code_point = code_point_at(text, at);
    if (!is_white_space(code_point.value)) return false;
    at += code_point.bytes;
  }
  return true;
}

}  // namespace

RepairedText repair_utf8(std::string_view bytes) {
  RepairedText result;
  result.text.reserve(bytes.size());
  std::size_t taken = 0;  // what follows is well-formed up to `at`
  for (std::size_t at = 0; at < bytes.size();) {
    const Sequence sequence = first_sequence(bytes.substr(at));
    if (!sequence.is_whole) {
      result.text.append(bytes.substr(taken, at - taken)).append(kReplacement);
      taken = at + sequence.bytes;
      ++result.replaced;
    }
    at += sequence.bytes;
  }
  result.text += bytes.substr(taken);
  return result;
}

std::vector<ByteRange> split_words(std::string_view text) {
  std::string breaks(text.size(), '\0');
  u8_wordbreaks(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), breaks.data());
  std::vector<ByteRange> words;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin + 1;
    while (end < text.size() && breaks[end] == 0) ++end;
    if (!is_blank(text.substr(begin, end - begin))) words.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
    begin = end;
  }
  return words;
}

std::vector<ByteRange> graphemes_of(std::string_view text) {
  std::vector<ByteRange> graphemes;
  utf8proc_int32_t before = 0;
  utf8proc_int32_t state = 0;
  for (std::uint32_t at = 0; at < text.size();) {
    const CodePoint code_point = code_point_at(text, at);
    const auto value = static_cast<utf8proc_int32_t>(code_point.value);
    const bool continues = at > 0 && !utf8proc_grapheme_break_stateful(before, value, &state);
    if (!continues) graphemes.push_back({at, at});
    at += code_point.bytes;
    graphemes.back().end = at;
    before = value;
  }
  return graphemes;
}

std::vector<std::uint32_t> code_point_index(std::string_view text) {
  std::vector<std::uint32_t> index(text.size() + 1);
  for (std::size_t at = 0; at < text.size(); ++at) index[at + 1] = index[at] + (starts_code_point(text[at]) ? 1 : 0);
  return index;
}

CodePoint code_point_at(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return {lead, 1};
  const std::uint32_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  char32_t value = lead & (0x7FU >> length);
  for (std::size_t next = 1; next < length; ++next) value = (value << 6U) | (static_cast<unsigned char>(text[at + next]) & 0x3FU);
  return {value, length};
}

void append_utf8(std::string& text, char32_t value) {
  const auto put = [&](char32_t byte) { text.push_back(static_cast<char>(static_cast<unsigned char>(byte))); };
  if (value < 0x80) return put(value);
  const unsigned length = value < 0x800 ? 2 : value < 0x10000 ? 3 : 4;
  put(((0xF00U >> length) & 0xFFU) | (value >> (6 * (length - 1))));
  for (unsigned rest = length - 1; rest > 0; --rest) put(0x80U | ((value >> (6 * (rest - 1))) & 0x3FU));
}

bool is_white_space(char32_t value) {
  constexpr std::array<std::pair<char32_t, char32_t>, 10> kRanges = {{{0x09, 0x0D},
                                                                      {0x20, 0x20},
                                                                      {0x85, 0x85},
                                                                      {0xA0, 0xA0},
                                                                      {0x1680, 0x1680},
                                                                      {0x2000, 0x200A},
                                                                      {0x2028, 0x2029},
                                                                      {0x202F, 0x202F},
                                                                      {0x205F, 0x205F},
                                                                      {0x3000, 0x3000}}};
  return std::any_of(kRanges.begin(), kRanges.end(), [&](const auto& range) { return value >= range.first && value <= range.second; });
}

}  // namespace headlight
