// Tensors to files: safetensors, .npy, .npz. Every file is written whole or not at all (replacing_file.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace headlight {

/// One tensor to be written, of float32, or of float64 where it has `doubles`; the numbers must stay alive until the write is done.
struct TensorToWrite {
  std::string name;
  std::vector<std::int64_t> shape;
  std::span<const float> values;         ///< row-major; as many as the product of the shape
  std::span<const double> doubles = {};  ///< likewise, in the place of `values`
};
/// Of its numbers.
std::span<const std::byte> bytes_of(const TensorToWrite& tensor);

/// Writes a safetensors file (tensors in the given order, header padded to 8 bytes), by temporary file and rename. Throws Error (write).
void write_safetensors(const std::filesystem::path& path, std::span<const TensorToWrite> tensors,
                       const std::map<std::string, std::string>& metadata);

/// The same tensors as an .npz archive of .npy members; the metadata becomes members of text (dtype <U).
void write_npz(const std::filesystem::path& path, std::span<const TensorToWrite> tensors,
               const std::map<std::string, std::string>& metadata);
/// One .npy file, version 1.0, little-endian float32 or float64, C order.
void write_npy(const std::filesystem::path& path, const TensorToWrite& tensor);

}  // namespace headlight
