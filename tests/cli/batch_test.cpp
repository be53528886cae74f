// `headlight export --texts`: every text of a file as every one of several figures.
#include "app/work/batch/batch.h"

#include <gmock/gmock.h>

#include <map>

#include "app/work/batch/index_page.h"
#include "engine/formats/file_reader.h"
#include "tests/cli/program.h"

namespace headlight::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kExport = "headlight export -m sandbox --layers 2 --heads 2 --d-model 16 ";

ProgramResult exported(const ProgramFolder& folder, const std::string& rest) {
  return folder.run_line(kExport + rest);
}

TEST(BatchCommand, WritesEveryFigureOfEveryTextAsItIsAlone) {
  const ProgramFolder folder;
  write_file(folder / "t.txt", "The cat sat\n\nA <b>dog</b> ran\n");
  const ProgramResult made = exported(folder, "--texts t.txt --figures heatmap,grid --head 1 --format svg,csv -o out/");
  ASSERT_EQ(made.status, 0) << made.error;
  EXPECT_THAT(made.error, HasSubstr("8 of 8 figures written"));
  for (const char* file : {"0000-heatmap.svg", "0000-grid.csv", "0001-heatmap.csv", "0001-grid.svg"}) {
    EXPECT_TRUE(fs::exists(folder / "out" / file)) << file;
  }
  ASSERT_EQ(exported(folder, "-t 'A <b>dog</b> ran' --head 1 -o one.svg").status, 0);
  EXPECT_EQ(bytes_of(folder / "one.svg"), bytes_of(folder / "out" / "0001-heatmap.svg"));
  EXPECT_THAT(folder.run_line("headlight verify out/0001-grid.svg").out, HasSubstr("equal: "));
  const std::string page = bytes_of(folder / "out" / "index.html");
  EXPECT_THAT(page, AllOf(HasSubstr("A &lt;b&gt;dog&lt;/b&gt; ran"), HasSubstr("<img src=\"0001-grid.svg\""),
                          HasSubstr("<a href=\"0001-grid.csv\">csv</a>"), Not(HasSubstr("http"))));
}

TEST(BatchCommand, MakesAgainOnlyWhatIsMissingOrHasChanged) {
  const ProgramFolder folder;
  write_file(folder / "t.txt", "The cat sat\nA dog ran\nBirds sing\n");
  const auto run = [&](const std::string& rest) { return exported(folder, "--texts t.txt -o out --format svg " + rest).error; };
  run("");
  const std::string page = bytes_of(folder / "out" / "index.html");
  EXPECT_THAT(run(""), HasSubstr("0 of 3 figures written, 3 there already"));
  EXPECT_EQ(bytes_of(folder / "out" / "index.html"), page) << "the same page for the same files";
  fs::remove(folder / "out" / "0000-heatmap.svg");
  const std::string second = bytes_of(folder / "out" / "0001-heatmap.svg");
  write_file(folder / "out" / "0001-heatmap.svg", second + " ");
  EXPECT_THAT(run(""), HasSubstr("2 of 3 figures written, 1 there already"));
  EXPECT_EQ(bytes_of(folder / "out" / "0001-heatmap.svg"), second);
  write_file(folder / "t.txt", "The cat sat\nA dog ran\nBirds fly\n");
  EXPECT_THAT(run(""), HasSubstr("1 of 3 figures written, 2 there already"));
  EXPECT_THAT(run("--head 1"), HasSubstr("3 of 3 figures written;"));
  EXPECT_THAT(run("--head 1 --temperature 2"), HasSubstr("3 of 3 figures written;"));
  EXPECT_THAT(run("--head 1 --temperature 2 --fresh"), HasSubstr("3 of 3 figures written;"));
}

TEST(BatchCommand, AFailedItemIsListedAndTheRestIsMade) {
  const ProgramFolder folder;
  write_file(folder / "t.jsonl", "{\"text\":\"ok then\"}\nno JSON\n{\"text\":\"The dog ran home again\"}\n");
  const ProgramResult made = exported(folder, "--texts t.jsonl --figure inside --query 4 --format svg -o out");
  EXPECT_EQ(made.status, 2) << "the status of the figure that could not be made";
  EXPECT_THAT(made.error, AllOf(HasSubstr("line 2: "), HasSubstr("0000-inside.svg (line 1): "), HasSubstr("(exit status 2)"),
                                HasSubstr("1 of 2 figures written")));
  EXPECT_FALSE(fs::exists(folder / "out" / "0000-inside.svg"));
  EXPECT_TRUE(fs::exists(folder / "out" / "0002-inside.svg"));
  EXPECT_THAT(bytes_of(folder / "out" / "index.html"), AllOf(HasSubstr("<h2>2 failed</h2>"), HasSubstr("there is no query 4")));
}

TEST(BatchCommand, WritesIntoNoFolderThatHoldsOtherFiles) {
  const ProgramFolder folder;
  write_file(folder / "t.txt", "The cat sat\n");
  fs::create_directory(folder / "mine");
  write_file(folder / "mine" / "index.html", "my own");
  EXPECT_EQ(exported(folder, "--texts t.txt -o mine").status, 2);
  EXPECT_EQ(bytes_of(folder / "mine" / "index.html"), "my own");
  EXPECT_EQ(exported(folder, "--texts t.txt -o t.txt").status, 2);
  fs::create_directory(folder / "broken");
  write_file(folder / "broken" / kManifestName, "{");
  EXPECT_EQ(exported(folder, "--texts t.txt -o broken").status, 3);
  EXPECT_EQ(exported(folder, "--texts t.txt -o broken --fresh").status, 0);
}

