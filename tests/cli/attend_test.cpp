#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "engine/formats/json.h"
#include "engine/formats/tensors/safetensors.h"
#include "tests/cli/attend_folder.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::ProgramResult;
using Attend = testing::AttendTest;
using testing::random_values;
using testing::raw;
using testing::RawTensor;
using testing::Shape;

TEST_F(Attend, WritesAttentionAndOutputAndSaysWhatItDid) {
  const ProgramResult result = attend(layer(), {"--heads", "2"});
  ASSERT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.error, IsEmpty());
  EXPECT_EQ(written("attention").shape, (Shape{2, 2, 5, 5}));
  EXPECT_EQ(written("output").shape, (Shape{2, 5, 6}));
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("x: [2, 5, 8] F32"), HasSubstr("heads: 2 of width 4"), HasSubstr("score: dot, scale 0.5"),
                    HasSubstr("parameters: 176"), HasSubstr("fully masked rows: 0 of 20"), HasSubstr("wrote attention: [2, 2, 5, 5]")));
  const SafetensorsFile file(folder_ / "out.safetensors");
  EXPECT_EQ(Json::parse(file.metadata().at("attend")).at("heads"), 2);
}

/// The layers of torch.nn.MultiheadAttention and of Hugging Face's models under their own names.
TEST_F(Attend, ReadsWhatOtherLayersSave) {
  const std::vector<float> q = random_values("q", 64), k = random_values("k", 64), v = random_values("v", 64), o = random_values("o", 64);
  const RawTensor x = raw<float>("x", "F32", {2, 5, 8}, random_values("x", 80));
  ASSERT_EQ(attend({x, raw<float>("q.weight", "F32", {8, 8}, q), raw<float>("k.weight", "F32", {8, 8}, k),
                    raw<float>("v.weight", "F32", {8, 8}, v), raw<float>("o.weight", "F32", {8, 8}, o)},
                   {"--heads", "2"})
                .status,
            0);
  const FloatTensor expected = written("output");
  std::vector<float> joined = q;
  joined.insert(joined.end(), k.begin(), k.end());
  joined.insert(joined.end(), v.begin(), v.end());
  const ProgramResult torch =
      attend({x, raw<float>("in_proj_weight", "F32", {24, 8}, joined), raw<float>("out_proj.weight", "F32", {8, 8}, o)}, {"--heads", "2"});
  ASSERT_EQ(torch.status, 0) << torch.error;
  EXPECT_THAT(torch.out, HasSubstr("in_proj_weight: [24, 8] F32, the rows of 3 parts"));
  EXPECT_EQ(written("output").values, expected.values);
  const ProgramResult hub = attend({x, raw<float>("q_proj.weight", "F32", {8, 8}, q), raw<float>("k_proj.weight", "F32", {8, 8}, k),
                                    raw<float>("v_proj.weight", "F32", {8, 8}, v), raw<float>("o_proj.weight", "F32", {8, 8}, o)},
                                   {"--heads", "2"});
  ASSERT_EQ(hub.status, 0) << hub.error;
  EXPECT_EQ(written("output").values, expected.values);
  const std::vector<float> bias = random_values("b", 24);
  const auto third = [&](std::ptrdiff_t at) { return std::vector<float>(bias.begin() + 8 * at, bias.begin() + 8 * (at + 1)); };
  ASSERT_EQ(attend({x, raw<float>("q.bias", "F32", {8}, third(0)), raw<float>("k.bias", "F32", {8}, third(1)),
                    raw<float>("v.bias", "F32", {8}, third(2))},
                   {"--heads", "2"})
                .status,
            0);
  const FloatTensor shifted = written("output");
  for (const char* name : {"in_proj_bias", "in_proj.bias"}) {
    ASSERT_EQ(attend({x, raw<float>(name, "F32", {24}, bias)}, {"--heads", "2"}).status, 0);
    EXPECT_EQ(written("output").values, shifted.values) << name;
  }
  expect_refusal(attend({x, raw<float>("in_proj_weight", "F32", {25, 8}, random_values("w", 200))}, {"--heads", "2"}), 3,
                 {"in_proj_weight", "[25, 8]", "3 divides"});
  expect_refusal(attend({x, raw<float>("bias_k", "F32", {1, 1, 8}, random_values("b", 8))}, {"--heads", "2"}), 3,
                 {"bias_k", "add_bias_kv"});
}

