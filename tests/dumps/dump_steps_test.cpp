// Steps of a generation, and layers of different numbers of heads.
#include "engine/dumps/dump_steps.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/dumps/attention_dump.h"
#include "engine/formats/tensors/write_tensors.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Origin = GivenMask::Origin;

/// The weight of a cell of a causal map: rows sum to 1.
float weight(int layer, int head, int query, int key) {
  const float base = 0.5F / static_cast<float>(query + 1);
  return key > query ? 0.0F : base + (key == (layer + head) % (query + 1) ? 0.5F : 0.0F);
}

struct Part {
  int first = 0, queries = 0, keys = 0;
};

/// [heads, queries, keys] of rows from `first` on.
std::vector<float> rows_of(int layer, int heads, const Part& part) {
  std::vector<float> values;
  for (int head = 0; head < heads; ++head) {
    for (int query = 0; query < part.queries; ++query) {
      for (int key = 0; key < part.keys; ++key) values.push_back(weight(layer, head, part.first + query, key));
    }
  }
  return values;
}

/// A prompt of three tokens, and two more.
constexpr Part kSteps[] = {{0, 3, 3}, {3, 1, 4}, {4, 1, 5}};
constexpr Part kWhole = {0, 5, 5};

class DumpSteps : public ::testing::Test {
 protected:
  AttentionDump read(const std::filesystem::path& path) const {
    SilentProgress progress;
    return read_attention_dump(path, progress);
  }
  AttentionDump json(const std::string& text) const { return read(folder_.file("maps.json", text)); }
  AttentionDump tensors(const std::vector<TensorToWrite>& all, const std::map<std::string, std::string>& metadata = {}) const {
    write_safetensors(folder_ / "maps.safetensors", all, metadata);
    return read(folder_ / "maps.safetensors");
  }
  std::string refusal(const std::vector<TensorToWrite>& all) const {
    return error_of([&] { tensors(all); }).message();
  }
  /// Arrays of two heads for each step and layer, named by a pattern of both.
  AttentionDump steps_named(const char* pattern) const {
    std::vector<std::vector<float>> kept;
    std::vector<TensorToWrite> all;
    kept.reserve(6);
    for (int step = 0; step < 3; ++step) {
      for (int layer = 0; layer < 2; ++layer) {
        const Part& part = kSteps[step];
        kept.push_back(rows_of(layer, 2, part));
        all.push_back({fmt::format(fmt::runtime(pattern), fmt::arg("step", step), fmt::arg("layer", layer)),
                       {1, 2, part.queries, part.keys},
                       kept.back()});
      }
    }
    return tensors(all, {{"tokens", R"(["a", "b", "c", "d", "e"])"}});
  }
  testing::TemporaryFolder folder_;
};

void expect_whole(const AttentionDump& dump, int layers = 2) {
  ASSERT_EQ(std::ssize(dump.layers), layers);
  for (int layer = 0; layer < layers; ++layer) {
    const LayerTrace& trace = *dump.layers[static_cast<std::size_t>(layer)];
    ASSERT_EQ(trace.heads, 2);
    EXPECT_EQ(trace.given_mask.origin, Origin::assumed);
    for (int head = 0; head < 2; ++head) {
      const Matrix& map = trace.given[static_cast<std::size_t>(head)].weights();
      const std::vector<float> expected = rows_of(layer, 1, kWhole);
      ASSERT_EQ(map.rows(), 5);
      ASSERT_EQ(map.cols(), 5);
      for (int query = 0; query < 5; ++query) {
        for (int key = 0; key < 5; ++key) EXPECT_EQ(map(query, key), weight(layer, head, query, key)) << layer << head << query << key;
      }
    }
  }
  EXPECT_THAT(dump.notices, ElementsAre("The file holds 3 steps of a generation: their rows (3 + 1 + 1) are put one under another."));
}

TEST_F(DumpSteps, AreOneMapWhateverTheirNamesAre) {
  for (const char* pattern : {"step.{step}.attention.{layer}", "attention.step{step}.layer{layer}", "attentions.{step}.{layer}",
                              "layer{layer}_attn_steps_{step}", "Step_{step}/attn_{layer}"}) {
    SCOPED_TRACE(pattern);
    expect_whole(steps_named(pattern));
  }
}

TEST_F(DumpSteps, OfAllLayersInOneArrayAreOneMap) {
  std::vector<std::vector<float>> kept;
  std::vector<TensorToWrite> all;
  kept.reserve(3);
  for (int step = 0; step < 3; ++step) {
    std::vector<float>& values = kept.emplace_back();
    for (int layer = 0; layer < 2; ++layer) {
      const std::vector<float> rows = rows_of(layer, 2, kSteps[step]);
      values.insert(values.end(), rows.begin(), rows.end());
    }
    all.push_back({fmt::format("attentions.{}", step), {2, 1, 2, kSteps[step].queries, kSteps[step].keys}, values});
  }
  expect_whole(tensors(all, {{"tokens", R"(["a", "b", "c", "d", "e"])"}}));
}

