#include "engine/text/sentence_piece.h"

namespace headlight {

UnknownWriter::UnknownWriter(const Vocabulary& vocabulary, UnknownPieces rules, const std::string& file)
    : rules_(rules), bytes_(rules.has_byte_fallback ? ByteTokens(vocabulary, file) : ByteTokens()) {}

void UnknownWriter::write(std::string_view piece, ByteRange range, ModelTokens& into) const {
  const std::string_view text = piece.substr(range.begin, range.end - range.begin);
  if (rules_.has_byte_fallback && bytes_.covers(text)) {
    for (const char byte : text) into.tokens.push_back({bytes_.id_of(byte), range});
    return;
  }
  if (!rules_.id) {
    into.left_out += code_point_index(text).back();
    return;
  }
  const bool continues = rules_.are_fused && !into.tokens.empty() && range.begin > 0 && into.tokens.back().id == *rules_.id &&
                         into.tokens.back().range.end == range.begin;
  if (continues) {
    into.tokens.back().range.end = range.end;
  } else {
    into.tokens.push_back({*rules_.id, range});
  }
}

std::vector<std::string> texts_of(const std::vector<SentencePiece>& pieces) {
  std::vector<std::string> texts;
  texts.reserve(pieces.size());
  for (const SentencePiece& piece : pieces) texts.push_back(piece.text);
  return texts;
}

bool is_matched(PieceType type) {
  return type == PieceType::normal || type == PieceType::user_defined || type == PieceType::unused;
}

}  // namespace headlight
