// A document that is accepted must come back equal after a save.
#include "app/document/document.h"
#include "tests/fuzz/fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headlight;
  fuzzing::expect_answer([&] {
    const Json json = parse_json(fuzzing::as_text(data, size), "fuzz.headlight.json");
    Json unknown;
    const Document document = document_from_json(json, "fuzz.headlight.json", &unknown);
    if (!(document_from_json(to_json(document, unknown), "again") == document)) std::abort();
  });
  return 0;
}
