#include "engine/studies/corpus.h"

#include <gtest/gtest.h>

#include "tests/testing.h"

namespace headlight {
namespace {

class Corpus : public ::testing::Test {
 protected:
  std::vector<CorpusText> read(const std::string& name, const std::string& bytes, const std::string& column = "", bool has_ids = false) {
    const auto path = folder.file(name, bytes);
    CorpusReader reader(path, corpus_format(path, column, has_ids));
    std::vector<CorpusText> all;
    for (CorpusText text; reader.next(text);) all.push_back(text);
    return all;
  }
  static std::vector<std::string> texts(const std::vector<CorpusText>& all) {
    std::vector<std::string> found;
    for (const CorpusText& text : all) found.push_back(text.problem.empty() ? text.text : "! " + text.problem);
    return found;
  }
  using Texts = std::vector<std::string>;
  const testing::TemporaryFolder folder;
};

TEST_F(Corpus, LinesEndAsTheyDoAnywhere) {
  const auto all = read("a.txt", "one\r\ntwo\n\nfour");
  EXPECT_EQ(texts(all), (Texts{"one", "two", "", "four"}));
  EXPECT_TRUE(all[2].is_blank());
  EXPECT_EQ(all[3].line, 4U);
  EXPECT_EQ(all[3].index, 3U);
  EXPECT_TRUE(read("b.txt", "").empty());
}

TEST_F(Corpus, TablesAreReadByTheirColumn) {
  const std::string table = "id,text,label\n1,\"a, \"\"b\"\"\nsecond line\",x\n2,plain,y\n3,\"\",z\n";
  EXPECT_EQ(texts(read("a.csv", table)), (Texts{"a, \"b\"\nsecond line", "plain", "! the text is empty"}));
  EXPECT_EQ(read("a.csv", table)[1].line, 4U) << "where it begins";
  EXPECT_EQ(texts(read("a.csv", table, "label")), (Texts{"x", "y", "z"}));
  EXPECT_EQ(texts(read("b.csv", "sentence\nonly\n")), (Texts{"only"})) << "the only column";
  EXPECT_NE(testing::error_of([&] { read("a.csv", table, "texts"); }).detail().expected.find("label"), std::string::npos);
}

TEST_F(Corpus, ATextAndItsPartnerAreOfOneRecordWhateverIsWrongWithTheOther) {
  const std::filesystem::path path =
      folder.file("pairs.csv", "text,from\n\"\",\"first line\nsecond line\"\n\"two\nlines\",\ngood,partner\nalone\n\nlast,last partner\n");
  CorpusFormat format = corpus_format(path, "", false);
  format.partner_column = "from";
  CorpusReader reader(path, format);
  std::vector<std::string> read;
  for (CorpusText text; reader.next(text);) {
    if (text.is_blank()) continue;
    read.push_back(!text.problem.empty() ? "! " + text.problem : text.text + " / " + text.partner->text);
  }
  EXPECT_EQ(read, (Texts{"! the text is empty", "! its partner: the text is empty", "good / partner",
                         "! its partner: 1 field: column 2 (from) is missing", "last / last partner"}));
}

TEST_F(Corpus, ColumnsMayBeSeparatedBySemicolonsOrTabs) {
  EXPECT_EQ(
      texts(read("a.csv", "id;text\n1;I came, I saw\n2;\"one; two\"\n3;\"two\nlines\"\n4;one; two\n")),
      (Texts{"I came, I saw", "one; two", "two\nlines", "! more fields than the table has columns: put a text with semicolons in quotes"}));
  EXPECT_EQ(corpus_columns(folder / "a.csv"), (Texts{"id", "text"}));
  EXPECT_EQ(texts(read("b.csv", "id\ttext\n1\tI came; I saw\n")), (Texts{"I came; I saw"}));
  EXPECT_EQ(texts(read("c.csv", "\"a;b\",text\n1,plain; as it is\n")), (Texts{"plain; as it is"}));
  EXPECT_EQ(texts(read("d.csv", "text\none; two\n")), (Texts{"one; two"})) << "a single column";
}

TEST_F(Corpus, ABadLineOfATableDoesNotStopTheRest) {
  const auto all = read("a.csv", "id,text\n1,good\n2,\"never closed\n3,good\n4\n5,\"x\"y\n6,good\n");
  EXPECT_EQ(texts(all), (Texts{"good", "! a quote is not closed", "good", "! 1 field: column 2 is missing",
                               "! not a record of a table: a quote inside a field", "good"}));
  EXPECT_EQ(all[1].line, 3U);
}

TEST_F(Corpus, WhatIsNotTextAndWhatCommasCutApartIsNamed) {
  const auto lines = read("a.txt", "good\n\xff\xfe bad\nna\xc3\xafve\n");
  EXPECT_EQ(texts(lines), (Texts{"good", "! not valid UTF-8", "na\xc3\xafve"}));
  EXPECT_EQ(lines[1].line, 2U);
  EXPECT_EQ(texts(read("a.csv", "id,text\n1,good\n2,I came, I saw\n3,\"I came, I saw\"\n4,good,\n")),
            (Texts{"good", "! more fields than the table has columns: put a text with commas in quotes", "I came, I saw", "good"}));
}

TEST_F(Corpus, AQuoteInsideAPlainFieldHidesNoOtherText) {
  const std::string table = "id,text\n1,a good line\n2,a 5\" pipe\n3,here\n4,here too\n5,a 6\" nail\n6,kept\n";
  EXPECT_EQ(texts(read("a.csv", table)), (Texts{"a good line", "a 5\" pipe", "here", "here too", "a 6\" nail", "kept"}));
}

TEST_F(Corpus, WhatABadRecordJoinedToItselfIsReadAgain) {
  const auto all = read("a.csv", "id,text\n1,\"never closed\n2,good\n3,\"good\n\"\n4,\"x\n5,\"y\"\n6,good\n");
  EXPECT_EQ(texts(all).front(), "! a quote is not closed");
  EXPECT_EQ(all[0].line, 2U);
  EXPECT_EQ(all[1].text, "good");
  EXPECT_EQ(all[2].text, "good\n") << "and what is in order is joined";
  EXPECT_EQ(texts({all.begin() + 3, all.end()}), (Texts{"! a quote is not closed", "y", "good"}));
  const auto without = read("b.csv", "id,text\n\"1\n2,good\n3\"\n4,good\n");
  EXPECT_EQ(texts(without), (Texts{"! 1 field: column 2 is missing", "good", "! 1 field: column 2 is missing", "good"}));
}

TEST_F(Corpus, AByteOrderMarkIsNoPartOfAText) {
  const std::string mark = "\xEF\xBB\xBF";
  EXPECT_EQ(texts(read("a.txt", mark + "one\n" + mark + "two\n")), (Texts{"one", mark + "two"})) << "only at the beginning";
  EXPECT_EQ(texts(read("a.csv", mark + "\"text\",id\none,1\n")), (Texts{"one"}));
  EXPECT_EQ(texts(read("a.jsonl", mark + "{\"text\": \"one\"}\n")), (Texts{"one"}));
}

TEST_F(Corpus, ObjectsAreReadByTheirField) {
  const std::string lines = "{\"text\": \"one\"}\n{\"text\": [4, 5]}\n{\"other\": 1}\nnonsense\n{\"text\": 3}\n[]\n{\"text\": \"last\"}\n";
  const auto all = read("a.jsonl", lines);
  ASSERT_EQ(all.size(), 7U);
  EXPECT_EQ(all[0].text, "one");
  EXPECT_EQ(all[1].ids, (std::vector<std::int64_t>{4, 5}));
  for (const std::size_t bad : {2, 3, 4, 5}) EXPECT_NE(all[bad].problem, "") << bad;
  EXPECT_EQ(all[6].text, "last");
  EXPECT_EQ(read("b.jsonl", "{\"s\": \"x\"}\n", "s")[0].text, "x");
  const auto ids = read("c.jsonl", "{\"ids\": [4, 5], \"id\": 7}\n{\"ids\": [4], \"text\": \"both\"}\n");
  EXPECT_EQ(ids[0].ids, (std::vector<std::int64_t>{4, 5})) << "ids are read where there is no text";
  EXPECT_EQ(ids[1].text, "both");
  EXPECT_EQ(read("c.jsonl", "{\"ids\": [4, 5]}\n", "text")[0].problem, "no field \"text\"") << "unless one is asked for";
}

TEST_F(Corpus, ARecordWithAnEmptyTextIsABadLineAndAnEmptyLineIsNone) {
  const auto table = read("a.csv", "id,text\n1,good\n\n2,\n3,\"\"\n4,good\n");
  EXPECT_EQ(texts(table), (Texts{"good", "", "! the text is empty", "! the text is empty", "good"}));
  EXPECT_EQ(table[2].line, 4U);
  EXPECT_EQ(texts(read("a.jsonl", "{\"text\": \"\"}\n\n{\"text\": []}\n")), (Texts{"! the text is empty", "", "! the text is empty"}));
  EXPECT_EQ(texts(read("b.csv", "id,text\n1,\n", "", true)), (Texts{"! the text is empty"}));
}

TEST_F(Corpus, IdsStandForTexts) {
  const auto all = read("a.txt", "464 3290,318\n12x\n-3\n", "", true);
  EXPECT_EQ(all[0].ids, (std::vector<std::int64_t>{464, 3290, 318}));
  EXPECT_NE(all[1].problem, "");
  EXPECT_NE(all[2].problem, "");
}

TEST_F(Corpus, ALongLineIsCutAndNamed) {
  const std::string longest(LineReader::kLongest + 5, 'x');
  const auto all = read("a.txt", "a\n" + longest + "\nb\n");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_NE(all[1].problem, "");
  EXPECT_EQ(all[2].text, "b");
}

TEST_F(Corpus, OtherFilesAreRefusedByName) {
  EXPECT_EQ(testing::error_of([] { corpus_format("a.pdf", "", false); }).kind(), ErrorKind::usage);
  EXPECT_EQ(testing::error_of([] { corpus_format("a.txt", "text", false); }).kind(), ErrorKind::usage);
  EXPECT_EQ(testing::error_of([&] { CorpusReader(folder / "none.txt", {}); }).kind(), ErrorKind::input);
}

}  // namespace
}  // namespace headlight
