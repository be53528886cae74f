// `headlight verify`, and what `export` writes besides one figure: figures made again, sweeps, numbers.
#include <gmock/gmock.h>

#include <map>

#include "engine/core/assets.h"
#include "engine/formats/json.h"
#include "tests/cli/program.h"

namespace headlight::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kModel = "-m sandbox --layers 2 --heads 4 --d-model 32 -t 'The cat sat on the mat'";

std::string exported(const std::string& rest) {
  return std::string("headlight export ") + kModel + " " + rest;
}

TEST(VerifyCommand, SaysEqualOrWhatDiffersAndEndsWithSeven) {
  const ProgramFolder folder;
  ASSERT_EQ(folder.run_line(exported("-o a.svg")).status, 0);
  const ProgramResult same = folder.run_line("headlight verify a.svg");
  EXPECT_EQ(same.status, 0) << same.error;
  EXPECT_EQ(same.out, "equal: made again, the figure is the same\n");
  for (const char* arranged : {"a.svg", "a.pdf", "a.npz", "a.json"}) {
    ASSERT_EQ(
        folder.run_line(exported(std::string("--figure grid --sort mean-distance --where 'mean-distance > 0.5' -o b-") + arranged)).status,
        0);
    EXPECT_EQ(folder.run_line(std::string("headlight verify b-") + arranged).status, 0) << arranged;
  }
  const ProgramResult changed = folder.run_line("sed -i 's/>cat</>dog</' a.svg && headlight verify a.svg");
  EXPECT_EQ(changed.status, 7);
  EXPECT_THAT(changed.out, StartsWith("differs: the file was changed after it was written: "));
}

// Steps that say what keys add, of one head and of all.
TEST(VerifyCommand, MakesStagesOfOneHeadAndOfAllAgain) {
  const ProgramFolder folder;
  for (const char* figure : {"--figure heatmap --layer 1 --head 2 --stage norm-weights", "--figure grid --stage norm-weights",
                             "--figure grid --stage value-share --only 1.0,0.3", "--figure heatmap --stage value-share"}) {
    for (const char* file : {"a.svg", "a.png", "a.json", "a.npz"}) {
      ASSERT_EQ(folder.run_line(exported(std::string(figure) + " -o " + file)).status, 0) << figure << " " << file;
      const ProgramResult found = folder.run_line(std::string("headlight verify ") + file);
      EXPECT_EQ(found.out, "equal: made again, the figure is the same\n") << figure << " " << file << found.error;
    }
  }
  ASSERT_EQ(folder.run_line(exported("--figure grid --stage norm-weights -o b.svg")).status, 0);
  ASSERT_EQ(folder.run_line(exported("--figure grid -o c.svg")).status, 0);
  EXPECT_EQ(folder.run_line("cmp -s b.svg c.svg").status, 1) << "other maps";
}

// What a text with edits predicts is beside what it predicts without them, as in the window.
TEST(VerifyCommand, PredictionsOfATextWithEditsHaveWhatWasBefore) {
  const ProgramFolder folder;
  const std::string line = "headlight export -m story-gpt -t 'The horses that the sailor follows' --figure output ";
  ASSERT_EQ(folder.run_line(line + "--listed 1000 -o plain.json").status, 0);
  ASSERT_EQ(folder.run_line(line + "--edit 2.1=off -o edited.json").status, 0);
  std::map<std::pair<int, int>, double> plain;
  const Json unedited = Json::parse(bytes_of(folder / "plain.json")), edited = Json::parse(bytes_of(folder / "edited.json"));
  for (const Json& token : unedited["lines"]) plain[{token["position"], token["id"]}] = token["probability"];
  std::size_t changed = 0;
  for (const Json& token : edited["lines"]) {
    const auto before = plain.find({token["position"], token["id"]});
    ASSERT_NE(before, plain.end());
    EXPECT_EQ(token["probability_before"].get<double>(), before->second);
    changed += token["probability"].get<double>() != before->second ? 1 : 0;
  }
  EXPECT_GT(changed, 10U);
  for (const char* file : {"a.svg", "a.png", "a.pdf", "a.html", "a.json"}) {
    ASSERT_EQ(folder.run_line(line + "--edit 2.1=off -o " + file).status, 0) << file;
    EXPECT_EQ(folder.run_line(std::string("headlight verify ") + file).out, "equal: made again, the figure is the same\n") << file;
  }
}

