// Tokens that stand for one byte each: <0x00> … <0xFF>. A character that a vocabulary lacks is written with them ("byte fallback").
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/vocabulary.h"

namespace headlight {

/// The byte of "<0x1F>"; nullopt for any other text, "<0x-1>" too.
std::optional<unsigned char> byte_of_token(std::string_view token);

/// A vocabulary that writes text by its bytes has a token for each of the 256; adds a sentence to `warnings` where some are missing.
void note_missing_bytes(const std::string& file, const std::function<bool(unsigned char)>& has_byte, std::vector<std::string>& warnings);

class ByteTokens {
 public:
  ByteTokens() = default;
  /// Adds missing bytes to `warnings`. Throws Error (input) naming a token that looks like a byte token but is not one, such as <0xZZ>.
  ByteTokens(const Vocabulary& vocabulary, const std::string& file, std::vector<std::string>& warnings);

  /// Whether every byte of the text has a token.
  bool covers(std::string_view text) const;
  std::uint32_t id_of(char byte) const { return *ids_[static_cast<unsigned char>(byte)]; }  ///< only of covered bytes

 private:
  std::array<std::optional<std::uint32_t>, 256> ids_;
};

}  // namespace headlight
