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

void note_missing_bytes(const std::string& file, const std::function<bool(unsigned char)>& has_byte, std::vector<std::string>& warnings) {
  int missing = 0;
  std::string which;
  for (int byte = 0; byte < 256; ++byte) {
    if (has_byte(static_cast<unsigned char>(byte))) continue;
    constexpr int kMostNamed = 3;
    if (++missing <= kMostNamed) which += fmt::format("{}0x{:02X}", missing == 1 ? "" : ", ", byte);
    if (missing == kMostNamed + 1) which += " …";
  }
  if (missing == 0) return;
  warnings.push_back(
      fmt::format("{}: {} of the 256 tokens for single bytes {} missing ({}): characters that need them become the unknown "
                  "token, or are left out",
                  file, missing, missing == 1 ? "is" : "are", which));
}

ByteTokens::ByteTokens(const Vocabulary& vocabulary, const std::string& file, std::vector<std::string>& warnings) {
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
  note_missing_bytes(
      file, [&](unsigned char byte) { return ids_[byte].has_value(); }, warnings);
}

bool ByteTokens::covers(std::string_view text) const {
  return std::all_of(text.begin(), text.end(), [&](char byte) { return ids_[static_cast<unsigned char>(byte)].has_value(); });
}

}  // namespace headlight