TEST_F(Attend, SaysThatNothingIsProjected) {
  const ProgramResult result = attend({raw<float>("x", "F32", {2, 5, 8}, random_values("x", 80))}, {"--heads", "2"});
  ASSERT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("the inputs are used as they are"));
}

TEST_F(Attend, TellsHowFarTheFilesOwnResultsAre) {
  ASSERT_EQ(attend(layer(), {"--heads", "2"}).status, 0);
  std::vector<float> theirs = written("attention").values;
  std::vector<RawTensor> tensors = layer();
  tensors.push_back(raw<float>("attention", "F32", {2, 2, 5, 5}, theirs));
  tensors.push_back(raw<float>("output", "F32", {2, 5, 7}, random_values("output", 70)));
  EXPECT_THAT(attend(tensors, {"--heads", "2"}).out, AllOf(HasSubstr("attention in the file: largest difference 0.0e+00"),
                                                           HasSubstr("output in the file: [2, 5, 7] is not [2, 5, 6], not compared")));
  theirs[50 + 25 + 5 + 2] += 0.25F;
  tensors[4] = raw<float>("attention", "F32", {2, 2, 5, 5}, theirs);
  EXPECT_THAT(attend(tensors, {"--heads", "2"}).out, HasSubstr("attention in the file: largest difference 2.5e-01 at [1, 1, 1, 2]"));
}

