#include "engine/core/error.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

namespace headlight {
namespace {

constexpr std::string_view kEllipsis = "…";

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  // 0: not well-formed UTF-8
};

/// The character at the start of `text`, by the table of well-formed sequences (Unicode 15, table 3-7).
Character decode_first(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xC2 || lead > 0xF4) return {};
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() < length) return {};
  char32_t code = lead & (0x7FU >> length);
  for (std::size_t at = 1; at < length; ++at) {
    if ((byte(at) & 0xC0U) != 0x80U) return {};
    code = (code << 6U) | (byte(at) & 0x3FU);
  }
  const bool is_overlong = code < (length == 3 ? 0x800U : length == 4 ? 0x10000U : 0x80U);
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (is_overlong || is_surrogate || code > 0x10FFFF) return {};
  return {code, length};
}

constexpr std::array<std::pair<char32_t, char32_t>, 7> kSteeringRanges = {
    {{0x7F, 0x9F}, {0x61C, 0x61C}, {0x200E, 0x200F}, {0x2028, 0x2029}, {0x202A, 0x202E}, {0x2066, 0x2069}, {0xFEFF, 0xFEFF}}};

/// Characters that steer the output instead of being seen: DEL, C1 and bidi controls, line and paragraph separators, byte order mark.
bool is_steering(char32_t code) {
  return std::any_of(kSteeringRanges.begin(), kSteeringRanges.end(),
                     [&](const auto& range) { return code >= range.first && code <= range.second; });
}

/// The first `bytes` bytes of a text or fewer, up to where a character ends, and "…".
std::string cut(const std::string& text, std::size_t bytes) {
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) --bytes;
  return text.substr(0, bytes) + std::string(kEllipsis);
}

/// Escaped, and so short that the message has at most kLongestMessage bytes: the longest parts give way, down to what still says something.
ErrorDetail readable(ErrorDetail detail) {
  constexpr std::size_t kJoints = 80;  // "; found ", "(byte 18446744073709551615)" and the like
  constexpr std::size_t kShortest = 120;
  const std::array<std::string*, 6> parts = {&detail.file, &detail.field, &detail.problem, &detail.found, &detail.expected, &detail.hint};
  std::size_t bytes = kJoints;
  for (std::string* part : parts) {
    *part = printable(*part, part->size() * 8);
    bytes += part->size();
  }
  while (bytes > kLongestMessage) {
    std::string& longest =
        **std::max_element(parts.begin(), parts.end(), [](const auto* a, const auto* b) { return a->size() < b->size(); });
    const std::size_t excess = bytes - kLongestMessage + kEllipsis.size();
    const std::size_t kept = std::max(longest.size() - std::min(longest.size(), excess), kShortest);
    if (kept + kEllipsis.size() >= longest.size()) break;
    bytes -= longest.size();
    longest = cut(longest, kept);
    bytes += longest.size();
  }
  return detail;
}

std::string compose(const ErrorDetail& detail) {
  std::string message;
  const auto append = [&](std::string_view lead, std::string_view text) {
    if (!text.empty()) message.append(message.empty() ? "" : lead).append(text);
  };
  append("", detail.file);
  append(": ", detail.field);
  if (detail.offset) append(" ", fmt::format("(byte {})", *detail.offset));
  append(": ", detail.problem);
  append("; ", detail.found.empty() ? "" : "found " + detail.found);
  append(detail.found.empty() ? "; " : ", ", detail.expected.empty() ? "" : "expected " + detail.expected);
  append(". ", detail.hint);
  return message;
}

}  // namespace

Error::Error(ErrorDetail detail) : std::runtime_error(compose(detail = readable(std::move(detail)))), detail_(std::move(detail)) {}

std::string json_escaped(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  while (!json.empty()) {
    const Character character = decode_first(json);
    if (character.bytes > 0 && is_steering(character.code)) {
      result += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(character.code));
    } else {
      result += json.substr(0, std::max<std::size_t>(character.bytes, 1));
    }
    json.remove_prefix(std::max<std::size_t>(character.bytes, 1));
  }
  return result;
}

std::string printable_lines(std::string_view text) {
  std::string result;
  while (true) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    result += printable(line, line.size() * 8);
    if (end == std::string_view::npos) return result;
    result += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string printable(std::string_view text, std::size_t max_bytes) {
  std::string result;
  while (!text.empty()) {
    const Character character = decode_first(text);
    std::string shown;
    if (character.bytes == 0 || character.code < 0x20 || character.code == 0x7F) {
      shown = fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    } else if (is_steering(character.code)) {
      shown = fmt::format("U+{:04X}", static_cast<std::uint32_t>(character.code));
    } else {
      shown = text.substr(0, character.bytes);
    }
    if (result.size() + shown.size() > max_bytes) return result.append(kEllipsis);
    result += shown;
    text.remove_prefix(std::max<std::size_t>(character.bytes, 1));
  }
  return result;
}

}  // namespace headlight
