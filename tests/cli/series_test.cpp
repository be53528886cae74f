// Figures of many texts, and sweeps, in the window and on the command line: the same files, whoever made them.
#include <fmt/core.h>
#include <gmock/gmock.h>

#include "app/recipe/any_text.h"
#include "app/recipe/recipe.h"
#include "app/recipe/swept_queries.h"
#include "app/session/session.h"
#include "engine/formats/file_reader.h"
#include "engine/model/files/model_places.h"
#include "tests/cli/program.h"
#include "tests/work/waiting.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using testing::bytes_of;
using ::testing::HasSubstr;
using testing::ProgramFolder;
using testing::ProgramResult;
using testing::wait_until;

/// A session with a picture of the sandbox, and a series in it.
class Series : public ::testing::Test {
 protected:
  explicit Series(const Document& document = sandbox_document()) : session(document, 2) {
    wait_until([&] { return session.snapshot() != nullptr && session.worker().is_idle(); });
  }
  FigureRequest figure(const FigureKind& kind) const {
    FigureRequest request;
    request.kind = &kind;
    request.head = {1, 2};
    request.moment_inside = end_of_step(6);
    request.links.heads = session.snapshot()->heads_of_layer(1);
    request.flow.heads = session.snapshot()->heads_of_layer(1);
    const bool has_columns = kind.needs.lists_columns || kind.needs.has_axes;
    if (has_columns) request.measures.ids = {"previous-token", "mean-distance", "normalised-entropy"};
    request.measures.across = "mean-distance";
    request.measures.up = "normalised-entropy";
    request.heads = compared(std::vector<HeadId>{{0, 1}, {1, 1}});
    return of_any_text(request);
  }
  TextsOrder texts(std::vector<FigureRequest> figures, std::vector<std::string> endings) {
    folder.file("t.txt", "The cat sat\n\nA dog ran home\n");
    TextsOrder order;
    order.batch.document.query = session.snapshot()->query;
    order.batch.texts = folder / "t.txt";
    order.batch.format = corpus_format(order.batch.texts, "", false);
    order.batch.endings = std::move(endings);
    order.batch.folder = folder / "window";
    order.figures = std::move(figures);
    return order;
  }
  SeriesState finish() {
    wait_until([&] { return !series().is_under_way(); });
    return series().state();
  }
  FigureSeries& series() { return session.figure_series(); }
  /// The window's files of figures of two texts are those of the command that it shows, and each goes on with the folder of the other.
  void expect_files_of_command(const std::vector<const FigureKind*>& kinds);

  ProgramFolder folder;
  Session session;
};

void Series::expect_files_of_command(const std::vector<const FigureKind*>& kinds) {
  TextsOrder order = texts({}, {".svg", ".csv"});
  for (const FigureKind* kind : kinds) order.figures.push_back(figure(*kind));
  const std::vector<const FigureFile*> files{file_of_figure(*kinds.front(), "a.svg"), file_of_figure(*kinds.front(), "a.csv")};
  const auto command = batch_command_here(*session.snapshot(), order.figures, files, order.output);
  ASSERT_TRUE(command) << kinds.front()->name;
  series().start(order);
  ASSERT_EQ(finish(), SeriesState::finished) << series().report()->problem;
  EXPECT_EQ(series().report()->made, 2 * 2 * kinds.size());
  const ProgramResult made = folder.run_line(*command + " --texts t.txt -o typed/");
  ASSERT_EQ(made.status, 0) << *command << "\n" << made.error;
  for (const auto& file : fs::directory_iterator(folder / "typed")) {
    const std::string name = file.path().filename().string();
    if (!name.starts_with("0")) continue;
    EXPECT_EQ(bytes_of(file.path()), bytes_of(folder / "window" / name)) << name << "\n" << *command;
  }
  EXPECT_EQ(bytes_of(folder / "typed" / "index.html"), bytes_of(folder / "window" / "index.html"));
  EXPECT_EQ(bytes_of(folder / "typed" / "batch.json"), bytes_of(folder / "window" / "batch.json")) << *command;
  const std::string all = std::to_string(2 * 2 * kinds.size());
  EXPECT_THAT(folder.run_line(*command + " --texts t.txt -o window/").error,
              HasSubstr("0 of " + all + " figures written, " + all + " there already"));
  order.batch.folder = folder / "typed";
  fs::remove(folder / "typed" / fmt::format("0001-{}.svg", kinds.front()->name));
  series().start(order);
  ASSERT_EQ(finish(), SeriesState::finished);
  EXPECT_EQ(series().report()->kept, 2 * 2 * kinds.size() - 1);
  fs::remove_all(folder / "typed");
  fs::remove_all(folder / "window");
}

TEST_F(Series, OfTextsWritesTheFilesOfItsCommand) {
  const std::vector<std::vector<const FigureKind*>> choices{{&kHeatmapFigure, &kGridFigure, &kMeasuresFigure, &kScatterFigure},
                                                            {&kHeatmapFigure, &kLinksFigure, &kFlowFigure, &kInsideFigure},
                                                            {&kGridFigure, &kLinksFigure},
                                                            {&kCompareFigure, &kHeatmapFigure}};
  for (const std::vector<const FigureKind*>& kinds : choices) expect_files_of_command(kinds);
}

