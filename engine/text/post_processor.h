// The last step of a tokenizer: special tokens around the sentences, type ids, trimmed ranges. One maker per "type" in a table.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
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

  /// Starts with one part, or two for a pair; parts may be added. Without special tokens ranges are trimmed and type ids set all the same.
  virtual void apply(std::vector<TokenPart>& parts, bool adds_special = true) const = 0;
  /// Whether special tokens are added. Only one step may: another would take them for sentences.
  virtual bool adds_tokens() const { return false; }
};

/// Makes the "post_processor" of a tokenizer.json; nullptr for null. Throws Error (input) naming the field, and for a type that is not
/// supported the types that are.
std::unique_ptr<const PostProcessor> make_post_processor(const Json& json, const std::string& file, const std::string& path);

/// <s> A </s> </s> B </s> with all type ids 0 and trimmed ranges, for vocabularies without a tokenizer.json.
struct SpecialToken {
  std::string text;
  std::int64_t id = 0;
};
std::unique_ptr<const PostProcessor> make_roberta_processor(const SpecialToken& start, const SpecialToken& separator);

/// A template: special tokens, and the sentences as nullopt. The first sentence of `pair` and what stands before the second one have type
/// id 0, the rest `second_type`.
using TokenTemplate = std::vector<std::optional<SpecialToken>>;
std::unique_ptr<const PostProcessor> make_template_processor(const TokenTemplate& single, const TokenTemplate& pair, int second_type);

}  // namespace headlight
