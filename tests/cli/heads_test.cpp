// `headlight heads` and `merge` as a person uses them.
#include <gmock/gmock.h>

#include <map>
#include <sstream>
#include <vector>

#include "tests/cli/program.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;
using testing::ProgramFolder;
using testing::ProgramResult;
using ::testing::StartsWith;

const std::string kModel = "-m sandbox --layers 2 --heads 2 --d-model 16 ";

class Heads : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string lines;
    for (int line = 0; line < 60; ++line) {
      lines += "the cat";
      for (int word = 0; word < line % 9; ++word) lines += " w" + std::to_string((line * word) % 7);
      lines += "\n";
    }
    folder.file("texts.txt", lines);
  }
  ProgramResult run(const std::string& options) const { return folder.run_line("headlight heads " + kModel + options); }
  std::string bytes(const std::string& name) const { return testing::bytes_of(folder / name); }
  const ProgramFolder folder;
};

TEST_F(Heads, PrintsALineAHeadOfOneText) {
  const ProgramResult result = run("-t 'the cat sat on the mat' --measures previous-token,beyond-distance:1,entropy-without-first-token");
  ASSERT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.out,
              StartsWith("layer,head,n,previous-token,beyond-distance:1,entropy-without-first-token,hidden-mass:first-token\n0,0,1,"));
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 5);
}

TEST_F(Heads, MeasuresOfRandomTokensNeedNoTextAndAreAskedForByThemselves) {
  const std::string story = "headlight heads -m story-gpt ";
  const ProgramResult result = folder.run_line(story + "--measures prefix-matching,copying-score-without-first-token --draws 2");
  ASSERT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.out, StartsWith("layer,head,n,prefix-matching,copying-score-without-first-token,hidden-mass:first-token\n0,0,2,"));
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 33);
  const ProgramResult twice = folder.run_line(story + "--measures induction-offset,induction-loss --details");
  EXPECT_THAT(twice.out, StartsWith("layer,head,n,induction-offset,induction-offset.n,induction-offset.se,induction-offset.q05,"));
  const ProgramResult hidden = folder.run_line(story + "--measures prefix-matching-without-first-token,hidden-mass:first-token --draws 2");
  EXPECT_THAT(hidden.out, StartsWith("layer,head,n,prefix-matching-without-first-token,hidden-mass:first-token\n0,0,2,"));
  EXPECT_NE(hidden.out.substr(hidden.out.rfind(',') + 1), "\n") << "measures of any text are made on the same tokens";
  EXPECT_THAT(folder.run_line(story + "--measures prefix-matching,induction-loss").error, HasSubstr("Ask for induction-loss in a run"));
  EXPECT_EQ(folder.run_line(story + "-t x --measures prefix-matching").status, 2) << "the text would be ignored";
  EXPECT_EQ(folder.run_line("headlight heads -m story-bert --measures prefix-matching").status, 3) << "it reads both ways";
  EXPECT_EQ(folder.run_line(story + "--measures induction-loss-without-first-token").status, 2) << "it is no head's";
}

