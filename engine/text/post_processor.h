// The last step of a tokenizer: special tokens around the sentences, type ids, trimmed ranges. One maker per "type" in a table.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "engine/formats/json.h"
#include "engine/text/tokenizer.h"

namespace headlight {

/// Tokens of one sentence, or special tokens between sentences, in the order they will have.
struct TokenPart {
  std::vector<Token> tokens;
  std::string_view text;  ///< what Token::bytes point into
};

/// Immutable after construction; apply may be called from any thread.
class PostProcessor {
 public:
  PostProcessor() = default;
  PostProcessor(const PostProcessor&) = delete;
  PostProcessor& operator=(const PostProcessor&) = delete;
  virtual ~PostProcessor() = default;

  /// Starts with one part, or two for a pair; parts may be added.
  virtual void apply(std::vector<TokenPart>& parts) const = 0;
  /// Whether special tokens are added. Only one step may: another would take them for sentences.
  virtual bool adds_tokens() const { return false; }
};

/// Makes the "post_processor" of a tokenizer.json; nullptr for null. Throws Error (input) naming the field, and for a type that is not
/// supported the types that are.
std::unique_ptr<const PostProcessor> make_post_processor(const Json& json, const std::string& file, const std::string& path);

}  // namespace headlight
