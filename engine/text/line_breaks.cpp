#include "engine/text/line_breaks.h"

#include <algorithm>

namespace headlight {
namespace {

bool is_inside_character(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

/// How many bytes of the text the line break at `at` takes; 0 where there is none.
std::size_t line_break_at(std::string_view text, std::size_t at) {
  if (text[at] == '\r') return at + 1 < text.size() && text[at + 1] == '\n' ? 2 : 1;
  return text[at] == '\n' ? 1 : 0;
}

/// The place in `text` that is `shown` bytes into on_one_line(text); that of the line break where it lies inside its sign.
std::size_t place_of(std::string_view text, std::size_t shown) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t taken = line_break_at(text, at);
    const std::size_t width = taken > 0 ? kLineBreakSign.size() : 1;
    if (width > shown) break;
    shown -= width;
    at += std::max<std::size_t>(taken, 1);
  }
  return at;
}

std::string read_signs(std::string_view edited) {
  std::string text;
  while (!edited.empty()) {
    const std::size_t sign = std::min(edited.find(kLineBreakSign), edited.size());
    text += edited.substr(0, sign);
    edited.remove_prefix(sign);
    if (edited.empty()) break;
    text += '\n';
    edited.remove_prefix(kLineBreakSign.size());
  }
  return text;
}

}  // namespace

std::string on_one_line(std::string_view text) {
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t taken = line_break_at(text, at);
    taken > 0 ? line.append(kLineBreakSign) : line.append(1, text[at]);
    at += std::max<std::size_t>(taken, 1);
  }
  return line;
}

std::string with_line_breaks(std::string_view text, std::string_view edited) {
  const std::string shown = on_one_line(text);
  const std::size_t shorter = std::min(shown.size(), edited.size());
  std::size_t head = 0, tail = 0;
  while (head < shorter && shown[head] == edited[head]) ++head;
  while (head > 0 && (is_inside_character(edited, head) || is_inside_character(shown, head))) --head;
  while (tail < shorter - head && shown[shown.size() - 1 - tail] == edited[edited.size() - 1 - tail]) ++tail;
  while (tail > 0 && is_inside_character(edited, edited.size() - tail)) --tail;
  std::string result(text.substr(0, place_of(text, head)));
  result += read_signs(edited.substr(head, edited.size() - tail - head));
  result += text.substr(place_of(text, shown.size() - tail));
  return result;
}

}  // namespace headlight