TEST_F(Heads, DrawsOfRandomTokensAreAStudyWithExamplesThatShardsMergeToTheByte) {
  const std::string story = "headlight heads -m story-gpt --measures prefix-matching --draws 5 --top 2 ";
  ASSERT_EQ(folder.run_line(story + "-o whole.study").status, 0);
  std::string merge = "headlight merge -o merged.study";
  for (int shard = 1; shard <= 3; ++shard) {
    const std::string name = fmt::format("part{}.study", shard);
    ASSERT_EQ(folder.run_line(story + fmt::format("--shard {}/3 -o {}", shard, name)).status, 0);
    merge += " " + name;
  }
  ASSERT_EQ(folder.run_line(merge).status, 0);
  EXPECT_TRUE(bytes("whole.study") == bytes("merged.study"));
  ASSERT_EQ(folder.run_line(story + "-o heads.jsonl").status, 0);
  std::istringstream lines(bytes("heads.jsonl"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(Json::parse(line).at("corpus"), "25 random tokens, four times over");
  double most = 0;
  for (; std::getline(lines, line);) {
    const Json measure = Json::parse(line).at("measures").at("prefix-matching");
    ASSERT_EQ(measure.at("top").size(), 2U);
    EXPECT_TRUE(measure.at("top").at(0).at("is_ids").get<bool>());
    EXPECT_GE(measure.at("top").at(0).at("value"), measure.at("mean"));
    EXPECT_GE(measure.at("se").get<double>(), 0);
    if (measure.at("mean").get<double>() <= most) continue;
    most = measure.at("mean").get<double>();
    const std::int64_t back =
        measure.at("top").at(0).at("query").get<std::int64_t>() - measure.at("top").at(0).at("key").get<std::int64_t>();
    EXPECT_EQ(back % 25, 24) << "its cell is the token after an earlier copy";
  }
  EXPECT_EQ(folder.run_line(story + "-o heads.csv").status, 2) << "a table has no room for examples";
  EXPECT_EQ(folder.run_line("headlight heads -m story-gpt --measures prefix-matching --shard 1/3").status, 2) << "no file";
}

TEST_F(Heads, MeasuresOfTextsOfTheirOwnStandBesideChance) {
  const std::string story = "headlight heads -m story-gpt --measures prefix-matching --null ";
  const ProgramResult result = folder.run_line(story + "random-weights,shuffled-tokens");
  ASSERT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.out, StartsWith("layer,head,n,prefix-matching,prefix-matching.random-weights,prefix-matching.random-weights.z,"
                                     "prefix-matching.shuffled-tokens,prefix-matching.shuffled-tokens.z\n0,0,20,"));
  std::stringstream lines(result.out);
  std::map<std::string, std::vector<double>> heads;
  for (std::string line; std::getline(lines, line);) {
    std::stringstream cells(line);
    std::string layer, head, n;
    std::getline(cells, layer, ','), std::getline(cells, head, ','), std::getline(cells, n, ',');
    for (std::string cell; std::getline(cells, cell, ',');) heads[layer + "." + head].push_back(std::strtod(cell.c_str(), nullptr));
  }
  const std::vector<double>& induction = heads.at("1.5");
  EXPECT_GT(induction[0], 0.4);
  EXPECT_LT(induction[1], 0.1) << "random weights";
  EXPECT_GT(induction[2], 10) << "standard deviations";
  EXPECT_GT(induction[3], 0.4) << "in another order copies still have followers: that is no chance for induction";
  ASSERT_EQ(run("--texts texts.txt --measures content-dependence:4 --null random-weights,shuffled-tokens -o c.csv").status, 0);
  EXPECT_THAT(bytes("c.csv"), StartsWith("layer,head,n,content-dependence:4,content-dependence:4.random-weights,"));
}

TEST_F(Heads, ContentDependenceComparesTheTextsOfAFile) {
  const std::string measures = "--measures content-dependence:4,content-dependence-without-first-token:3 ";
  const ProgramResult result = run("--texts texts.txt " + measures + "--details -o content.csv");
  ASSERT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(bytes("content.csv"), StartsWith("layer,head,n,content-dependence:4,content-dependence:4.n,content-dependence:4.se,"));
  folder.file("same.txt", "the cat sat on\nthe cat sat on\na\n");
  const ProgramResult same = run("--texts same.txt --measures content-dependence:4 -o same.csv");
  EXPECT_THAT(bytes("same.csv"), HasSubstr("\n0,0,2,0\n")) << "equal maps";
  EXPECT_THAT(same.error, HasSubstr("line 3: 1 tokens, fewer than the 4 that are compared"));
  EXPECT_EQ(run("--texts same.txt --measures content-dependence:40 -o x.csv").status, 3);
  folder.file("ids.jsonl", "{\"ids\": [1, 2, 3, 4]}\n{\"ids\": [1, 2, 99999999, 4]}\n{\"ids\": [4, 3, 2, 1]}\n");
  const ProgramResult unknown =
      folder.run_line("headlight heads -m story-gpt --texts ids.jsonl --measures content-dependence:4 -o ids.csv");
  EXPECT_EQ(unknown.status, 0) << unknown.error;
  EXPECT_THAT(unknown.error, HasSubstr("line 2:")) << "it stops no other";
  folder.file("none.txt", "\n");
  EXPECT_THAT(run("--texts none.txt --measures content-dependence:4 -o x.csv").error, HasSubstr("contains no texts"));
  EXPECT_EQ(run("--texts same.txt --measures content-dependence -o x.csv").status, 2) << "N is missing";
  EXPECT_EQ(run("-t x --measures content-dependence:4").status, 2);
}

TEST_F(Heads, SpecialTokensAreSpecialByTheirIdsToo) {
  const std::string story = "headlight heads -m story-gpt --measures hidden-mass:special ";
  const ProgramResult by_text = folder.run_line(story + "-t 'the cat sat'"), by_ids = folder.run_line(story + "--ids 0,963,3606,5975");
  EXPECT_EQ(by_text.out, by_ids.out);
  EXPECT_THAT(by_ids.out, HasSubstr("\n0,0,1,0.333392"));
}

TEST_F(Heads, ShardsOfContentDependenceMergeToTheByte) {
  const std::string measures = "--texts texts.txt --measures content-dependence:3 --null random-weights --top 1 ";
  ASSERT_EQ(run(measures + "-o whole.study").status, 0);
  ASSERT_EQ(run(measures + "--shard 1/2 -o a.study").status, 0);
  ASSERT_EQ(run(measures + "--shard 2/2 -o b.study").status, 0);
  ASSERT_EQ(folder.run_line("headlight merge a.study b.study -o merged.study").status, 0);
  EXPECT_TRUE(bytes("whole.study") == bytes("merged.study"));
}

TEST_F(Heads, AFileWithoutTextsIsRefusedAsEmptyInput) {
  folder.file("blank.txt", "\n\n");
  const ProgramResult result = run("--texts blank.txt -o blank.csv");
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.error, HasSubstr("this file contains no texts"));
  EXPECT_FALSE(std::filesystem::exists(folder / "blank.csv"));
  folder.file("bad.csv", "id,text\n1,\n");
  const ProgramResult bad = run("--texts bad.csv -o bad_out.csv");
  EXPECT_EQ(bad.status, 0) << bad.error;
  EXPECT_THAT(bad.error, HasSubstr("line 2: the text is empty"));
  EXPECT_THAT(bad.error, HasSubstr("no text was measured"));
}