Document edited_document() {
  Document document;
  document.query.model.name = "story-gpt";
  document.query.model.version = version_of_built_in("story-gpt");
  document.query.text = "The horses that the sailor follows";
  document.query.switched_off = {{2, 1}};
  return document;
}

class SeriesOfEdits : public Series {
 protected:
  SeriesOfEdits() : Series(edited_document()) {}
};

TEST_F(SeriesOfEdits, HasWhatEveryTextPredictsWithoutThem) {
  expect_files_of_command({&kOutputFigure});
  expect_files_of_command({&kOutputFigure, &kLensFigure});
}

// One command has one list of heads.
TEST_F(Series, OfFiguresOfDifferentHeadsHasNoCommand) {
  const std::vector<const FigureFile*> files{file_of_figure(kHeatmapFigure, "a.svg")};
  const auto command = [&](const std::vector<FigureRequest>& figures) {
    return batch_command_here(*session.snapshot(), figures, files, {}).has_value();
  };
  EXPECT_FALSE(command({figure(kHeatmapFigure), figure(kGridFigure), figure(kLinksFigure)}));
  FigureRequest flow = figure(kFlowFigure);
  flow.flow.heads = session.snapshot()->heads_of_layer(0);
  EXPECT_FALSE(command({figure(kHeatmapFigure), figure(kLinksFigure), flow}));
  EXPECT_TRUE(command({flow}));
}

TEST_F(Series, ThatWasStoppedGoesOnWithWhatIsThere) {
  series().start(texts({figure(kHeatmapFigure), figure(kGridFigure)}, {".svg"}));
  wait_until([&] { return series().report() != nullptr || !series().is_under_way(); });
  series().stop();
  const SeriesState now = series().state();
  EXPECT_TRUE(now == SeriesState::stopped || now == SeriesState::finished);
  wait_until([&] { return session.worker().is_idle(); });
  series().go_on();
  if (now == SeriesState::finished) series().start(texts({figure(kHeatmapFigure), figure(kGridFigure)}, {".svg"}));
  ASSERT_EQ(finish(), SeriesState::finished);
  const SeriesReport end = *series().report();
  EXPECT_GE(end.kept, 1U) << "what was written is not made again";
  EXPECT_EQ(end.made + end.kept, 4U);
  EXPECT_TRUE(fs::exists(end.result));
}

TEST_F(Series, SaysWhatCouldNotBeMadeAndWhyItWasRefused) {
  FigureRequest missing = figure(kHeatmapFigure);
  missing.head = {9, 9};
  series().start(texts({missing, figure(kGridFigure)}, {".svg"}));
  ASSERT_EQ(finish(), SeriesState::finished);
  EXPECT_EQ(series().report()->made, 2U);
  ASSERT_EQ(series().report()->failures.size(), 2U);
  EXPECT_THAT(series().report()->failures.front(), HasSubstr("0000-heatmap.svg (line 1): "));
  write_file(folder / "mine", "a file");
  TextsOrder order = texts({figure(kGridFigure)}, {".svg"});
  order.batch.folder = folder / "mine";
  series().start(order);
  ASSERT_EQ(finish(), SeriesState::refused);
  EXPECT_THAT(series().report()->problem, HasSubstr("this is a file"));
  EXPECT_EQ(bytes_of(folder / "mine"), "a file");
  series().close();
  EXPECT_EQ(series().state(), SeriesState::none);
}

TEST_F(Series, OfASweepWritesThePageAndTheFilesOfItsCommand) {
  const auto check = [&](const std::string& typed, const char* file) {
    Sweep sweep = parse_sweep(typed);
    if (sweep.of == SweepOf::training) sweep.drawn_map = {{1, 2}, {{3, 4, 1, 2, true}, {5, 6, 2, 3, true}}, 0};
    FigureRequest request = figure(kHeatmapFigure);
    sweep.values = values_of_sweep(sweep, *session.snapshot(), request);
    if (sweep.of == SweepOf::layer) request.head.layer = 0;
    frame_drawn_map(sweep, *session.snapshot(), request);
    const auto command = command_here(*session.snapshot(), request, *file_of_figure(kHeatmapFigure, file), {}, sweep);
    ASSERT_TRUE(command) << typed;
    series().start(
        SweepOrder{.run = session.snapshot(), .request = request, .sweep = sweep, .output = {}, .file = folder / file, .digests = {}});
    ASSERT_EQ(finish(), SeriesState::finished) << series().report()->problem;
    const fs::path first = series().report()->result;
    const std::string bytes = bytes_of(first);
    fs::remove(first);
    const ProgramResult made = folder.run_line(*command + " -o " + file);
    ASSERT_EQ(made.status, 0) << *command << "\n" << made.error;
    EXPECT_EQ(bytes_of(first), bytes) << *command;
    EXPECT_EQ(folder.run_line("headlight verify " + first.filename().string()).status, 0);
  };
  check("layer", "a.html");
  check("head=1,3", "b.svg");
  check("temperature=0.5,2", "c.html");
  check("training=0,5", "d.html");
}

}  // namespace
}  // namespace headlight
