// What a file is by its first bytes, for the message when it is not what it should be.
#pragma once

#include <optional>
#include <string_view>

namespace headlight {

struct FileKind {
  std::string_view name;    ///< with its article: "a gzip file"
  std::string_view advice;  ///< what to do to get a safetensors file
};

/// Looks at the first bytes (64 are enough). nullopt: none of the kinds that people mistake for weights.
std::optional<FileKind> recognize_kind(std::string_view first_bytes);

}  // namespace headlight