TEST_F(Attend, ADifferenceEndsWithStatusSevenAndALineForEveryHead) {
  ASSERT_EQ(attend(layer(), {"--heads", "2", "--include", "z,scores"}).status, 0);
  std::vector<float> maps = written("attention").values, z = written("z").values, scores = written("scores").values;
  const auto with = [&](const std::string& name, const Shape& shape, const std::vector<float>& values, std::vector<std::string> more = {}) {
    std::vector<RawTensor> tensors = layer();
    tensors.push_back(raw<float>(name, "F32", shape, values));
    more.insert(more.begin(), {"--heads", "2"});
    return attend(tensors, more);
  };
  const Shape z_shape = written("z").shape;
  EXPECT_EQ(with("attention", {2, 2, 5, 5}, maps).status, 0);
  const ProgramResult z_result = with("z", z_shape, z);
  EXPECT_EQ(z_result.status, 0);
  EXPECT_THAT(z_result.out, HasSubstr("z in the file: largest difference 0.0e+00")) << "compared without being asked for";
  EXPECT_EQ(with("scores", {2, 2, 5, 5}, scores).status, 0);
  maps[25 + 5 + 2] += 0.25F;
  const ProgramResult differs = with("attention", {2, 2, 5, 5}, maps);
  EXPECT_EQ(differs.status, 7);
  EXPECT_THAT(differs.out, AllOf(HasSubstr("head 0 agrees, largest difference 0.0e+00"),
                                 HasSubstr("head 1 differs, largest difference 2.5e-01 at [0, 1, 1, 2]"),
                                 HasSubstr("differs from the file: attention")));
  EXPECT_EQ(with("attention", {2, 2, 5, 5}, maps, {"--atol", "0.3"}).status, 0);
  z[0] += 1;
  const ProgramResult z_differs = with("z", z_shape, z);
  EXPECT_EQ(z_differs.status, 7);
  EXPECT_THAT(z_differs.out, AllOf(HasSubstr("head 0 differs"), HasSubstr("head 1 agrees")));
  scores[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(with("scores", {2, 2, 5, 5}, scores).status, 7) << "NaN agrees with nothing";
}

TEST_F(Attend, MapsOfSequenceFirstCodeAreComparedInTheirOwnOrder) {
  std::vector<RawTensor> tensors = {raw<float>("x", "F32", {5, 2, 8}, random_values("x", 80))};
  ASSERT_EQ(attend(tensors, {"--heads", "4", "--layout", "sequence-first"}).status, 0);
  const std::vector<float> ours = written("attention").values;  // [2, 4, 5, 5]
  std::vector<float> theirs(ours.size());                       // [5, 5, 2, 4]
  for (std::size_t map = 0; map < 8; ++map) {
    for (std::size_t cell = 0; cell < 25; ++cell) theirs[cell * 8 + map] = ours[map * 25 + cell];
  }
  tensors.push_back(raw<float>("attention", "F32", {5, 5, 2, 4}, theirs));
  EXPECT_THAT(attend(tensors, {"--heads", "4", "--layout", "sequence-first"}).out,
              HasSubstr("attention in the file: largest difference 0.0e+00"));
  EXPECT_THAT(attend(tensors, {"--heads", "4"}).out, HasSubstr("not compared"));
}

TEST_F(Attend, MetadataGivesTheOptionsAndAFlagWins) {
  const ProgramResult from_file = attend(layer(), {}, {{"headlight.heads", "4"}, {"headlight.mask", "causal"}, {"format", "pt"}});
  ASSERT_EQ(from_file.status, 0) << from_file.error;
  EXPECT_THAT(from_file.out, AllOf(HasSubstr("heads: 4 of"), HasSubstr("mask text: causal")));
  EXPECT_THAT(attend(layer(), {"--heads", "2"}, {{"headlight.heads", "4"}}).out, HasSubstr("heads: 2 of"));
  EXPECT_THAT(attend(layer(), {}, {{"heads", "8"}}).out, HasSubstr("heads: 8 of"));
}

TEST_F(Attend, MetadataThatCannotBeReadIsAFaultOfTheFile) {
  expect_refusal(attend(layer(), {}, {{"headlight.haeds", "4"}}), 3, {"in.safetensors", "headlight.haeds", "heads, kv_heads"});
  expect_refusal(attend(layer(), {"--heads", "2"}, {{"headlight.layout", "batchfirst"}}), 3,
                 {"headlight.layout", "batchfirst", "batch-first"});
  expect_refusal(attend(layer(), {}, {{"headlight.heads", "7"}}), 3, {"in.safetensors", "metadata heads", "7 heads", "8"});
  expect_refusal(attend(layer(), {"--heads", "2"}, {{"headlight.mask", "cosal"}}), 3, {"in.safetensors", "cosal"});
}

TEST_F(Attend, ASinkIsAFlagOrStandsInTheMetadata) {
  EXPECT_THAT(attend(layer(), {"--heads", "2", "--sink", "1.5"}).out, HasSubstr("scale 0.5, sink 1.5\n"));
  const std::vector<float> with_flag = written("attention").values;
  attend(layer(), {"--heads", "2"}, {{"headlight.sink", "1.5"}});
  EXPECT_EQ(written("attention").values, with_flag);
  attend(layer(), {"--heads", "2"});
  EXPECT_NE(written("attention").values, with_flag);
}

TEST_F(Attend, ASoftmaxOfLessPrecisionRoundsItsWeightsAndIsSaid) {
  EXPECT_THAT(attend(layer(), {"--heads", "2", "--softmax-precision", "bfloat16"}).out, HasSubstr("scale 0.5, softmax in bfloat16\n"));
  for (const float weight : written("attention").values) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &weight, sizeof(bits));
    EXPECT_EQ(bits & 0xFFFFU, 0U) << weight;
  }
  expect_refusal(attend(layer(), {"--heads", "2", "--softmax-precision", "float8"}), 2, {"--softmax-precision", "float8", "bfloat16"});
}

TEST_F(Attend, ProjectionsBeyondFloat32AreCounted) {
  const std::vector<RawTensor> tensors = {raw<float>("x", "F32", {1, 2}, std::vector<float>{3e38F, 3e38F}),
                                          raw<float>("q.weight", "F32", {2, 2}, std::vector<float>{9, 9, 0, 0})};
  EXPECT_THAT(attend(tensors, {"--heads", "1", "--only-project", "on"}).out,
              HasSubstr("wrote q: [1, 1, 2]\nbeyond float32: 0 NaN and 1 infinite numbers in q\n"));
}

