#include "engine/formats/tensors/safetensors.h"

#include "engine/formats/tensors/read_tensor.h"

namespace headlight {

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : reader_(path), header_(read_safetensors_header(reader_)) {
  for (std::size_t at = 0; at < header_.tensors.size(); ++at) by_name_.emplace(header_.tensors[at].name, at);
}

const TensorInfo* SafetensorsFile::find(std::string_view name) const {
  const auto item = by_name_.find(name);
  return item == by_name_.end() ? nullptr : &header_.tensors[item->second];
}

FloatTensor SafetensorsFile::read_floats(const TensorInfo& tensor, const Watch& watch) const {
  return headlight::read_floats(reader_, tensor, watch);
}

std::vector<std::int64_t> SafetensorsFile::read_integers(const TensorInfo& tensor) const {
  return headlight::read_integers(reader_, tensor);
}

}  // namespace headlight
