// The tensors of a model folder, whether in one safetensors file or in shards with an index.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/formats/safetensors.h"

namespace headlight {

struct StoredTensor {
  const FileReader* reader = nullptr;
  const TensorInfo* info = nullptr;
};

/// Opens and checks the headers; reads no tensor.
class WeightFiles {
 public:
  /// Takes model.safetensors where it is there, else model.safetensors.index.json. Shard names that are anything but a plain file name
  /// are refused before any is opened. Throws Error (input).
  explicit WeightFiles(const std::filesystem::path& folder);

  const std::string& name() const { return name_; }  ///< the file that messages about missing tensors name
  const std::map<std::string, StoredTensor, std::less<>>& tensors() const { return tensors_; }
  std::uint64_t bytes() const;
  const std::vector<std::string>& notices() const { return notices_; }

 private:
  void open_index(const std::filesystem::path& folder);
  void open_shards(const std::filesystem::path& folder, const std::map<std::string, std::string>& shard_of);
  void add_file(std::unique_ptr<const SafetensorsFile> file);

  std::string name_;
  std::vector<std::unique_ptr<const SafetensorsFile>> files_;
  std::map<std::string, StoredTensor, std::less<>> tensors_;
  std::vector<std::string> notices_;
};

}  // namespace headlight