TEST_F(Heads, RanksTheHeadsThatDoSomething) {
  const std::string header =
      "rank,layer,head,rows,pattern-mass,uniform,lift-over-uniform,fixed-offset,fixed-offset-mass,lift-over-fixed-offset,query,key,"
      "weight\n";
  for (const std::string question :
       {"previous", "same-word", "'k == q - 2'", "'cat -> the'", "'mat -> sat; cat -> the'", "5:1,3:0-1", "'5:*'"}) {
    const ProgramResult result = run("-t 'the cat sat on the mat' --which " + question);
    ASSERT_EQ(result.status, 0) << question << ": " << result.error;
    EXPECT_THAT(result.out, StartsWith(header)) << question;
    const auto lines = std::count(result.out.begin(), result.out.end(), '\n');
    EXPECT_EQ(lines, question == "same-word" ? 1 : 5) << question;  // every word is one token: no row asks
    if (lines == 1) {
      EXPECT_THAT(result.error, HasSubstr("no head can be asked"));
    }
  }
  const ProgramResult even = run("-t 'the cat sat on the mat' --which none");
  EXPECT_THAT(even.out, HasSubstr("\n1,"));
  EXPECT_EQ(run("-t 'the cat sat on the mat' --which previous -o ranked.csv").status, 0);
  EXPECT_THAT(bytes("ranked.csv"), StartsWith(header));
}

TEST_F(Heads, RanksTheHeadsThatAreAlike) {
  const ProgramResult result = run("-t 'the cat sat on the mat' --like 1.0");
  ASSERT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.out, StartsWith("rank,layer,head,rows,jensen-shannon,output-agreement\n1,"));
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 4) << "all but itself";
}

TEST_F(Heads, RefusesAQuestionThatItDoesNotUnderstand) {
  for (const std::string wrong :
       {"--which ''", "--like ''", "--which sideways", "--which 'dog -> cat'", "--which 'cat ->'", "--which 'k =='", "--like 7.7",
        "--which previous --like 1.0", "--which previous --measures entropy", "--which previous -o ranked.npy"}) {
    const ProgramResult result = run("-t 'the cat sat on the mat' " + wrong);
    EXPECT_EQ(result.status, 2) << wrong << result.error;
  }
  EXPECT_THAT(run("-t 'the cat' --which sideways").error, HasSubstr("previous, self, next"));
}

TEST_F(Heads, WritesEveryKindOfTable) {
  for (const std::string ending : {"csv", "jsonl", "npy", "sqlite", "db", "study"}) {
    const std::string top = ending == "csv" || ending == "npy" ? "" : "--top 2 ";
    const ProgramResult result = run("--texts texts.txt " + top + "-o out." + ending);
    EXPECT_EQ(result.status, 0) << result.error;
    EXPECT_NE(bytes("out." + ending), "") << ending;
    EXPECT_FALSE(std::filesystem::exists(folder / ("out." + ending + ".state"))) << "nothing is left beside it";
  }
  EXPECT_THAT(bytes("out.jsonl"), HasSubstr("\"top\":[{"));
}

