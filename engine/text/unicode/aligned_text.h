// A text on its way to tokens: rewritten step by step, with every byte still knowing which part of the typed text it stands for.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/unicode/unicode.h"

namespace headlight {

/// One code point of a rewritten text: `consumed` is how many code points of the old text it stands for; 0: it was inserted.
struct RewrittenCodePoint {
  char32_t value = 0;
  std::uint32_t consumed = 1;
};

struct AlignedText {
  std::string text;
  std::vector<ByteRange> origin;  ///< for each byte of `text` the bytes of the typed text; whole code points

  /// Every code point stands for itself.
  static AlignedText of(std::string_view typed);

  void append(std::string_view bytes, ByteRange from);  ///< all of them stand for the same part
  void append(const AlignedText& other, ByteRange range);
  /// The typed text that a range of `text` stands for: from its first byte's to its last byte's.
  ByteRange origin_of(ByteRange range) const;

  /// The text made of these code points, the first `skipped` old ones left out. Follows Hugging Face's NormalizedString: a code point
  /// that stands for several has the origin of the first of them, an inserted one that of the last that was consumed before it.
  AlignedText rewritten(std::span<const RewrittenCodePoint> code_points, std::size_t skipped = 0) const;
};

/// A stretch of the text: still to be tokenized, or found to be an added token.
struct Piece {
  ByteRange range;  ///< of the list's text
  std::int64_t added_token = kNone;
  static constexpr std::int64_t kNone = -1;
  bool is_open() const { return added_token == kNone; }
};

/// The text and its pieces in order. What lies between pieces was dropped (blanks, say).
struct PieceList {
  AlignedText text;
  std::vector<Piece> pieces;

  std::string_view bytes_of(const Piece& piece) const {
    return std::string_view(text.text).substr(piece.range.begin, piece.range.end - piece.range.begin);
  }
};

/// Replaces each open piece by the pieces that `cut(bytes)` makes of it (ranges relative to the piece); empty ones vanish.
template <typename Cut>
void split_pieces(PieceList& list, Cut cut) {
  std::vector<Piece> result;
  result.reserve(list.pieces.size());
  for (const Piece& piece : list.pieces) {
    if (!piece.is_open()) {
      result.push_back(piece);
      continue;
    }
    for (const Piece& part : cut(list.bytes_of(piece))) {
      if (part.range.begin == part.range.end) continue;
      result.push_back({{piece.range.begin + part.range.begin, piece.range.begin + part.range.end}, part.added_token});
    }
  }
  list.pieces = std::move(result);
}

/// Rewrites each open piece: `write(text, range, into)` appends what the range becomes.
template <typename Write>
void rewrite_pieces(PieceList& list, Write write) {
  PieceList result;
  result.text.text.reserve(list.text.text.size());
  result.text.origin.reserve(list.text.origin.size());
  for (const Piece& piece : list.pieces) {
    const auto begin = static_cast<std::uint32_t>(result.text.text.size());
    if (piece.is_open()) {
      write(list.text, piece.range, result.text);
    } else {
      result.text.append(list.text, piece.range);
    }
    const auto end = static_cast<std::uint32_t>(result.text.text.size());
    if (begin != end) result.pieces.push_back({{begin, end}, piece.added_token});
  }
  list = std::move(result);
}

}  // namespace headlight
