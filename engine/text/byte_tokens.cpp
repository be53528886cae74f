#include "engine/text/byte_tokens.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "engine/core/error.h"

namespace headlight {
namespace {

bool looks_like_byte_token(std::string_view token) {
  return token.size() == 6 && token.starts_with("<0x") && token.ends_with(">");
}

}  // namespace

std::optional<unsigned char> byte_of_token(std::string_view token) {
  if (!looks_like_byte_token(token)) return std::nullopt;
  unsigned char value = 0;
  const char* const digits = token.data() + 3;
  if (std::from_chars(digits, digits + 2, value, 16).ptr != digits + 2) return std::nullopt;
  return value;
}

ByteTokens::ByteTokens(const Vocabulary& vocabulary, const std::string& file) {
  vocabulary.for_each([&](const std::string& token, std::int64_t id) {
    if (!looks_like_byte_token(token)) return;
    const std::optional<unsigned char> byte = byte_of_token(token);
    if (!byte) {
      throw Error({.kind = ErrorKind::input,
                   .file = file,
                   .field = "model.vocab",
                   .problem = "a byte token is not a byte",
                   .found = in_quotes(token),
                   .expected = "<0x00> to <0xFF>"});
    }
    if (token == fmt::format("<0x{:02X}>", *byte)) ids_[*byte] = static_cast<std::uint32_t>(id);
  });
}

bool ByteTokens::covers(std::string_view text) const {
  return std::all_of(text.begin(), text.end(), [&](char byte) { return ids_[static_cast<unsigned char>(byte)].has_value(); });
}

}  // namespace headlight
