#include "app/document/files/text_files.h"

#include <fmt/core.h>

#include <array>
#include <iostream>

#include "engine/core/error.h"
#include "engine/formats/file_reader.h"
#include "engine/text/unicode/unicode.h"

namespace headlight {
namespace {

constexpr const char* kStandardInput = "the standard input";

std::string text_of(std::string bytes, const std::string& name) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (bytes.find('\0') != std::string::npos) {
    throw Error({.kind = ErrorKind::input, .file = name, .problem = "this is not a text", .found = "a zero byte", .expected = "UTF-8"});
  }
  if (bytes.starts_with(kMark)) bytes.erase(0, kMark.size());
  if (bytes.ends_with('\n')) bytes.pop_back();
  if (bytes.ends_with('\r')) bytes.pop_back();
  return bytes;
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path, std::uint64_t most_bytes) {
  return text_of(read_file(path, most_bytes), path.string());
}

std::string read_standard_input(std::uint64_t most_bytes) {
  std::string bytes;
  std::array<char, 65536> part = {};
  while (std::cin.read(part.data(), part.size()) || std::cin.gcount() > 0) {
    bytes.append(part.data(), static_cast<std::size_t>(std::cin.gcount()));
    if (bytes.size() > most_bytes) {
      throw Error({.kind = ErrorKind::limit,
                   .file = kStandardInput,
                   .problem = "the text is too long",
                   .expected = fmt::format("at most {} bytes", most_bytes)});
    }
  }
  return text_of(std::move(bytes), kStandardInput);
}

bool holds_text(const std::filesystem::path& path) {
  constexpr std::uint64_t kBeginning = 4096;
  try {
    std::string bytes = read_beginning(path, kBeginning);
    // The last character may be cut off.
    for (int cut = 0; cut < 3 && bytes.size() == kBeginning && repair_utf8(bytes).replaced > 0; ++cut) bytes.pop_back();
    return bytes.find('\0') == std::string::npos && repair_utf8(bytes).replaced == 0;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace headlight
