#include "engine/attention/mask.h"
#include "tests/fuzz/fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headlight;
  const std::string_view text = fuzzing::as_text(data, size);
  fuzzing::expect_answer([&] { MaskText(text).cells({5, 7, {0, 0, 1, 1, 1}}); });
  fuzzing::expect_answer([&] { parse_cells(text, false); });
  return 0;
}
