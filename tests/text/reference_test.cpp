// Every recorded tokenization that is found: ids, tokens, type ids and offsets equal to Hugging Face's.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "engine/formats/file_reader.h"
#include "engine/formats/json.h"
#include "engine/text/files/load_tokenizer.h"
#include "engine/text/tokenizer.h"
#include "tests/testing.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

Json read_json(const fs::path& path) {
  return parse_json(read_file(path, std::uint64_t{1} << 30U), path.native());
}

/// What `headlight tokenize` prints, in the shape of a reference.json case.
Json as_case(const Encoding& encoding) {
  const std::vector<std::uint32_t> index[] = {code_point_index(encoding.text), code_point_index(encoding.text_pair)};
  Json result = {{"tokens", Json::array()}, {"ids", Json::array()}, {"type_ids", Json::array()}, {"offsets", Json::array()}};
  for (const Token& token : encoding.tokens) {
    const auto& of_text = index[token.sequence];
    result["tokens"].push_back(token.text);
    result["ids"].push_back(token.id);
    result["type_ids"].push_back(token.type_id);
    result["offsets"].push_back({of_text[token.bytes.begin], of_text[token.bytes.end]});
  }
  return result;
}

/// The folders of one kind under every root, each with what was recorded of it.
std::vector<fs::path> folders_with(const std::string& kind, const std::string& recorded) {
  std::vector<fs::path> folders;
  for (const fs::path& root : testing::reference_folders()) {
    if (!fs::is_directory(root / kind)) continue;
    if (fs::exists(root / kind / recorded)) folders.push_back(root / kind);
    for (const fs::directory_entry& folder : fs::directory_iterator(root / kind)) {
      if (fs::exists(folder.path() / recorded)) folders.push_back(folder.path());
    }
  }
  return folders;
}

/// A decoder reads its start token and the text without special tokens.
void expect_decoder_ids(const Tokenizer& tokenizer, const Json& expected) {
  if (!expected.contains("decoder_ids")) return;
  Json ids = Json::array({expected["decoder_ids"].at(0)});
  const EncodeOptions plain = {.adds_special = false, .reads_special_text = true};
  for (const Token& token : tokenizer.encode(expected.at("decoder_text").get<std::string>(), std::nullopt, plain).tokens) {
    ids.push_back(token.id);
  }
  EXPECT_EQ(ids.dump(), expected["decoder_ids"].dump());
}

void expect_case(const Tokenizer& tokenizer, const Json& expected) {
  std::optional<std::string> pair;
  if (expected.contains("text_b") && expected["text_b"].is_string()) pair = expected["text_b"].get<std::string>();
  const Json found = as_case(tokenizer.encode(expected.at("text").get<std::string>(), pair));
  for (const char* key : {"tokens", "ids", "type_ids", "offsets"}) {
    if (expected.contains(key)) {
      EXPECT_EQ(found[key].dump(), expected[key].dump()) << key;
    }
  }
}

TEST(TokenizerReference, EveryModelGivesTheRecordedTokens) {
  int models = 0;
  std::vector<fs::path> folders = folders_with("models", "reference.json");
  for (const fs::path& folder : folders_with("nano-gpt", "reference.json")) folders.push_back(folder);
  for (const fs::path& folder : folders) {
    const std::shared_ptr<const Tokenizer> tokenizer = load_tokenizer(folder);
    ++models;
    const Json recorded = read_json(folder / "reference.json");
    for (const Json& expected : recorded.at("cases")) {
      SCOPED_TRACE(folder.filename().native() + " " + expected.at("name").get<std::string>());
      expect_case(*tokenizer, expected);
      expect_decoder_ids(*tokenizer, expected);
    }
  }
  std::printf("%d models were compared\n", models);
  EXPECT_GT(models, 0);
}

TEST(TokenizerReference, EveryVectorGivesTheRecordedIds) {
  int vectors = 0;
  for (const fs::path& folder : folders_with("tokenizers", "vectors.json")) {
    const std::shared_ptr<const Tokenizer> tokenizer = load_tokenizer(folder);
    for (const Json& expected : read_json(folder / "vectors.json")) {
      ++vectors;
      Json ids = Json::array();
      const EncodeOptions options = {.adds_special = expected.value("add_special_tokens", true), .reads_special_text = true};
      for (const Token& token : tokenizer->encode(expected.at("text").get<std::string>(), std::nullopt, options).tokens)
        ids.push_back(token.id);
      EXPECT_EQ(ids.dump(), expected.at("ids").dump()) << expected.at("text");
    }
  }
  if (vectors == 0) testing::say_not_found("tokenizer vectors");
  std::printf("%d vectors were compared\n", vectors);
}

}  // namespace
}  // namespace headlight
