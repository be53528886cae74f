// A tokenizer as Hugging Face builds them: added tokens, normalizer, pre-tokenizer, model, post-processor, one after the other.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/text/label.h"
#include "engine/text/models/token_model.h"
#include "engine/text/steps/added_tokens.h"
#include "engine/text/steps/decoder.h"
#include "engine/text/steps/normalizer.h"
#include "engine/text/steps/post_processor.h"
#include "engine/text/steps/pre_tokenizer.h"
#include "engine/text/tokenizer.h"

namespace headlight {

/// The steps; all but the model may be missing.
struct TokenizerParts {
  std::string file = {};  ///< where the vocabulary was read, for messages
  std::unique_ptr<const Normalizer> normalizer;
  std::unique_ptr<const PreTokenizer> pre_tokenizer;
  std::unique_ptr<const TokenModel> model;
  std::unique_ptr<const PostProcessor> post_processor;
  std::unique_ptr<const Decoder> decoder;  ///< if missing, tokens are joined with blanks between them
  std::vector<AddedToken> added_tokens;
  Precedence precedence = Precedence::leftmost;  ///< of added tokens that overlap
  LabelScheme labels = LabelScheme::plain;
  std::vector<std::string> warnings;
};

std::shared_ptr<const Tokenizer> make_pipeline_tokenizer(TokenizerParts parts);

/// Reads the parts of a tokenizer.json. Throws Error (input) naming the field.
TokenizerParts read_tokenizer_json(const Json& json, const std::string& file);

}  // namespace headlight
