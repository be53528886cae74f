// The one exception type of the program: a sentence for a person, the place, and what to do.
//
// Thrown anywhere in the engine, caught in three places only: the worker, the exporter, the command line. `assert` is for our
// own bugs; Error is for the user's files and choices. The engine never prints and never exits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace headlight {

/// Each kind is one exit status of the command line (README, "Exit status").
enum class ErrorKind : std::uint8_t {
  internal = 1,  ///< a bug in Headlight, or no usable display
  usage = 2,     ///< a wrong option, an unknown name, an illegal choice
  input = 3,     ///< a file or text that cannot be opened, read or accepted
  write = 4,     ///< a write that failed
  network = 5,   ///< the hub could not be reached, or answered wrongly
  limit = 6,     ///< refused: it would need more memory or time than a stated limit
};

/// The longest message to a person, in bytes.
inline constexpr std::size_t kLongestMessage = 1000;

/// What a refusal says. Empty fields are left out of the message.
struct ErrorDetail {
  ErrorKind kind = ErrorKind::internal;
  // "= {}" so that a refusal may name only the fields it has: {.file = …, .problem = …}.
  std::string file = {};                     ///< file name or path
  std::string field = {};                    ///< field, tensor, token, option or line
  std::optional<std::uint64_t> offset = {};  ///< byte offset in the file
  std::string problem = {};                  ///< the sentence: what is wrong
  std::string found = {};                    ///< what was found
  std::string expected = {};                 ///< what was expected
  std::string hint = {};                     ///< what to do
};

class Error : public std::runtime_error {
 public:
  explicit Error(ErrorDetail detail);

  const ErrorDetail& detail() const { return detail_; }  ///< as in the message: escaped and cut
  ErrorKind kind() const { return detail_.kind; }
  /// One message: "file: field (byte N): problem; found X, expected Y. Hint". Valid UTF-8 without control or bidi characters, and at most
  /// about kLongestMessage bytes, however much a file or a library had to say: long parts are cut with "…", the longest first.
  std::string message() const { return what(); }

 private:
  ErrorDetail detail_;
};

/// Makes a string from a file safe to print: control, bidi and broken bytes become escapes such as \x1b or U+202E, and more than
/// `max_bytes` bytes are cut with "…".
std::string printable(std::string_view text, std::size_t max_bytes = 200);
/// The same line by line, without a limit, for what goes to a terminal.
std::string printable_lines(std::string_view text);
/// JSON text that says the same without the characters that steer a terminal: U+009B becomes \u009b. (Below U+0020 JSON has none.)
std::string json_escaped(std::string_view json);

}  // namespace headlight