// Numbers of many runs of one text: computed again, with the other text that the file names.
TEST(VerifyCommand, MakesWhatIsDoneToManyHeadsAndPlacesAgain) {
  const ProgramFolder folder;
  const std::string line = "headlight export -m story-gpt -t 'The horse that the sailors follow' ";
  for (const char* figure : {"patch --from 'The horses that the sailor follow' --target logit:is-are", "methods --methods first,zero",
                             "patch --part z --from 'The horses that the sailor follow'",
                             "methods --methods zero,patch-z,patch-pattern --from 'The horses that the sailor follow'",
                             "pruning --method gate --target logit:is"}) {
    for (const char* file : {"a.svg", "a.png", "a.json", "a.npz"}) {
      ASSERT_EQ(folder.run_line(line + "--figure " + figure + " -o " + file).status, 0) << figure << " " << file;
      const ProgramResult found = folder.run_line(std::string("headlight verify ") + file);
      EXPECT_EQ(found.out, "equal: made again, the figure is the same\n") << figure << " " << file << found.error;
    }
  }
  const std::string patch = line + "--figure patch -o a.svg";
  EXPECT_THAT(folder.run_line(patch).error, HasSubstr("--from"));
  EXPECT_THAT(folder.run_line(patch + " --from 'The horse'").error, HasSubstr("texts of equally many tokens"));
  EXPECT_THAT(folder.run_line(patch + " --from X --part nothing").error, HasSubstr("stream, layer-z, z or pattern"));
  EXPECT_THAT(folder.run_line(line + "--figure methods --methods mean -o a.svg").error, HasSubstr("other texts"));
  EXPECT_THAT(folder.run_line(line + "--figure methods --methods patch-z -o a.svg").error, HasSubstr("--from"));
  EXPECT_THAT(folder.run_line(line + "--figure methods --from X -o a.svg").error,
              HasSubstr("none of the chosen methods uses another text"));
  EXPECT_THAT(folder.run_line(line + "--figure pruning --method mean -o a.svg").error, HasSubstr("no other texts"));
  EXPECT_THAT(folder.run_line(line + "--figure effects --from X -o a.svg").error, HasSubstr("--figure effects does not use this option"));
}

// One map needs its layer alone, unless its colours go by the cells of all heads.
TEST(VerifyCommand, MakesAMapWhoseColoursRankTheCellsOfAllHeadsAgain) {
  const ProgramFolder folder;
  for (const char* scale : {"rank", "percentile"}) {
    const std::string line =
        "headlight export -m story-gpt -t 'The horse that the sailors follow' --layer 0 --head 1 --among model --scale ";
    ASSERT_EQ(folder.run_line(line + scale + " -o a.svg").status, 0) << scale;
    EXPECT_EQ(folder.run_line("headlight verify a.svg").out, "equal: made again, the figure is the same\n") << scale;
  }
}

// A mean is over texts of a file, which the figure keeps: the file may be gone.
TEST(VerifyCommand, MakesMeansOverAFileAgainWithoutIt) {
  const ProgramFolder folder;
  const std::string line = "headlight export -m story-gpt -t 'The horse that the sailors follow' --over texts.txt ";
  for (const char* figure : {"effects --method mean", "effects --method resample", "methods --methods mean,zero,resample"}) {
    folder.file("texts.txt", "The dog that the girls see\n\nA bird sings. It is small.\n");
    for (const char* file : {"a.svg", "a.json"})
      ASSERT_EQ(folder.run_line(line + "--figure " + figure + " -o " + file).status, 0) << figure;
    fs::remove(folder / "texts.txt");
    for (const char* file : {"a.svg", "a.json"}) {
      const ProgramResult found = folder.run_line(std::string("headlight verify ") + file);
      EXPECT_EQ(found.out, "equal: made again, the figure is the same\n") << figure << " " << file << found.error;
    }
  }
  folder.file("texts.txt", "A dog\n");
  EXPECT_THAT(folder.run_line(line + "--figure effects -o a.svg").error, HasSubstr("none of the chosen methods uses other texts"));
  EXPECT_THAT(folder.run_line(line + "--figure lens -o a.svg").error, HasSubstr("--figure lens does not use this option"));
}

