// Which options of export reach which figures: hidden keys, colours, drawn maps, masks, and the attention of encoder-decoders.
#include <fmt/core.h>
#include <gmock/gmock.h>

#include "app/document/document.h"
#include "tests/cli/export_of.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ExportChoices, HiddenKeysAreOfDrawingsAndNumbersStayTrue) {
  const TemporaryFolder folder;
  EXPECT_EQ(run_export_of(figure_kinds(), with_sandbox({"--hide", "first-token", "--renormalise", "-o", (folder / "a.svg").string()})), 0);
  EXPECT_THAT(bytes_of(folder / "a.svg"), HasSubstr("derived: first token hidden, renormalised"));
  const Error refused = error_of([&] {
    run_export_of(figure_kinds(), with_sandbox({"--hide", "first-token", "-o", (folder / "a.csv").string()}));
  });
  EXPECT_THAT(refused.message(), HasSubstr("--hide"));
  const Error scores = error_of([&] {
    run_export_of(figure_kinds(), with_sandbox({"--hide", "first-token", "--stage", "scores", "-o", (folder / "b.svg").string()}));
  });
  EXPECT_THAT(scores.message(), HasSubstr("--stage scores does not use this option"));
  const Error beyond = error_of([&] {
    run_export_of(figure_kinds(), with_sandbox({"--hide", "first-token+99", "-o", (folder / "c.svg").string()}));
  });
  EXPECT_THAT(beyond.message(), AllOf(HasSubstr("--hide: the text has no such key"), HasSubstr("99")));
}

TEST(ExportChoices, WhatColoursMapsIsRefusedWhereNoMapIsColoured) {
  const TemporaryFolder folder;
  for (const char* figure : {"links", "text", "inside"}) {
    const auto message_of = [&](std::vector<std::string> words) {
      words.insert(words.end(), {"--figure", figure, "-o", (folder / "a.svg").string()});
      return error_of([&] { run_export_of(figure_kinds(), with_sandbox(words)); }).message();
    };
    const std::string refusal = fmt::format("--figure {} does not use this option", figure);
    for (const auto& [option, value] : std::vector<std::pair<std::string, std::string>>{
             {"--scale", "log"}, {"--gamma", "0.5"}, {"--colours", "viridis"}, {"--range", "0.5"}, {"--percentile", "90"}})
      EXPECT_THAT(message_of({option, value}), HasSubstr(refusal)) << option;
  }
  for (const char* figure : {"links", "text"}) {
    const std::string file = (folder / "b.svg").string();
    EXPECT_EQ(run_export_of(figure_kinds(), with_sandbox({"--figure", figure, "--hide", "first-token", "-o", file})), 0) << figure;
    EXPECT_THAT(bytes_of(file), AllOf(HasSubstr("first token hidden"), Not(HasSubstr("γ")))) << figure;
  }
  const std::string file = (folder / "c.svg").string();
  EXPECT_EQ(run_export_of(figure_kinds(), with_sandbox({"--figure", "inside", "-o", file})), 0);
  EXPECT_THAT(bytes_of(file), AllOf(HasSubstr("mask causal"), Not(HasSubstr("γ"))));
  const Error hidden = error_of([&] {
    run_export_of(figure_kinds(), with_sandbox({"--figure", "inside", "--hide", "first-token", "-o", file}));
  });
  EXPECT_THAT(hidden.message(), HasSubstr("--figure inside does not use this option"));
}

TEST(ExportChoices, AHeatmapFramesWhatItsOwnHeadShouldLearn) {
  const TemporaryFolder folder;
  const auto words = [&](const char* head) {
    return with_sandbox({"--draw", "0.1@2:0", "--head", head, "-o", (folder / "a.svg").string()});
  };
  EXPECT_EQ(run_export_of(figure_kinds(), words("1")), 0);
  const Error error = error_of([&] { run_export_of(figure_kinds(), words("0")); });
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_THAT(error.message(), AllOf(HasSubstr("--draw"), HasSubstr("the heatmap is of another head"), HasSubstr("0.1")));
}

