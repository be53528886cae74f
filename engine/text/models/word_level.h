// The simplest model: a piece is a token, or the unknown token.
#pragma once

#include <string>

#include "engine/text/models/token_model.h"

namespace headlight {

class WordLevelModel final : public TokenModel {
 public:
  WordLevelModel(Vocabulary vocabulary, std::string unknown_token, std::string file);

  /// Throws Error (input) for a piece that is not in the vocabulary where there is no unknown token either.
  void tokenize(std::string_view piece, ModelTokens& into) const override;
  const Vocabulary& vocabulary() const override { return vocabulary_; }
  std::string name() const override { return "WordLevel"; }

 private:
  Vocabulary vocabulary_;
  std::string unknown_token_;
  std::string file_;
};

}  // namespace headlight