TEST_F(Heads, ShardsMergeToTheBytesOfOneRun) {
  const std::string options = "--texts texts.txt --measures all --length-bins 4,8 ";
  const std::vector<std::string> files = {"csv --details", "jsonl --top 3", "npy --details", "study --top 3"};
  const auto name_of = [](const std::string& file) { return file.substr(0, file.find(' ')); };
  const auto uses_top = [](const std::string& file) { return file.ends_with("--top 3"); };
  for (const std::string& file : files) ASSERT_EQ(run(options + "-o whole." + file).status, 0);
  for (const int count : {1, 3, 16}) {
    for (const bool has_top : {false, true}) {
      std::string shards;
      for (int number = 1; number <= count; ++number) {
        const std::string name = "s" + std::to_string(number);
        const std::string shard = "--shard " + std::to_string(number) + "/" + std::to_string(count);
        const ProgramResult result = run(options + (has_top ? "--top 3 " : "") + shard + " -o " + name);
        ASSERT_EQ(result.status, 0) << result.error;
        shards += " " + name;
      }
      for (const std::string& file : files) {
        if (uses_top(file) != has_top) continue;
        const std::string name = name_of(file);
        const ProgramResult merged = folder.run_line("headlight merge" + shards + (has_top ? "" : " --details") + " -o merged." + name);
        ASSERT_EQ(merged.status, 0) << merged.error;
        EXPECT_EQ(bytes("merged." + name), bytes("whole." + name)) << count << " shards";
      }
    }
  }
}

TEST_F(Heads, ASlurmArraySaysWhichShard) {
  const std::string array = "SLURM_ARRAY_TASK_MIN=4 SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_ID=";
  for (const std::string task : {"4", "5"}) {
    const ProgramResult result =
        folder.run_line("export " + array + task + "; headlight heads " + kModel + "--texts texts.txt -o part-" + task);
    ASSERT_EQ(result.status, 0) << result.error;
  }
  ASSERT_EQ(run("--texts texts.txt -o whole.csv").status, 0);
  ASSERT_EQ(folder.run_line("headlight merge part-5 part-4 -o merged.csv").status, 0);
  EXPECT_EQ(bytes("merged.csv"), bytes("whole.csv"));
  EXPECT_EQ(folder.run_line("export " + array + "6; headlight heads " + kModel + "--texts texts.txt -o x").status, 2);
}

TEST_F(Heads, TasksOfASlurmArrayDoNotWriteTheSameFile) {
  const std::string task = "export SLURM_ARRAY_TASK_MIN=4 SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_ID=4; headlight heads " + kModel;
  for (const std::string output : {"out", "out.csv", "part-4.csv", "part-44.study", "part-5.study"}) {
    const ProgramResult result = folder.run_line(task + "--texts texts.txt -o " + output);
    EXPECT_EQ(result.status, 2) << output;
    EXPECT_THAT(result.error, HasSubstr("-o part-$SLURM_ARRAY_TASK_ID.study")) << output;
    EXPECT_FALSE(std::filesystem::exists(folder / output));
  }
  for (const std::string output : {"part-4.study", "part-004"}) {
    EXPECT_EQ(folder.run_line(task + "--texts texts.txt -o " + output).status, 0) << output;
  }
  EXPECT_EQ(run("--texts texts.txt --shard 1/2 -o out.csv").status, 2) << "a shard is not a table";
}

TEST_F(Heads, TheTextsAreNotReplacedAndTheFolderIsThere) {
  const std::string before = bytes("texts.txt");
  folder.file("texts.csv", before);
  EXPECT_THAT(run("--texts texts.csv -o ./texts.csv").error, HasSubstr("this would replace the texts"));
  EXPECT_EQ(bytes("texts.csv"), before);
  EXPECT_THAT(run("--texts texts.txt --shard 1/2 -o texts.txt").error, HasSubstr("this would replace the texts"));
  EXPECT_EQ(bytes("texts.txt"), before);
  EXPECT_THAT(run("--texts texts.txt -o none/out.csv").error, HasSubstr("there is no such folder"));
}