// Whoever checks a figure may keep its model under another name.
TEST(VerifyCommand, FindsTheSameModelUnderAnotherName) {
  const ProgramFolder folder;
  const std::string copy = "cp -r '" + (assets_folder() / "models" / "story-gpt").string() + "' ";
  ASSERT_EQ(folder.run_line(copy + "mine && " + copy + "theirs && headlight export -m ./mine -t 'A dog ran' -o a.svg").status, 0);
  for (const char* path : {"./theirs", "./theirs/", "./mine"}) {
    const ProgramResult found = folder.run_line("headlight verify a.svg --model " + std::string(path));
    EXPECT_EQ(found.out, "equal: made again, the figure is the same\n") << path << found.error;
  }
}

TEST(VerifyCommand, RefusesAFileThatDoesNotSayHowItWasMade) {
  const ProgramFolder folder;
  ASSERT_EQ(folder.run_line(exported("-o a.csv")).status, 0);
  EXPECT_EQ(folder.run_line("headlight verify a.csv").status, 3);
  EXPECT_EQ(folder.run_line("echo '<svg/>' > b.svg; headlight verify b.svg").status, 3);
  EXPECT_EQ(folder.run_line("headlight verify nothing.png").status, 3);
}

TEST(VerifyCommand, ShowsTheRecordWithoutComputing) {
  const ProgramFolder folder;
  ASSERT_EQ(folder.run_line(exported("-o a.png --pixels 1")).status, 0);
  const ProgramResult shown = folder.run_line("headlight verify --show a.png");
  EXPECT_THAT(shown.out, HasSubstr("\"format\": \"headlight-figure\""));
  EXPECT_THAT(shown.out, HasSubstr("--pixels 1 -o head.png"));
}

TEST(ExportAgain, AFigureIsMadeAgainFromItsFileToTheByte) {
  const ProgramFolder folder;
  for (const char* figure : {"--figure grid --theme light -o a.svg", "--figure compare --pin 0.1 --pin 1.2 -o a.svg",
                             "--figure inside --layer 1 --head 2 --step 5 -o a.svg", "--head 3 --titles -o a.svg",
                             "--figure grid --sort induction:rising --where 'mean-distance > 0.5' --tint entropy --brush 1.2 -o a.svg"}) {
    ASSERT_EQ(folder.run_line(exported(figure)).status, 0) << figure;
    const bool has_titles = std::string_view(figure).find("--titles") != std::string_view::npos;
    const ProgramResult again =
        folder.run_line(std::string("headlight export --document a.svg -o b.svg") + (has_titles ? " --titles" : ""));
    ASSERT_EQ(again.status, 0) << again.error;
    EXPECT_EQ(bytes_of(folder / "a.svg"), bytes_of(folder / "b.svg")) << figure;
  }
}

TEST(ExportAgain, NumbersOfAFewTokensAreAFigureAndNoDocument) {
  const ProgramFolder folder;
  for (int round = 0; round < 2; ++round) ASSERT_EQ(folder.run_line("headlight export -m sandbox -t 'Hello world' -o a.json").status, 0);
  ASSERT_EQ(folder.run_line("headlight export --document a.json -o b.json").status, 0);
  EXPECT_EQ(bytes_of(folder / "a.json"), bytes_of(folder / "b.json"));
}

