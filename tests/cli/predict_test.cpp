#include <gmock/gmock.h>

#include <algorithm>

#include "engine/formats/json.h"
#include "engine/formats/tensors/safetensors.h"
#include "tests/cli/program.h"

namespace headlight {
namespace {

using testing::ProgramFolder;
using testing::ProgramResult;

std::string recorded(const std::string& name) {
  return std::string(HEADLIGHT_TESTS_DIR) + "/reference/models/" + name;
}

TEST(Predict, ADecodersTextForAModelWithoutOneIsSaidToDoNothing) {
  const ProgramFolder folder;
  const auto note = [&](const std::string& model) {
    return folder.run({"predict", "-m", recorded(model), "-t", "a b", "--decoder-text", "c"}).error;
  };
  EXPECT_THAT(note("gpt2"), ::testing::HasSubstr("--decoder-text does nothing here"));
  EXPECT_THAT(note("t5"), ::testing::Not(::testing::HasSubstr("does nothing")));
}

TEST(Predict, RanksTheLogitsThatTraceWrites) {
  const ProgramFolder folder;
  const std::vector<std::string> input = {"-m", recorded("gpt2"), "-t", "the quick brown fox"};
  std::vector<std::string> trace = {"trace", "-o", "out.safetensors"};
  trace.insert(trace.end(), input.begin(), input.end());
  ASSERT_EQ(folder.run(trace).status, 0);
  const SafetensorsFile file(folder / "out.safetensors");
  const FloatTensor logits = file.read_floats(*file.find("logits"));
  const auto vocabulary = logits.shape[1];
  std::vector<std::string> predict = {"predict", "--position", "all", "--top", "4", "--format", "json"};
  predict.insert(predict.end(), input.begin(), input.end());
  const ProgramResult result = folder.run(predict);
  ASSERT_EQ(result.status, 0) << result.error;
  const Json found = Json::parse(result.out);
  ASSERT_EQ(static_cast<std::int64_t>(found.size()), logits.shape[0]);
  for (std::size_t position = 0; position < found.size(); ++position) {
    const auto row = logits.values.begin() + static_cast<std::ptrdiff_t>(position) * vocabulary;
    const auto best = std::max_element(row, row + vocabulary);
    const Json& first = found[position]["likeliest"][0];
    EXPECT_EQ(found[position]["likeliest"].size(), 4U);
    EXPECT_EQ(first["id"], best - row);
    EXPECT_EQ(first["logit"].get<float>(), *best);
    EXPECT_EQ(found[position].contains("actual"), position + 1 < found.size());
  }
}

TEST(Predict, SaysWhatTheWatchedNumberWasBeforeAndIsNow) {
  const ProgramFolder folder;
  const ProgramResult result = folder.run_line(
      "headlight predict -m story-gpt -t \"The horse that the sailors\" --off 2.1 --target logit:follow-follows --format json");
  ASSERT_EQ(result.status, 0) << result.error;
  const Json found = Json::parse(result.out);
  EXPECT_EQ(found["predictions"].size(), 1U);
  EXPECT_EQ(found["watched"]["target"], "logit:follow-follows");
  EXPECT_NE(found["watched"]["value"], found["watched"]["unedited"]);
  const ProgramResult one = folder.run_line("headlight predict -m story-gpt -t \"The\" --ids 3 --target loss");
  EXPECT_EQ(one.status, 2) << "ids and a text";
  const ProgramResult undefined = folder.run({"predict", "-m", recorded("bert-mlm"), "-t", "the [MASK] brown fox", "--target", "loss"});
  EXPECT_EQ(undefined.status, 0) << undefined.error;
  EXPECT_THAT(undefined.out, ::testing::HasSubstr("undefined. A masked language model's text does not say"));
  const ProgramResult unknown = folder.run_line("headlight predict -m story-gpt -t The --target prob:xylophonistical");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.error, ::testing::HasSubstr("is not one token of this model"));
}

TEST(Predict, AsksAMaskedLanguageModelAboutItsMask) {
  const ProgramFolder folder;
  const ProgramResult masked = folder.run({"predict", "-m", recorded("bert-mlm"), "-t", "the [MASK] brown fox", "--top", "2"});
  EXPECT_EQ(masked.status, 0) << masked.error;
  EXPECT_THAT(masked.out, ::testing::StartsWith("at 2 \"[MASK]\""));
  const ProgramResult plain =
      folder.run({"predict", "-m", recorded("bert-mlm"), "-t", "the [MASK] brown fox", "--top", "2", "--plain-special"});
  EXPECT_THAT(plain.out, ::testing::Not(::testing::HasSubstr("[MASK]")));
}

TEST(Predict, SeveralMasksAreAllAnswered) {
  const ProgramFolder folder;
  const std::vector<std::string> input = {"predict", "-m", recorded("bert-mlm"), "-t", "the [MASK] brown [MASK]", "--top", "2"};
  const ProgramResult table = folder.run(input);
  EXPECT_THAT(table.out, ::testing::AllOf(::testing::StartsWith("at 2 \"[MASK]\""), ::testing::HasSubstr("\n\nat 4 \"[MASK]\"")));
  std::vector<std::string> as_json = input;
  as_json.insert(as_json.end(), {"--format", "json"});
  const Json found = Json::parse(folder.run(as_json).out);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0]["position"], 2);
  EXPECT_EQ(found[1]["position"], 4);
}

TEST(Predict, RefusesWhatCannotBePredicted) {
  const ProgramFolder folder;
  const ProgramResult sandbox = folder.run({"predict", "-m", "sandbox", "-t", "a"});
  EXPECT_EQ(sandbox.status, 2);
  EXPECT_THAT(sandbox.error, ::testing::HasSubstr("language-model head"));
  for (const char* position : {"99", "-1", "first", "1x"}) {
    const ProgramResult result = folder.run({"predict", "-m", recorded("gpt2"), "-t", "the fox", "--position=" + std::string(position)});
    EXPECT_EQ(result.status, 2) << position;
    EXPECT_THAT(result.error, ::testing::HasSubstr("--position"));
  }
}

}  // namespace
}  // namespace headlight
