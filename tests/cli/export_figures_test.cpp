// The export command over a longer table of figures than the program's: help, options and errors come from the rows.
#include <fmt/core.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "app/cli/commands/export_command.h"
#include "app/document/document.h"
#include "app/work/examples.h"
#include "engine/core/assets.h"
#include "engine/figure/style.h"
#include "engine/pipeline/pipeline.h"
#include "engine/studies/text_measures.h"
#include "tests/cli/export_of.h"
#include "tests/extra_figure.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ExportFigures, OneMoreFigureIsInTheHelp) {
  const auto kinds = figures_and(kTallyFigure);
  CLI::App program;
  Action action;
  add_export_of(*program.add_subcommand("export"), action, kinds);
  const std::string figures = program.get_subcommand("export")->get_option("--figure")->get_description();
  EXPECT_THAT(figures, HasSubstr("compare: the pinned heads and A - B; compare-measures: the pinned heads' measures side by side; links: "
                                 "weights as lines between tokens; text: "));
  EXPECT_THAT(
      figures,
      HasSubstr("lens: what each layer would predict; lab: a small experiment, its maps and tables; tally: how many tokens there are"));
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
  EXPECT_THAT(message, HasSubstr("heatmap,grid,compare,compare-measures,links,text,flow,inside,measures,scatter,output,attribution,effects,"
                                 "methods,patch,pruning,lens,lab,tally"));
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
            "Head of the heatmap or inside or tally; of links and a tinted text: this one alone, not all of the layer; of an attribution "
            "the one that is\nsplit "
            "by source tokens, without it that of the largest part");
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
  EXPECT_THAT(message_of({"--of", "heads"}), HasSubstr("--only"));
  EXPECT_THAT(message_of({"--identity", "0.3"}), HasSubstr("--reduce mean does not use this option"));
  EXPECT_THAT(message_of({"--reduce", "sum"}), HasSubstr("mean, max, min, median, rollout"));
}

/// The heads of a grid as "2.1 0.3", from its numbers.
std::string heads_of_grid(const std::filesystem::path& file) {
  std::string heads, last;
  std::istringstream lines(bytes_of(file));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const std::string head = line.substr(0, line.find(',', line.find(',') + 1));
    if (head != last) heads += (heads.empty() ? "" : " ") + head;
    last = head;
  }
  return heads;
}

TEST(ExportFigures, AnyListOfHeadsIsOfTheGrid) {
  const TemporaryFolder folder;
  const auto heads_of = [&](const std::string& list) {
    std::vector<std::string> words{"-m", "sandbox",   "--layers", "3",    "--heads", "4",  "--d-model", "32",
                                   "-t", "a b a b c", "--figure", "grid", "--only",  list, "-o",        (folder / "f.csv").string()};
    EXPECT_EQ(run_export_of(figure_kinds(), words), 0) << list;
    return heads_of_grid(folder / "f.csv");
  };
  EXPECT_EQ(heads_of("2.1,0.3"), "2,1 0,3") << "in the order of the list";
  EXPECT_EQ(heads_of("1.2-1.3,0.0-1"), "1,2 1,3 0,0 0,1");
  EXPECT_EQ(heads_of("layer:1"), "1,0 1,1 1,2 1,3");
  EXPECT_EQ(heads_of("1,1.0,layer:1"), "1,0 1,1 1,2 1,3") << "each head once";
  const std::string two_layers = heads_of("0-1");
  EXPECT_EQ(std::count(two_layers.begin(), two_layers.end(), ' '), 7);
}