TEST(ExportAgain, OtherOptionsChangeWhatTheySay) {
  const ProgramFolder folder;
  ASSERT_EQ(folder.run_line(exported("--figure inside --layer 1 --head 2 --step 5 -o a.png")).status, 0);
  ASSERT_EQ(folder.run_line("headlight export --document a.png -t 'A dog ran' -o b.json").status, 0);
  const std::string numbers = bytes_of(folder / "b.json");
  EXPECT_THAT(numbers, HasSubstr("\"text\": \"A dog ran\""));
  EXPECT_THAT(numbers, HasSubstr("\"layer\": 1, \"head\": 2"));
  ASSERT_EQ(folder.run_line("headlight export --document a.png --figure grid -o c.svg && headlight verify c.svg").status, 0);
  ASSERT_EQ(folder.run_line("headlight save --document a.png -o d.headlight.json").status, 0);
  EXPECT_THAT(bytes_of(folder / "d.headlight.json"), HasSubstr("The cat sat on the mat"));
}

TEST(ExportSweep, WritesAPictureForEachValue) {
  const ProgramFolder folder;
  ASSERT_EQ(folder.run_line(exported("--sweep layer -o layer.png")).status, 0);
  EXPECT_TRUE(fs::exists(folder / "layer-0.png") && fs::exists(folder / "layer-1.png") && !fs::exists(folder / "layer-2.png"));
  EXPECT_NE(bytes_of(folder / "layer-0.png"), bytes_of(folder / "layer-1.png"));
  ASSERT_EQ(folder.run_line(exported("--layer 1 -o one.png")).status, 0);
  EXPECT_EQ(bytes_of(folder / "one.png"), bytes_of(folder / "layer-1.png")) << "the same figure alone";
  ASSERT_EQ(folder.run_line(exported("--figure inside --sweep token=0-2 -o t.svg")).status, 0);
  EXPECT_TRUE(fs::exists(folder / "t-0.svg") && fs::exists(folder / "t-2.svg"));
  ASSERT_EQ(folder.run_line(exported("--sweep temperature=0.5,10 -o hot.svg")).status, 0);
  EXPECT_TRUE(fs::exists(folder / "hot-00.5.svg") && fs::exists(folder / "hot-10.svg"));
}

TEST(ExportSweep, APageHasASliderAndIsVerified) {
  const ProgramFolder folder;
  for (const char* sweep : {"--sweep head", "--figure grid --sweep temperature=0.5,1,2", "--figure links --layer 1 --sweep token=1-3",
                            "--figure inside --sweep layer"}) {
    const ProgramResult made = folder.run_line(exported(std::string(sweep) + " -o a.html"));
    ASSERT_EQ(made.status, 0) << made.error;
    EXPECT_THAT(bytes_of(folder / "a.html"), HasSubstr("<input id=\"sweep\" type=\"range\""));
    const ProgramResult found = folder.run_line("headlight verify a.html");
    EXPECT_EQ(found.out, "equal: made again, the figure is the same\n") << sweep << found.error;
    ASSERT_EQ(folder.run_line("headlight export --document a.html -o b.html").status, 0) << sweep;
    EXPECT_EQ(bytes_of(folder / "a.html"), bytes_of(folder / "b.html")) << sweep;
  }
}

TEST(ExportSweep, OfALabGoesThroughWhatItUses) {
  const ProgramFolder folder;
  const auto lab = [](const std::string& rest) { return exported("--figure lab --lab " + rest); };
  for (const char* sweep : {"dropout --sweep layer", "circuits --layer 1 --sweep head=1-3", "mask-conventions:row=own --sweep token=1,4",
                            "head-cost --sweep layer", "concatenation:show=projections --sweep temperature=0.5,2"}) {
    const ProgramResult made = folder.run_line(lab(std::string(sweep) + " -o a.html"));
    ASSERT_EQ(made.status, 0) << sweep << made.error;
    EXPECT_THAT(bytes_of(folder / "a.html"), HasSubstr("<input id=\"sweep\" type=\"range\""));
    const ProgramResult found = folder.run_line("headlight verify a.html");
    EXPECT_EQ(found.out, "equal: made again, the figure is the same\n") << sweep << found.error;
    ASSERT_EQ(folder.run_line("headlight export --document a.html -o b.html").status, 0) << sweep;
    EXPECT_EQ(bytes_of(folder / "a.html"), bytes_of(folder / "b.html")) << sweep;
  }
  ASSERT_EQ(folder.run_line(lab("mask-conventions:row=own --layer 1 --head 2 --sweep token=2-4 -o row.pdf")).status, 0);
  ASSERT_EQ(folder.run_line(lab("mask-conventions:row=own --layer 1 --head 2 --query 3 -o one.pdf")).status, 0);
  EXPECT_EQ(bytes_of(folder / "one.pdf"), bytes_of(folder / "row-3.pdf")) << "the same figure alone";
  EXPECT_NE(bytes_of(folder / "row-2.pdf"), bytes_of(folder / "row-4.pdf"));
  EXPECT_EQ(folder.run_line("headlight verify row-4.pdf").status, 0);
}

