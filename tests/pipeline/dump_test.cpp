// Maps from a file through the door that models go through.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/formats/tensors/write_tensors.h"
#include "engine/pipeline/pipeline.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

Query maps_query(const std::string& model) {
  Query query;
  query.model.name = model;
  query.text = "the cat sat on the mat";
  return query;
}

class DumpPipeline : public ::testing::Test {
 protected:
  std::shared_ptr<const Snapshot> run(const Query& query) {
    SilentProgress progress;
    return pipeline_.run(query, progress);
  }
  Pipeline pipeline_{1};
  TemporaryFolder folder_;
};

TEST_F(DumpPipeline, MapsThatWereWrittenAreShownBitForBit) {
  Query query = maps_query("sandbox");
  query.model.sandbox.layers = 2;
  const auto computed = run(query);
  std::vector<std::vector<float>> kept;
  std::vector<TensorToWrite> tensors;
  kept.reserve(2);
  for (int layer = 0; layer < 2; ++layer) {
    std::vector<float>& values = kept.emplace_back();
    for (int head = 0; head < computed->heads(); ++head) {
      const Matrix weights = computed->maps({layer, head}).weights;
      values.insert(values.end(), weights.data(), weights.data() + weights.size());
    }
    tensors.push_back({"attention." + std::to_string(layer), {computed->heads(), computed->tokens(), computed->tokens()}, values});
  }
  const std::filesystem::path path = folder_ / "maps.npz";
  write_npz(path, tensors, {{"tokens", R"(["the", "cat", "sat", "on", "the", "mat"])"}, {"headlight.mask", "causal"}});
  const auto shown = run(maps_query(path.string()));
  EXPECT_TRUE(shown->is_dump());
  EXPECT_FALSE(computed->is_dump());
  ASSERT_EQ(shown->layers(), 2);
  ASSERT_EQ(shown->heads(), computed->heads());
  for (int layer = 0; layer < 2; ++layer) {
    for (int head = 0; head < shown->heads(); ++head) {
      const HeadMaps maps = shown->maps({layer, head});
      EXPECT_EQ(maps.weights, computed->maps({layer, head}).weights);
      EXPECT_EQ(maps.scores.size(), 0);
      EXPECT_EQ(shown->summary({layer, head}).pooled, computed->summary({layer, head}).pooled);
      for (const Measure& measure : head_measures()) {
        const double live = computed->summary({layer, head}).value(measure.id), read = shown->summary({layer, head}).value(measure.id);
        EXPECT_TRUE(std::abs(live - read) <= 1e-6 || (std::isnan(live) && std::isnan(read))) << measure.id << " " << live << " " << read;
      }
    }
  }
  EXPECT_EQ(shown->layer_name(1), "layer 1");
  EXPECT_EQ(shown->query_tokens(0).tokens[1].text, "cat");
  EXPECT_TRUE(shown->notices.empty()) << shown->notices.front();
}

TEST_F(DumpPipeline, EditsDoNothingAndThatIsSaid) {
  const std::vector<float> maps = {1, 0, 0.5F, 0.5F};
  const std::filesystem::path path = folder_ / "maps.safetensors";
  write_safetensors(path, std::vector<TensorToWrite>{{"attention.0", {1, 2, 2}, maps}}, {{"tokens", R"(["a", "b"])"}});
  Query query = maps_query(path.string());
  query.switched_off = {{0, 0}};
  const auto shown = run(query);
  EXPECT_EQ(shown->maps({0, 0}).weights(1, 0), 0.5F);
  EXPECT_THAT(shown->notices, Contains(HasSubstr("Edits do nothing here")));
  EXPECT_TRUE(shown->query.switched_off.empty());
  EXPECT_EQ(run(query)->cost.layers_reused, 1);
}

// The W4 map of the metrics paper: causal, entropy 0.936200 over the rows with two keys and more. Every key allowed gives 0.529.
TEST_F(DumpPipeline, TheW4MapMeasuresAsACausalMapWithAndWithoutItsMask) {
  const std::string map = R"("attention": [[[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.2, 0.3, 0.5, 0], [0.1, 0.15, 0.5, 0.25]]])";
  for (const char* mask : {"", R"(, "headlight.mask": "causal")", R"(, "mask": [[1,0,0,0],[1,1,0,0],[1,1,1,0],[1,1,1,1]])"}) {
    const auto path = folder_.file("w4.json", "{" + map + mask + "}");
    const HeadSummary& summary = run(maps_query(path.string()))->summary({0, 0});
    EXPECT_NEAR(summary.value("normalised-entropy"), 0.936200, 1e-6) << mask;
    EXPECT_NEAR(summary.value("first-token"), 0.266667, 1e-6) << mask;
    EXPECT_NEAR(summary.value("mean-distance"), 0.766667, 1e-6) << mask;
    EXPECT_NEAR(summary.value("confidence"), 0.5, 1e-6) << mask;
    EXPECT_EQ(summary.informative_rows, 3) << mask;
    std::filesystem::remove(path);
  }
}

