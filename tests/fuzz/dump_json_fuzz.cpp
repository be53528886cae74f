// Maps in JSON: what is accepted has maps of the sizes that its model says.
#include "engine/dumps/attention_dump.h"
#include "engine/dumps/dump_tensors.h"
#include "tests/fuzz/fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headlight;
  const auto path = fuzzing::write_scratch("fuzz.json", fuzzing::as_text(data, size));
  describe_dump_file(path);
  fuzzing::expect_answer([&] {
    SilentProgress progress;
    const AttentionDump dump = read_attention_dump(path, progress);
    if (std::ssize(dump.layers) != dump.model->config.layers) std::abort();
    for (const auto& layer : dump.layers) {
      if (std::ssize(layer->given) != layer->heads) std::abort();
    }
  });
  return 0;
}