TEST(ExportSweep, OfALabIsRefusedWhereTheLabDoesNotChange) {
  const ProgramFolder folder;
  const auto refused = [&](const std::string& rest) {
    const ProgramResult result = folder.run_line(exported("--figure lab --lab " + rest + " -o a.html"));
    EXPECT_EQ(result.status, 2) << rest;
    return result.error;
  };
  EXPECT_THAT(refused("dropout --sweep token"),
              AllOf(HasSubstr("--lab dropout does not change with it"), HasSubstr("layer, head, temperature")));
  EXPECT_THAT(refused("head-cost --sweep head"), HasSubstr("does not change with it"));
  EXPECT_THAT(refused("attempts --sweep layer"), AllOf(HasSubstr("does not change with it"), HasSubstr("Leave it out")));
  EXPECT_THAT(refused("mask-conventions --sweep token"), HasSubstr("does not change with it")) << "its own row is one of no text";
  EXPECT_THAT(refused("toy-run --sweep temperature=1,2"), HasSubstr("does not change with it"));
  EXPECT_THAT(refused("dropout --sweep head=9"), HasSubstr("0 to 3"));
  EXPECT_THAT(refused("mask-conventions:row=own --sweep token=99"), HasSubstr("there is no such token"));
}

TEST(ExportSweep, RefusesWhatDoesNotChangeTheFigure) {
  const ProgramFolder folder;
  const auto refused = [&](const std::string& rest) {
    const ProgramResult result = folder.run_line(exported(rest));
    EXPECT_EQ(result.status, 2) << rest;
    return result.error;
  };
  EXPECT_THAT(refused("--figure grid --sweep head -o a.html"), HasSubstr("--figure grid does not change with it"));
  EXPECT_THAT(refused("--sweep token -o a.html"), HasSubstr("layer, head, temperature"));
  EXPECT_THAT(refused("--sweep head -o a.csv"), HasSubstr("a sweep is drawn"));
  EXPECT_THAT(refused("--sweep head=9 -o a.html"), HasSubstr("0 to 3"));
  EXPECT_THAT(refused("--sweep nothing -o a.html"), HasSubstr("layer, head, token, temperature or training"));
  EXPECT_THAT(refused("--sweep temperature -o a.html"), HasSubstr("which temperatures?"));
  EXPECT_THAT(refused("--sweep training -o a.html"), HasSubstr("after how many steps?"));
  EXPECT_THAT(refused("--sweep training=0,5 -o a.html"), HasSubstr("no map is drawn that the head should learn"));
  EXPECT_THAT(refused("--sweep training=0,5 --draw 9.0@1:0 -o a.html"), HasSubstr("layers 0 to 1, heads 0 to 3"));
  EXPECT_THAT(refused("--sweep training=0,20000 --draw 0.0@1:0 -o a.html"), HasSubstr("too many training steps"));
  EXPECT_THAT(refused("--figure grid --draw 0.0@1:0 -o a.svg"), HasSubstr("does not use this option"));
  EXPECT_THAT(refused("--draw 1:0 -o a.svg"), HasSubstr("LAYER.HEAD@QUERY:KEY"));
  const ProgramResult other = folder.run_line("headlight export -m story-gpt -t 'A dog ran' --sweep training=0,5 --draw 0.0@1:0 -o a.html");
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.error, HasSubstr("only heads of the sandbox are trained here"));
}

