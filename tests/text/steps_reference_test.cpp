// Recorded results of single steps, of small whole tokenizers and of SentencePiece models. The recordings say what made them: steps.json
// and corners.json Hugging Face's tokenizers, sentencepiece/*/vectors.json SentencePiece itself, for models trained on sentences of ours.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "engine/formats/file_reader.h"
#include "engine/formats/json.h"
#include "engine/text/files/load_tokenizer.h"
#include "engine/text/files/pipeline_tokenizer.h"
#include "tests/testing.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> found(const fs::path& name) {
  std::vector<fs::path> paths;
  for (const fs::path& root : testing::reference_folders()) {
    if (fs::exists(root / name)) paths.push_back(root / name);
  }
  return paths;
}

Json read_steps(const fs::path& path) {
  return parse_json(read_file(path, std::uint64_t{1} << 30U), path.native());
}

std::shared_ptr<const Tokenizer> tokenizer_of(const Json& parts, const Json& model) {
  Json json = {{"version", "1.0"}, {"model", model}};
  json.update(parts);
  return make_pipeline_tokenizer(read_tokenizer_json(json, "tokenizer.json"));
}

/// Every byte of the rewritten text is a token whose id is the byte.
Json byte_model() {
  Json vocabulary = Json::object();
  for (int byte = 0; byte < 256; ++byte) vocabulary[fmt::format("<0x{:02X}>", byte)] = byte;
  return {{"type", "BPE"}, {"byte_fallback", true}, {"vocab", vocabulary}, {"merges", Json::array()}};
}
/// Every piece is one token.
Json whole_model() {
  return {{"type", "WordLevel"}, {"unk_token", "u"}, {"vocab", {{"u", 0}}}};
}

struct Found {
  Json ids = Json::array();
  Json offsets = Json::array();
  Json type_ids = Json::array();
};
Found encode(const Tokenizer& tokenizer, const Json& expected) {
  std::optional<std::string> pair;
  if (expected.contains("pair")) pair = expected["pair"].get<std::string>();
  const EncodeOptions options = {.adds_special = expected.value("special", true)};
  const Encoding encoding = tokenizer.encode(expected.at("text").get<std::string>(), pair, options);
  const std::vector<std::uint32_t> index[] = {code_point_index(encoding.text), code_point_index(encoding.text_pair)};
  Found result;
  for (const Token& token : encoding.tokens) {
    result.ids.push_back(token.id);
    result.offsets.push_back({index[token.sequence][token.bytes.begin], index[token.sequence][token.bytes.end]});
    result.type_ids.push_back(token.type_id);
  }
  return result;
}

TEST(TokenizerSteps, EveryStepRewritesCutsAndAlignsAsRecorded) {
  int cases = 0;
  for (const fs::path& path : found("tokenizer-steps/steps.json")) {
    const Json recorded = read_steps(path);
    for (const Json& step : recorded.at("steps")) {
      const auto bytes = tokenizer_of(step.at("parts"), byte_model());
      Json cutting = step.at("parts");
      cutting.erase("post_processor");
      const auto whole = tokenizer_of(cutting, whole_model());
      for (const Json& expected : step.at("cases")) {
        SCOPED_TRACE(step.at("name").get<std::string>() + ": " + expected.dump().substr(0, 80));
        ++cases;
        const Found result = encode(*bytes, expected);
        EXPECT_EQ(result.ids, expected.at("ids"));
        EXPECT_EQ(result.offsets, expected.at("offsets"));
        EXPECT_EQ(result.type_ids, expected.value("type_ids", result.type_ids));
        if (expected.contains("pieces")) {
          EXPECT_EQ(encode(*whole, expected).offsets, expected["pieces"]);
        }
      }
    }
  }
  if (cases == 0) testing::say_not_found("tokenizer steps");
  std::printf("%d cases of steps were compared\n", cases);
}

