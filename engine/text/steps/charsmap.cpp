#include "engine/text/steps/charsmap.h"

#include <fmt/core.h>

#include "engine/core/error.h"

namespace headlight {
namespace {

[[noreturn]] void refuse(const PatternPlace& place, std::string problem, std::string found = {}, std::string expected = {}) {
  throw Error({.kind = ErrorKind::input,
               .file = place.file,
               .field = place.field,
               .problem = std::move(problem),
               .found = std::move(found),
               .expected = std::move(expected)});
}

std::uint32_t read_u32(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t byte = 4; byte-- > 0;) value = (value << 8U) | static_cast<unsigned char>(bytes[at + byte]);
  return value;
}

// A unit of the array, as darts-clone lays it out.
bool has_leaf(std::uint32_t unit) {
  return ((unit >> 8U) & 1U) == 1;
}
std::uint32_t label_of(std::uint32_t unit) {
  return unit & 0x800000FFU;
}
std::uint32_t value_of(std::uint32_t unit) {
  return unit & 0x7FFFFFFFU;
}
std::uint32_t offset_of(std::uint32_t unit) {
  return (unit >> 10U) << ((unit & 0x200U) >> 6U);
}

int base64_digit(char letter) {
  if (letter >= 'A' && letter <= 'Z') return letter - 'A';
  if (letter >= 'a' && letter <= 'z') return letter - 'a' + 26;
  if (letter >= '0' && letter <= '9') return letter - '0' + 52;
  return letter == '+' ? 62 : letter == '/' ? 63 : -1;
}

}  // namespace

Charsmap::Charsmap(std::string_view blob, const PatternPlace& place) {
  if (blob.size() < 4) refuse(place, "the table of replacements is too short", fmt::format("{} bytes", blob.size()), "at least 4 bytes");
  const std::uint32_t size = read_u32(blob, 0);
  blob.remove_prefix(4);
  if (size == 0 || size % 4 != 0 || size > blob.size()) {
    refuse(place, "the size of the trie does not fit the table of replacements", fmt::format("{} bytes", size),
           fmt::format("a multiple of 4 from 4 to {}", blob.size()));
  }
  units_.reserve(size / 4);
  for (std::size_t at = 0; at < size; at += 4) units_.push_back(read_u32(blob, at));
  replacements_ = blob.substr(size);
  if (repair_utf8(replacements_).replaced > 0) refuse(place, "the replacements are not valid UTF-8");
}

template <typename Visit>
void Charsmap::for_each_rule(std::string_view subject, Visit visit) const {
  std::size_t node = offset_of(units_[0]);
  for (std::size_t at = 0; at < subject.size() && subject[at] != '\0'; ++at) {
    const auto byte = static_cast<unsigned char>(subject[at]);
    node ^= byte;
    if (node >= units_.size() || label_of(units_[node]) != byte) return;
    const bool is_rule = has_leaf(units_[node]);
    node ^= offset_of(units_[node]);
    if (node >= units_.size()) return;
    if (is_rule && !visit(Match{at + 1, replacement_at(value_of(units_[node]))})) return;
  }
}

std::string_view Charsmap::replacement_at(std::uint32_t place) const {
  if (place >= replacements_.size()) return {};
  const std::string_view rest = std::string_view(replacements_).substr(place);
  return rest.substr(0, rest.find('\0'));
}

Charsmap::Match Charsmap::shortest(std::string_view subject) const {
  Match found;
  for_each_rule(subject, [&](const Match& match) {
    found = match;
    return false;
  });
  return found;
}

Charsmap::Match Charsmap::longest(std::string_view subject) const {
  Match found;
  for_each_rule(subject, [&](const Match& match) {
    found = match;
    return true;
  });
  return found;
}

std::string decode_base64(std::string_view text, const PatternPlace& place) {
  if (text.size() % 4 != 0) refuse(place, "this is not base64", fmt::format("{} letters", text.size()), "a multiple of 4");
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_padding = at >= text.size() - padding;
    const int digit = is_padding ? 0 : base64_digit(text[at]);
    if (digit < 0)
      refuse(place, fmt::format("this is not base64 at character {}", at), fmt::format("\"{}\"", printable(text.substr(at, 1))));
    bits = (bits << 6U) | static_cast<std::uint32_t>(digit);
    if (at % 4 != 3) continue;
    for (unsigned shift = 24; shift > 0; shift -= 8) bytes.push_back(static_cast<char>(static_cast<unsigned char>(bits >> (shift - 8))));
  }
  bytes.erase(bytes.size() - std::min(padding, bytes.size()));
  return bytes;
}

}  // namespace headlight
