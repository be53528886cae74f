// Broken and odd model folders of the corpus, through the loader; and the maps that the sound ones must give.
#include <gmock/gmock.h>

#include "engine/formats/file_reader.h"
#include "engine/formats/json.h"
#include "engine/model/files/load_model.h"
#include "engine/pipeline/pipeline.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;

Json read_json(const std::filesystem::path& path) {
  return parse_json(read_file(path, 100'000'000), path.string());
}

/// What inspecting a folder came to.
struct Verdict {
  std::string name;
  std::string message;
};

Verdict inspect(const std::filesystem::path& folder) {
  try {
    const ModelFacts facts = inspect_model(folder);
    std::string warnings;
    for (const std::string& warning : facts.warnings) warnings += warning + "\n";
    return {facts.warnings.empty() ? "accept" : "warn", warnings};
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input) << error.message();
    return {"reject", error.message()};
  }
}

/// Configurations, weights and indexes; tokenizer files are the text room's.
bool is_ours(const std::string& path) {
  for (const char* start : {"models/config_", "models/weights_", "models/index_", "models/valid_gpt2"}) {
    if (path.starts_with(start)) return true;
  }
  return false;
}

// Reliability F5 to F8, F13.
TEST(HostileModels, GetTheVerdictAndTheMessageOfTheManifest) {
  const auto corpus = testing::hostile_folder();
  if (!corpus) return testing::say_not_found("the corpus of broken files");
  const Json manifest = read_json(*corpus / "manifest.json");
  int checked = 0;
  for (const Json& entry : manifest.at("entries")) {
    const auto path = entry.at("path").get<std::string>();
    const auto wanted = entry.at("ours").at("verdict").get<std::string>();
    if (!is_ours(path) || !std::filesystem::is_directory(*corpus / path)) continue;
    const Verdict verdict = inspect(*corpus / path);
    const bool is_noted = wanted == "accept" && verdict.name == "warn";
    EXPECT_TRUE(wanted == "either" || is_noted || verdict.name == wanted) << path << ": wanted " << wanted << ", got " << verdict.message;
    ++checked;
    if (wanted == "accept" || wanted == "either") continue;
    for (const Json& word : entry.at("ours").at("must_mention")) {
      EXPECT_THAT(verdict.message, HasSubstr(word.get<std::string>())) << path;
    }
  }
  EXPECT_GT(checked, 0);
}

// Reliability N6: the same maps from every way of storing the same weights.
TEST(HostileModels, SoundControlsGiveTheGoldenMaps) {
  const auto corpus = testing::hostile_folder();
  if (!corpus) return testing::say_not_found("the corpus of broken files");
  const Json golden = read_json(*corpus / "golden" / "valid_gpt2_attention.json");
  Pipeline pipeline;
  SilentProgress progress;
  for (const char* name : {"valid_gpt2", "valid_gpt2_sharded", "valid_gpt2_prefixed", "valid_gpt2_f64", "valid_gpt2_vocab_merges_only"}) {
    Query query;
    query.model.name = (*corpus / "models" / name).string();
    query.text = golden.at("text").get<std::string>();
    const auto snapshot = pipeline.run(query, progress);
    const Json& attention = golden.at("attention");
    ASSERT_EQ(static_cast<std::size_t>(snapshot->layers()), attention.size());
    for (std::size_t layer = 0; layer < attention.size(); ++layer) {
      for (std::size_t head = 0; head < attention[layer].size(); ++head) {
        const Matrix weights = snapshot->maps({static_cast<int>(layer), static_cast<int>(head)}).weights;
        for (std::size_t cell = 0; cell < static_cast<std::size_t>(weights.size()); ++cell) {
          const auto tokens = static_cast<std::size_t>(weights.cols());
          const auto expected = attention[layer][head].at(cell / tokens).at(cell % tokens).get<float>();
          EXPECT_NEAR(weights.data()[cell], expected, golden.at("tolerance").get<double>()) << name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace headlight
