// Attention maps from files, through the command line.
#include <gmock/gmock.h>

#include "engine/formats/safetensors.h"
#include "tests/cli/program.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;
using testing::ProgramFolder;
using testing::ProgramResult;

class DumpCommands : public ::testing::Test {
 protected:
  void SetUp() override { expect_done("headlight trace -m sandbox --layers 2 --heads 2 --d-model 16 -t 'The cat sat' -o a.npz"); }
  void expect_done(const std::string& line) const {
    const ProgramResult result = folder_.run_line(line);
    EXPECT_EQ(result.status, 0) << line << "\n" << result.error;
  }
  ProgramFolder folder_;
};

TEST_F(DumpCommands, WhatTraceWritesOpensAgainWithTheSameMaps) {
  expect_done("headlight trace -m sandbox --layers 2 --heads 2 --d-model 16 -t 'The cat sat' -o first.safetensors");
  expect_done("headlight trace -m a.npz -o second.safetensors");
  const SafetensorsFile first(folder_ / "first.safetensors"), second(folder_ / "second.safetensors");
  ASSERT_EQ(second.tensors().size(), 2U);
  for (const TensorInfo& tensor : second.tensors()) {
    ASSERT_NE(first.find(tensor.name), nullptr);
    EXPECT_EQ(second.read_floats(tensor).values, first.read_floats(*first.find(tensor.name)).values) << tensor.name;
  }
  EXPECT_EQ(second.metadata().at("tokens"), first.metadata().at("tokens"));
}

TEST_F(DumpCommands, FiguresAreDrawnOfThem) {
  expect_done("headlight export -m a.npz --figure heatmap --layer 1 --head 1 -o a.svg");
  const std::string figure = testing::bytes_of(folder_ / "a.svg");
  EXPECT_THAT(figure, HasSubstr("maps from a.npz"));
  EXPECT_THAT(figure, HasSubstr("cat"));
  expect_done("headlight export -m a.npz --figure grid -o grid.png");
  const ProgramResult stage = folder_.run_line("headlight export -m a.npz --figure heatmap --stage scores -o b.svg");
  EXPECT_EQ(stage.status, 2);
  EXPECT_THAT(stage.error, HasSubstr("weights alone"));
}

TEST_F(DumpCommands, WhatTheyDoNotHoldIsRefused) {
  const ProgramResult include = folder_.run_line("headlight trace -m a.npz --include q -o b.npz");
  EXPECT_EQ(include.status, 2);
  EXPECT_THAT(include.error, HasSubstr("without the numbers that made them"));
  const ProgramResult silenced = folder_.run_line("headlight trace -m a.npz --silence 0.1 -o b.npz");
  EXPECT_EQ(silenced.status, 0);
  EXPECT_THAT(silenced.error, HasSubstr("Edits do nothing here"));
  const ProgramResult text = folder_.run_line("headlight trace -m a.npz -t 'a dog' -o b.npz");
  EXPECT_THAT(text.error, HasSubstr("The text does nothing here"));
}

TEST_F(DumpCommands, InspectSaysWhatTheyHold) {
  const ProgramResult result = folder_.run_line("headlight inspect a.npz");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("kind: attention maps"));
  EXPECT_THAT(result.out, HasSubstr("layer 1: 2 heads of 3 × 3, rows sum to 1"));
}

}  // namespace
}  // namespace headlight