TEST_F(Heads, SaysWhatChanceGivesBesideANumber) {
  const std::string one = "-t 'the cat sat on the mat and the cat sat' --measures induction,next-token --null ";
  const ProgramResult result = run(one + "random-weights,shuffled-tokens --draws 3");
  ASSERT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.out, StartsWith("layer,head,n,induction,induction.random-weights,induction.random-weights.z,induction.shuffled-tokens,"
                                     "induction.shuffled-tokens.z,next-token,"));
  EXPECT_EQ(run(one + "random-weights,shuffled-tokens --draws 3").out, result.out) << "chance has a seed";
  for (const std::string ending : {"csv --details", "jsonl", "npy", "sqlite"}) {
    EXPECT_EQ(run("--texts texts.txt --null shuffled-tokens -o null." + ending).status, 0) << ending;
  }
  EXPECT_THAT(bytes("null.jsonl"), HasSubstr("\"null\":{\"shuffled-tokens\":{"));
  EXPECT_THAT(run(one + "luck").error, HasSubstr("random-weights,shuffled-tokens"));
  EXPECT_EQ(run(one + "random-weights,random-weights").status, 2);
  EXPECT_EQ(run("-t 'the cat' --draws 3").status, 2);
  EXPECT_EQ(run("--texts texts.txt --null random-weights --draws 3 -o a.csv").status, 2);
  ASSERT_EQ(folder.run_line("headlight trace " + kModel + "-t 'the cat sat' -o maps.npz").status, 0);
  EXPECT_THAT(folder.run_line("headlight heads -m maps.npz --null random-weights").error, HasSubstr("no model that could be run again"));
}

TEST_F(Heads, MergingReplacesNoShardAndStepsOfAnArrayCount) {
  const std::string array = "export SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_STEP=4 SLURM_ARRAY_TASK_ID=";
  for (const std::string task : {"1", "5"})
    ASSERT_EQ(folder.run_line(array + task + "; headlight heads " + kModel + "--texts texts.txt -o part-" + task + ".study").status, 0);
  EXPECT_EQ(folder.run_line(array + "3; headlight heads " + kModel + "--texts texts.txt -o part-3.study").status, 2);
  const std::string before = bytes("part-5.study");
  EXPECT_THAT(folder.run_line("headlight merge part-1.study part-5.study -o part-5.study").error, HasSubstr("this would replace a shard"));
  EXPECT_EQ(bytes("part-5.study"), before);
  EXPECT_THAT(folder.run_line("headlight merge part-1.study part-5.study -o none/a.csv").error, HasSubstr("there is no such folder"));
  EXPECT_EQ(folder.run_line("headlight merge part-1.study part-5.study -o a.csv").status, 0);
}

TEST_F(Heads, ABrokenStateSaysHowToBeginAnew) {
  folder.file("out.csv.state", "headlight study 1\nnonsense");
  const ProgramResult result = run("--texts texts.txt -o out.csv");
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.error, HasSubstr("--fresh"));
  EXPECT_EQ(run("--texts texts.txt --fresh -o out.csv").status, 0);
}

TEST_F(Heads, MergeSaysWhatIsMissing) {
  ASSERT_EQ(run("--texts texts.txt --shard 1/2 -o one").status, 0);
  const ProgramResult result = folder.run_line("headlight merge one -o merged.csv");
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.error, HasSubstr("of 2 shards these are missing: 2"));
  EXPECT_EQ(folder.run_line("headlight merge texts.txt -o merged.csv").status, 3);
}

TEST_F(Heads, ABadLineIsListedWithItsNumberAndTheRestIsMeasured) {
  folder.file("bad.jsonl", "{\"text\":\"the cat sat\"}\n{\"text\": 5}\nnonsense\n{\"text\":\"on the mat\"}\n");
  const ProgramResult result = run("--texts bad.jsonl --measures entropy -o out.csv");
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.error, HasSubstr("line 2: "));
  EXPECT_THAT(result.error, HasSubstr("line 3: "));
  EXPECT_THAT(bytes("out.csv"), HasSubstr("\n0,0,2,"));
}

TEST_F(Heads, AnEarlierRunOfAnotherStudyIsNotGoneOnWith) {
  ASSERT_EQ(run("--texts texts.txt --shard 1/2 -o one").status, 0);
  std::filesystem::copy_file(folder / "one", folder / "out.csv.state");
  const ProgramResult refused = run("--texts texts.txt -o out.csv");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.error, HasSubstr("--fresh"));
  EXPECT_EQ(run("--texts texts.txt --fresh -o out.csv").status, 0);
}