TEST_F(DumpPipeline, AMaskEditIsMeasuredAnewAndAContradictionLeavesTheMeasuresOut) {
  const auto path = folder_.file("w4.json", R"([[[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]]])");
  Query query = maps_query(path.string());
  EXPECT_THAT(
      run(query)->notices,
      Contains("Causal mask assumed in 1 of 1 layers: no query gives weight to a later token, and the file names no mask. If every key was "
               "allowed, choose the mask none."));
  query.mask.rules = {{{}, "none", {}}};
  const auto open = run(query);
  EXPECT_EQ(open->summary({0, 0}).informative_rows, 3);
  EXPECT_THAT(open->notices, ::testing::Not(Contains(HasSubstr("assumed"))));
  query.mask.rules = {{{}, "causal + window:2", {}}};
  const auto wrong = run(query);
  EXPECT_TRUE(std::isnan(wrong->summary({0, 0}).value("normalised-entropy")));
  EXPECT_THAT(wrong->notices, Contains(HasSubstr("1 masked cell of 1 of 1 heads holds weight, first in layer 0, head 0")));
  EXPECT_TRUE(run(query)->cost.layers_reused == 1);
}

TEST_F(DumpPipeline, QueriesOfAnotherTextHaveTheirOwnAxis) {
  const std::vector<float> maps = {0.5F, 0.25F, 0.25F, 0, 0, 1};
  const std::filesystem::path path = folder_ / "cross.safetensors";
  write_safetensors(path, std::vector<TensorToWrite>{{"attention.0", {1, 2, 3}, maps}},
                    {{"key_tokens", R"(["a", "b", "c"])"}, {"query_tokens", R"(["x", "y"])"}});
  const auto shown = run(maps_query(path.string()));
  EXPECT_EQ(shown->queries(0), 2);
  EXPECT_EQ(shown->keys(0), 3);
  EXPECT_EQ(shown->query_tokens(0).tokens[1].text, "y");
  EXPECT_EQ(shown->key_tokens(0).tokens[2].text, "c");
}

TEST_F(DumpPipeline, LayersAreCalledAsTheFileCallsThem) {
  const std::vector<float> self = {1, 0, 0.5F, 0.5F}, cross = {0.5F, 0.25F, 0.25F, 0, 0, 1};
  const std::filesystem::path gap = folder_ / "gap.safetensors", part = folder_ / "part.safetensors";
  write_safetensors(gap, std::vector<TensorToWrite>{{"attention.0", {1, 2, 2}, self}, {"attention.2", {1, 2, 2}, self}}, {});
  const auto first = run(maps_query(gap.string()));
  EXPECT_EQ(first->layer_name(0), "layer 0");
  EXPECT_EQ(first->layer_name(1), "layer 2");
  write_safetensors(part, std::vector<TensorToWrite>{{"decoder.attention.1", {1, 2, 2}, self}, {"cross.attention.1", {1, 2, 3}, cross}},
                    {{"tokens", R"(["a", "b", "c"])"}, {"decoder_tokens", R"(["x", "y"])"}});
  const auto second = run(maps_query(part.string()));
  EXPECT_EQ(second->layer_name(0), "decoder 1");
  EXPECT_EQ(second->layer_name(1), "cross 1");
  EXPECT_EQ(second->key_tokens(0).tokens[1].text, "y") << "the decoder attends to its own text";
  EXPECT_EQ(second->key_tokens(1).tokens[2].text, "c");
  EXPECT_EQ(second->query_tokens(1).tokens[0].text, "x");
}

// entropy, effective tokens and the like are defined for rows that share out 1.
TEST_F(DumpPipeline, MeasuresOfRowsThatAreNoWeightsAreUndefined) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> maps = {1, 0, 0.5F, 0.5F, 3, 0, 0.5F, 0.5F, nan, 1, 0.5F, 0.5F, 0, 0, 0.5F, 0.5F};
  const std::filesystem::path path = folder_ / "odd.safetensors";
  write_safetensors(path, std::vector<TensorToWrite>{{"attention.0", {4, 2, 2}, maps}}, {});
  const auto shown = run(maps_query(path.string()));
  EXPECT_NEAR(shown->summary({0, 0}).value("normalised-entropy"), 0.5, 1e-6);
  for (const int head : {1, 2}) {
    const HeadSummary& summary = shown->summary({0, head});
    ASSERT_EQ(summary.measured.values.size(), head_measures().size());
    for (const double measure : summary.measured.values) EXPECT_TRUE(std::isnan(measure)) << head;
  }
  EXPECT_EQ(shown->summary({0, 1}).largest, 3) << "for the picture";
  EXPECT_NEAR(shown->summary({0, 3}).value("normalised-entropy"), 1, 1e-6) << "a row of zeros is a masked one: it counts in no mean";
}

TEST_F(DumpPipeline, AFileThatCannotBeReadLeavesTheModelInPlace) {
  const auto before = run(maps_query("sandbox"));
  const auto path = folder_.file("broken.npz", "PK");
  EXPECT_EQ(testing::error_of([&] { run(maps_query(path.string())); }).kind(), ErrorKind::input);
  EXPECT_EQ(run(maps_query("sandbox"))->cost.layers_computed, 0);
}

}  // namespace
}  // namespace headlight