TEST(TokenizerSteps, EveryDecoderWritesAsRecorded) {
  for (const fs::path& path : found("tokenizer-steps/steps.json")) {
    const Json recorded = read_steps(path);
    for (const Json& expected : recorded.at("decoders")) {
      Json vocabulary = {{"u", 1000}};
      std::vector<std::int64_t> ids;
      for (const Json& token : expected.at("tokens")) {
        const auto [item, is_new] = vocabulary.emplace(token.get<std::string>(), vocabulary.size());
        ids.push_back(item->get<std::int64_t>());
      }
      const auto tokenizer =
          tokenizer_of({{"decoder", expected.at("decoder")}}, {{"type", "WordLevel"}, {"unk_token", "u"}, {"vocab", vocabulary}});
      EXPECT_EQ(tokenizer->decode(ids), expected.at("text").get<std::string>()) << expected;
    }
  }
}

// What a comparison of random tokenizers and texts with Hugging Face's library found different once.
TEST(TokenizerCorners, WholeTokenizersEncodeAsRecorded) {
  int cases = 0;
  for (const fs::path& path : found("tokenizer-steps/corners.json")) {
    const Json recorded = read_steps(path);
    for (const Json& group : recorded.at("encoded")) {
      const auto tokenizer = make_pipeline_tokenizer(read_tokenizer_json(group.at("tokenizer"), "tokenizer.json"));
      for (const Json& expected : group.at("cases")) {
        SCOPED_TRACE(group.at("name").get<std::string>() + ": " + expected.dump().substr(0, 80));
        ++cases;
        const Found result = encode(*tokenizer, expected);
        EXPECT_EQ(result.ids, expected.at("ids"));
        EXPECT_EQ(result.offsets, expected.value("offsets", result.offsets));
        EXPECT_EQ(result.type_ids, expected.at("type_ids"));
      }
    }
  }
  if (cases == 0) testing::say_not_found("tokenizer corners");
  std::printf("%d cases of whole tokenizers were compared\n", cases);
}

TEST(TokenizerCorners, WholeTokenizersDecodeAsRecorded) {
  for (const fs::path& path : found("tokenizer-steps/corners.json")) {
    const Json recorded = read_steps(path);
    for (const Json& group : recorded.at("decoded")) {
      const auto tokenizer = make_pipeline_tokenizer(read_tokenizer_json(group.at("tokenizer"), "tokenizer.json"));
      for (const Json& expected : group.at("cases")) {
        EXPECT_EQ(tokenizer->decode(expected.at("ids").get<std::vector<std::int64_t>>()), expected.at("text").get<std::string>())
            << group.at("name");
      }
    }
  }
}

TEST(SentencePieceReference, EveryModelGivesTheRecordedIds) {
  int vectors = 0;
  for (const fs::path& folder : found("sentencepiece")) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      const auto tokenizer = load_tokenizer(entry.path());
      // SentencePiece never reads special tokens from text.
      const EncodeOptions options = {.adds_special = true, .reads_special_text = false};
      const Json recorded = read_steps(entry.path() / "vectors.json");
      for (const Json& expected : recorded.at("vectors")) {
        SCOPED_TRACE(entry.path().filename().native() + " " + expected.at("text").dump());
        ++vectors;
        Json ids = Json::array();
        std::size_t reached = 0;
        const Encoding encoding = tokenizer->encode(expected.at("text").get<std::string>(), std::nullopt, options);
        for (const Token& token : encoding.tokens) {
          ids.push_back(token.id);
          EXPECT_GE(token.bytes.end, reached) << "ranges follow the text";
          reached = token.bytes.end;
        }
        EXPECT_EQ(ids, expected.at("ids"));
      }
    }
  }
  if (vectors == 0) testing::say_not_found("SentencePiece models");
  std::printf("%d vectors of SentencePiece models were compared\n", vectors);
}

}  // namespace
}  // namespace headlight
