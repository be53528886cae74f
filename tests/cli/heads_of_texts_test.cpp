// What `headlight heads` reads: pairs, special tokens, words wherever they stand.
#include <fmt/core.h>
#include <gmock/gmock.h>

#include <sstream>

#include "engine/formats/csv.h"
#include "engine/measures/measure.h"
#include "engine/studies/study_file.h"
#include "tests/cli/program.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;
using testing::ProgramFolder;
using testing::ProgramResult;

TEST(HeadsOfTexts, OfATraceCountTheSameSpecialTokensAsTheModel) {
  const ProgramFolder folder;
  const std::string text = "-m story-bert -t 'The horse gallops [MASK].' --text-pair 'It knows itself.'";
  ASSERT_EQ(folder.run_line("headlight trace " + text + " -o maps.safetensors").status, 0);
  const ProgramResult live = folder.run_line("headlight heads " + text + " --measures key-set:special"),
                      dump = folder.run_line("headlight heads -m maps.safetensors --measures key-set:special");
  ASSERT_EQ(live.status, 0) << live.error;
  EXPECT_EQ(dump.out, live.out);
}

TEST(HeadsOfTexts, OfPairsInAFileAreThoseOfThePairs) {
  const ProgramFolder folder;
  folder.file("pairs.jsonl", R"({"text":"The horse gallops.","text_pair":"It knows itself."})");
  const std::string measures = " --measures previous-token,entropy";
  const ProgramResult of_file = folder.run_line("headlight heads -m story-bert --texts pairs.jsonl -o pairs.csv" + measures),
                      of_text = folder.run_line(
                          "headlight heads -m story-bert -t 'The horse gallops.' --text-pair 'It knows itself.' -o text.csv" + measures);
  ASSERT_EQ(of_file.status + of_text.status, 0) << of_file.error << of_text.error;
  EXPECT_EQ(testing::bytes_of(folder / "pairs.csv"), testing::bytes_of(folder / "text.csv"));
  folder.file("wrong.jsonl", "{\"text\":\"The horse gallops.\",\"text_pair\":7}\n{\"text\":\"It knows.\"}\n");
  EXPECT_THAT(folder.run_line("headlight heads -m story-bert --texts wrong.jsonl -o wrong.csv").error,
              HasSubstr("\"text_pair\" is not a text"));
  ASSERT_EQ(folder.run_line("headlight heads -m story-bert --texts pairs.jsonl --top 1 -o pairs.jsonl.study" + measures).status, 0);
  ASSERT_EQ(folder.run_line("headlight merge pairs.jsonl.study -o top.jsonl").status, 0);
  EXPECT_THAT(testing::bytes_of(folder / "top.jsonl"), HasSubstr(R"("text_pair":"It knows itself.")"));
}

TEST(HeadsOfTexts, SayWhichAreLongerThanTheModelWasMadeFor) {
  const ProgramFolder folder;
  std::string longer;
  for (int word = 0; word < 300; ++word) longer += "the ";
  folder.file("texts.txt", longer + "\nthe cat sat\n" + longer + "cat\n");
  const std::string command = "headlight heads -m story-gpt --measures self-token ";
  const ProgramResult result = folder.run_line(command + "--texts texts.txt -o found.jsonl");
  ASSERT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.error, HasSubstr("2 texts are longer than the 256 tokens that the model was made for; they were measured whole"));
  EXPECT_THAT(testing::bytes_of(folder / "found.jsonl"), HasSubstr(R"("long_texts":2,"longest":4096,"made_for":256)"));
  ASSERT_EQ(folder.run_line(command + "--texts texts.txt -o found.study").status, 0);
  EXPECT_THAT(folder.run_line("headlight inspect found.study").out, HasSubstr("long_texts: 2\nmade_for: 256\n"));
  EXPECT_THAT(folder.run_line("headlight merge found.study -o merged.csv").error, HasSubstr("2 texts are longer than"));
  EXPECT_THAT(folder.run_line(command + "-t 'the cat' -o one.jsonl").error, ::testing::Not(HasSubstr("longer")));
}

