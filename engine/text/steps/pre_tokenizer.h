// The second step of a tokenizer: cutting the text into pieces that tokens never cross. One maker per "type" in a table.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/formats/json.h"
#include "engine/text/unicode/aligned_text.h"

namespace headlight {

/// Immutable after construction; apply may be called from any thread.
class PreTokenizer {
 public:
  PreTokenizer() = default;
  PreTokenizer(const PreTokenizer&) = delete;
  PreTokenizer& operator=(const PreTokenizer&) = delete;
  virtual ~PreTokenizer() = default;

  /// Cuts (and may rewrite) the open pieces. Throws Error (input) when a pattern exceeds its limits.
  virtual void apply(PieceList& list) const = 0;
};

/// Makes the "pre_tokenizer" of a tokenizer.json; nullptr for null. Throws Error (input) naming the field, and, for an unsupported type,
/// the supported ones.
std::unique_ptr<const PreTokenizer> make_pre_tokenizer(const Json& json, const std::string& file, const std::string& path);

/// GPT-2's: a pattern for words, then bytes as characters.
struct ByteLevelOptions {
  bool adds_prefix_space = false;  ///< so that the first word looks like one inside a sentence
  bool uses_pattern = true;
  std::string pattern = {};  ///< instead of GPT-2's
};
std::unique_ptr<const PreTokenizer> make_byte_level(ByteLevelOptions options);

/// SentencePiece's blanks.
struct MetaspaceOptions {
  enum class Prepends : std::uint8_t { always, first, never };
  std::string mark = "\xe2\x96\x81";     ///< "▁", in place of each blank
  Prepends prepends = Prepends::always;  ///< a mark before each piece, or before the one at the start of the text
  bool splits = true;                    ///< before each mark
};
MetaspaceOptions read_metaspace(const JsonFields& fields);
std::unique_ptr<const PreTokenizer> make_metaspace(MetaspaceOptions options);

/// BERT's words: between white space, punctuation apart.
std::unique_ptr<const PreTokenizer> make_bert_split();

}  // namespace headlight
