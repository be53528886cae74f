// `headlight heads --which` and `--like`: all heads of one text, ranked.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/options/options.h"

namespace headlight {

/// Options that rank heads in place of measuring them.
class WhichOptions {
 public:
  explicit WhichOptions(CLI::App& command);
  bool are_given() const { return is_given(which_option_) || is_given(like_option_); }
  /// The table as CSV, the first head first. Notes go to stderr. Throws Error.
  std::string ranked(const Document& document, const QueryOptions& query, const SubjectMasks& masks) const;

 private:
  static bool is_given(const CLI::Option* option) { return option->count() > 0; }

  std::string which_, like_;
  CLI::Option *which_option_, *like_option_;
};

}  // namespace headlight
