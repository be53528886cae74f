// Attention maps from files, through the command line.
#include <gmock/gmock.h>

#include <limits>

#include "engine/formats/json.h"
#include "engine/formats/tensors/safetensors.h"
#include "engine/formats/tensors/write_tensors.h"
#include "tests/cli/program.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
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
  EXPECT_THAT(stage.error, HasSubstr("only weights"));
}

TEST_F(DumpCommands, WhatTheyDoNotHoldIsRefused) {
  const ProgramResult include = folder_.run_line("headlight trace -m a.npz --include q -o b.npz");
  EXPECT_EQ(include.status, 2);
  EXPECT_THAT(include.error, HasSubstr("without the numbers that made them"));
  const ProgramResult switched_off = folder_.run_line("headlight trace -m a.npz --off 0.1 -o b.npz");
  EXPECT_EQ(switched_off.status, 0);
  EXPECT_THAT(switched_off.error, HasSubstr("Edits do nothing here"));
  const ProgramResult text = folder_.run_line("headlight trace -m a.npz -t 'a dog' -o b.npz");
  EXPECT_THAT(text.error, HasSubstr("The text does nothing here"));
}

/// Layers 0 and 2 of one head over two tokens; a row of layer 2 sums to 3.
void write_gap(const std::filesystem::path& path) {
  const std::vector<float> sound = {1, 0, 0.5F, 0.5F}, odd = {1, 0, 2, 1};
  write_safetensors(path, std::vector<TensorToWrite>{{"attention.0", {1, 2, 2}, sound}, {"attention.2", {1, 2, 2}, odd}},
                    {{"tokens", R"(["a", "b"])"}, {"headlight.mask", "none"}});
}

TEST_F(DumpCommands, LayersKeepTheNumbersOfTheFileEverywhere) {
  write_gap(folder_ / "gap.safetensors");
  expect_done("headlight export -m gap.safetensors --layer 2 -o two.svg");
  EXPECT_THAT(testing::bytes_of(folder_ / "two.svg"), HasSubstr("layer 2 · head 0"));
  expect_done("headlight export -m gap.safetensors --figure grid -o grid.svg");
  EXPECT_THAT(testing::bytes_of(folder_ / "grid.svg"), AllOf(HasSubstr("layer 2"), HasSubstr(">2.0<"), Not(HasSubstr("layer 1"))));
  expect_done("headlight export -m gap.safetensors --figure compare --pin 0.0 --pin 2.0 -o pair.svg");
  EXPECT_THAT(testing::bytes_of(folder_ / "pair.svg"), AllOf(HasSubstr("layer 0 · head 0"), HasSubstr("layer 2 · head 0")));
  expect_done("headlight export -m gap.safetensors --figure grid -o grid.csv");
  EXPECT_THAT(testing::bytes_of(folder_ / "grid.csv"), HasSubstr("\n2,0,1,0,\"b\",\"a\",2\n"));
  expect_done("headlight export -m gap.safetensors --figure grid -o grid.json");
  EXPECT_THAT(testing::bytes_of(folder_ / "grid.json"), HasSubstr("\"layer\": 2, \"head\": 0"));
  expect_done("headlight trace -m gap.safetensors -o again.safetensors");
  EXPECT_NE(SafetensorsFile(folder_ / "again.safetensors").find("attention.2"), nullptr);
  for (const char* line : {"--layer 1 -o one.svg", "--figure compare --pin 0.0 --pin 1.0 -o one.svg"}) {
    const ProgramResult absent = folder_.run_line(std::string("headlight export -m gap.safetensors ") + line);
    EXPECT_EQ(absent.status, 2) << line;
    EXPECT_THAT(absent.error, HasSubstr("found 1, expected 0, 2")) << line;
  }
}

/// The texts of an SVG in order, its wrapped lines joined.
std::string texts_of(const std::string& svg) {
  std::string texts;
  for (std::size_t at = svg.find("<text"); at != std::string::npos; at = svg.find("<text", at)) {
    at = svg.find('>', at) + 1;
    texts += svg.substr(at, svg.find('<', at) - at) + " ";
  }
  return texts;
}