// Seeds S0-1, D4.
TEST_F(Attend, WrongOptionsAreUsage) {
  expect_refusal(attend(layer()), 2, {"into how many heads?", "--heads 8"});
  expect_refusal(attend(layer(), {"--heads", "7"}), 2, {"--heads: 7 heads", "8"});
  expect_refusal(attend(layer(), {"--heads", "4", "--kv-heads", "3"}), 2, {"--kv-heads: 4 heads", "3"});
  expect_refusal(attend(layer(), {"--heads", "2", "--sink", "deep"}), 2, {"--sink", "deep"});
  expect_refusal(attend(layer(), {"--heads", "two"}), 2, {"--heads", "\"two\""});
  expect_refusal(attend(layer(), {"--heads", "2", "--score", "dott"}), 2, {"--score", "dott", "cosine"});
  expect_refusal(attend(layer(), {"--heads", "2", "--scale", "nan"}), 2, {"--scale", "nan"});
  expect_refusal(attend(layer(), {"--heads", "2", "--softcap", "-1"}), 2, {"--softcap"});
  expect_refusal(attend(layer(), {"--heads", "2", "--mask", "cosal"}), 2, {"cosal"});
  expect_refusal(attend(layer(), {"--heads", "2", "--include", "scores,w"}), 2, {"scores,w"});
  expect_refusal(folder_.run({"attend", "in.safetensors"}), 2, {"-o"});
  expect_refusal(folder_.run({"attend", "-o", "out.safetensors"}), 2, {"--write-example"});
  expect_refusal(folder_.run({"attend", "in.safetensors", "-o", "out.txt"}), 2, {"out.txt"});
  expect_refusal(folder_.run({"attend", "in.safetensors", "-o", "./in.safetensors"}), 2, {"overwrite"});
}

TEST_F(Attend, TensorsThatDoNotFitAreAFaultOfTheFile) {
  expect_refusal(folder_.run({"attend", "none.safetensors", "-o", "out.safetensors"}), 3, {"none.safetensors"});
  std::vector<RawTensor> tensors = layer();
  tensors[1].name = "q.wieght";
  expect_refusal(attend(tensors, {"--heads", "2"}), 3, {"q.wieght", "q.weight, q.bias"});
  tensors[1].name = "Mask";
  expect_refusal(attend(tensors, {"--heads", "2"}), 3, {"tensor Mask", "expected mask"});
  tensors = layer();
  tensors[0] = raw<std::int32_t>("x", "I32", {2, 5, 8}, std::vector<int>(80, 1));
  expect_refusal(attend(tensors, {"--heads", "2"}), 3, {"tensor x", "I32", "F32"});
  tensors = layer();
  tensors.push_back(raw<std::uint8_t>("mask", "U8", {2, 6}, std::vector<int>(12, 1)));
  expect_refusal(attend(tensors, {"--heads", "2"}), 3, {"in.safetensors: tensor mask", "[2, 6]", "[2, 5] (batch x key)"});
  tensors = layer();
  tensors[0] = raw<float>("x", "F32", {5, 8}, random_values("x", 40));
  expect_refusal(attend(tensors, {"--heads", "2"}), 3, {"tensor x", "[5, 8]"});
}

TEST_F(Attend, AWriteThatFailsIsStatus4) {
  folder_.file("in.safetensors", safetensors_bytes(layer()));
  EXPECT_EQ(folder_.run({"attend", "in.safetensors", "--heads", "2", "-o", "missing/out.safetensors"}).status, 4);
}

TEST_F(Attend, MapsOverTheLimitAreStatus6) {
  const std::vector<RawTensor> tensors = {raw<float>("x", "F32", {1, 2'000'000, 1}, std::vector<float>(2'000'000, 1))};
  expect_refusal(attend(tensors, {"--heads", "1"}), 6, {"2000000", "GiB"});
}

TEST_F(Attend, TensorsThatAreNotUsedAreListed) {
  std::vector<RawTensor> tensors = layer();
  tensors.push_back(raw<std::uint8_t>("attn_mask", "U8", {5}, std::vector<int>(5, 1)));
  EXPECT_THAT(attend(tensors, {"--heads", "2"}).out, HasSubstr("not used: attn_mask"));
}

// Seeds D1.
TEST_F(Attend, AMaskedRowIsZeroAndFlaggedForInputsOfAnyFloatType) {
  const std::vector<float> x = random_values("x", 80);
  std::vector<int> mask(50, 1);
  for (std::size_t key = 0; key < 5; ++key) mask[25 + 2 * 5 + key] = 0;
  std::vector<FloatTensor> results;
  for (const RawTensor& input : {raw<float>("x", "F32", {2, 5, 8}, x), raw<double>("x", "F64", {2, 5, 8}, x)}) {
    for (const std::string heads : {"1", "8"}) {
      const ProgramResult result = attend({input, raw<std::uint8_t>("mask", "BOOL", {2, 5, 5}, mask)}, {"--heads", heads});
      ASSERT_EQ(result.status, 0) << result.error;
      EXPECT_THAT(result.out,
                  AllOf(HasSubstr("fully masked rows: " + heads + " of"), HasSubstr("[1, 0, 2]"), Not(HasSubstr("beyond float32"))));
      const FloatTensor output = written("output"), attention = written("attention");
      EXPECT_EQ(count_non_finite(output.values).nan + count_non_finite(attention.values).nan, 0);
      for (std::size_t column = 0; column < 8; ++column) EXPECT_EQ(output.values[(5 + 2) * 8 + column], 0.0F);
      results.push_back(output);
    }
  }
  EXPECT_EQ(results[0].values, results[2].values) << "float64 is computed in float32, and said to be";
}

