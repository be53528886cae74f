// From text to tokens: what every tokenizer gives, whatever file it came from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/unicode/unicode.h"

namespace headlight {

struct Token {
  std::int64_t id = 0;
  std::string text;               ///< as the model has it: "Ġanimal", "##ing", "▁the"
  ByteRange bytes;                ///< where it is in the typed text; empty [0, 0) for special tokens that were added
  int type_id = 0;                ///< what the model is given: mostly 0 for the first sentence, 1 for the second; all 0 for RoBERTa
  bool is_special = false;        ///< added by the tokenizer: [CLS], </s>
  int sequence = 0;               ///< which text `bytes` point into: 0 text, 1 text_pair
  bool is_typed_special = false;  ///< the text of a special token that a person typed, and that was read as the token
  bool operator==(const Token&) const = default;
};

/// Tokens of one text or of a pair. Byte-level tokens inside one character share its whole range.
struct Encoding {
  std::string text;  ///< repaired UTF-8; Token::bytes point into it (into text_pair where Token::sequence is 1)
  std::string text_pair;
  std::vector<Token> tokens;
  std::vector<std::string> notices;  ///< what a person should know, e.g. repaired bytes
};

/// How a token is shown: byte-level and metaspace marks turned back into what was typed; a leading blank is a flag, not part of the text.
struct TokenLabel {
  std::string text;
  bool has_leading_blank = false;
  std::string bytes = {};  ///< which bytes the token is, where they are not whole characters; else empty
};

/// Special-token text that a person types ("<s>", "[MASK]") is taken for the token, as Hugging Face does by default; where
/// reads_special_text is off, it is text like any other. Tokens that were added to a vocabulary without being special are always found.
struct EncodeOptions {
  bool adds_special = true;  ///< [CLS] … [SEP] and the like around the text; off for a decoder's text, say
  bool reads_special_text = true;
  bool is_target = false;  ///< the decoder's text, where a vocabulary has its own rules for it (Marian's target.spm)
};

/// A token that a tokenizer can give. `is_added`: it was added to a vocabulary that was there before, as special tokens are.
struct NamedToken {
  std::int64_t id = 0;
  std::string text;
  bool is_added = false;
};

/// Immutable after construction; encode may be called from any thread.
class Tokenizer {
 public:
  Tokenizer() = default;
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;
  virtual ~Tokenizer() = default;

  /// Encodes `text` (any bytes: broken UTF-8 is repaired, with a notice) and a second text where there is one.
  virtual Encoding encode(std::string_view text, std::optional<std::string_view> text_pair, EncodeOptions options = {}) const = 0;
  /// The text that ids stand for, such as a prediction's. Ids that are not in the vocabulary are skipped.
  virtual std::string decode(std::span<const std::int64_t> ids, bool skips_special = true) const = 0;
  /// The token of an id, for --ids and predictions; nullopt when the id is not in the vocabulary.
  virtual std::optional<std::string> token_of(std::int64_t id) const = 0;
  /// Whether it reads the text of this token as a special one: [CLS], </s>.
  virtual bool is_special(std::int64_t /*id*/) const { return false; }
  /// The tokens whose ids are `first` or higher, in the order of ids: those that a model with `first` embeddings does not know.
  virtual std::vector<NamedToken> tokens_from(std::int64_t /*first*/) const { return {}; }
  virtual TokenLabel label(const Token& token) const = 0;
  virtual std::string description() const = 0;     ///< "byte-level BPE, 50257 tokens"
  virtual std::string file() const { return {}; }  ///< where the vocabulary was read, for messages; empty where it came from no file
  /// What the load found that a person should know, such as two tokens with one id.
  virtual const std::vector<std::string>& warnings() const = 0;
};

/// The sandbox's tokenizer: words (Unicode word boundaries) or bytes of whatever is typed. Ids are names, not rows of a table: the
/// FNV-1a hash of the word (kept to 53 bits, so that JSON readers keep it exact), or the byte itself.
enum class SandboxUnit : std::uint8_t { words, bytes };
std::shared_ptr<const Tokenizer> make_sandbox_tokenizer(SandboxUnit unit);

}  // namespace headlight