TEST(HeadsOfTexts, AreListedWithWhatChanceGivesInATextThatIsGiven) {
  const ProgramFolder folder;
  const std::string model = " -m sandbox --layers 1 --heads 2 --d-model 16 ";
  const ProgramResult list = folder.run_line("headlight heads --list" + model + "-t 'the cat sat on the mat' --draws 2");
  ASSERT_EQ(list.status, 0) << list.error;
  const ProgramResult csv = folder.run_line(
      "headlight heads" + model + "-t 'the cat sat on the mat' --draws 2 --null random-weights,shuffled-tokens --measures first-token");
  ASSERT_EQ(csv.status, 0) << csv.error;
  std::vector<double> means(5);  // the value, and by chance with how far it is from that
  std::istringstream lines(csv.out);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::vector<std::string> fields;
    split_csv(line, fields);
    for (std::size_t column = 0; column < means.size(); ++column) means[column] += std::stod(fields.at(3 + column)) / 2;
  }
  const Measure& measure = measure_of(all_measures(), "first-token");
  EXPECT_THAT(list.out,
              HasSubstr(fmt::format("in this text: mean of 2 heads {}; by chance {} (random-weights), {} (shuffled-tokens)",
                                    measure_text(measure, means[0]), measure_text(measure, means[1]), measure_text(measure, means[3]))));
  EXPECT_THAT(list.out, HasSubstr("in this text (6 tokens, sandbox)"));
  EXPECT_THAT(list.out, HasSubstr("in this text: undefined for every head")) << "the next token, under a causal mask";
  EXPECT_EQ(folder.run_line("headlight heads --list --texts texts.txt").status, 2);
  EXPECT_THAT(folder.run_line("headlight heads --list").out, HasSubstr("--list -m MODEL -t TEXT"));
}

TEST(HeadsOfTexts, SayWhyNoHeadIsLikeAnother) {
  const ProgramFolder folder;
  const ProgramResult result = folder.run_line("headlight heads -m sandbox --layers 1 --heads 1 --d-model 16 -t 'the cat sat' --like 0.0");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "rank,layer,head,rows,jensen-shannon,output-agreement\n");
  EXPECT_THAT(result.error, HasSubstr("no head can be compared with 0.0"));
}

TEST(HeadsOfTexts, AskEveryPlaceOfAWord) {
  const ProgramFolder folder;
  const ProgramResult words =
      folder.run_line("headlight heads -m sandbox -t 'Anna Cairo the box Anna Cairo the box' --which 'Anna -> Cairo'");
  ASSERT_EQ(words.status, 0) << words.error;
  EXPECT_EQ(words.out, folder.run_line("headlight heads -m sandbox -t 'Anna Cairo the box Anna Cairo the box' --which '4:1'").out)
      << "what no query may look at counts for nothing";
}

TEST(HeadsOfTexts, GoOnWithAStudyThatIsNotFinished) {
  const ProgramFolder folder;
  folder.file("texts.txt", "the cat sat\na dog ran\nit rained and it rained\n");
  const std::string command = "headlight heads -m sandbox --layers 2 --texts texts.txt --top 2 -o ";
  ASSERT_EQ(folder.run_line(command + "whole.study").status, 0);
  StoredStudy begun = read_study(folder / "whole.study");
  CorpusStudy none(begun.study.heads(), begun.manifest.settings());
  none.part = {1, 1, 0, false};
  write_study(folder / "part.study", begun.manifest, none);
  const ProgramResult rest = folder.run_line(command + "part.study");
  EXPECT_EQ(rest.status, 0);
  EXPECT_THAT(rest.error, HasSubstr("going on where the run before stopped, after 0 records"));
  EXPECT_EQ(testing::bytes_of(folder / "part.study"), testing::bytes_of(folder / "whole.study"));
  write_study(folder / "part.study", begun.manifest, none);
  EXPECT_THAT(folder.run_line("headlight heads -m sandbox --layers 3 --texts texts.txt --top 2 -o part.study").error,
              HasSubstr("of another study"));
}

}  // namespace
}  // namespace headlight
