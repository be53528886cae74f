// Several subjects on the command line: --and, and pins that name a text.
#include "app/document/subjects.h"

#include <gmock/gmock.h>

#include "tests/cli/program.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::ProgramFolder;
using testing::ProgramResult;

Document save(const ProgramFolder& folder, const std::string& options) {
  const ProgramResult result = folder.run_line("headlight save " + options + " -o d.headlight.json");
  EXPECT_EQ(result.status, 0) << result.error;
  return load_document(folder / "d.headlight.json");
}

TEST(AndOption, BeginsTheNextSubjectAsACopyOfTheOneBefore) {
  const ProgramFolder folder;
  const Document document =
      save(folder, "-m sandbox --seed 5 --mask causal -t 'a b' --and -t 'c d' --temperature 0.5 --and --seed 6 --mask 1@none");
  ASSERT_EQ(texts_of(document), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(document.focused, 1);
  const Query &first = document.query, &second = *query_of(document, 2), &third = *query_of(document, 3);
  EXPECT_EQ(first.text, "a b");
  EXPECT_EQ(first.score.temperature, 1.0F);
  EXPECT_EQ(second.text, "c d");
  EXPECT_EQ(second.score.temperature, 0.5F);
  EXPECT_EQ(second.model, first.model);
  EXPECT_EQ(second.mask, first.mask);
  EXPECT_EQ(third.text, "c d");
  EXPECT_EQ(third.model.sandbox.seed, 6U);
  EXPECT_EQ(third.mask.rules.size(), 2U);
}

TEST(AndOption, AddsToTheTextsOfADocument) {
  const ProgramFolder folder;
  save(folder, "-m sandbox -t 'a b' --and -t 'c d'");
  const Document document = save(folder, "--document d.headlight.json --seed 9 --and -t 'e f'");
  ASSERT_EQ(texts_of(document).size(), 3U);
  EXPECT_EQ(document.query.model.sandbox.seed, 9U);
  EXPECT_EQ(query_of(document, 2)->model.sandbox.seed, 1U);
  EXPECT_EQ(query_of(document, 3)->text, "e f");
  EXPECT_EQ(query_of(document, 3)->model.sandbox.seed, 9U);
}

TEST(AndOption, PinsNameTheTextThatTheyAreOf) {
  const ProgramFolder folder;
  const Document document = save(folder, "-m sandbox -t 'a b' --and -t 'c d' --pin 0.1 --pin 2:0.3,1.0");
  EXPECT_EQ(document.pins, (std::vector<Pin>{{{0, 1}, 1}, {{0, 3}, 2}, {{1, 0}, 2}}));
  const ProgramResult refused = folder.run_line("headlight save -m sandbox -t 'a b' --pin 2:0.3 -o e.json");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.error, HasSubstr("--and"));
}

TEST(AndOption, WhatOneSubjectWritesIsWhatItEverWas) {
  const ProgramFolder folder;
  save(folder, "-m sandbox -t 'a b' --pin 0.1");
  const Json json = Json::parse(testing::bytes_of(folder / "d.headlight.json"));
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["pins"].dump(), "[[0,1]]");
}

TEST(AndOption, ComparesHeadsOfSeveralTextsInAFile) {
  const ProgramFolder folder;
  const std::string of_both = "-m sandbox -t 'a b c' --and -t 'd e' --pin 0.1 --pin 2:0.1 --figure compare";
  const ProgramResult result = folder.run_line("headlight export " + of_both + " -o d.csv");
  ASSERT_EQ(result.status, 0) << result.error;
  const std::string csv = testing::bytes_of(folder / "d.csv");
  EXPECT_THAT(csv, HasSubstr("\"text 1\",0,1,2,2,\"c\",\"c\","));
  EXPECT_THAT(csv, HasSubstr("\"text 2\",0,1,1,1,\"e\",\"e\","));
  ASSERT_EQ(folder.run_line("headlight save -m sandbox -t 'a b c' --and -t 'd e' --pin 0.1 --pin 2:0.1 -o d.headlight.json").status, 0);
  ASSERT_EQ(folder.run_line("headlight export --document d.headlight.json --figure compare -o e.csv").status, 0);
  EXPECT_EQ(testing::bytes_of(folder / "e.csv"), csv);
}

