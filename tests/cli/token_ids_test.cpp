// Tokenizers that know tokens of which the model has no embedding, and vocabularies that lack bytes.
#include <gmock/gmock.h>

#include "tests/cli/program.h"
#include "tests/model/gpt2_folder.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using testing::Gpt2Folder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kTinyConfig;
using testing::ProgramFolder;
using testing::ProgramResult;
using testing::tiny_gpt2_tensors;

/// A sound folder of three words, with another tokenizer.
class WithTokenizer : public Gpt2Folder {
 public:
  WithTokenizer(const std::string& vocabulary, const std::string& added) : Gpt2Folder(kTinyConfig, tiny_gpt2_tensors()) {
    folder().file("tokenizer.json", R"({"version": "1.0", "added_tokens": [)" + added +
                                        R"(], "pre_tokenizer": {"type": "WhitespaceSplit"}, "model": {"type": "WordLevel", "vocab": )" +
                                        vocabulary + R"(, "unk_token": "a"}})");
  }
};

ProgramResult run_on(const Gpt2Folder& folder, const std::string& command) {
  const ProgramFolder place;
  return place.run_line("headlight " + command + " -m " + testing::quoted(folder.path()));
}

TEST(TokenIds, AVocabularyBeyondTheEmbeddingsIsRefusedNamingFileTokenAndRows) {
  const WithTokenizer folder(R"({"a": 0, "b": 1, "c": 2, "far": 3})", "");
  for (const char* command : {"trace -o x.npz -t 'a b'", "predict -t 'a b'"}) {
    const ProgramResult result = run_on(folder, command);
    EXPECT_EQ(result.status, 3) << result.error;
    EXPECT_THAT(result.error, AllOf(HasSubstr("tokenizer.json: token \"far\""), HasSubstr("found id 3"), HasSubstr("0 to 2")));
  }
}

TEST(TokenIds, AnAddedTokenBeyondTheEmbeddingsIsNotedUntilATextHoldsIt) {
  const WithTokenizer folder(R"({"a": 0, "b": 1, "c": 2})", R"({"id": 3, "content": "<new>", "special": true})");
  const ProgramResult harmless = run_on(folder, "trace -o x.npz -t 'a b'");
  EXPECT_EQ(harmless.status, 0) << harmless.error;
  EXPECT_THAT(harmless.error,
              AllOf(HasSubstr("tokenizer.json: 1 added token has an id beyond the model's 3 embeddings"), HasSubstr("\"<new>\" (3)")));
  const ProgramResult used = run_on(folder, "trace -o x.npz -t 'a <new>'");
  EXPECT_EQ(used.status, 3);
  EXPECT_THAT(used.error, AllOf(HasSubstr("tokenizer.json: token \"<new>\""), HasSubstr("found id 3"), HasSubstr("3 rows")));
  const ProgramResult by_id = run_on(folder, "trace -o x.npz --ids 0,3");
  EXPECT_EQ(by_id.status, 3);
  EXPECT_THAT(by_id.error, HasSubstr("tokenizer.json"));
  const ProgramResult tokens = run_on(folder, "tokenize -t 'a <new>'");
  EXPECT_EQ(tokens.status, 0) << tokens.error;
  EXPECT_THAT(tokens.error, AllOf(HasSubstr("1 added token"), HasSubstr("`trace` refuses this text")));
}

TEST(TokenIds, ATokenizerThatFitsIsNotNoted) {
  const WithTokenizer folder(R"({"a": 0, "b": 1})", R"({"id": 2, "content": "<new>", "special": true})");
  EXPECT_THAT(run_on(folder, "trace -o x.npz -t 'a <new>'").error, IsEmpty());
}

TEST(TokenIds, MissingByteTokensAreNoted) {
  const Gpt2Folder folder(kTinyConfig, tiny_gpt2_tensors());
  const auto note_with = [&](const std::string& tokenizer) {
    folder.folder().file("tokenizer.json", R"({"version": "1.0", )" + tokenizer + "}");
    const ProgramResult result = run_on(folder, "trace -o x.npz -t 'ab'");
    EXPECT_EQ(result.status, 0) << result.error;
    return result.error;
  };
  const std::string model = R"("model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "<0x00>": 2}, "merges": []})";
  EXPECT_THAT(note_with(R"("pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false}, )" + model),
              HasSubstr("tokenizer.json: 254 of the 256 tokens for single bytes are missing (0x00, 0x01, 0x02 …)"));
  EXPECT_THAT(note_with(R"("model": {"type": "BPE", "byte_fallback": true, "vocab": {"a": 0, "b": 1, "<0x00>": 2}, "merges": []})"),
              HasSubstr("255 of the 256 tokens for single bytes are missing (0x01, 0x02, 0x03 …)"));
  EXPECT_THAT(note_with(model), IsEmpty()) << "a vocabulary of characters";
}

}  // namespace
}  // namespace headlight