TEST_F(DumpCommands, RowsThatAreNoWeightsAreSaidOnceInAFigure) {
  write_gap(folder_ / "gap.safetensors");
  expect_done("headlight export -m gap.safetensors --layer 2 -o two.svg");
  const std::string figure = texts_of(testing::bytes_of(folder_ / "two.svg"));
  const std::string badge = "not normalised: 1 row sums to 3 · weights above 1 clipped";
  const std::size_t first = figure.find(badge);
  ASSERT_NE(first, std::string::npos) << figure;
  EXPECT_EQ(figure.find("normalised", first + badge.size()), std::string::npos) << figure;
  EXPECT_EQ(figure.find("clipped", first + badge.size()), std::string::npos) << figure;
  expect_done("headlight export -m gap.safetensors --figure grid -o grid.svg");
  EXPECT_THAT(texts_of(testing::bytes_of(folder_ / "grid.svg")),
              AllOf(HasSubstr("rows of 1 of 2 heads are not attention weights (–) · weights above 1 clipped"), HasSubstr("2.0 – ")));
  expect_done("headlight export -m gap.safetensors --figure compare --pin 0.0 --pin 2.0 -o pair.svg");
  EXPECT_THAT(texts_of(testing::bytes_of(folder_ / "pair.svg")), HasSubstr("B not normalised: 1 row sums to 3 · weights above 1 clipped"));
}

TEST_F(DumpCommands, InspectSaysWhichRowsAreNoWeights) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> maps = {nan, nan, nan, nan};
  write_npy(folder_ / "nan.npy", {"", {1, 2, 2}, maps});
  EXPECT_THAT(folder_.run_line("headlight inspect nan.npy").out, HasSubstr("layer 0: 1 head of 2 × 2, 2 rows hold NaN"));
  write_gap(folder_ / "gap.safetensors");
  EXPECT_THAT(
      folder_.run_line("headlight inspect gap.safetensors").out,
      AllOf(HasSubstr("layer 0: 1 head of 2 × 2, rows sum to 1"), HasSubstr("layer 2: 1 head of 2 × 2, not normalised: 1 row sums to 3")));
}

/// The texts of the map's figures in a table of all heads: what the model measured, and what its trace does.
TEST_F(DumpCommands, WhatTraceWritesCarriesTheMaskThatWasUsed) {
  const auto metadata = [&](const std::string& options) {
    expect_done("headlight trace -m sandbox --layers 2 --heads 2 --d-model 16 -t 'The cat sat' " + options + " -o t.safetensors");
    return SafetensorsFile(folder_ / "t.safetensors").metadata();
  };
  EXPECT_EQ(metadata("").at("headlight.mask"), "causal");
  EXPECT_EQ(metadata("--bidirectional").at("headlight.mask"), "none");
  EXPECT_EQ(metadata("--mask window:2").at("headlight.mask"), "window:2");
  EXPECT_FALSE(metadata("--mask 0.1@window:2").contains("headlight.mask"));
  const SafetensorsFile heads(folder_ / "t.safetensors");
  ASSERT_NE(heads.find("mask.0"), nullptr);
  EXPECT_EQ(heads.find("mask.0")->shape, (std::vector<std::int64_t>{2, 3, 3}));
  EXPECT_EQ(heads.find("mask.1")->shape, (std::vector<std::int64_t>{3, 3}));
  EXPECT_EQ(metadata("--encoder-decoder --decoder-text 'a b'").at("headlight.mask.decoder"), "causal");
}

TEST_F(DumpCommands, TheMaskOfTheCommandLineIsThatOfTheMaps) {
  const std::vector<float> w4 = {1, 0, 0, 0, 0.5F, 0.5F, 0, 0, 0.2F, 0.3F, 0.5F, 0, 0.1F, 0.15F, 0.5F, 0.25F};
  write_safetensors(folder_ / "w4.safetensors", std::vector<TensorToWrite>{{"attention.0", {1, 4, 4}, w4}}, {});
  const ProgramResult assumed = folder_.run_line("headlight export -m w4.safetensors --figure grid -o grid.svg");
  EXPECT_EQ(assumed.status, 0) << assumed.error;
  EXPECT_THAT(assumed.error, HasSubstr("Causal mask assumed in 1 of 1 layers"));
  const ProgramResult none = folder_.run_line("headlight export -m w4.safetensors --mask none --figure grid -o grid.svg");
  EXPECT_EQ(none.status, 0) << none.error;
  EXPECT_THAT(none.error, Not(HasSubstr("assumed")));
  const ProgramResult wrong = folder_.run_line("headlight export -m w4.safetensors --mask 'causal + window:2' --figure grid -o grid.svg");
  EXPECT_EQ(wrong.status, 0);
  EXPECT_THAT(wrong.error, HasSubstr("The mask does not fit the maps: 3 masked cells of 1 of 1 heads hold weight"));
}

