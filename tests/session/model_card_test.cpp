#include "app/session/model_card.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "app/document/amounts.h"
#include "engine/figure/figure_parts.h"
#include "engine/formats/tensors/write_tensors.h"
#include "engine/model/files/load_model.h"
#include "engine/pipeline/pipeline.h"
#include "tests/testing.h"

namespace headlight {
namespace {

std::string value_of(const Model& model, std::string_view label) {
  for (const CardSection& section : model_card(model)) {
    for (const CardRow& row : section.rows) {
      if (row.label == label) return row.value;
    }
  }
  return "";
}

std::shared_ptr<const Model> recorded(const std::string& name) {
  SilentProgress progress;
  return load_model({.name = std::string(HEADLIGHT_TESTS_DIR) + "/reference/models/" + name, .sandbox = {}}, progress);
}

TEST(ModelCard, OfACausalModelSaysWhatItsFilesSay) {
  const auto model = recorded("gpt2");  // 3 layers, 4 heads of 12, 700 tokens, tied table
  EXPECT_EQ(value_of(*model, "layers"), "3");
  EXPECT_EQ(value_of(*model, "heads per layer"), "4");
  EXPECT_EQ(value_of(*model, "key/value heads"), "4") << "every head has its own";
  EXPECT_EQ(value_of(*model, "predicts"), "the next token");
  EXPECT_EQ(value_of(*model, "stored as"), "F32");
  const std::int64_t table = 700 * 48 + 128 * 48;
  const std::int64_t layer = 12 * 48 * 48 + (3 + 1 + 4 + 1) * 48 + 4 * 48;  // matrices, biases, two norms
  EXPECT_EQ(value_of(*model, "parameters"), grouped(table + 3 * layer + 2 * 48));
  EXPECT_EQ(value_of(*model, "in memory"), bytes_text(static_cast<std::uint64_t>(table + 3 * layer + 2 * 48) * 4));
}

TEST(ModelCard, NamesWhatOnlySomeModelsHave) {
  const auto gemma = recorded("gemma3");
  EXPECT_EQ(value_of(*gemma, "key/value heads"), std::to_string(gemma->config.heads.kv_count));
  EXPECT_NE(value_of(*gemma, "window").find("layers"), std::string::npos);
  EXPECT_EQ(value_of(*gemma, "norm of q and k"), "each head");
  EXPECT_NE(value_of(*gemma, "positions").find("rotary"), std::string::npos);
  EXPECT_EQ(value_of(*recorded("bart"), "layers").find("encoder"), 2U);
  EXPECT_EQ(value_of(*recorded("bert-mlm"), "predicts"), "masked tokens");
  EXPECT_EQ(value_of(*recorded("albert"), "predicts"), "nothing: no language-model head");
}

TEST(ModelCard, SaysByHowMuchRotaryPositionsAreStretched) {
  Model llama = *recorded("llama-dynamic");
  llama.config.positions.rotary.scaling = {.kind = RotaryScaling::Kind::linear, .factor = 4};
  EXPECT_NE(value_of(llama, "positions").find("linear × 4"), std::string::npos) << value_of(llama, "positions");
  llama.config.positions.rotary.scaling = {};
  EXPECT_EQ(value_of(llama, "positions").find("×"), std::string::npos);
}

TEST(ModelCard, OfMapsFromAFileHasTheirSizes) {
  const testing::TemporaryFolder folder;
  const std::vector<float> self = {1, 0, 0.5F, 0.5F}, cross = {0.5F, 0.25F, 0.25F, 0, 0, 2};
  write_npz(folder / "maps.npz",
            std::vector<TensorToWrite>{{"decoder.attention.4", {1, 2, 2}, self}, {"cross.attention.4", {1, 2, 3}, cross}}, {});
  SilentProgress progress;
  Query query;
  query.model.name = (folder / "maps.npz").string();
  const CardSection card = dump_card(*Pipeline(1).run(query, progress));
  const auto value = [&](std::string_view label) {
    const auto row = std::find_if(card.rows.begin(), card.rows.end(), [&](const CardRow& each) { return each.label == label; });
    return row == card.rows.end() ? std::string() : row->value;
  };
  EXPECT_EQ(value("layers"), "1 decoder + 1 cross layers");
  EXPECT_EQ(value("heads per layer"), "1");
  EXPECT_EQ(value("maps"), "2");
  EXPECT_EQ(value("queries × keys"), "2 × 2, 2 × 3");
  EXPECT_EQ(value("rows"), "not normalised: 1 row sums to 2");
  EXPECT_NE(value("source").find("maps.npz"), std::string::npos);
}

TEST(ModelCard, OfMapsWhoseLayersDifferNamesTheHeadsOfEach) {
  const testing::TemporaryFolder folder;
  const std::vector<float> one = {1, 0, 0.5F, 0.5F}, two = {1, 0, 0.5F, 0.5F, 1, 0, 0, 1};
  write_npz(folder / "maps.npz", std::vector<TensorToWrite>{{"attention.0", {1, 2, 2}, one}, {"attention.1", {2, 2, 2}, two}}, {});
  SilentProgress progress;
  Query query;
  query.model.name = (folder / "maps.npz").string();
  const auto snapshot = Pipeline(1).run(query, progress);
  const CardSection card = dump_card(*snapshot);
  const auto row = std::find_if(card.rows.begin(), card.rows.end(), [](const CardRow& each) { return each.label == "heads per layer"; });
  ASSERT_NE(row, card.rows.end());
  EXPECT_EQ(row->value, "1, 2");
  EXPECT_EQ(sizes_of(*snapshot), "2 layers × 1 to 2 heads");
}

// Every recorded model: no part of a card may be without a name, and its parameters are those of the files.
TEST(ModelCard, OfEveryRecordedModelIsWhole) {
  for (const auto& folder : std::filesystem::directory_iterator(std::string(HEADLIGHT_TESTS_DIR) + "/reference/models")) {
    SCOPED_TRACE(folder.path().filename().string());
    const auto model = recorded(folder.path().filename().string());
    for (const CardSection& section : model_card(*model)) {
      for (const CardRow& row : section.rows) EXPECT_FALSE(row.value.empty()) << row.label;
    }
    EXPECT_EQ(value_of(*model, "parameters"), grouped(inspect_model(folder.path()).parameters));
  }
}

TEST(Amounts, AreGroupedAndHaveUnits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(bytes_text(10), "1 kB");
  EXPECT_EQ(bytes_text(548'000'000), "548 MB");
  EXPECT_EQ(bytes_text(1'300'000'000), "1.3 GB");
}

}  // namespace
}  // namespace headlight
