#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "engine/formats/json.h"
#include "engine/formats/tensors/safetensors.h"
#include "tests/cli/program.h"

namespace headlight {
namespace {

using testing::ProgramFolder;
using testing::ProgramResult;
using Shape = std::vector<std::int64_t>;

/// A sandbox of 2 layers, 2 heads and width 16 on six words, written and read back.
class TraceCommand : public ::testing::Test {
 protected:
  SafetensorsFile trace(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"trace", "-m",        "sandbox", "-t", "The cat sat on the mat", "--layers", "2", "--heads",
                                          "2",     "--d-model", "16",      "-o", "out.safetensors"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = folder_.run(arguments);
    EXPECT_EQ(result.status, 0) << result.error;
    return SafetensorsFile(folder_ / "out.safetensors");
  }

  static FloatTensor floats(const SafetensorsFile& file, const std::string& name) {
    const TensorInfo* tensor = file.find(name);
    EXPECT_NE(tensor, nullptr) << name;
    return tensor ? file.read_floats(*tensor) : FloatTensor{};
  }

  ProgramFolder folder_;
};

TEST_F(TraceCommand, HoldsMapsHiddenStatesAndTheLastOne) {
  const SafetensorsFile file = trace();
  std::vector<std::string> names;
  for (const TensorInfo& tensor : file.tensors()) names.push_back(tensor.name);
  EXPECT_THAT(names,
              ::testing::UnorderedElementsAre("attention.0", "attention.1", "hidden.0", "hidden.1", "hidden.2", "last_hidden_state"));
  EXPECT_EQ(floats(file, "attention.1").shape, (Shape{2, 6, 6}));
  EXPECT_EQ(floats(file, "hidden.0").shape, (Shape{6, 16}));
  EXPECT_EQ(floats(file, "last_hidden_state").values, floats(file, "hidden.2").values);
}

TEST_F(TraceCommand, AnEncoderDecoderHasNamesOfItsOwnForEveryStack) {
  const SafetensorsFile file = trace({"--encoder-decoder", "--decoder-text", "Die Katze sass", "--include", "scores,q,k"});
  EXPECT_EQ(floats(file, "encoder.attention.1").shape, (Shape{2, 6, 6}));
  EXPECT_EQ(floats(file, "decoder.attention.0").shape, (Shape{2, 3, 3}));
  EXPECT_EQ(floats(file, "cross.attention.1").shape, (Shape{2, 3, 6}));
  EXPECT_EQ(floats(file, "cross.scores.0").shape, (Shape{2, 3, 6}));
  EXPECT_EQ(floats(file, "cross.q.0").shape, (Shape{2, 3, 8}));
  EXPECT_EQ(floats(file, "cross.k.0").shape, (Shape{2, 6, 8}));
  EXPECT_EQ(floats(file, "encoder.hidden.0").shape, (Shape{6, 16}));
  EXPECT_EQ(floats(file, "encoder.hidden.last").shape, (Shape{6, 16}));
  EXPECT_EQ(floats(file, "decoder.hidden.1").shape, (Shape{3, 16}));
  EXPECT_EQ(floats(file, "last_hidden_state").values, floats(file, "decoder.hidden.last").values);
  std::vector<std::string> names;
  for (const TensorInfo& tensor : file.tensors()) names.push_back(tensor.name);
  EXPECT_THAT(names,
              ::testing::Each(::testing::Not(::testing::AnyOf(::testing::StartsWith("attention."), ::testing::StartsWith("hidden.")))));

  // What cross-attention reads is the encoder's last state: its rows are normalised.
  const FloatTensor memory = floats(file, "encoder.hidden.last");
  double mean = 0;
  for (std::size_t column = 0; column < 16; ++column) mean += static_cast<double>(memory.values[column]) / 16;
  EXPECT_NEAR(mean, 0, 1e-5);
  const auto& metadata = file.metadata();
  EXPECT_EQ(Json::parse(metadata.at("tokens")), Json({"The", "cat", "sat", "on", "the", "mat"}));
  EXPECT_EQ(Json::parse(metadata.at("decoder.tokens")), Json({"Die", "Katze", "sass"}));
  EXPECT_EQ(Json::parse(metadata.at("decoder.text")), "Die Katze sass");
  EXPECT_EQ(Json::parse(metadata.at("decoder.offsets"))[1], Json({4, 9}));
  EXPECT_EQ(Json::parse(metadata.at("decoder.ids")).size(), 3U);
}

TEST_F(TraceCommand, MetadataIsJson) {
  const auto metadata = trace().metadata();
  EXPECT_EQ(Json::parse(metadata.at("text")), "The cat sat on the mat");
  EXPECT_EQ(Json::parse(metadata.at("tokens")), Json({"The", "cat", "sat", "on", "the", "mat"}));
  EXPECT_EQ(Json::parse(metadata.at("offsets"))[1], Json({4, 7}));
  EXPECT_EQ(Json::parse(metadata.at("ids")).size(), 6U);
  EXPECT_EQ(Json::parse(metadata.at("model")).at("name"), "sandbox");
}

TEST_F(TraceCommand, RowsOfWeightsSumToOneAndCausalCellsAreZero) {
  const FloatTensor weights = floats(trace(), "attention.0");
  for (std::size_t row = 0; row < 12; ++row) {
    double sum = 0;
    for (std::size_t key = 0; key < 6; ++key) {
      const float weight = weights.values[row * 6 + key];
      if (key > row % 6) {
        EXPECT_EQ(weight, 0) << row << " " << key;
      }
      sum += double{weight};
    }
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

// Seeds S3-11, D8: stages have names of their own, and hold what the names say.
// What was included leads to the maps and to the next layer's input by the formula of the paper.
TEST_F(TraceCommand, IncludedTensorsFitEachOther) {
  const SafetensorsFile file = trace({"--include", "raw_scores,scores,masked_scores,q,k,v,z,resid_post"});
  const FloatTensor q = floats(file, "q.1"), k = floats(file, "k.1"), v = floats(file, "v.1"), z = floats(file, "z.1");
  const FloatTensor raw = floats(file, "raw_scores.1"), scores = floats(file, "scores.1"), masked = floats(file, "masked_scores.1"),
                    weights = floats(file, "attention.1");
  EXPECT_EQ(q.shape, (Shape{2, 6, 8}));
  EXPECT_EQ(z.shape, (Shape{6, 16}));
  for (std::size_t head = 0; head < 2; ++head) {
    for (std::size_t query = 0; query < 6; ++query) {
      double sum = 0;
      for (std::size_t key = 0; key < 6; ++key) sum += std::exp(double{masked.values[(head * 6 + query) * 6 + key]});
      for (std::size_t key = 0; key < 6; ++key) {
        double score = 0;
        for (std::size_t i = 0; i < 8; ++i)
          score += double{q.values[(head * 6 + query) * 8 + i]} * double{k.values[(head * 6 + key) * 8 + i]};
        const std::size_t cell = (head * 6 + query) * 6 + key;
        EXPECT_NEAR(raw.values[cell], score, 1e-4);
        EXPECT_NEAR(scores.values[cell], score / std::sqrt(8.0), 1e-4);
        EXPECT_NEAR(weights.values[cell], std::exp(double{masked.values[cell]}) / sum, 1e-5);
        EXPECT_EQ(masked.values[cell], key > query ? -std::numeric_limits<float>::infinity() : scores.values[cell]);
      }
      for (std::size_t i = 0; i < 8; ++i) {
        double mixed = 0;
        for (std::size_t key = 0; key < 6; ++key)
          mixed += double{weights.values[(head * 6 + query) * 6 + key]} * double{v.values[(head * 6 + key) * 8 + i]};
        EXPECT_NEAR(z.values[query * 16 + head * 8 + i], mixed, 1e-4);
      }
    }
  }
  EXPECT_EQ(floats(file, "resid_post.0").values, floats(file, "hidden.1").values);
}

TEST_F(TraceCommand, EditsOfTheCommandLineReachTheMaps) {
  const SafetensorsFile file =
      trace({"--bidirectional", "--deny", "2:*", "--allow", "2:5", "--mask", "1@k==0", "--off", "0.1", "--include", "z"});
  const FloatTensor first = floats(file, "attention.0"), second = floats(file, "attention.1"), z = floats(file, "z.0");
  EXPECT_GT(first.values[5], 0) << "a query sees later keys";
  EXPECT_EQ(first.values[2 * 6 + 5], 1) << "all of row 2 is denied but key 5";
  EXPECT_EQ(second.values[4 * 6 + 0], 1) << "layer 1 has a mask of its own";
  for (std::size_t token = 0; token < 6; ++token) {
    EXPECT_NE(z.values[token * 16], 0);
    EXPECT_EQ(z.values[token * 16 + 8], 0) << "head 0.1 is switched off";
  }
}

TEST_F(TraceCommand, IsTheSameForAnyNumberOfThreads) {
  trace({"--threads", "1"});
  const std::string one = testing::bytes_of(folder_ / "out.safetensors");
  trace({"--threads", "3"});
  EXPECT_EQ(one, testing::bytes_of(folder_ / "out.safetensors"));
}

TEST_F(TraceCommand, ADocumentGivesWhatOptionsDoNotOverride) {
  ASSERT_EQ(folder_.run({"save", "-m", "sandbox", "-t", "one two", "--layers", "1", "--heads", "4", "-o", "d.json"}).status, 0);
  ASSERT_EQ(folder_.run({"trace", "--document", "d.json", "-o", "a.safetensors"}).status, 0);
  ASSERT_EQ(folder_.run({"trace", "--document", "d.json", "-t", "one two three", "--heads", "2", "-o", "b.safetensors"}).status, 0);
  EXPECT_EQ(SafetensorsFile(folder_ / "a.safetensors").find("attention.0")->shape, (Shape{4, 2, 2}));
  EXPECT_EQ(SafetensorsFile(folder_ / "b.safetensors").find("attention.0")->shape, (Shape{2, 3, 3}));
  EXPECT_EQ(SafetensorsFile(folder_ / "b.safetensors").find("attention.1"), nullptr);
}

TEST_F(TraceCommand, NpzIsAnArchiveOfTheSameNames) {
  ASSERT_EQ(folder_.run({"trace", "-m", "sandbox", "-t", "a b", "-o", "out.npz"}).status, 0);
  const std::string bytes = testing::bytes_of(folder_ / "out.npz");
  EXPECT_EQ(bytes.substr(0, 4), "PK\x03\x04");
  EXPECT_NE(bytes.find("attention.3.npy"), std::string::npos);
}

}  // namespace
}  // namespace headlight
