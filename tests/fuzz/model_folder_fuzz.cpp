// config.json of a folder whose other files are sound: every accepted config must also survive the load.
#include <filesystem>

#include "engine/model/files/load_model.h"
#include "engine/model/model.h"
#include "tests/fuzz/fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headlight;
  const char* sound_folder = std::getenv("HEADLIGHT_FUZZ_MODEL");
  if (sound_folder == nullptr) std::abort();
  const std::filesystem::path folder = fuzzing::scratch_folder();
  for (const char* name : {"model.safetensors", "tokenizer.json"}) {
    if (!std::filesystem::exists(folder / name)) std::filesystem::copy_file(std::filesystem::path(sound_folder) / name, folder / name);
  }
  fuzzing::write_scratch("config.json", fuzzing::as_text(data, size));
  fuzzing::expect_answer([&] {
    SilentProgress progress;
    load_model(ModelChoice{folder.string(), {}}, progress);
  });
  return 0;
}
