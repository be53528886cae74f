// The export command in this process, over any table of figures.
#pragma once

#include <string>
#include <vector>

#include "app/cli/commands/export_command.h"

namespace headlight::testing {

/// Runs `headlight export` with these figures; `words` after "export".
inline int run_export_of(FigureKinds kinds, const std::vector<std::string>& words) {
  CLI::App program;
  Action action;
  add_export_of(*program.add_subcommand("export"), action, kinds);
  std::vector<std::string> parsed(words.rbegin(), words.rend());  // CLI11 takes them from the back
  parsed.emplace_back("export");
  program.parse(parsed);
  return action();
}

inline std::vector<std::string> with_sandbox(const std::vector<std::string>& words) {
  std::vector<std::string> all{"-m", "sandbox", "--layers", "1", "-t", "The cat sat"};
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

}  // namespace headlight::testing
