#include "app/work/examples.h"

#include <gmock/gmock.h>

#include "tests/testing.h"
#include "tests/work/waiting.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;

Example shipped(const char* file) {
  return load_example(std::filesystem::path(HEADLIGHT_TESTS_DIR).parent_path() / "assets" / "examples" / file);
}

// Seeds S1-8.
TEST(Examples, LondonIsAPlaceACapitalAndAPopulousArea) {
  const Example example = shipped("london.json");
  EXPECT_EQ(example.text, "London, inhabited by more than 10 million people, is the capital of England.");
  ASSERT_EQ(example.relations.size(), 3U);
  for (const Relation& relation : example.relations) EXPECT_EQ(relation.from, "London");
  EXPECT_EQ(example.relations[0].label, "place");
  EXPECT_EQ(example.relations[1].label, "capital");
  EXPECT_EQ(example.relations[2].label, "populous area");
}

// Seeds S4-11.
TEST(Examples, TheDepositHasABankASubjectAndAnObject) {
  const Example example = shipped("bank.json");
  EXPECT_EQ(example.text, "I am going to deposit my money at the bank");
  EXPECT_THAT(example.relations, ElementsAre(Relation{"deposit", "bank", "preposition"}, Relation{"I", "deposit", "subject"},
                                             Relation{"deposit", "money", "object"}));
}

TEST(Examples, AreFoundBesideTheProgramAndReadOnTheComputeThread) {
  Worker worker(1);
  ExampleShelf shelf(worker);
  testing::wait_until([&] { return shelf.ask() != nullptr; });
  const auto examples = shelf.ask();
  EXPECT_NE(find_example(examples->sentences, "I am going to deposit my money at the bank"), nullptr);
  EXPECT_EQ(find_example(examples->sentences, "I am going to deposit my money"), nullptr);
}

TEST(Examples, OfAFolderThatDoesNotExistThereAreNone) {
  EXPECT_TRUE(load_examples({}).sentences.empty());
  EXPECT_TRUE(load_examples("/no/such/folder").sentences.empty());
}

TEST(Examples, ABrokenFileIsRefusedWithItsPlace) {
  const testing::TemporaryFolder folder;
  const auto refusal = [&](const char* bytes) {
    const std::filesystem::path file = folder.file("mine.json", bytes);
    return error_of([&] { load_example(file); }).message();
  };
  EXPECT_THAT(refusal(R"({"name": "a", "relations": []})"), HasSubstr("mine.json: text"));
  EXPECT_THAT(refusal(R"({"name": "a", "text": "b", "relations": 3})"), HasSubstr("relations"));
  EXPECT_THAT(refusal(R"({"name": "a", "text": "cat", "relations": [{"from": "cat", "to": "dog", "label": "x"}]})"),
              HasSubstr("relations[0].to"));
  EXPECT_THAT(refusal(R"({"name": "a", "text": "cat", "relations": [)"), HasSubstr("mine.json"));
  const std::string huge = R"({"name": "a", "text": ")" + std::string(70'000, 'x') + R"(", "relations": []})";
  EXPECT_EQ(error_of([&] { load_example(folder.file("huge.json", huge)); }).kind(), ErrorKind::limit);
}

TEST(Examples, ABrokenFileIsNamedWithItsReasonAndHidesNoOther) {
  const testing::TemporaryFolder folder;
  folder.file("a.json", R"({"name": "a", "text": "one", "relations": []})");
  folder.file("b.json", R"({"name": "b", "relations": []})");
  folder.file("c.json", "{");
  std::filesystem::create_directories(folder / "d.json");
  folder.file("e.json", R"({"name": "e", "text": "two", "relations": []})");
  const Examples found = load_examples(folder.path());
  ASSERT_EQ(found.sentences.size(), 2U);
  EXPECT_EQ(found.sentences[0].text, "one");
  EXPECT_EQ(found.sentences[1].text, "two");
  EXPECT_THAT(found.left_out, ElementsAre(HasSubstr("b.json: text"), HasSubstr("c.json"), HasSubstr("d.json")));
}

TEST(Examples, ARelationStandsWhereItsWordsStandByThemselves) {
  Encoding encoding;
  encoding.text = "In it I bank";
  for (const ByteRange bytes : {ByteRange{0, 2}, ByteRange{2, 5}, ByteRange{5, 7}, ByteRange{7, 10}, ByteRange{10, 12}}) {
    encoding.tokens.emplace_back().bytes = bytes;
  }
  EXPECT_EQ(cells_of({"I", "bank", ""}, encoding), (CellBlock{2, 3, 3, 5, true})) << "not the I of In; bank is two tokens";
  encoding.tokens.resize(3);
  EXPECT_FALSE(cells_of({"I", "bank", ""}, encoding)) << "cut off";
}

}  // namespace
}  // namespace headlight
