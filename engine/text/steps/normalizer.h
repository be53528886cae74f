// The first step of a tokenizer: rewriting the text before it is cut. One maker per "type" in a table.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/formats/json.h"
#include "engine/text/unicode/aligned_text.h"
#include "engine/text/unicode/unicode_forms.h"

namespace headlight {

/// Immutable after construction; apply may be called from any thread.
class Normalizer {
 public:
  Normalizer() = default;
  Normalizer(const Normalizer&) = delete;
  Normalizer& operator=(const Normalizer&) = delete;
  virtual ~Normalizer() = default;

  /// Throws Error (input) when the text would grow beyond a stated limit.
  virtual AlignedText apply(AlignedText text) const = 0;
};

/// Makes the "normalizer" of a tokenizer.json; nullptr for null. Throws Error (input) naming the field, and, for an unsupported type, the
/// supported ones.
std::unique_ptr<const Normalizer> make_normalizer(const Json& json, const std::string& file, const std::string& path);

std::unique_ptr<const Normalizer> make_unicode_normalizer(UnicodeForm form);
/// One after the other.
std::unique_ptr<const Normalizer> make_normalizer_sequence(std::vector<std::unique_ptr<const Normalizer>> steps);

}  // namespace headlight
