// SentencePiece's *.model files: a protocol buffer (github.com/google/sentencepiece, sentencepiece_model.proto;
// protobuf.dev/programming-guides/encoding for the bytes).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/models/sentence_piece.h"
#include "engine/text/steps/normalizer.h"

namespace headlight {

struct SentencePieceFile {
  std::string name;  ///< the file, for messages
  std::vector<SentencePiece> pieces;
  enum class Algorithm : std::uint8_t { unigram = 1, bpe = 2, word = 3, character = 4 };
  Algorithm algorithm = Algorithm::unigram;
  bool has_byte_fallback = false;
  bool marks_blanks_behind = false;  ///< "the▁" instead of "▁the"
  std::string charsmap;              ///< see charsmap.h; empty: nothing is replaced
  bool adds_dummy_prefix = true;     ///< a blank before the text
  bool removes_extra_blanks = true;  ///< at the start, at the end, and all but one in between
  bool escapes_blanks = true;        ///< as "▁"
};

/// Unknown fields are skipped. Throws Error (input) with the byte offset for broken bytes, and naming the piece for one that is empty,
/// not UTF-8, of no known type or with a score that is not a number, and when there are no pieces or not one unknown piece.
SentencePieceFile read_sentence_piece_file(std::string_view bytes, const std::string& name);

/// The model of the file; the pieces may have been rearranged. Throws Error (input) for an algorithm that is not supported.
std::unique_ptr<const TokenModel> make_sentence_piece_model(const SentencePieceFile& file, std::vector<std::string>& warnings);

/// SentencePiece's own normalizer: replacements by the longest rule, blanks as the file says; user-defined pieces are left as they are.
std::unique_ptr<const Normalizer> make_sentence_piece_normalizer(const SentencePieceFile& file);

}  // namespace headlight
