// The corpus of broken texts and tokenizers, where it is found.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "engine/formats/file_reader.h"
#include "engine/formats/json.h"
#include "engine/text/files/load_tokenizer.h"
#include "engine/text/tokenizer.h"
#include "tests/testing.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

class Corpus : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::hostile_folder();
    if (!folder_) return testing::say_not_found("the corpus of broken files");
    const fs::path manifest = *folder_ / "manifest.json";
    entries_ = parse_json(read_file(manifest, std::uint64_t{1} << 28U), manifest.native())->at("entries");
  }
  std::optional<fs::path> folder_;
  Json entries_ = Json::array();
};

TEST_F(Corpus, TextsAreRepairedAsCounted) {
  const auto tokenizer = make_sandbox_tokenizer(SandboxUnit::bytes);
  for (const Json& entry : entries_) {
    if (entry.at("kind") != "text") continue;
    const fs::path path = *folder_ / entry.at("path").get<std::string>();
    const RepairedText repaired = repair_utf8(read_file(path, std::uint64_t{1} << 28U));
    EXPECT_EQ(repaired.replaced, entry.at("replacements")) << path;
    EXPECT_EQ(code_point_index(repaired.text).back(), entry.at("code_points")) << path;
    EXPECT_EQ(tokenizer->encode(repaired.text, std::nullopt).tokens.size(), repaired.text.size()) << path;
    split_words(repaired.text);
  }
}

void expect_mentions(const std::string& message, const Json& entry) {
  for (const Json& word : entry.at("ours").at("must_mention")) {
    EXPECT_NE(message.find(word.get<std::string>()), std::string::npos) << word << " in " << message;
  }
}

TEST_F(Corpus, TokenizersHaveTheirVerdicts) {
  for (const Json& entry : entries_) {
    const std::string path = entry.at("path").get<std::string>();
    const std::string verdict = entry.at("ours").at("verdict").get<std::string>();
    constexpr std::string_view kKinds[] = {"models/tokenizer_", "models/vocab_0", "models/wordpiece_", "models/valid_"};
    const bool is_ours = std::any_of(std::begin(kKinds), std::end(kKinds), [&](std::string_view kind) { return path.starts_with(kind); });
    // That a vocabulary has another size than the model is seen by whoever reads both.
    if (!is_ours || entry.at("ours").at("must_mention").dump().find("vocab_size") != std::string::npos) continue;
    try {
      const auto tokenizer = load_tokenizer(*folder_ / path);
      EXPECT_NE(verdict, "reject") << path;
      if (verdict != "either") {
        EXPECT_EQ(verdict == "warn", !tokenizer->warnings().empty()) << path;
      }
      for (const std::string& warning : tokenizer->warnings()) expect_mentions(warning, entry);
      tokenizer->encode("hello world aaaa", "a=b; a");
    } catch (const Error& error) {
      EXPECT_TRUE(verdict == "reject" || verdict == "bounded" || verdict == "either") << path << ": " << error.message();
      expect_mentions(error.message(), entry);
    }
  }
}

}  // namespace
}  // namespace headlight