TEST(BaselineOfADocument, IsComparedWithThePinsOfTheTextInFront) {
  const ProgramFolder folder;
  Document document = save(folder, "-m sandbox -t 'a b c' --pin 0.1");
  set_baseline(document);
  document.query.mask.rules = {{{}, "none", {}}};
  save_document(document, folder / "b.headlight.json");
  const ProgramResult result = folder.run_line("headlight export --document b.headlight.json --figure compare -o b.csv");
  ASSERT_EQ(result.status, 0) << result.error;
  const std::string csv = testing::bytes_of(folder / "b.csv");
  EXPECT_THAT(csv, HasSubstr("\n\"\",0,1,0,0,\"a\",\"a\","));
  EXPECT_THAT(csv, HasSubstr("\n\"before\",0,1,0,0,\"a\",\"a\",1\n"));
  ASSERT_EQ(folder.run_line("headlight export --document b.headlight.json --figure compare -o b.svg").status, 0);
  EXPECT_THAT(testing::bytes_of(folder / "b.svg"), HasSubstr("A − B"));
}

TEST(AndOption, ANoteThatHoldsForSeveralSubjectsIsPrintedOnce) {
  const ProgramFolder folder;
  const std::string notes =
      folder.run_line("headlight export -m sandbox -t 'a b' --off 9.0 --and -t 'c d e' --pin 0.1 --pin 2:0.1 --figure compare -o n.csv")
          .error;
  const std::string note = "Switching off head 9.0 does nothing";
  ASSERT_THAT(notes, HasSubstr(note));
  EXPECT_EQ(notes.find(note), notes.rfind(note)) << notes;
}

TEST(AndOption, IsRefusedWhereItWouldBeIgnored) {
  const ProgramFolder folder;
  const ProgramResult heatmap = folder.run_line("headlight export -m sandbox -t 'a b' --and -t c --figure heatmap -o f.png");
  EXPECT_EQ(heatmap.status, 2);
  EXPECT_THAT(heatmap.error, HasSubstr("--and: --figure heatmap does not use this option"));
  for (const std::string command : {"trace -o t.npz", "predict", "tokenize"}) {
    const ProgramResult result = folder.run_line("headlight " + command + " -m sandbox -t 'a b' --and -t c");
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.error, HasSubstr("--and: this command runs one subject"));
  }
}

TEST(AndOption, ACommandThatRunsOneSaysWhichOfADocument) {
  const ProgramFolder folder;
  save(folder, "-m sandbox -t 'a b' --and -t 'c d e'");
  const ProgramResult result = folder.run_line("headlight trace --document d.headlight.json -o t.npz");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.error, HasSubstr("The document holds 2 texts; this is text 1"));
  save(folder, "-m sandbox -t 'a b'");
  EXPECT_THAT(folder.run_line("headlight trace --document d.headlight.json -o t.npz").error, Not(HasSubstr("texts")));
}

TEST(AndOption, MoreThanFourAreRefused) {
  const ProgramFolder folder;
  const ProgramResult result = folder.run_line("headlight save -m sandbox -t a --and -t b --and -t c --and -t d --and -t e -o d.json");
  EXPECT_EQ(result.status, 6);
  EXPECT_THAT(result.error, HasSubstr("at most 4 texts"));
}

TEST(AndOption, AWrongOptionAfterItIsRefusedAsEver) {
  const ProgramFolder folder;
  EXPECT_EQ(folder.run_line("headlight save -m sandbox -t a --and --temperature x -o d.json").status, 2);
  EXPECT_EQ(folder.run_line("headlight save -m sandbox -t a --temperature x --and -t b -o d.json").status, 2);
  EXPECT_EQ(folder.run_line("headlight save -m sandbox -t a --and -t b -t c -o d.json").status, 2);
}

}  // namespace
}  // namespace headlight
