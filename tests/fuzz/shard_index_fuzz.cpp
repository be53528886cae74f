// model.safetensors.index.json beside two sound shards: no name in it leads out of the folder, and every tensor it lists is found.
#include <filesystem>

#include "engine/model/files/weight_files.h"
#include "tests/fuzz/fuzzing.h"

namespace {

/// A safetensors file of one float.
std::string shard_with(std::string_view tensor) {
  const std::string header = "{\"" + std::string(tensor) + "\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}";
  std::string bytes(8, '\0');
  bytes[0] = static_cast<char>(header.size());
  return bytes + header + std::string(4, '\0');
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headlight;
  fuzzing::write_scratch("model-00001-of-00002.safetensors", shard_with("a"));
  fuzzing::write_scratch("model-00002-of-00002.safetensors", shard_with("b"));
  fuzzing::write_scratch("model.safetensors.index.json", fuzzing::as_text(data, size));
  fuzzing::expect_answer([&] {
    const WeightFiles files(fuzzing::scratch_folder());
    for (const auto& tensor : files.tensors()) {
      if (tensor.first != "a" && tensor.first != "b") std::abort();
    }
  });
  return 0;
}
