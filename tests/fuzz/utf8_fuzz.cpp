// Repair is idempotent, and every later step accepts its result.
#include "engine/text/tokenizer.h"
#include "engine/text/unicode/unicode.h"
#include "tests/fuzz/fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headlight;
  const RepairedText once = repair_utf8(fuzzing::as_text(data, size));
  if (repair_utf8(once.text).replaced != 0) std::abort();
  std::uint32_t last = 0;
  for (const ByteRange& word : split_words(once.text)) {
    if (word.begin < last || word.end <= word.begin || word.end > once.text.size()) std::abort();
    last = word.end;
  }
  make_sandbox_tokenizer(SandboxUnit::bytes)->encode(once.text, std::nullopt);
  return 0;
}
