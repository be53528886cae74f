// What a file is: by its ending, and by its first bytes for the message when it is not what it should be.
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

/// Its letters A to Z made small; every other byte stays.
std::string lower_case(std::string text);

/// ".png", with its dot and in small letters; empty where the name has none.
std::string ending_of(const std::filesystem::path& path);

/// Looks at the first bytes (64 are enough). nullopt: none of the kinds that people mistake for weights.
std::optional<FileKind> recognize_kind(std::string_view first_bytes);

}  // namespace headlight