TEST(ExportFigures, TheTopOfAMeasureAreTheFirstRowsOfItsTable) {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& list) {
    std::vector<std::string> words{"-m", "sandbox",   "--layers", "3",    "--heads", "4",  "--d-model", "32",
                                   "-t", "a b a b c", "--figure", "grid", "--only",  list, "-o",        (folder / "f.csv").string()};
    return run_export_of(figure_kinds(), words);
  };
  Query query;
  query.text = "a b a b c";
  query.model.sandbox = {.layers = 3, .d_model = 32, .heads = 4};
  Pipeline pipeline(1);
  SilentProgress progress;
  const std::shared_ptr<const Snapshot> snapshot = pipeline.run(query, progress);
  std::vector<std::pair<double, HeadId>> values;
  for (const HeadValues& head : measure_snapshot(*snapshot, measure_requests("mean-distance", "test"), false, progress))
    values.emplace_back(-head.values.front(), head.head);
  std::sort(values.begin(), values.end());
  std::string first;
  for (std::size_t place = 0; place < 3; ++place) {
    first += fmt::format("{}{},{}", place == 0 ? "" : " ", values[place].second.layer, values[place].second.head);
  }
  ASSERT_EQ(run("top:3:mean-distance"), 0);
  EXPECT_EQ(heads_of_grid(folder / "f.csv"), first);
  ASSERT_EQ(run("top:99"), 0);
  EXPECT_EQ(heads_of_grid(folder / "f.csv").size(), 12 * 4 - 1U) << "there are no more than all";
  EXPECT_THAT(error_of([&] { run("top:0"); }).message(), HasSubstr("how many heads?"));
  EXPECT_THAT(error_of([&] { run("top:3:nothing"); }).message(), HasSubstr("--only"));
  EXPECT_THAT(error_of([&] { run("1.0-2.3"); }).message(), HasSubstr("--only"));
  EXPECT_THAT(error_of([&] { run("layer:1.0"); }).message(), HasSubstr("this is a head, and no layer"));
  EXPECT_THAT(error_of([&] { run("7"); }).message(), HasSubstr("no such layer or head"));
}

TEST(ExportFigures, OneListSaysWhichHeadsEveryFigureOfManyHas) {
  const TemporaryFolder folder;
  for (const char* figure : {"grid", "compare", "links", "flow"}) {
    for (const char* option : {"--only", "--of"}) {
      const std::string file = (folder / "f.svg").string();
      EXPECT_EQ(run_export_of(figure_kinds(), with_sandbox({"--figure", figure, option, "0.1,0.3", "-o", file})), 0) << figure;
      EXPECT_THAT(bytes_of(file), HasSubstr("0.1")) << figure;
    }
  }
  const auto message_of = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all = with_sandbox({"-o", (folder / "x.svg").string()});
    all.insert(all.end(), words.begin(), words.end());
    return error_of([&] { run_export_of(figure_kinds(), all); }).message();
  };
  EXPECT_THAT(message_of({"--only", "0.1"}), HasSubstr("--figure heatmap does not use this option"));
  EXPECT_THAT(message_of({"--figure", "grid", "--layer", "0"}), HasSubstr("--figure grid does not use this option"));
  EXPECT_THAT(message_of({"--figure", "links", "--only", "0.1", "--layer", "0"}), HasSubstr("--only lists the heads"));
  EXPECT_THAT(message_of({"--figure", "compare", "--only", "0.1", "--pin", "0.2"}), HasSubstr("--only lists the heads"));
  EXPECT_THAT(message_of({"--figure", "compare", "--only", "0.1"}), HasSubstr("needs 2 heads or more"));
}

