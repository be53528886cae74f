// From tokens back to text. One maker per "type" in a table, as the steps of a tokenizer.json.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/formats/json.h"

namespace headlight {

/// Immutable after construction; apply may be called from any thread.
class Decoder {
 public:
  Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  virtual ~Decoder() = default;

  /// Rewrites a list of tokens; the text is all of them joined after the last step. Throws Error (input) when a pattern exceeds its
  /// limits.
  virtual std::vector<std::string> apply(std::vector<std::string> tokens) const = 0;
};

/// Makes the "decoder" of a tokenizer.json; nullptr for null. Throws Error (input) naming the field, and, for an unsupported type, the
/// supported ones.
std::unique_ptr<const Decoder> make_decoder(const Json& json, const std::string& file, const std::string& path);

std::unique_ptr<const Decoder> make_byte_level_decoder();
std::unique_ptr<const Decoder> make_word_piece_decoder();
/// Marks become blanks, bytes become characters, and one blank at the start is dropped if `drops_first_blank`.
std::unique_ptr<const Decoder> make_sentence_piece_decoder(bool drops_first_blank);

}  // namespace headlight
