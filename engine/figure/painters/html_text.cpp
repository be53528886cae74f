#include "engine/figure/painters/html_text.h"

#include "engine/core/error.h"

namespace headlight {

std::string in_html(const std::string& text) {
  std::string result;
  for (const char byte : printable(text, text.size() * 8 + 8)) {
    result += byte == '&' ? "&amp;" : byte == '<' ? "&lt;" : byte == '>' ? "&gt;" : byte == '"' ? "&quot;" : std::string(1, byte);
  }
  return result;
}

std::string replaced(std::string text, std::string_view what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) text.replace(at, what.size(), by);
  return text;
}

}  // namespace headlight
