// The export command over a longer table of figures than the program's: help, options and errors come from the rows.
#include <gmock/gmock.h>

#include "app/cli/commands/export_command.h"
#include "app/document/document.h"
#include "engine/figure/style.h"
#include "tests/extra_figure.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// Runs `headlight export` with these figures; `words` after "export".
int run_export_of(FigureKinds kinds, const std::vector<std::string>& words) {
  CLI::App program;
  Action action;
  add_export_of(*program.add_subcommand("export"), action, kinds);
  std::vector<std::string> parsed(words.rbegin(), words.rend());  // CLI11 takes them from the back
  parsed.emplace_back("export");
  program.parse(parsed);
  return action();
}

std::vector<std::string> with_sandbox(const std::vector<std::string>& words) {
  std::vector<std::string> all{"-m", "sandbox", "--layers", "1", "-t", "The cat sat"};
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

TEST(ExportFigures, OneMoreFigureIsInTheHelp) {
  const auto kinds = figures_and(kTallyFigure);
  CLI::App program;
  Action action;
  add_export_of(*program.add_subcommand("export"), action, kinds);
  const std::string figures = program.get_subcommand("export")->get_option("--figure")->get_description();
  EXPECT_THAT(figures, HasSubstr("compare: the pinned heads and A - B; links: weights as lines between tokens; "));
  EXPECT_THAT(figures, HasSubstr("a step of it; tally: how many tokens there are"));
}

TEST(ExportFigures, OneMoreFigureIsWritten) {
  const auto kinds = figures_and(kTallyFigure);
  const TemporaryFolder folder;
  EXPECT_EQ(run_export_of(kinds, with_sandbox({"--figure", "tally", "-o", (folder / "a.svg").string()})), 0);
  EXPECT_THAT(bytes_of(folder / "a.svg"), HasSubstr("3 tokens counted"));
  EXPECT_EQ(run_export_of(kinds, with_sandbox({"--figure", "heatmap", "-o", (folder / "b.svg").string()})), 0);
}

TEST(ExportFigures, AnUnknownFigureIsAnsweredWithAllOfThem) {
  const auto kinds = figures_and(kTallyFigure);
  std::string message;
  try {
    run_export_of(kinds, with_sandbox({"--figure", "nothing", "-o", "a.svg"}));
  } catch (const CLI::ParseError& problem) {
    message = problem.what();
  }
  EXPECT_THAT(message, HasSubstr("heatmap,grid,compare,links,flow,inside,tally"));
}

TEST(ExportFigures, OneMoreFigureRefusesWhatItDoesNotReadAndOtherEndings) {
  const auto kinds = figures_and(kTallyFigure);
  const auto detail_of = [&](const std::vector<std::string>& words) {
    return error_of([&] { run_export_of(kinds, with_sandbox(words)); }).detail();
  };
  EXPECT_THAT(detail_of({"--figure", "tally", "--layer", "0", "-o", "a.svg"}).problem, HasSubstr("--figure tally does not use"));
  EXPECT_THAT(detail_of({"--figure", "tally", "--pin", "0.1", "-o", "a.svg"}).hint, HasSubstr("--figure compare"));
  EXPECT_EQ(detail_of({"--figure", "tally", "-o", "a.csv"}).expected, ".png, .svg, .pdf or .html");
}

TEST(ExportFigures, AFigureOfHeadsAsksForAsManyAsItsRowSays) {
  FigureKind three = kTallyFigure;
  three.needs = {.heads = 3, .named_heads = 3};
  const auto kinds = figures_and(three);
  const Error error = error_of([&] {
    run_export_of(kinds, with_sandbox({"--figure", "tally", "--pin", "0.1", "--pin", "0.2", "-o", "a.svg"}));
  });
  EXPECT_EQ(error.detail().field, "--pin");
  EXPECT_EQ(error.detail().problem, "a tally needs 3 heads or more");
  EXPECT_EQ(error.detail().found, "2");
  const TemporaryFolder folder;
  const std::string path = (folder / "a.svg").string();
  EXPECT_EQ(run_export_of(kinds, with_sandbox({"--figure", "tally", "--pin", "0.1", "--pin", "0.2", "--pin", "0.3", "-o", path})), 0);
}

TEST(ExportFigures, OneMoreFigureOfOneHeadIsNamedByTheOptionsOfAHead) {
  FigureKind single = kTallyFigure;
  single.needs = {.has_head = true};
  const auto kinds = figures_and(single);
  CLI::App program;
  Action action;
  add_export_of(*program.add_subcommand("export"), action, kinds);
  EXPECT_EQ(program.get_subcommand("export")->get_option("--head")->get_description(),
            "Head of the heatmap or inside or tally; of links: this one alone, not all of the layer");
}

TEST(ExportFigures, AFlowIsOfTheHeadsThatAreListedWithRangesAndLayers) {
  const TemporaryFolder folder;
  const auto table_of = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"-m",          "sandbox",  "--layers", "3",  "-t",
                                   "The cat sat", "--figure", "flow",     "-o", (folder / "f.csv").string()};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(run_export_of(figure_kinds(), words), 0);
    return bytes_of(folder / "f.csv");
  };
  EXPECT_THAT(table_of({}), HasSubstr("(derived: mean of 24 heads: layers 0 to 2)"));
  EXPECT_THAT(table_of({"--reduce", "max", "--of", "1"}), HasSubstr("maximum of 8 heads: layer 1; rows do not sum to 1"));
  EXPECT_THAT(table_of({"--reduce", "median", "--of", "0.1,2.3-5"}), HasSubstr("median of 4 heads: 0.1, 2.3, 2.4, 2.5"));
  EXPECT_THAT(table_of({"--of", "0-1"}), HasSubstr("mean of 16 heads: layers 0 to 1"));
  EXPECT_THAT(table_of({"--of", "pinned", "--pin", "0.2", "--pin", "1.2"}), HasSubstr("mean of 2 heads: 0.2, 1.2"));
  EXPECT_THAT(table_of({"--reduce", "rollout", "--through", "1", "--identity", "0.25"}),
              HasSubstr("rollout of 16 heads: layers 0 to 1, mean in each layer, identity 0.25; causal"));
}

TEST(ExportFigures, AFlowRefusesHeadsThatAreNotThereAndOptionsOfAnotherReduction) {
  const auto message_of = [](const std::vector<std::string>& words) {
    std::vector<std::string> all = with_sandbox({"--figure", "flow", "-o", "f.svg"});
    all.insert(all.end(), words.begin(), words.end());
    return error_of([&] { run_export_of(figure_kinds(), all); }).message();
  };
  EXPECT_THAT(message_of({"--of", "4"}), HasSubstr("no such layer or head"));
  EXPECT_THAT(message_of({"--of", "0.99"}), HasSubstr("no such layer or head"));
  EXPECT_THAT(message_of({"--of", "0.5-2"}), HasSubstr("the range ends before it begins"));
  EXPECT_THAT(message_of({"--of", "pinned"}), HasSubstr("no head is pinned"));
  EXPECT_THAT(message_of({"--of", "heads"}), HasSubstr("--of"));
  EXPECT_THAT(message_of({"--identity", "0.3"}), HasSubstr("--reduce mean does not use this option"));
  EXPECT_THAT(message_of({"--reduce", "sum"}), HasSubstr("mean, max, min, median, rollout"));
}

TEST(ExportFigures, HiddenKeysAreOfDrawingsAndNumbersStayTrue) {
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
}

TEST(ExportFigures, ADocumentsDrawnMapIsFramedInTheMapOfItsHeadAlone) {
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