TEST(ExportChoices, ALabIsNamedAndUsesWhatDecidesIt) {
  const TemporaryFolder folder;
  const std::string csv = (folder / "a.csv").string(), svg = (folder / "a.svg").string();
  const auto message_of = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--figure", "lab", "-o", svg});
    return error_of([&] { run_export_of(figure_kinds(), with_sandbox(words)); }).message();
  };
  EXPECT_EQ(run_export_of(figure_kinds(), with_sandbox({"--figure", "lab", "--lab", "dropout:p=0.5", "--head", "1", "-o", csv})), 0);
  EXPECT_THAT(bytes_of(csv), AllOf(::testing::StartsWith("part,row,row_name"), HasSubstr("\"before\",2,\"sat\",0,\"The\",")));
  EXPECT_EQ(run_export_of(figure_kinds(), with_sandbox({"--figure", "lab", "--lab", "toy-run", "--colours", "viridis", "-o", svg})), 0);
  EXPECT_THAT(message_of({}), AllOf(HasSubstr("--lab"), HasSubstr("dropout")));
  EXPECT_THAT(message_of({"--lab", "nothing"}), HasSubstr("there is no such lab"));
  EXPECT_THAT(message_of({"--lab", "dropout:self=on"}), AllOf(HasSubstr("has no such setting"), HasSubstr("sample")));
  EXPECT_THAT(message_of({"--lab", "dropout:p=2"}), HasSubstr("from 0 to 0.9"));
  EXPECT_THAT(message_of({"--lab", "toy-run", "--head", "1"}), HasSubstr("--lab toy-run does not use this option"));
  EXPECT_THAT(message_of({"--lab", "dropout", "--query", "1"}), HasSubstr("does not use this option"));
  EXPECT_THAT(message_of({"--lab", "dropout", "--layer", "7"}), HasSubstr("no such head"));
  EXPECT_THAT(message_of({"--lab", "mask-conventions:row=own", "--query", "9"}), HasSubstr("no such query"));
  EXPECT_THAT(message_of({"--lab", "dropout", "--scale", "rank"}), HasSubstr("linear, log or gamma"));
  EXPECT_THAT(message_of({"--lab", "dropout", "--hide", "first-token"}), HasSubstr("--figure lab does not use this option"));
  EXPECT_THAT(message_of({"--lab", "dropout", "--range", "0.5"}), HasSubstr("--figure lab does not use this option"));
}

TEST(ExportChoices, AMaskThatIsNotThereReachesNowhere) {
  const TemporaryFolder folder;
  const auto words = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--mask-reach", "this-head", "-o", (folder / "a.svg").string()});
    return with_sandbox(more);
  };
  const Error error = error_of([&] { run_export_of(figure_kinds(), words({})); });
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_THAT(error.message(), AllOf(HasSubstr("--mask-reach"), HasSubstr("no mask is edited")));
  EXPECT_EQ(run_export_of(figure_kinds(), words({"--deny", "2:0"})), 0);
}

TEST(ExportChoices, NumbersOfAnEncoderDecoderNameTheirAttention) {
  const TemporaryFolder folder;
  const auto csv_of = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"-o", (folder / "a.csv").string()});
    EXPECT_EQ(run_export_of(figure_kinds(), with_sandbox(words)), 0);
    return bytes_of(folder / "a.csv");
  };
  const std::vector<std::string> both{"--encoder-decoder", "--decoder-text", "Die Katze", "--figure"};
  const auto of = [&](const char* figure) {
    std::vector<std::string> words = both;
    words.emplace_back(figure);
    return csv_of(words);
  };
  EXPECT_THAT(of("grid"), AllOf(::testing::StartsWith("layer,head,attention,query,key,"), HasSubstr("\n2,0,\"cross 0\",0,0,")));
  EXPECT_THAT(of("measures"), AllOf(::testing::StartsWith("layer,head,attention,normalised-entropy"), HasSubstr("\n1,7,\"decoder 0\",")));
  EXPECT_THAT(csv_of({"--figure", "grid"}), ::testing::StartsWith("layer,head,query,key,")) << "one stack needs no name";
}

TEST(ExportChoices, ADocumentsDrawnMapIsFramedInTheMapOfItsHeadAlone) {
  const TemporaryFolder folder;
  Document document;
  document.query.text = "The cat sat";
  document.drawn_map = {{0, 1}, {{2, 3, 0, 1, true}}};
  save_document(document, folder / "drawn.headlight.json");
  const auto svg_of = [&](const std::string& head) {
    const std::filesystem::path file = folder / ("head-" + head + ".svg");
    EXPECT_EQ(
        run_export_of(figure_kinds(), {"--document", (folder / "drawn.headlight.json").string(), "--head", head, "-o", file.string()}), 0);
    return bytes_of(file);
  };
  const std::string frame = "stroke=\"" + hex_text(palette(document.style.theme).accent) + "\"";
  EXPECT_THAT(svg_of("1"), AllOf(HasSubstr(frame), HasSubstr("framed:"), HasSubstr("the map that was drawn for this head")));
  EXPECT_THAT(svg_of("0"), AllOf(Not(HasSubstr(frame)), Not(HasSubstr("framed"))));
}

}  // namespace
}  // namespace headlight::testing
