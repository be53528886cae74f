// Runs the built program as a person would, and keeps what it said.
#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <string>
#include <vector>

#include "tests/testing.h"

namespace headlight::testing {

struct ProgramResult {
  int status = -1;  ///< exit status; 128 and more: ended by a signal
  std::string out, error;
};

inline std::string quoted(const std::string& argument) {
  std::string result = "'";
  for (const char character : argument) result += character == '\'' ? std::string("'\\''") : std::string(1, character);
  return result + "'";
}

/// A folder to run the program in; the files that it writes by relative names land here.
class ProgramFolder : public TemporaryFolder {
 public:
  /// `line` as typed into a shell, starting with "headlight".
  ProgramResult run_line(const std::string& line) const {
    const std::string program = "headlight() { " + quoted(HEADLIGHT_PROGRAM) + " \"$@\"; }; ";
    const std::string inner = "cd " + quoted(path().string()) + " && { " + program + line + "; }";
    const int code = std::system(
        ("( " + inner + " ) >" + quoted((*this / ".out").string()) + " 2>" + quoted((*this / ".error").string()) + " </dev/null").c_str());
    return {WIFEXITED(code) ? WEXITSTATUS(code) : 128 + WTERMSIG(code), bytes_of(*this / ".out"), bytes_of(*this / ".error")};
  }

  ProgramResult run(const std::vector<std::string>& arguments) const {
    std::string line = "headlight";
    for (const std::string& argument : arguments) line += " " + quoted(argument);
    return run_line(line);
  }
};

}  // namespace headlight::testing