std::string list_of(const std::vector<float>& values, const std::vector<int>& shape, std::size_t axis = 0, std::size_t at = 0) {
  std::size_t step = 1;
  for (std::size_t next = axis + 1; next < shape.size(); ++next) step *= static_cast<std::size_t>(shape[next]);
  std::string text = "[";
  for (int element = 0; element < shape[axis]; ++element) {
    const std::size_t begin = at + static_cast<std::size_t>(element) * step;
    text += element > 0 ? "," : "";
    text += axis + 1 == shape.size() ? fmt::format("{}", values[begin]) : list_of(values, shape, axis + 1, begin);
  }
  return text + "]";
}

TEST_F(DumpSteps, OfNestedListsAsGenerateReturnsThem) {
  std::string text;
  for (const Part& part : kSteps) {
    std::string layers;
    for (int layer = 0; layer < 2; ++layer) {
      layers += (layer > 0 ? "," : "") + list_of(rows_of(layer, 2, part), {1, 2, part.queries, part.keys});
    }
    text += (text.empty() ? "[" : ",[") + layers + "]";
  }
  expect_whole(json(R"({"attentions": [)" + text + R"(], "tokens": ["a", "b", "c", "d", "e"]})"));
}

TEST_F(DumpSteps, OfOneLayerAreKnownByTheirSides) {
  std::vector<std::vector<float>> kept;
  std::vector<TensorToWrite> all;
  kept.reserve(3);
  for (int step = 0; step < 3; ++step) {
    kept.push_back(rows_of(0, 2, kSteps[step]));
    all.push_back({fmt::format("attention.{}", step + 7), {2, kSteps[step].queries, kSteps[step].keys}, kept.back()});
  }
  const AttentionDump dump = tensors(all, {{"tokens", R"(["a", "b", "c", "d", "e"])"}});
  expect_whole(dump, 1);
  EXPECT_THAT(dump.axes.assumed, ElementsAre("arrays taken as steps", "rows of 3 steps joined"));
  EXPECT_THAT(steps_named("step.{step}.attention.{layer}").axes.assumed, ElementsAre("rows of 3 steps joined"));
  all.erase(all.begin() + 1);
  EXPECT_THAT(refusal(all), HasSubstr("the layers' maps have different sides")) << "nothing says that these are steps";
}

TEST_F(DumpSteps, TheTokenThatTheLastStepChoseHasNoRow) {
  const std::vector<float> first = rows_of(0, 2, kSteps[0]), second = rows_of(0, 2, kSteps[1]);
  const AttentionDump dump = tensors({{"step.0.attention.0", {2, 3, 3}, first}, {"step.1.attention.0", {2, 1, 4}, second}},
                                     {{"tokens", R"(["a", "b", "c", "d", "e"])"}});
  EXPECT_EQ(dump.encoding->tokens.size(), 4U);
  EXPECT_THAT(dump.notices, ElementsAre("The last of 5 tokens has no row: the last step chose it.", HasSubstr("2 steps")));
}

TEST_F(DumpSteps, RowsOfThePastOnlyAreTheLastTokens) {
  const std::vector<float> first = rows_of(0, 2, kSteps[1]), second = rows_of(0, 2, kSteps[2]);
  const AttentionDump dump = tensors({{"step.1.attention.0", {2, 1, 4}, first}, {"step.2.attention.0", {2, 1, 5}, second}},
                                     {{"tokens", R"(["a", "b", "c", "d", "e"])"}});
  EXPECT_EQ(dump.layers[0]->given[0].weights().rows(), 2);
  EXPECT_EQ(dump.layers[0]->given_mask.first_query, 3);
  EXPECT_EQ(dump.decoder_encoding->tokens.front().text, "d");
}

TEST_F(DumpSteps, AKeyThatARowDidNotHaveIsMasked) {
  const std::vector<float> prompt(18, 1.0F / 3), next(8, 0.25F);  // a prompt that looks both ways
  const AttentionDump dump = tensors({{"step.0.attention.0", {2, 3, 3}, prompt}, {"step.1.attention.0", {2, 1, 4}, next}});
  const LayerTrace& layer = *dump.layers[0];
  EXPECT_EQ(layer.given_mask.origin, Origin::cells);
  EXPECT_TRUE(layer.mask(0).allows(0, 2));
  EXPECT_FALSE(layer.mask(0).allows(0, 3));
  EXPECT_TRUE(layer.mask(1).allows(3, 3));
  EXPECT_EQ(layer.given[0].sums.forbidden_cells, 0);
}

