// For tests: SentencePiece models written as the protocol buffer that sentencepiece_model.proto defines.
#pragma once

#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/files/sentence_piece_file.h"

namespace headlight::testing {

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7U) bytes.push_back(static_cast<char>(0x80U | (value & 0x7FU)));
  bytes.push_back(static_cast<char>(value));
  return bytes;
}
inline std::string number_field(std::uint64_t field, std::uint64_t value) {
  return varint(field << 3U) + varint(value);
}
inline std::string bytes_field(std::uint64_t field, std::string_view content) {
  return varint((field << 3U) | 2U) + varint(content.size()) + std::string(content);
}
inline std::string float_field(std::uint64_t field, float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  std::string bytes = varint((field << 3U) | 5U);
  for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(bits >> shift));
  return bytes;
}
inline std::string piece_field(const SentencePiece& piece) {
  return bytes_field(1, bytes_field(1, piece.text) + float_field(2, piece.score) + number_field(3, static_cast<std::uint64_t>(piece.type)));
}
inline std::string sentence_piece_bytes(const SentencePieceFile& file) {
  std::string bytes;
  for (const SentencePiece& piece : file.pieces) bytes += piece_field(piece);
  bytes += bytes_field(2, number_field(3, static_cast<std::uint64_t>(file.algorithm)) + number_field(24, file.marks_blanks_behind ? 1 : 0) +
                              number_field(35, file.has_byte_fallback ? 1 : 0));
  bytes += bytes_field(3, bytes_field(2, file.charsmap) + number_field(3, file.adds_dummy_prefix ? 1 : 0) +
                              number_field(4, file.removes_extra_blanks ? 1 : 0) + number_field(5, file.escapes_blanks ? 1 : 0));
  return bytes;
}

/// <unk> <s> </s>, then "▁the", "▁cat", letters of both and "▁".
inline SentencePieceFile small_sentence_piece_file() {
  SentencePieceFile file;
  file.pieces = {{"<unk>", 0, PieceType::unknown},
                 {"<s>", 0, PieceType::control},
                 {"</s>", 0, PieceType::control},
                 {"▁the", -2},
                 {"▁cat", -3},
                 {"▁", -4}};
  for (const char* letter : {"t", "h", "e", "c", "a"}) file.pieces.push_back({letter, -6});
  return file;
}

}  // namespace headlight::testing