TEST_F(DumpCommands, InspectNamesTheMaskOfTheMapsAndWhoSaysSo) {
  const auto mask = [&](const std::string& arguments) -> Json {
    const ProgramResult result = folder_.run_line("headlight inspect --json " + arguments);
    EXPECT_EQ(result.status, 0) << result.error;
    return Json::parse(result.out).at("mask");
  };
  const auto traced = [&](const std::string& options, const std::string& file) {
    expect_done("headlight trace -m sandbox --layers 2 --heads 2 --d-model 16 -t 'The cat sat' " + options + " -o " + file);
    return mask(file);
  };
  EXPECT_EQ(traced("", "t.safetensors"), "causal, as the file says (headlight.mask)");
  EXPECT_EQ(traced("--mask window:2", "t.npz"), "window:2, as the file says (headlight.mask)");
  EXPECT_THAT(folder_.run_line("headlight inspect t.npz").out, HasSubstr("\nmask: window:2, as the file says (headlight.mask)\n"));
  EXPECT_EQ(traced("--mask 0.1@window:2", "t.npz"), "the file's own (array mask)");
  EXPECT_EQ(mask("--mask causal a.npz"), "causal, as --mask says");
  EXPECT_EQ(mask("--mask 1.0@none a.npz"),
            Json({"layer 0: causal, as the file says (headlight.mask)",
                  "layer 1: causal, as the file says (headlight.mask); for some heads none, as --mask says"}));
  folder_.file("causal.json", R"({"attention": [[[1, 0], [0.5, 0.5]]]})");
  folder_.file("open.json", R"({"attention": [[[0.5, 0.5], [0.5, 0.5]]]})");
  const std::vector<float> causal = {1, 0, 0.5F, 0.5F};
  write_npy(folder_ / "causal.npy", {"", {1, 2, 2}, causal});
  constexpr const char* kAssumed = "causal assumed, because no query gives weight to a later token and the file names no mask";
  EXPECT_EQ(mask("causal.json"), kAssumed);
  EXPECT_EQ(mask("causal.npy"), kAssumed);
  EXPECT_EQ(mask("open.json"), "none: the file names no mask, so every key counts as allowed");
  EXPECT_THAT(folder_.run_line("headlight inspect --mask causal open.json").out,
              AllOf(HasSubstr("mask: causal, as --mask says"), HasSubstr("1 masked cell holds weight")));
  EXPECT_EQ(folder_.run_line("headlight inspect --mask casual open.json").status, 2);
}

/// Two texts of one layer with one head over two tokens, as `headlight attend` writes them.
void write_batch(const std::filesystem::path& path) {
  const std::vector<float> maps = {1, 0, 0.5F, 0.5F, 0.5F, 0.5F, 0.25F, 0.75F};
  const std::vector<TensorToWrite> tensors = {{"attention", {2, 1, 2, 2}, maps}};
  (path.extension() == ".npz" ? write_npz : write_safetensors)(path, tensors, {{"tokens", R"(["a", "b"])"}, {"attend", "{}"}});
}

TEST_F(DumpCommands, InspectTakesAnItemOfABatchAsTraceDoes) {
  for (const std::string file : {"batch.npz", "batch.safetensors"}) {
    write_batch(folder_ / file);
    const ProgramResult second = folder_.run_line("headlight inspect --json --item 1 " + file);
    ASSERT_EQ(second.status, 0) << second.error;
    const Json report = Json::parse(second.out);
    EXPECT_EQ(report.at("texts"), 2);
    EXPECT_EQ(report.at("item"), 1);
    EXPECT_THAT(report.at("mask").get<std::string>(), HasSubstr("none"));
    EXPECT_THAT(folder_.run_line("headlight inspect --item 0 " + file).out, HasSubstr("mask: causal assumed"));
    const ProgramResult unchosen = folder_.run_line("headlight inspect " + file);
    EXPECT_EQ(unchosen.status, 0) << "a batch is sound";
    EXPECT_THAT(unchosen.out, HasSubstr("this describes the first of several texts; choose another with --item"));
    const ProgramResult absent = folder_.run_line("headlight inspect --item 2 " + file);
    EXPECT_EQ(absent.status, 2);
    EXPECT_THAT(absent.error, HasSubstr("--item: there is no such item"));
  }
  const ProgramResult model = folder_.run_line("headlight inspect --item 1 " HEADLIGHT_TESTS_DIR "/reference/models/gpt2");
  EXPECT_EQ(model.status, 0);
  EXPECT_THAT(model.out, HasSubstr("--item does nothing here"));
}

