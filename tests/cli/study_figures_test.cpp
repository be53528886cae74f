// Studies over a file of texts as figures: written, proved, made again, and refused where they are of something else.
#include <gmock/gmock.h>

#include <filesystem>
#include <sstream>

#include "engine/formats/json.h"
#include "tests/cli/program.h"
#include "tests/testing.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::ProgramFolder;
using testing::ProgramResult;

constexpr const char* kPairs =
    "text,from\nThe horses that the sailor follows,The horse that the sailors follow\nThe girls that the boy sees,The girl that the boys "
    "see\n"
    "A cat,The old man\n";

Json json_of(const ProgramFolder& folder, const std::string& file) {
  return *parse_json(testing::bytes_of(folder / file), file);
}

/// "layer,position,n,change,standard_error,recovered" as lines of JSON.
std::vector<std::vector<std::string>> cells_of(const std::string& csv) {
  std::vector<std::vector<std::string>> lines;
  std::istringstream text(csv);
  std::string line;
  for (std::getline(text, line); std::getline(text, line);) {
    std::vector<std::string>& cells = lines.emplace_back();
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
  }
  return lines;
}

void expect_proved(const ProgramFolder& folder, const std::string& file) {
  const ProgramResult found = folder.run_line("headlight verify " + file);
  EXPECT_EQ(found.status, 0) << file << found.out << found.error;
  EXPECT_THAT(found.out, HasSubstr("equal: made again, the figure is the same\nIts numbers are kept in it, of a study of pairs.csv"));
}

TEST(StudyFigures, PatchesOfAFileHaveTheNumbersOfTheirTable) {
  const ProgramFolder folder;
  folder.file("pairs.csv", kPairs);
  for (const std::string part : {"stream", "z"}) {
    const std::string patch = "headlight patch -m story-gpt --texts pairs.csv --target logit:is-are --part " + part;
    ASSERT_EQ(folder.run_line(patch + " -o p.study --fresh && " + patch + " -o p.csv --fresh").status, 0);
    for (const char* file : {"a.svg", "a.json", "a.csv", "a.pdf"})
      ASSERT_EQ(folder.run_line(std::string("headlight export -m story-gpt --figure patch --study p.study -o ") + file).status, 0) << part;
    const Json lines = json_of(folder, "a.json")["lines"];
    const auto cells = cells_of(testing::bytes_of(folder / "p.csv"));
    ASSERT_EQ(lines.size(), cells.size());
    ASSERT_EQ(lines.size(), part == "z" ? 32U : 28U);
    for (std::size_t at = 0; at < cells.size(); ++at) {
      EXPECT_EQ(lines[at]["layer"].get<int>(), std::stoi(cells[at][0]));
      EXPECT_EQ(lines[at][part == "z" ? "head" : "position"].get<int>(), std::stoi(cells[at][1]));
      EXPECT_EQ(lines[at]["n"].get<int>(), std::stoi(cells[at][2]));
      EXPECT_EQ(lines[at]["change"].get<double>(), std::stod(cells[at][3]));
      EXPECT_EQ(lines[at]["standard_error"].get<double>(), std::stod(cells[at][4]));
      EXPECT_EQ(lines[at]["recovered"].get<double>(), std::stod(cells[at][5]));
    }
    fs::remove(folder / "p.study");
    for (const char* file : {"a.svg", "a.json", "a.pdf"}) expect_proved(folder, file);
    ASSERT_EQ(folder.run_line("headlight export --document a.svg -o again.svg").status, 0) << "the study is gone";
    EXPECT_EQ(testing::bytes_of(folder / "again.svg"), testing::bytes_of(folder / "a.svg"));
  }
}