TEST(ExportFigures, APartOfAMapIsNamedByRangesOfTokens) {
  const TemporaryFolder folder;
  const auto figure_of = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all = with_sandbox({"-o", (folder / "f.svg").string()});
    all.insert(all.end(), words.begin(), words.end());
    EXPECT_EQ(run_export_of(figure_kinds(), all), 0);
    return bytes_of(folder / "f.svg");
  };
  EXPECT_THAT(figure_of({}), Not(HasSubstr("part shown")));
  EXPECT_THAT(figure_of({"--tokens", "1-2"}), HasSubstr("queries 1–2, keys 1–2 of 3 × 3"));
  EXPECT_THAT(figure_of({"--queries", "2"}), HasSubstr("queries 2–2, keys 0–2 of 3 × 3"));
  EXPECT_THAT(figure_of({"--figure", "compare", "--pin", "0.1", "--pin", "0.2", "--keys", "0-1"}), HasSubstr("keys 0–1"));
  EXPECT_THAT(figure_of({"--figure", "flow", "--tokens", "0-1"}), HasSubstr("queries 0–1"));
  EXPECT_THAT(figure_of({"--queries", "0.5-2.25"}), HasSubstr("queries 0–2, keys 0–2 of 3 × 3")) << "edges within cells";
  const auto message_of = [&](const std::vector<std::string>& words) { return error_of([&] { figure_of(words); }).message(); };
  for (const char* range : {"1.5", "2.5-1.5", "1.5-x", "1.5-1e9", "-1.5-2.0"})
    EXPECT_THAT(message_of({std::string("--tokens=") + range}), HasSubstr("this is not a range of positions")) << range;
  EXPECT_THAT(message_of({"--tokens", "1.5-3.5"}), HasSubstr("there are no such tokens"));
  EXPECT_THAT(message_of({"--tokens", "1-3"}), HasSubstr("there are no such tokens"));
  EXPECT_THAT(message_of({"--tokens", "2-1"}), HasSubstr("this is not a range of positions"));
  EXPECT_THAT(message_of({"--tokens", "1-2", "--keys", "1"}), HasSubstr("--tokens"));
  EXPECT_THAT(message_of({"--figure", "grid", "--tokens", "1-2"}), HasSubstr("--figure grid does not use this option"));
  for (const char* option : {"--tokens", "--row"}) {
    const std::string numbers = (folder / "f.csv").string();
    const Error error = error_of([&] { run_export_of(figure_kinds(), with_sandbox({option, "1", "-o", numbers})); });
    EXPECT_THAT(error.message(), HasSubstr("does not use this option")) << "numbers are of the whole map";
  }
}

TEST(ExportFigures, RelationsAreFramedByTheirCellsOrAsTheExampleHasThem) {
  const TemporaryFolder folder;
  const auto notes_of = [&](const std::string& text, const std::vector<std::string>& words) {
    std::vector<std::string> all{"-m", "sandbox", "-t", text, "-o", (folder / "f.svg").string()};
    all.insert(all.end(), words.begin(), words.end());
    EXPECT_EQ(run_export_of(figure_kinds(), all), 0);
    return bytes_of(folder / "f.svg");
  };
  const std::string framed = "relations that a reader sees in the text";
  EXPECT_THAT(notes_of("The cat sat", {}), Not(HasSubstr(framed)));
  EXPECT_THAT(notes_of("The cat sat", {"--frame", "2:1,1:0-1"}), HasSubstr(framed));
  const Examples examples = load_examples(assets_folder() / "examples");
  ASSERT_FALSE(examples.sentences.empty());
  EXPECT_THAT(notes_of(examples.sentences.front().text, {"--relations"}), HasSubstr(framed));
  EXPECT_THAT(error_of([&] { notes_of("The cat sat", {"--relations"}); }).message(), HasSubstr("not the sentence of an example"));
  EXPECT_THAT(error_of([&] { notes_of("The cat sat", {"--frame", "9:9"}); }).message(), HasSubstr("there are no such cells"));
}

