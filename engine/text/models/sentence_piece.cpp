#include "engine/text/models/sentence_piece.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "engine/core/error.h"

namespace headlight {

UnknownWriter::UnknownWriter(const Vocabulary& vocabulary, UnknownPieces rules, const std::string& file, std::vector<std::string>& warnings)
    : rules_(rules), bytes_(rules.has_byte_fallback ? ByteTokens(vocabulary, file, warnings) : ByteTokens()) {}

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
    into.tokens.push_back({*rules_.id, range, true});
  }
}

Vocabulary vocabulary_of(const std::vector<SentencePiece>& pieces, const std::string& file, std::vector<std::string>& warnings) {
  std::vector<std::string> texts;
  texts.reserve(pieces.size());
  for (const SentencePiece& piece : pieces) texts.push_back(piece.text);
  return Vocabulary(std::move(texts), [&](std::size_t first, std::size_t last) {
    warnings.push_back(fmt::format("{}: the pieces {} and {} are both \"{}\"", file, first, last, printable(pieces[first].text, 60)));
  });
}

UnknownPieces with_unknown_id(UnknownPieces rules, const std::vector<SentencePiece>& pieces) {
  const auto unknown = std::find_if(pieces.begin(), pieces.end(), [](const auto& piece) { return piece.type == PieceType::unknown; });
  if (!rules.id && unknown != pieces.end()) rules.id = unknown - pieces.begin();
  return rules;
}

bool is_matched(PieceType type) {
  return type == PieceType::normal || type == PieceType::user_defined || type == PieceType::unused;
}

}  // namespace headlight