TEST(StudyFigures, EffectsOfAFileShowOneMethodOrAllOfThem) {
  const ProgramFolder folder;
  folder.file("pairs.csv", kPairs);
  const std::string study = "headlight importance -m story-gpt --texts pairs.csv --method zero,gate --target logit:is-are ";
  ASSERT_EQ(folder.run_line(study + "-o i.study && " + study + "-o i.csv --details").status, 0);
  const std::string line = "headlight export -m story-gpt --study i.study ";
  ASSERT_EQ(folder
                .run_line(line + "--figure effects --method gate -o e.json && " + line + "--figure methods -o m.json && " + line +
                          "--figure effects -o e.svg && " + line + "--figure methods -o m.svg")
                .status,
            0);
  const Json gate = json_of(folder, "e.json")["lines"], both = json_of(folder, "m.json")["lines"];
  ASSERT_EQ(gate.size(), 32U);
  std::istringstream table(testing::bytes_of(folder / "i.csv"));
  std::string heading;
  std::getline(table, heading);
  ASSERT_THAT(heading, ::testing::StartsWith("layer,head,n,zero,zero.n,zero.se,"));
  const auto cells = cells_of(testing::bytes_of(folder / "i.csv"));
  const std::string before = heading.substr(0, heading.find(",gate,"));
  const auto place = static_cast<std::size_t>(std::count(before.begin(), before.end(), ',') + 1);
  for (std::size_t at = 0; at < gate.size(); ++at) {
    EXPECT_EQ(both[at]["zero"].get<double>(), std::stod(cells[at][3]));
    EXPECT_EQ(both[at]["zero.se"].get<double>(), std::stod(cells[at][5]));
    EXPECT_EQ(gate[at]["gate"].get<double>(), std::stod(cells[at][place]));
    EXPECT_EQ(both[at]["gate"], gate[at]["gate"]);
    EXPECT_EQ(gate[at]["n"], 3);
  }
  for (const char* file : {"e.svg", "m.svg", "m.json"}) expect_proved(folder, file);
}

TEST(StudyFigures, SayWhyThereIsNone) {
  const ProgramFolder folder;
  folder.file("pairs.csv", kPairs);
  ASSERT_EQ(
      folder
          .run_line("headlight importance -m story-gpt --texts pairs.csv -o i.study && headlight heads -m story-gpt --texts pairs.csv "
                    "-o h.study && headlight patch -m story-gpt --texts pairs.csv -o p.study")
          .status,
      0);
  const auto refusal = [&](const std::string& options) {
    const ProgramResult found = folder.run_line("headlight export -o a.svg " + options);
    EXPECT_EQ(found.status, 2) << options << found.error;
    return found.error;
  };
  EXPECT_THAT(refusal("-m story-gpt --figure effects --study h.study"), HasSubstr("of measures"));
  EXPECT_THAT(refusal("-m story-gpt --figure effects --study p.study"), HasSubstr("the study is of patches"));
  EXPECT_THAT(refusal("-m story-gpt --figure patch --study i.study"), HasSubstr("not of patches"));
  EXPECT_THAT(refusal("-m story-gpt --figure effects --method gate --study i.study"), HasSubstr("no numbers of this way"));
  EXPECT_THAT(refusal("-m induction-by-hand --figure effects --study i.study"), HasSubstr("other weights"));
  EXPECT_THAT(refusal("-m story-gpt --figure pruning --study i.study"), HasSubstr("--figure pruning does not use this option"));
  EXPECT_THAT(refusal("-m story-gpt -t 'A dog' --figure effects --study i.study"), HasSubstr("-t"));
  EXPECT_THAT(refusal("-m story-gpt --target loss --figure effects --study i.study"), HasSubstr("the study says what was done"));
}

// The texts in which a head, or a place, changes the target most: the same from shards, and none where none are asked for.
TEST(StudyFigures, TextsThatAreKeptAreThoseOfTheLargestChanges) {
  const ProgramFolder folder;
  folder.file("pairs.csv", kPairs);
  const std::string study = "headlight importance -m story-gpt --texts pairs.csv --method zero --target logit:is-are --top 2 ";
  ASSERT_EQ(folder
                .run_line(study + "-o all.study && " + study + "-o one.study --shard 1/2 && " + study +
                          "-o two.study --shard 2/2 && headlight merge one.study two.study -o merged.study && " + study + "-o all.jsonl")
                .status,
            0);
  EXPECT_EQ(testing::bytes_of(folder / "merged.study"), testing::bytes_of(folder / "all.study"));
  const std::string table = testing::bytes_of(folder / "all.jsonl");
  EXPECT_THAT(table, HasSubstr("The horses that the sailor follows"));
  EXPECT_EQ(folder.run_line(study + "-o all.csv").status, 2);
  EXPECT_EQ(folder.run_line("headlight patch -m story-gpt --texts pairs.csv --top 2 -o p.csv").status, 2);
  EXPECT_EQ(folder.run_line("headlight patch -m story-gpt --texts pairs.csv --top 2 -o p.study").status, 0);
}

}  // namespace
}  // namespace headlight
