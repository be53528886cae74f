#include "engine/text/files/sentence_piece_file.h"
#include "tests/fuzz/fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headlight;
  fuzzing::expect_answer([&] {
    std::vector<std::string> warnings;
    const SentencePieceFile file = read_sentence_piece_file(fuzzing::as_text(data, size), "t.model");
    const auto model = make_sentence_piece_model(file, warnings);
    const AlignedText text = make_sentence_piece_normalizer(file)->apply(AlignedText::of("  It was naïve,\t42% of  the ½ ﬁne time! "));
    if (text.text.size() != text.origin.size()) std::abort();
    ModelTokens tokens;
    model->tokenize(text.text, tokens);
    std::uint32_t reached = 0;
    for (const ModelToken& token : tokens.tokens) {
      if (token.range.begin > token.range.end || token.range.end > text.text.size() || token.range.end < reached) std::abort();
      if (model->vocabulary().token_of(token.id) == nullptr) std::abort();
      reached = token.range.end;
    }
  });
  return 0;
}