// Seeds D2.
TEST_F(Attend, AnInvertedMaskGivesTheSameMapWithItsMeaningSaid) {
  std::vector<RawTensor> tensors = layer();
  tensors.push_back(raw<std::uint8_t>("mask", "U8", {2, 1, 5}, std::vector<int>{1, 1, 0, 1, 0, 0, 1, 1, 1, 1}));
  ASSERT_EQ(attend(tensors, {"--heads", "2"}).status, 0);
  const std::vector<float> expected = written("attention").values;
  tensors.back() = raw<std::int64_t>("mask", "I64", {2, 1, 5}, std::vector<int>{0, 0, 1, 0, 1, 1, 0, 0, 0, 0});
  const ProgramResult inverted = attend(tensors, {"--heads", "2", "--mask-meaning", "forbid"});
  EXPECT_THAT(inverted.out, HasSubstr("mask converted: 1 marks forbidden pairs"));
  EXPECT_EQ(written("attention").values, expected);
  const float forbid = -INFINITY;
  tensors.back() = raw<float>("mask", "F32", {2, 1, 5}, std::vector<float>{0, 0, forbid, 0, forbid, forbid, 0, 0, 0, 0});
  EXPECT_THAT(attend(tensors, {"--heads", "2"}).out, HasSubstr("additive, 3 of 10 numbers are -inf"));
  EXPECT_EQ(written("attention").values, expected);
}

TEST_F(Attend, HalfPrecisionIsComputedInFloat32) {
  const std::vector<int> halves = {0x3C00, 0x4000, 0xBC00, 0x3800, 0x0000, 0x3C00};  // 1, 2, -1, 0.5, 0, 1
  const std::vector<float> floats = {1, 2, -1, 0.5F, 0, 1};
  ASSERT_EQ(attend({raw<float>("x", "F32", {1, 3, 2}, floats)}, {"--heads", "1"}).status, 0);
  const std::vector<float> expected = written("output").values;
  const ProgramResult half = attend({raw<std::uint16_t>("x", "F16", {1, 3, 2}, halves)}, {"--heads", "1"});
  EXPECT_THAT(half.out, HasSubstr("x: [1, 3, 2] F16, computed as float32"));
  EXPECT_EQ(written("output").values, expected);
}

TEST_F(Attend, IncludedTensorsFitEachOther) {
  ASSERT_EQ(attend(layer(), {"--heads", "2", "--mask", "causal", "--include", "scores,q,k,v,z", "--stage", "masked"}).status, 0);
  const FloatTensor scores = written("scores"), q = written("q"), k = written("k"), v = written("v"), z = written("z"),
                    weights = written("attention");
  EXPECT_EQ(q.shape, (Shape{2, 2, 5, 4}));
  const auto map = [](std::size_t batch, std::size_t head) { return (batch * 2 + head) * 5; };
  double score = 0;
  for (std::size_t i = 0; i < 4; ++i) score += double{q.values[(map(1, 0) + 3) * 4 + i]} * double{k.values[(map(1, 0) + 2) * 4 + i]};
  EXPECT_NEAR(scores.values[(map(1, 0) + 3) * 5 + 2], score / 2, 1e-4);
  EXPECT_EQ(scores.values[(map(1, 0) + 3) * 5 + 4], -INFINITY);
  double mixed = 0;
  for (std::size_t key = 0; key < 5; ++key)
    mixed += double{weights.values[(map(1, 0) + 3) * 5 + key]} * double{v.values[(map(1, 0) + key) * 4 + 1]};
  EXPECT_NEAR(z.values[(1 * 5 + 3) * 8 + 1], mixed, 1e-4);
}

