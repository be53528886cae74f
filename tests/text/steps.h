// For the tests of tokenizer steps: parts from JSON text, and their results as plain values.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/formats/json.h"
#include "engine/text/models/token_model.h"
#include "engine/text/unicode/aligned_text.h"

namespace headlight::testing {

inline Json json_of(std::string_view text) {
  return Json::parse(text);
}

inline PieceList one_piece(std::string_view text) {
  PieceList list;
  list.text = AlignedText::of(text);
  list.pieces.push_back({{0, static_cast<std::uint32_t>(text.size())}});
  return list;
}

inline std::vector<std::string> texts_of(const PieceList& list) {
  std::vector<std::string> texts;
  for (const Piece& piece : list.pieces) texts.emplace_back(list.bytes_of(piece));
  return texts;
}

/// The typed bytes that each piece stands for.
inline std::vector<std::pair<int, int>> origins_of(const PieceList& list) {
  std::vector<std::pair<int, int>> origins;
  for (const Piece& piece : list.pieces) {
    const ByteRange range = list.text.origin_of(piece.range);
    origins.emplace_back(range.begin, range.end);
  }
  return origins;
}

/// The tokens that a model makes of one piece.
inline std::vector<std::string> tokens_of(const TokenModel& model, const std::string& piece) {
  ModelTokens found;
  model.tokenize(piece, found);
  std::vector<std::string> result;
  for (const ModelToken& token : found.tokens) result.push_back(*model.vocabulary().token_of(token.id));
  return result;
}

}  // namespace headlight::testing
