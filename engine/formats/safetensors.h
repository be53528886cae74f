// safetensors, read by the rules of the reference parser (github.com/huggingface/safetensors) and stricter where that is lax:
// duplicate names, NUL in names and a rank over 8 are refused. Leading blanks in the header load, with a warning.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/formats/file_reader.h"
#include "engine/formats/tensor.h"

namespace headlight {

struct TensorInfo {
  std::string name;
  std::string dtype_name;  ///< as written in the file
  DType dtype = DType::other;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0;  ///< byte range inside the file, [begin, end)
  std::uint64_t end = 0;
};

/// A validated header over an open file; tensor bytes are read on request. Thread contract: const calls from any thread.
class SafetensorsFile {
 public:
  /// Reads and checks the whole header before anything is allocated for tensors. Throws Error (input).
  explicit SafetensorsFile(const std::filesystem::path& path);

  const std::string& name() const { return reader_.name(); }
  std::uint64_t bytes() const { return reader_.size(); }
  const std::vector<TensorInfo>& tensors() const { return tensors_; }  ///< in the order of their bytes
  const TensorInfo* find(std::string_view name) const;                 ///< nullptr when absent
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// Converts to float32. Throws Error (input) for a type that has no conversion.
  FloatTensor read_floats(const TensorInfo& tensor) const;
  std::vector<std::int64_t> read_integers(const TensorInfo& tensor) const;  ///< integer and boolean types

 private:
  FileReader reader_;
  std::vector<TensorInfo> tensors_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
  std::map<std::string, std::string> metadata_;
  std::vector<std::string> warnings_;
};

/// One float32 tensor to be written; `values` must stay alive until the write is done.
struct TensorToWrite {
  std::string name;
  std::vector<std::int64_t> shape;
  std::span<const float> values;
};

/// Writes a safetensors file (tensors in the given order, header padded to 8 bytes), by temporary file and rename. Throws Error (write).
void write_safetensors(const std::filesystem::path& path, std::span<const TensorToWrite> tensors,
                       const std::map<std::string, std::string>& metadata);

/// The same tensors as an .npz archive of .npy members; the metadata becomes members of text (dtype <U).
void write_npz(const std::filesystem::path& path, std::span<const TensorToWrite> tensors,
               const std::map<std::string, std::string>& metadata);
/// One .npy file, version 1.0, little-endian float32, C order.
void write_npy(const std::filesystem::path& path, const TensorToWrite& tensor);

}  // namespace headlight
