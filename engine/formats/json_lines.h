// Which line of its file a value of a JSON text is on: for files that people write by hand.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "engine/core/error.h"
#include "engine/formats/json.h"

namespace headlight {

/// The lines of all values by their paths, as JsonFields names them: "steps[2].view". That of a field is the line of its name.
class JsonLines {
 public:
  /// Throws as parse_json does, for `bytes` that it refuses.
  JsonLines(std::string_view bytes, const std::string& file, const JsonOptions& options = {});
  /// From 1. A path that is not there has the line of the nearest value around it: a missing field that of its object.
  int line_of(std::string_view path) const;

 private:
  std::map<std::string, int, std::less<>> lines_;
};

/// From 1; a byte past the end is on the last line.
int line_of_byte(std::string_view bytes, std::uint64_t byte);

/// A parsed text with its lines.
struct LinedJson {
  JsonTree json;
  JsonLines lines;
};
/// Throws Error as parse_json does, which names the line in place of the byte.
LinedJson parse_lined_json(std::string_view bytes, const std::string& file, const JsonOptions& options = {});

/// The same refusal with the line of its field before it: "line 12, steps[2].view".
Error with_line(const Error& error, int line);

}  // namespace headlight
