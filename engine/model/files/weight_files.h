// The tensors of a model, whether in one safetensors file, in shards with an index, or in a GGUF file.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/formats/tensors/safetensors.h"
#include "engine/model/files/gguf_model.h"

namespace headlight {

struct StoredTensor {
  const FileReader* reader = nullptr;
  const TensorInfo* info = nullptr;
  bool has_permuted_rows = false;  ///< as in GgufTensor
  bool is_transposed = false;      ///< as in GgufTensor
};

/// Whether two tensors are of one type and shape and hold the same bytes. Reads both.
bool have_same_numbers(const StoredTensor& a, const StoredTensor& b);

/// Opens and checks the headers; reads no tensor.
class WeightFiles {
 public:
  /// Takes model.safetensors where it is there, else model.safetensors.index.json. Shard names that are anything but a plain file name
  /// are refused before any is opened. Throws Error (input).
  explicit WeightFiles(const std::filesystem::path& folder);
  /// The tensors of a GGUF file, under the names that read_gguf_model gave them.
  WeightFiles(std::shared_ptr<const GgufFile> file, std::vector<GgufTensor> tensors);

  const std::string& name() const { return name_; }  ///< the file that messages about missing tensors name
  const std::map<std::string, StoredTensor, std::less<>>& tensors() const { return tensors_; }
  /// What every name begins with where the model was saved from inside another module: "module.", "_orig_mod.", "base_model.model.";
  /// else empty.
  const std::string& wrapper() const { return wrapper_; }
  std::uint64_t bytes() const;
  const std::vector<std::string>& notices() const { return notices_; }

 private:
  void open_index(const std::filesystem::path& folder);
  void open_shards(const std::filesystem::path& folder, const std::map<std::string, std::string>& shard_of);
  void add_file(std::unique_ptr<const SafetensorsFile> file);

  std::string name_;
  std::string wrapper_;
  std::vector<std::unique_ptr<const SafetensorsFile>> files_;
  std::shared_ptr<const GgufFile> gguf_;
  std::vector<GgufTensor> gguf_tensors_;
  std::map<std::string, StoredTensor, std::less<>> tensors_;
  std::vector<std::string> notices_;
};

}  // namespace headlight