TEST_F(Attend, APastComesBackWithTheNewKeysAndValues) {
  const std::vector<RawTensor> tensors = {
      raw<float>("q", "F32", {1, 2, 1, 4}, random_values("q", 8)), raw<float>("k", "F32", {1, 2, 1, 4}, random_values("k", 8)),
      raw<float>("v", "F32", {1, 2, 1, 4}, random_values("v", 8)), raw<float>("past_key", "F32", {1, 2, 3, 4}, random_values("pk", 24)),
      raw<float>("past_value", "F32", {1, 2, 3, 4}, random_values("pv", 24))};
  ASSERT_EQ(attend(tensors, {"--mask", "causal"}).status, 0);
  EXPECT_EQ(written("attention").shape, (Shape{1, 2, 1, 4}));
  EXPECT_GT(written("attention").values[3], 0) << "the query stands after the past";
  EXPECT_EQ(written("present_key").shape, (Shape{1, 2, 4, 4}));
  EXPECT_EQ(written("present_value").shape, (Shape{1, 2, 4, 4}));
}

// Seeds S2-9, S2-10.
TEST_F(Attend, TheExampleIsTheToyRunAndDropoutChangesNothing) {
  ASSERT_EQ(folder_.run({"attend", "--write-example", "toy.safetensors"}).status, 0);
  const ProgramResult first = folder_.run({"attend", "toy.safetensors", "-o", "out.safetensors"});
  EXPECT_THAT(first.out, AllOf(HasSubstr("dropout: 0.5, not applied"), HasSubstr("parameters: 40000")));
  const FloatTensor attention = written("attention"), output = written("output");
  EXPECT_EQ(attention.shape, (Shape{2, 5, 4, 6}));
  EXPECT_EQ(output.shape, (Shape{2, 4, 100}));
  for (std::size_t i = 0; i < attention.values.size(); ++i) {
    const bool is_first = i < attention.values.size() / 2;
    EXPECT_NEAR(attention.values[i], i % 6 >= (is_first ? 3U : 2U) ? 0 : is_first ? 1.0 / 3 : 0.5, 1e-6);
  }
  ASSERT_EQ(folder_.run({"attend", "toy.safetensors", "-o", "out.safetensors", "--dropout", "0", "--threads", "1"}).status, 0);
  EXPECT_EQ(written("output").values, output.values);
}

// Seeds S3-2.
TEST_F(Attend, TheProjectionStepAloneTakesInputsWithoutATokenAxis) {
  std::vector<RawTensor> tensors = layer();
  tensors[0] = raw<float>("x", "F32", {3, 8}, random_values("x", 24));
  const ProgramResult result = attend(tensors, {"--heads", "2", "--only-project", "on"});
  ASSERT_EQ(result.status, 0) << result.error;
  EXPECT_EQ(written("q").shape, (Shape{3, 2, 4}));
  EXPECT_EQ(written("k").shape, (Shape{3, 2, 4}));
  expect_refusal(attend(tensors, {"--only-project", "on"}), 2, {"--heads"});
}

/// What stands between `begin` and "```" in the README's section about attend.
std::string readme_block(const std::string& begin) {
  const std::string readme = testing::bytes_of(std::filesystem::path(HEADLIGHT_TESTS_DIR).parent_path() / "app" / "README.md");
  const std::size_t at = readme.find(begin, readme.find("## Check your own attention"));
  EXPECT_NE(at, std::string::npos) << begin;
  return at == std::string::npos ? "" : readme.substr(at + begin.size(), readme.find("```", at + begin.size()) - at - begin.size());
}

TEST_F(Attend, TheReadmesExamplePrintsWhatTheReadmeSays) {
  folder_.file("make.py", readme_block("```python\n"));
  const std::string python = folder_.run_line("/usr/bin/python3 -c 'import numpy'").status == 0 ? "/usr/bin/python3" : "python3";
  if (folder_.run_line(python + " -c 'import numpy'").status != 0) return testing::say_not_found("python3 with numpy");
  ASSERT_EQ(folder_.run_line(python + " make.py").status, 0);
  const std::string console = readme_block("```console\n$ ");
  const ProgramResult result = folder_.run_line(console.substr(0, console.find('\n')));
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.out, console.substr(console.find('\n') + 1));
}

}  // namespace
}  // namespace headlight
