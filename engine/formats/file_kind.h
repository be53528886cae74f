// What kind of file something is: by its ending, and by its first bytes for the message when it is not what it should be.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace headlight {

struct FileKind {
  std::string_view name;    ///< with its article: "a gzip file"
  std::string_view advice;  ///< what to do to get a safetensors file
};

/// A to Z in lower case; every other byte unchanged.
std::string lower_case(std::string text);

/// ".png": with its dot, in lower case; empty where the name has none.
std::string ending_of(const std::filesystem::path& path);

/// Looks at the first bytes (64 are enough). nullopt: none of the kinds that people mistake for weights.
std::optional<FileKind> recognize_kind(std::string_view first_bytes);

}  // namespace headlight