// The maps of a head while it learns: the file says what it was to learn, and the training is done again to check them.
TEST(ExportSweep, OverTrainingStepsIsMadeAgainByTrainingAgain) {
  const ProgramFolder folder;
  const std::string train = "--layer 1 --head 2 --draw 1.2@3:1,5:2 --sweep training=20,0,5 ";
  const ProgramResult made = folder.run_line(exported(train + "-o a.html"));
  ASSERT_EQ(made.status, 0) << made.error;
  const std::string page = bytes_of(folder / "a.html");
  EXPECT_THAT(page, AllOf(HasSubstr("after 20 training steps"), HasSubstr("before training"), HasSubstr("--draw 1.2@3:1,5:2")));
  EXPECT_EQ(folder.run_line("headlight verify a.html").out, "equal: made again, the figure is the same\n");
  ASSERT_EQ(folder.run_line("headlight export --document a.html -o b.html").status, 0);
  EXPECT_EQ(page, bytes_of(folder / "b.html"));
  ASSERT_EQ(folder.run_line(exported(train + "-o s.svg")).status, 0);
  EXPECT_EQ(folder.run_line("headlight verify s-20.svg").out, "equal: made again, the figure is the same\n")
      << "a picture of it holds the parameters themselves";
  ASSERT_EQ(folder.run_line(exported("--layer 1 --head 2 --draw 1.2@3:1,5:2 -o none.svg")).status, 0);
  EXPECT_EQ(bytes_of(folder / "none.svg"), bytes_of(folder / "s-00.svg")) << "no step: the head as it is";
  EXPECT_NE(bytes_of(folder / "s-05.svg"), bytes_of(folder / "s-20.svg"));
  ASSERT_EQ(folder.run_line(exported("--figure grid --draw 1.2@3:1,5:2 --sweep training=0-3 -o g.html")).status, 0);
  EXPECT_EQ(folder.run_line("headlight verify g.html").out, "equal: made again, the figure is the same\n");
}

TEST(ExportNumbers, AreWrittenBesideTheFigure) {
  const ProgramFolder folder;
  for (const char* figure : {"heatmap", "grid", "links", "inside"}) {
    ASSERT_EQ(folder.run_line(exported(std::string("--figure ") + figure + " -o a.pdf --numbers a.csv")).status, 0) << figure;
    ASSERT_EQ(folder.run_line(exported(std::string("--figure ") + figure + " -o b.csv")).status, 0) << figure;
    EXPECT_EQ(bytes_of(folder / "a.csv"), bytes_of(folder / "b.csv")) << figure;
  }
  EXPECT_EQ(folder.run_line(exported("-o a.pdf --numbers a.png")).status, 2);
  for (const char* figure : {"text", "measures", "scatter"}) {
    ASSERT_EQ(folder.run_line(exported(std::string("--figure ") + figure + " -o a.pdf --numbers a.npz")).status, 0) << figure;
    ASSERT_EQ(folder.run_line(exported(std::string("--figure ") + figure + " -o b.npz")).status, 0) << figure;
    EXPECT_EQ(bytes_of(folder / "a.npz"), bytes_of(folder / "b.npz")) << figure;
  }
  EXPECT_EQ(folder.run_line(exported("-o a.pdf --numbers a.csv --spreadsheet-safe")).status, 0);
  EXPECT_THAT(bytes_of(folder / "a.csv"), HasSubstr("(spreadsheet-safe)"));
}

TEST(ExportTitles, AreExactValuesOfASvgAlone) {
  const ProgramFolder folder;
  ASSERT_EQ(folder.run_line(exported("--titles -o a.svg")).status, 0);
  EXPECT_THAT(bytes_of(folder / "a.svg"), HasSubstr("<title>“The” (0) → “The” (0): 1</title>"));
  EXPECT_THAT(bytes_of(folder / "a.svg"), HasSubstr("<title>“The” (0) → “cat” (1): masked</title>"));
  EXPECT_EQ(folder.run_line(exported("--titles -o a.png")).status, 2);
  EXPECT_EQ(folder.run_line(exported("--figure links --titles -o a.svg")).status, 2);
}

}  // namespace
}  // namespace headlight::testing
