// Patterns from tokenizer files: a plain string or a regular expression, matched within stated limits.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/unicode/unicode.h"

namespace headlight {

/// Where a pattern came from, for messages.
struct PatternPlace {
  std::string file;
  std::string field;
};

/// Immutable and shared; matching may run in several threads.
class Pattern {
 public:
  struct Compiled;

  /// Compiles a regular expression of Oniguruma's (PCRE2 with Unicode properties, see oniguruma.h; ^ and $ match at lines). Throws Error
  /// (input) with the place of a mistake.
  static Pattern regex(const std::string& expression, PatternPlace place);
  /// Matches `text` itself; an empty text matches nowhere.
  static Pattern literal(std::string text);

  /// All matches in `subject` (valid UTF-8) from left to right, not overlapping; none in an empty one, as in the reference. Throws Error
  /// (input) naming the place when a match takes more steps or memory than the stated limits.
  std::vector<ByteRange> find_all(std::string_view subject) const;

 private:
  Pattern() = default;
  std::vector<ByteRange> find_literals(std::string_view subject) const;

  std::string literal_;
  std::shared_ptr<const Compiled> compiled_;  // null: literal
};

}  // namespace headlight
