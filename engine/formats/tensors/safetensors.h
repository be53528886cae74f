// safetensors, read by the rules of the reference parser (github.com/huggingface/safetensors) and stricter where that is lax:
// duplicate names and keys, NUL in names, a rank over 8, a dimension over 2^48 - 1, nesting over 64 levels and entries that are not
// objects are refused. Leading blanks in the header are accepted, with a warning.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/file_reader.h"
#include "engine/formats/tensors/tensor.h"
#include "engine/formats/tensors/write_tensors.h"

namespace headlight {

/// What a checked header says.
struct SafetensorsHeader {
  std::vector<TensorInfo> tensors;  ///< in the order of their bytes
  std::map<std::string, std::string> metadata;
  std::vector<std::string> warnings;
};

/// Reads and checks the header against the file's size. Memory is bounded by the header's bytes on disk. Throws Error (input).
SafetensorsHeader read_safetensors_header(const FileReader& reader);

/// A validated header over an open file; tensor bytes are read on request. Thread contract: const calls from any thread.
class SafetensorsFile {
 public:
  /// Reads and checks the whole header before anything is allocated for tensors. Throws Error (input).
  explicit SafetensorsFile(const std::filesystem::path& path);

  const std::string& name() const { return reader_.name(); }
  const FileReader& reader() const { return reader_; }
  std::uint64_t bytes() const { return reader_.size(); }
  const std::vector<TensorInfo>& tensors() const { return header_.tensors; }  ///< in the order of their bytes
  const TensorInfo* find(std::string_view name) const;                        ///< nullptr when absent
  const std::map<std::string, std::string>& metadata() const { return header_.metadata; }
  const std::vector<std::string>& warnings() const { return header_.warnings; }

  /// Converts to float32. Throws Error (input) for a type that has no conversion; or Cancelled.
  FloatTensor read_floats(const TensorInfo& tensor, const Watch& watch = {}) const;
  std::vector<std::int64_t> read_integers(const TensorInfo& tensor) const;  ///< integer and boolean types

 private:
  FileReader reader_;
  SafetensorsHeader header_;
  std::map<std::string_view, std::size_t> by_name_;  // views into header_
};

}  // namespace headlight
