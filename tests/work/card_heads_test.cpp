#include "app/work/card_heads.h"

#include <gmock/gmock.h>

#include "tests/environment.h"
#include "tests/testing.h"
#include "tests/work/waiting.h"

namespace headlight {
namespace {

using testing::error_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kCard = R"({"summary": "x", "heads": [{"layer": 1, "head": 3, "name": "the subject", "text": "Dogs bark.", "query": 2,
  "key": 1, "from": "bark", "to": "Dogs", "weight": 0.5, "measure": "subject, from the word", "value": 0.75}]})";

TEST(CardHeads, AreReadFromACard) {
  const testing::TemporaryFolder folder;
  EXPECT_THAT(load_card_heads(folder.file("card.json", kCard)).heads,
              ::testing::ElementsAre(CardHead{{1, 3}, "the subject", "Dogs bark.", 2, "bark", "Dogs", "subject, from the word", 0.75}));
  EXPECT_THAT(load_card_heads(folder.file("card.json", R"({"summary": "none"})")).heads, IsEmpty());
}

TEST(CardHeads, SayOverHowManyCasesTheyWereMeasured) {
  const testing::TemporaryFolder folder;
  const std::string head = R"("heads": [{"layer": 1, "head": 3, "name": "a", "text": "b", "query": 0, "from": "b", "to": "b",
    "measure": "subject, from the word", "value": 0.75}])";
  const auto text_of = [&](const std::string& figures) {
    return load_card_heads(folder.file("card.json", "{" + head + figures + "}")).heads.at(0).figure_text();
  };
  const std::string start = R"("layer": 1, "relation": "subject", "query": "word", "cases": 20, "baseline": 0.25)";
  EXPECT_EQ(text_of(R"(, "figures": [{"head": 2, )" + start + R"(}, {"head": 3, )" + start + "}]"),
            "subject, from the word: 0.750 of 20 held-out cases, 0.250 by a fixed offset");
  EXPECT_EQ(text_of(""), "subject, from the word: 0.750 on held-out sentences");
}

TEST(CardHeads, ABrokenCardIsRefusedWithItsPlace) {
  const testing::TemporaryFolder folder;
  const auto refusal = [&](const char* bytes) { return error_of([&] { load_card_heads(folder.file("card.json", bytes)); }).message(); };
  EXPECT_THAT(refusal(R"({"heads": {}})"), HasSubstr("card.json: heads"));
  EXPECT_THAT(refusal(R"({"heads": [)"), HasSubstr("card.json"));
}

TEST(CardHeads, ABrokenEntryIsNamedWithItsReasonAndHidesNoOther) {
  const testing::TemporaryFolder folder;
  const std::string whole = R"({"layer": 1, "head": 3, "name": "a", "text": "b", "query": 0, "from": "b", "to": "b"})";
  const CardHeads found =
      load_card_heads(folder.file("card.json", R"({"heads": [{"layer": -1, "head": 0}, )" + whole + R"(, {"layer": 0}]})"));
  ASSERT_EQ(found.heads.size(), 1U);
  EXPECT_EQ(found.heads[0].name, "a");
  EXPECT_THAT(found.left_out, ::testing::ElementsAre(HasSubstr("heads[0].layer"), HasSubstr("heads[2].head")));
}

TEST(CardHeads, OfACardThatCannotBeReadAreNoneWithTheReason) {
  const testing::TemporaryFolder folder;
  const testing::OwnModelPlaces places(folder.path());
  std::filesystem::create_directories(folder / "assets/models/torn");
  folder.file("assets/models/torn/config.json", "{}");
  folder.file("assets/models/torn/card.json", "{");
  Worker worker(1);
  CardHeadShelf shelf(worker);
  testing::wait_until([&] { return shelf.ask("torn") != nullptr; });
  EXPECT_TRUE(shelf.ask("torn")->heads.empty());
  EXPECT_THAT(shelf.ask("torn")->left_out, ::testing::ElementsAre(HasSubstr("card.json")));
  EXPECT_FALSE(worker.status().error) << "the model works without its card";
}

TEST(CardHeads, AreThoseOfTheModelThatIsAskedAbout) {
  const testing::TemporaryFolder folder;
  const testing::OwnModelPlaces places(folder.path());
  for (const char* name : {"first", "second"}) {
    const std::string model = std::string("assets/models/") + name;
    std::filesystem::create_directories(folder / model);
    folder.file(model + "/config.json", "{}");
  }
  folder.file("assets/models/first/card.json", kCard);
  Worker worker(1);
  CardHeadShelf shelf(worker);
  for (const auto& [model, count] : {std::pair("first", 1U), std::pair("second", 0U), std::pair("sandbox", 0U), std::pair("first", 1U)}) {
    testing::wait_until([&, name = model] { return shelf.ask(name) != nullptr; });
    EXPECT_EQ(shelf.ask(model)->heads.size(), count) << model;
  }
}

}  // namespace
}  // namespace headlight
