#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "tests/cli/program.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;
using testing::ProgramFolder;
using testing::ProgramResult;

struct HeadLine {
  std::string name;
  double value = 0;
};

/// "layer,head,n,zero": the heads by their last column, the lowest first.
std::vector<HeadLine> rising(const std::string& csv) {
  std::vector<HeadLine> heads;
  std::istringstream lines(csv);
  std::string line;
  for (std::getline(lines, line); std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    heads.push_back({cells.at(0) + "." + cells.at(1), std::stod(cells.back())});
  }
  std::sort(heads.begin(), heads.end(), [](const HeadLine& a, const HeadLine& b) { return a.value < b.value; });
  return heads;
}

/// The heads of story-gpt, the lowest value first.
std::vector<HeadLine> swept(const std::string& text, const std::string& target, const std::string& method) {
  const ProgramFolder folder;
  const ProgramResult result = folder.run({"importance", "-m", "story-gpt", "-t", text, "--target", target, "--method", method});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.out, ::testing::StartsWith("layer,head,n," + method + "\n"));
  std::vector<HeadLine> heads = rising(result.out);
  EXPECT_EQ(heads.size(), 32U);
  return heads;
}

// The card of story-gpt names head 2.1: before a verb it looks at the verb's subject, past other nouns.
TEST(ImportanceCommand, RanksTheCardsSubjectHeadFirstWhereTheNumberOfAVerbIsWatched) {
  for (const auto& [text, target] :
       {std::pair{"The girls that the boy follows", "logit:are-is"}, {"The dog near the trees", "logit:is-are"}}) {
    const std::vector<HeadLine> heads = swept(text, target, "zero");
    EXPECT_EQ(heads.front().name, "2.1") << text;
    EXPECT_LT(heads.front().value, -1) << "without it the verb agrees with its subject less";
  }
  EXPECT_EQ(swept("The horse that the sailors follow", "logit:is-are", "gate").back().name, "2.1");
}

TEST(ImportanceCommand, MergedShardsAreToTheByteWhatOneRunWrites) {
  const ProgramFolder folder;
  folder.file("t.txt", "Anna thanked the sailors because they helped her.\nThe horse is tired.\nTom saw the box.\nx\n");
  const std::string command = "headlight importance -m story-gpt --texts t.txt --method zero,mean,resample,gate ";
  ASSERT_EQ(folder.run_line(command + "-o whole.csv").status, 0);
  ASSERT_EQ(folder.run_line(command + "--shard 1/2 -o one.study").status, 0);
  ASSERT_EQ(folder.run_line(command + "--shard 2/2 -o two.study").status, 0);
  const ProgramResult merged = folder.run_line("headlight merge one.study two.study -o merged.csv");
  ASSERT_EQ(merged.status, 0) << merged.error;
  EXPECT_EQ(testing::bytes_of(folder / "merged.csv"), testing::bytes_of(folder / "whole.csv"));
  ASSERT_EQ(folder.run_line(command + "--target kl --shard 2/2 -o kl.study").status, 0);
  const ProgramResult mixed = folder.run_line("headlight merge one.study kl.study -o mixed.csv");
  EXPECT_EQ(mixed.status, 2);
  EXPECT_THAT(mixed.error, HasSubstr("the targets differ"));
}

TEST(ImportanceCommand, SaysWhatIsMissing) {
  const ProgramFolder folder;
  const auto error = [&](const std::string& options) {
    const ProgramResult result = folder.run_line("headlight importance -m story-gpt " + options);
    EXPECT_NE(result.status, 0) << options;
    return result.error;
  };
  EXPECT_THAT(error(""), HasSubstr("which text?"));
  EXPECT_THAT(error("-t \"The horse\" --method sum"), HasSubstr("zero, mean, resample, gate, uniform, previous, self or first"));
  EXPECT_THAT(error("-t \"The horse\" --method mean"), HasSubstr("--over"));
  EXPECT_THAT(error("--ids 5"), HasSubstr("one token"));
  EXPECT_THAT(error("-t \"The horse\" --shard 1/2"), HasSubstr("--texts"));
  const ProgramResult sandbox = folder.run_line("headlight importance -m sandbox -t \"a b\"");
  EXPECT_EQ(sandbox.status, 3);
  EXPECT_THAT(sandbox.error, HasSubstr("no language-model head"));
}

}  // namespace
}  // namespace headlight