TEST_F(DumpSteps, CrossAttentionKeepsItsKeys) {
  const std::vector<float> encoder(2 * 4, 0.5F), one(2, 1.0F), two(4, 0.5F), cross(4, 0.5F);
  const AttentionDump dump = tensors({{"encoder.attention.0", {2, 2, 2}, encoder},
                                      {"step.0.decoder.attention.0", {2, 1, 1}, one},
                                      {"step.1.decoder.attention.0", {2, 1, 2}, two},
                                      {"step.0.cross.attention.0", {2, 1, 2}, cross},
                                      {"step.1.cross.attention.0", {2, 1, 2}, cross}},
                                     {{"tokens", R"(["a", "b"])"}, {"decoder_tokens", R"(["x", "y"])"}});
  ASSERT_EQ(dump.layers.size(), 3U);
  EXPECT_EQ(dump.layers[1]->given[0].weights()(0, 1), 0);
  EXPECT_EQ(dump.layers[1]->given[0].weights()(1, 1), 0.5F);
  EXPECT_EQ(dump.layers[2]->given[1].weights().rows(), 2);
  EXPECT_EQ(dump.layers[2]->given[1].weights()(1, 0), 0.5F);
}

TEST_F(DumpSteps, ThatDoNotFollowOneAnotherAreRefused) {
  const std::vector<float> first = rows_of(0, 2, kSteps[0]), third = rows_of(0, 2, kSteps[2]), other = rows_of(0, 1, kSteps[1]);
  EXPECT_THAT(
      refusal({{"step.0.attention.0", {2, 3, 3}, first}, {"step.2.attention.0", {2, 1, 5}, third}}),
      HasSubstr("the steps do not follow one another; found shape [2, 1, 5], expected the 3 keys of step 0, and one for each query"));
  EXPECT_THAT(refusal({{"step.0.attention.0", {2, 3, 3}, first}, {"step.1.attention.0", {1, 1, 4}, other}}),
              HasSubstr("the steps do not follow one another"));
  EXPECT_THAT(refusal({{"step.0.attention.0", {2, 5, 1}, third}}), HasSubstr("the first step has more queries than keys"));
}

TEST(StepNames, LayersOfEqualSidesAreNoSteps) {
  DumpFile file;
  for (const char* name : {"decoder.block.0.layer.1.attention", "decoder.block.1.layer.1.attention"}) {
    file.tensors.push_back({name, {1, 2, 2}, std::vector<float>(4), DType::f32});
  }
  join_steps(file);
  EXPECT_EQ(file.tensors.size(), 2U);
  EXPECT_TRUE(file.steps.empty());
  EXPECT_EQ(note_on_steps(file), "");
}

TEST_F(DumpSteps, ArraysOfCheckpointsAndOfTimestepsAreLayers) {
  for (const char* names : {R"("step1000": {0}, "step2000": {0})", R"("timestep0": {0}, "timestep1": {0})"}) {
    const std::string map = "[[[1, 0], [0.5, 0.5]]]";
    std::string text = names;
    for (std::size_t at = text.find("{0}"); at != std::string::npos; at = text.find("{0}")) text.replace(at, 3, map);
    EXPECT_EQ(json(R"({"attention": {)" + text + "}}").layers.size(), 2U) << names;
  }
}

TEST_F(DumpSteps, LayersMayHaveDifferentNumbersOfHeads) {
  const std::vector<float> two = rows_of(0, 2, kWhole), three = rows_of(1, 3, kWhole);
  const AttentionDump dump =
      tensors({{"attention.0", {2, 5, 5}, two}, {"attention.1", {3, 5, 5}, three}}, {{"tokens", R"(["a", "b", "c", "d", "e"])"}});
  EXPECT_EQ(dump.layers[0]->heads, 2);
  EXPECT_EQ(dump.layers[1]->heads, 3);
  EXPECT_EQ(dump.layers[1]->given[2].weights()(4, 3), weight(1, 2, 4, 3));
  EXPECT_EQ(dump.model->config.heads.count, 3);
  EXPECT_EQ(dump.model->config.heads_of(0), 2);
  EXPECT_TRUE(dump.notices.empty()) << dump.notices.front();
  const std::string lists = "[" + list_of(two, {2, 5, 5}) + "," + list_of(three, {3, 5, 5}) + "]";
  const AttentionDump nested = json(R"({"attention": )" + lists + R"(, "tokens": ["a", "b", "c", "d", "e"]})");
  EXPECT_EQ(nested.layers[1]->given[2].weights(), dump.layers[1]->given[2].weights());
}

}  // namespace
}  // namespace headlight
