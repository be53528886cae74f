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

  /// Starts with one part, or two for a pair; parts may be added. Ranges are trimmed and type ids set even without special tokens. Throws
  /// Error (input) for a template after another one that left more than two parts: nobody can say which of them is a sentence.
  virtual void apply(std::vector<TokenPart>& parts, bool adds_special = true) const = 0;
};

/// Makes the "post_processor" of a tokenizer.json; nullptr for null. Throws Error (input) naming the field, and, for an unsupported type,
/// the supported ones.
std::unique_ptr<const PostProcessor> make_post_processor(const Json& json, const std::string& file, const std::string& path);

/// <s> A </s> </s> B </s> with all type ids 0 and trimmed ranges, for vocabularies without a tokenizer.json.
struct SpecialToken {
  std::string text;
  std::int64_t id = 0;
};
std::unique_ptr<const PostProcessor> make_roberta_processor(const SpecialToken& start, const SpecialToken& separator);

/// What a template puts in order: the next sentence, or a special token.
struct TemplatePart {
  std::optional<SpecialToken> special;
  int type_id = 0;
};
using TokenTemplate = std::vector<TemplatePart>;
std::unique_ptr<const PostProcessor> make_template_processor(const TokenTemplate& single, const TokenTemplate& pair);
/// [CLS] A [SEP] B [SEP], as for BERT and ALBERT.
std::unique_ptr<const PostProcessor> make_bert_processor(const SpecialToken& start, const SpecialToken& separator);

}  // namespace headlight
