// The step that turns pieces of text into ids: one class per kind of tokenizer model.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/unicode/unicode.h"
#include "engine/text/vocabulary.h"

namespace headlight {

/// A token of one piece; the range is relative to the piece.
struct ModelToken {
  std::int64_t id = 0;
  ByteRange range;
  bool is_unknown = false;  ///< of a Unigram model: the unknown token in place of text that no piece matches
};

struct ModelTokens {
  std::vector<ModelToken> tokens;
  std::size_t left_out = 0;  ///< code points that the vocabulary does not have, of a model without an unknown token
};

/// Immutable after construction; tokenize may be called from any thread.
class TokenModel {
 public:
  TokenModel() = default;
  TokenModel(const TokenModel&) = delete;
  TokenModel& operator=(const TokenModel&) = delete;
  virtual ~TokenModel() = default;

  /// Adds the tokens of one piece (not empty, valid UTF-8) to `into`.
  virtual void tokenize(std::string_view piece, ModelTokens& into) const = 0;
  virtual const Vocabulary& vocabulary() const = 0;
  virtual std::string name() const = 0;  ///< "BPE"
  /// What a character becomes that the vocabulary lacks; none: it is left out, or written by its bytes.
  virtual std::optional<std::int64_t> unknown_id() const { return std::nullopt; }
};

/// Makes the model of a tokenizer.json from its "model" object. Files from before 2021 have no "type"; it follows from the fields.
/// Throws Error (input) naming the field, and, for an unsupported type, the supported ones.
std::unique_ptr<const TokenModel> make_token_model(const JsonFields& model, std::vector<std::string>& warnings);

}  // namespace headlight