TEST(BatchCommand, OptionsOfOneFigureDoNotHinderAnother) {
  const ProgramFolder folder;
  write_file(folder / "t.txt", "The cat sat\n");
  const ProgramResult made =
      exported(folder, "--texts t.txt --figures links,compare,heatmap --layer 1 --pin 0.1 --pin 1.0 --format svg -o out");
  ASSERT_EQ(made.status, 0) << made.error;
  ASSERT_EQ(exported(folder, "-t 'The cat sat' --figure links --layer 1 -o links.svg").status, 0);
  EXPECT_EQ(bytes_of(folder / "links.svg"), bytes_of(folder / "out" / "0000-links.svg")) << "the pins are those of the comparison";
  ASSERT_EQ(exported(folder, "--texts t.txt --figures heatmap,links --layer 1 --pin 0.1 --format svg -o pins").status, 0);
  ASSERT_EQ(exported(folder, "-t 'The cat sat' --figure links --pin 0.1 -o links.svg").status, 0);
  EXPECT_EQ(bytes_of(folder / "links.svg"), bytes_of(folder / "pins" / "0000-links.svg")) << "the layer is that of the heatmap";
  EXPECT_EQ(exported(folder, "--texts t.txt --figures heatmap,grid --layer 1 --only 0.1,1.0 --format svg -o list").status, 0);
  EXPECT_EQ(exported(folder, "--texts t.txt --figures heatmap,flow --layer 1 --format svg -o flow").status, 0);
}

TEST(BatchCommand, OptionsThatContradictAreRefusedBeforeAnythingIsMade) {
  const ProgramFolder folder;
  write_file(folder / "t.txt", "The cat sat\n");
  const auto refused = [&](const std::string& rest) {
    const ProgramResult result = exported(folder, rest);
    EXPECT_EQ(result.status, 2) << rest;
    return result.error;
  };
  EXPECT_THAT(refused("--texts t.txt --figures links,grid --pin 0.1 --layer 1 -o out"),
              HasSubstr("a figure of links is of the pinned heads or of a layer"));
  EXPECT_THAT(refused("-t 'A dog' --figure text --pin 0.1 --layer 1 -o a.svg"), HasSubstr("a tinted text is of the pinned heads"));
  EXPECT_THAT(refused("-t 'A dog' --figure links --only 0.1 --head 1 -o a.svg"), HasSubstr("--only lists the heads"));
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST(BatchCommand, RefusesOptionsThatWouldBeIgnored) {
  const ProgramFolder folder;
  write_file(folder / "t.txt", "The cat sat\n");
  const auto refused = [&](const std::string& rest) {
    const ProgramResult result = exported(folder, rest + " -o out");
    EXPECT_EQ(result.status, 2) << rest;
    return result.error;
  };
  EXPECT_THAT(refused("--texts t.txt -t 'A dog'"), HasSubstr("-t: cannot be combined with --texts"));
  EXPECT_THAT(refused("--texts t.txt --figures grid,links --stage scores"), HasSubstr("--figure grid,links does not use this option"));
  EXPECT_THAT(refused("--texts t.txt --figures grid,nothing"), HasSubstr("unknown name"));
  EXPECT_THAT(refused("--texts t.txt --figures grid,inside --format npy"), HasSubstr("--format"));
  EXPECT_THAT(refused("--texts t.txt --format svg --pixels 2"), HasSubstr("--pixels"));
  EXPECT_THAT(refused("--texts t.txt --sweep head"), HasSubstr("--format html"));
  EXPECT_THAT(refused("--texts t.txt --numbers a.csv"), HasSubstr("--format png,csv"));
  EXPECT_THAT(refused("-t 'A dog' --figures grid"), HasSubstr("this is for --texts"));
  EXPECT_FALSE(fs::exists(folder / "out"));
}

/// Cancels when it is asked for the nth time.
class CancelAt final : public Progress {
 public:
  explicit CancelAt(int steps) : left_(steps) {}
  void step(double, std::string_view) override { check(); }
  void check() override {
    if (--left_ < 0) throw Cancelled{};
  }

 private:
  int left_;
};

TEST(Batch, GoesOnWhereItWasStoppedAndMakesNothingTwice) {
  const TemporaryFolder folder;
  write_file(folder / "t.txt", "a\nb\nc\nd\n");
  std::map<std::string, int> written;
  BatchRequest request{.document = sandbox_document(), .texts = folder / "t.txt", .folder = folder / "out", .write = {}};
  request.figures = {"heatmap", "grid"};
  request.endings = {".csv"};
  request.write = [&](const Document& document, const std::string& figure, const fs::path& file, Progress& progress) {
    progress.check();
    write_file(file, figure + document.query.text);
    ++written[file.filename().string()];
  };
  for (int steps = 0; steps < 60; ++steps) {
    Batch batch(request);
    CancelAt progress(steps);
    try {
      while (batch.next(progress)) {
      }
      break;
    } catch (const Cancelled&) {
      if (!batch.state().items.empty()) batch.keep();
    }
  }
  EXPECT_EQ(written.size(), 8U);
  for (const auto& [file, times] : written) EXPECT_EQ(times, 1) << file;
  EXPECT_EQ(bytes_of(folder / "out" / "0003-grid.csv"), "gridd");
  EXPECT_THAT(bytes_of(folder / "out" / kIndexName), Not(HasSubstr("not made yet")));
}

}  // namespace
}  // namespace headlight::testing