TEST_F(Heads, AStoppedRunGoesOnToTheSameBytes) {
  std::string lines;
  for (int line = 0; line < 40'000; ++line) lines += "the cat w" + std::to_string(line % 50) + " on the mat\n";
  folder.file("many.txt", lines);
  ASSERT_EQ(run("--texts many.txt -o whole.csv").status, 0);
  const std::string command = "heads " + kModel + "--texts many.txt -o out.csv";
  folder.run_line(testing::quoted(HEADLIGHT_PROGRAM) + " " + command + " & sleep 0.4; kill -TERM $!; wait");  // wherever it is by then
  const ProgramResult again = folder.run_line("headlight " + command);
  ASSERT_EQ(again.status, 0) << again.error;
  EXPECT_EQ(bytes("out.csv"), bytes("whole.csv"));
}

TEST_F(Heads, ASignalLeavesWhatWasFoundForTheNextRun) {
  ASSERT_EQ(run("--texts texts.txt -o whole.csv").status, 0);
  const std::string command = "heads " + kModel + "--texts texts.txt -o out.csv";
  // The signal waits when the program begins: it stops before the first text.
  const ProgramResult stopped = folder.run_line("env --block-signal=TERM sh -c 'kill -TERM $$; exec \"$0\" \"$@\"' " +
                                                testing::quoted(HEADLIGHT_PROGRAM) + " " + command);
  EXPECT_THAT(stopped.error, HasSubstr("stopped after 0 records"));
  EXPECT_TRUE(std::filesystem::exists(folder / "out.csv.state"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out.csv"));
  const ProgramResult again = folder.run_line("headlight " + command);
  EXPECT_EQ(again.status, 0);
  EXPECT_THAT(again.error, HasSubstr("going on where the run before stopped"));
  EXPECT_EQ(bytes("out.csv"), bytes("whole.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out.csv.state"));
}

TEST_F(Heads, WhatWouldBeIgnoredIsRefused) {
  for (const std::string options :
       {"--texts texts.txt -t x -o a.csv", "-t 'the cat' --column text", "--texts texts.txt", "--measures entropi -t x",
        "--texts texts.txt -o a.xls", "--texts texts.txt --shard 4/3 -o a", "--texts texts.txt --length-bins 8,4 -o a.csv",
        "-t 'the cat' --top 3", "-t 'the cat' --details -o a.jsonl", "", "--texts texts.txt --column text -o a.csv"}) {
    EXPECT_EQ(run(options).status, 2) << options;
  }
}

TEST_F(Heads, BinsThatNoTextCanFillAreRefused) {
  const auto refusal = [&](const std::string& bins) {
    const ProgramResult result = run("--texts texts.txt -o a.csv --length-bins " + bins);
    EXPECT_EQ(result.status, 2) << bins;
    return result.error;
  };
  EXPECT_THAT(refusal("''"), HasSubstr("which lengths?"));
  EXPECT_THAT(refusal("8,5000"), HasSubstr("texts of more than 4096 tokens are left out (--longest)"));
  EXPECT_THAT(refusal("8,16 --longest 12"), HasSubstr("texts of more than 12 tokens are left out"));
  std::string many = "1";
  for (int edge = 2; edge <= 65; ++edge) many += fmt::format(",{}", edge);
  EXPECT_THAT(refusal(many), HasSubstr("there can be 64 bins"));
}

TEST_F(Heads, TheHelpNamesTheUsualMeasuresAndTheColumnOfTexts) {
  const ProgramResult result = folder.run_line("headlight heads --help");
  EXPECT_THAT(result.out, HasSubstr("hidden-mass:first-token"));
  EXPECT_THAT(result.out, HasSubstr("Column n: how many texts"));
  EXPECT_THAT(run("--texts texts.txt").error, HasSubstr("give -o FILE, because a long run is kept beside it"));
  EXPECT_THAT(run("--texts texts.txt --shard x -o a").error, HasSubstr("--shard must be K/N"));
}

TEST_F(Heads, TheListExplainsEveryMeasure) {
  const ProgramResult result = folder.run_line("headlight heads --list");
  ASSERT_EQ(result.status, 0) << result.error;
  for (const std::string id :
       {"normalised-entropy", "beyond-distance:", "induction-lift", "prefix-matching", "worked example",
        "over the tokens a b a b, with rows 1 / 0.5 0.5 / 0.2 0.3 0.5 / 0.1 0.15 0.5 0.25; V and W_O are the identity",
        "--measures prefix-matching without a text", "--measures content-dependence:16 --texts FILE"}) {
    EXPECT_THAT(result.out, HasSubstr(id));
  }
}

}  // namespace
}  // namespace headlight
