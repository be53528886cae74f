#include "engine/measures/key_set.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "engine/core/error.h"
#include "engine/text/unicode/character_sets.h"
#include "engine/text/unicode/unicode.h"

namespace headlight {
namespace {

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

/// Without blanks around it, and as it is written in texts: "first token" is how the window says it.
std::string_view spelled(std::string_view part) {
  while (part.starts_with(' ')) part.remove_prefix(1);
  while (part.ends_with(' ')) part.remove_suffix(1);
  constexpr std::string_view kToken = "token ";
  if (part == "first token") return "first-token";
  if (part == "special tokens") return "special";
  return part.starts_with(kToken) ? part.substr(kToken.size()) : part;
}

bool add_part(KeySet& keys, std::string_view part) {
  if (part == "special") return keys.has_special = true;
  if (part == "punctuation") return keys.has_punctuation = true;
  const bool is_id = part.starts_with('#');
  const auto number = part == "first-token" ? std::optional<std::int64_t>(0) : number_of(is_id ? part.substr(1) : part);
  if (number) (is_id ? keys.ids : keys.positions).push_back(*number);
  return number.has_value();
}

void sort_once(std::vector<std::int64_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

/// Marks of vocabularies for a blank before the word, which are not part of it.
bool is_blank_mark(char32_t value) {
  return value == 0x120 || value == 0x2581 || is_white_space(value);
}

bool is_punctuation_alone(const std::string& token) {
  bool has_any = false;
  const std::string text = repair_utf8(token).text;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    at += point.bytes;
    if (is_blank_mark(point.value)) continue;
    if (!is_punctuation(point.value)) return false;
    has_any = true;
  }
  return has_any;
}

}  // namespace

KeySet parse_key_set(std::string_view text) {
  KeySet keys;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of("+,", begin), text.size());
    const std::string_view part = spelled(text.substr(begin, end - begin));
    if (!add_part(keys, part)) {
      throw Error(
          {.kind = ErrorKind::usage,
           .field = "set of keys",
           .problem = "unknown part",
           .found = fmt::format("\"{}\"", printable(part, 60)),
           .expected = "first-token, special, punctuation, a position such as 3, a token id such as #50256, or several joined by +"});
    }
    begin = end + 1;
  }
  sort_once(keys.positions);
  sort_once(keys.ids);
  return keys;
}

std::string key_set_text(const KeySet& keys) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "+") + part; };
  for (const std::int64_t position : keys.positions) add(position == 0 ? "first-token" : fmt::format("{}", position));
  if (keys.has_special) add("special");
  if (keys.has_punctuation) add("punctuation");
  for (const std::int64_t id : keys.ids) add(fmt::format("#{}", id));
  return text;
}

std::vector<std::int64_t> keys_of_text(const KeySet& keys, const std::vector<Token>& tokens) {
  std::vector<std::int64_t> found;
  for (const std::int64_t position : keys.positions) {
    if (position < std::ssize(tokens)) found.push_back(position);
  }
  const bool asks_tokens = keys.has_special || keys.has_punctuation || !keys.ids.empty();
  for (std::size_t at = 0; asks_tokens && at < tokens.size(); ++at) {
    const Token& token = tokens[at];
    const bool is_in = (keys.has_special && (token.is_special || token.is_typed_special)) ||
                       std::binary_search(keys.ids.begin(), keys.ids.end(), token.id) ||
                       (keys.has_punctuation && !token.is_special && is_punctuation_alone(token.text));
    if (is_in) found.push_back(static_cast<std::int64_t>(at));
  }
  sort_once(found);
  return found;
}

}  // namespace headlight
