#include "engine/formats/gguf/gguf.h"
#include "engine/formats/tensors/read_tensor.h"
#include "tests/fuzz/fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headlight;
  fuzzing::expect_answer([&] {
    const GgufFile file(fuzzing::write_scratch("fuzz.gguf", fuzzing::as_text(data, size)));
    for (const TensorInfo& tensor : file.tensors()) fuzzing::expect_answer([&] { read_floats(file.reader(), tensor); });
    for (const auto& item : file.header().metadata) {
      const std::string& key = item.first;
      fuzzing::expect_answer([&] { file.texts(key); });
      fuzzing::expect_answer([&] { file.numbers(key); });
      fuzzing::expect_answer([&] { file.integers(key); });
    }
  });
  return 0;
}
