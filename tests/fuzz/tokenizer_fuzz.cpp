#include "engine/text/files/load_tokenizer.h"
#include "engine/text/tokenizer.h"
#include "tests/fuzz/fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headlight;
  fuzzing::expect_answer([&] {
    fuzzing::write_scratch("tokenizer.json", fuzzing::as_text(data, size));
    const auto tokenizer = load_tokenizer(fuzzing::scratch_folder());
    const Encoding encoding = tokenizer->encode("It was naïve, 42% of  the <s> time!\xff", "A second text.");
    std::vector<std::int64_t> ids;
    for (const Token& token : encoding.tokens) {
      const std::string& text = token.sequence == 0 ? encoding.text : encoding.text_pair;
      if (token.bytes.begin > token.bytes.end || token.bytes.end > text.size()) std::abort();
      tokenizer->label(token);
      ids.push_back(token.id);
    }
    tokenizer->decode(ids);
  });
  return 0;
}
