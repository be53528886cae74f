#include "engine/formats/tensors/safetensors.h"
#include "tests/fuzz/fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headlight;
  fuzzing::expect_answer([&] {
    const SafetensorsFile file(fuzzing::write_scratch("fuzz.safetensors", fuzzing::as_text(data, size)));
    for (const TensorInfo& tensor : file.tensors()) {
      fuzzing::expect_answer([&] { file.read_floats(tensor); });
    }
  });
  return 0;
}