TEST_F(DumpCommands, AnItemIsRefusedWhereverThereIsNoFileOfMaps) {
  const std::string gpt2 = "-m " HEADLIGHT_TESTS_DIR "/reference/models/gpt2 -t a --item 1 ";
  for (const std::string& line : {"heads " + gpt2, "trace " + gpt2 + "-o a.npz", "predict " + gpt2, "importance " + gpt2,
                                  "tokenize " + gpt2, "export " + gpt2 + "-o a.png", "save " + gpt2 + "-o a.headlight.json",
                                  std::string("gui " HEADLIGHT_TESTS_DIR "/reference/models/gpt2 --item 1")}) {
    const ProgramResult refused = folder_.run_line("headlight " + line);
    EXPECT_EQ(refused.status, 2) << line;
    EXPECT_THAT(refused.error, HasSubstr("--item: chooses a text in a file of attention maps, and this is not one")) << line;
  }
}

TEST_F(DumpCommands, LayersOfABatchAreNamedForTheItemThatIsAskedFor) {
  write_batch(folder_ / "batch.npz");
  expect_done("headlight export -m batch.npz --item 1 --layer 0 --mask 0.0@none -o one.svg");
  EXPECT_THAT(testing::bytes_of(folder_ / "one.svg"), HasSubstr("maps from batch.npz, item 1"));
  const ProgramResult asked = folder_.run_line("headlight export -m batch.npz --layer 0 -o two.svg");
  EXPECT_EQ(asked.status, 3);
  EXPECT_THAT(asked.error, HasSubstr("--item 0 to --item 1"));
}

TEST_F(DumpCommands, InspectSaysWhatTheyHold) {
  const ProgramResult result = folder_.run_line("headlight inspect a.npz");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("kind: attention maps"));
  EXPECT_THAT(result.out, HasSubstr("layer 1: 2 heads of 3 × 3, rows sum to 1"));
}

TEST_F(DumpCommands, InspectSaysWhereMapsHoldNan) {
  folder_.file(
      "nan.json",
      R"({"attention": [[[[1, 0, 0], [0.5, 0.5, 0], [1, 0, 0]], [[1, 0, 0], [0.5, NaN, 0.5], [NaN, 1, 0]]]], "tokens": ["a", "b", "c"]})");
  const ProgramResult result = folder_.run_line("headlight inspect nan.json");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("NaN in layer 0 head 1: first at query 1, key 1, 2 rows in all; its measures are undefined"));
  EXPECT_THAT(result.out, ::testing::Not(HasSubstr("NaN in layer 0 head 0")));
  EXPECT_THAT(result.out, HasSubstr("is_sound: true")) << "a warning, as for NaN in weights: the file can be read whole";
}

TEST_F(DumpCommands, TheListOfMeasuresOfMapsHasTheirNumbersAndNoChance) {
  folder_.file("maps.json", R"({"attention": [[[[1, 0], [0.5, 0.5]]]], "tokens": ["a", "b"]})");
  const ProgramResult list = folder_.run_line("headlight heads --list -m maps.json");
  ASSERT_EQ(list.status, 0) << list.error;
  EXPECT_THAT(list.out, HasSubstr("What chance gives is not known: maps from a file have no model"));
  EXPECT_THAT(list.out, HasSubstr("in this text: mean of 1 head "));
  EXPECT_THAT(list.out, ::testing::Not(HasSubstr("; by chance")));
  EXPECT_EQ(folder_.run_line("headlight heads --list -m maps.json -t 'a b'").status, 2);
  EXPECT_EQ(folder_.run_line("headlight heads --list -m maps.json --draws 4").status, 2);
}

TEST_F(DumpCommands, APickleInPlaceOfMapsIsNamedAndSaysHowToConvertIt) {
  for (const char* name : {"maps.pt", "maps.pkl", "maps.npz", "maps.npy", "maps.safetensors"}) {
    folder_.file(name, std::string("\x80\x04\x95") + std::string(100, 'x'));
    const ProgramResult result = folder_.run_line(std::string("headlight heads -m ") + name);
    EXPECT_EQ(result.status, 3) << name;
    EXPECT_THAT(result.error,
                ::testing::AllOf(HasSubstr("found a Python pickle"), HasSubstr("Convert it with safetensors.torch.save_file")))
        << name;
  }
  folder_.file("old.pt", "cnumpy.core.multiarray\n_reconstruct\np0\n(");
  EXPECT_THAT(folder_.run_line("headlight heads -m old.pt").error, HasSubstr("found a Python pickle of its first form"));
}

}  // namespace
}  // namespace headlight
