#include "engine/text/models/word_level.h"

#include <fmt/core.h>

#include <utility>

#include "engine/core/error.h"

namespace headlight {

WordLevelModel::WordLevelModel(Vocabulary vocabulary, std::string unknown_token, std::string file)
    : vocabulary_(std::move(vocabulary)), unknown_token_(std::move(unknown_token)), file_(std::move(file)) {}

void WordLevelModel::tokenize(std::string_view piece, ModelTokens& into) const {
  std::optional<std::int64_t> id = vocabulary_.id_of(piece);
  if (!id) id = vocabulary_.id_of(unknown_token_);
  if (!id) {
    throw Error({.kind = ErrorKind::input,
                 .file = file_,
                 .field = "model.vocab",
                 .problem = fmt::format("the word \"{}\" is not in the vocabulary, nor is the unknown token \"{}\"", printable(piece, 60),
                                        printable(unknown_token_, 60)),
                 .hint = fmt::format("The model knows {} words.", vocabulary_.size())});
  }
  into.tokens.push_back({*id, {0, static_cast<std::uint32_t>(piece.size())}});
}

}  // namespace headlight
