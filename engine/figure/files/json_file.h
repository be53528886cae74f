// A JSON file of numbers while it is written: it is never larger than what can be read again, and ends with how it was made.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/formats/digest.h"
#include "engine/formats/replacing_file.h"

namespace headlight {

/// Appears under its name at its end. Throws Error: limit over kLargestFigure, and the old file stays; write.
class JsonFile {
 public:
  explicit JsonFile(const std::filesystem::path& path);
  void write(std::string_view text);
  /// `close`: of what is open but the object of the file itself. A seal in the record that is still open (kUnsealed) becomes the sum of all
  /// before the record.
  void end(std::string_view close, std::string_view record);

 private:
  ReplacingFile file_;
  std::string name_;
  Digest sum_;
  std::uint64_t size_ = 0;
};

/// Of the bytes of a JSON file that ends with how it was made: the sum of all before that. Empty where it does not end so.
std::string json_sum(std::string_view bytes);

}  // namespace headlight