TEST(ExportFigures, ATableOfMeasuresHasTheColumnsOrderAndHeadsThatAreAskedFor) {
  const TemporaryFolder folder;
  const auto table_of = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all = with_sandbox({"--figure", "measures", "-o", (folder / "f.csv").string()});
    all.insert(all.end(), words.begin(), words.end());
    EXPECT_EQ(run_export_of(figure_kinds(), all), 0);
    return bytes_of(folder / "f.csv");
  };
  EXPECT_THAT(table_of({}), ::testing::StartsWith("layer,head,normalised-entropy,effective-tokens,"));
  EXPECT_EQ(heads_of_grid(folder / "f.csv"), "0,0 0,1 0,2 0,3 0,4 0,5 0,6 0,7");
  const auto distances = [&](const std::vector<std::string>& words) {
    std::istringstream lines(table_of(words));
    std::vector<double> found;
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) found.push_back(std::stod(line.substr(line.rfind(',') + 1)));
    return found;
  };
  const std::vector<double> rising = distances({"--measures", "mean-distance", "--sort", "mean-distance:rising"});
  ASSERT_EQ(rising.size(), 8U);
  EXPECT_TRUE(std::is_sorted(rising.begin(), rising.end()));
  const std::vector<double> falling = distances({"--measures", "mean-distance", "--sort", "mean-distance"});
  EXPECT_TRUE(std::is_sorted(falling.rbegin(), falling.rend()));
  const std::vector<double> few = distances({"--measures", "mean-distance", "--where", fmt::format("mean-distance > {}", rising[3])});
  EXPECT_EQ(few.size(), 4U);
  const auto message_of = [&](const std::vector<std::string>& words) { return error_of([&] { table_of(words); }).message(); };
  EXPECT_THAT(message_of({"--sort", "nothing"}), HasSubstr("--sort"));
  EXPECT_THAT(message_of({"--where", "mean-distance high"}), HasSubstr("this is not a range"));
  EXPECT_THAT(message_of({"--across", "entropy"}), HasSubstr("--figure measures does not use this option"));
  const std::vector<std::string> points = with_sandbox({"--figure", "scatter", "--sort", "entropy", "-o", (folder / "f.svg").string()});
  EXPECT_THAT(error_of([&] { run_export_of(figure_kinds(), points); }).message(), HasSubstr("--figure scatter does not use this option"));
  EXPECT_THAT(message_of({"--layer", "0"}), HasSubstr("--figure measures does not use this option"));
  for (const char* figure :
       {"measures", "scatter", "output", "attribution", "effects", "methods", "patch", "pruning", "lens", "compare-measures"}) {
    const std::string refusal = fmt::format("--figure {} does not use this option", figure);
    for (const auto& [option, value] : std::vector<std::pair<std::string, std::string>>{
             {"--colours", "viridis"}, {"--scale", "log"}, {"--gamma", "0.5"}, {"--range", "head"}, {"--hide", "first-token"}}) {
      const std::vector<std::string> words = with_sandbox({"--figure", figure, option, value, "-o", (folder / "f.svg").string()});
      EXPECT_THAT(error_of([&] { run_export_of(figure_kinds(), words); }).message(), HasSubstr(refusal)) << option;
    }
  }
  const std::vector<std::string> light = with_sandbox({"--figure", "scatter", "--theme", "light", "-o", (folder / "f.svg").string()});
  EXPECT_EQ(run_export_of(figure_kinds(), light), 0) << "every figure has a theme";
}

TEST(ExportFigures, AGridIsArrangedByMeasuresAsTheOverviewIs) {
  const TemporaryFolder folder;
  const auto grid = [&](const std::string& file, const std::vector<std::string>& words) {
    std::vector<std::string> all = with_sandbox({"--figure", "grid", "-o", (folder / file).string()});
    all.insert(all.end(), words.begin(), words.end());
    EXPECT_EQ(run_export_of(figure_kinds(), all), 0);
    return bytes_of(folder / file);
  };
  const auto table = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all =
        with_sandbox({"--figure", "measures", "--measures", "mean-distance", "-o", (folder / "table.csv").string()});
    all.insert(all.end(), words.begin(), words.end());
    EXPECT_EQ(run_export_of(figure_kinds(), all), 0);
    return heads_of_grid(folder / "table.csv");
  };
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--sort", "mean-distance:rising"}, {"--sort", "mean-distance", "--where", "mean-distance > 0.9"}}) {
    grid("f.csv", words);
    EXPECT_EQ(heads_of_grid(folder / "f.csv"), table(words));
    EXPECT_THAT(grid("f.svg", words), HasSubstr("number and bar: mean distance"));
  }
  EXPECT_THAT(grid("f.svg", {"--sort", "mean-distance", "--tint", "none"}), Not(HasSubstr("number and bar")));
  EXPECT_THAT(grid("f.svg", {"--tint", "previous-token"}), HasSubstr("number and bar: previous token"));
  const auto message_of = [&](const std::vector<std::string>& words) { return error_of([&] { grid("g.svg", words); }).message(); };
  EXPECT_THAT(message_of({"--where", "mean-distance > 99"}), HasSubstr("no head is left to draw"));
  EXPECT_THAT(message_of({"--tint", "nothing"}), HasSubstr("--tint"));
  EXPECT_THAT(message_of({"--measures", "induction"}), HasSubstr("--figure grid does not use this option"));
  EXPECT_THAT(error_of([&] { grid("g.csv", {"--tint", "induction"}); }).message(), HasSubstr("--tint"));
}

}  // namespace
}  // namespace headlight::testing
