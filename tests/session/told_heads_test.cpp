#include "app/session/told_heads.h"

#include <gmock/gmock.h>

#include "tests/environment.h"
#include "tests/session/waiting.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kCard = R"({"summary": "x", "heads": [{"layer": 1, "head": 3, "name": "the subject", "text": "Dogs bark.", "query": 2,
  "key": 1, "from": "bark", "to": "Dogs", "weight": 0.5, "measure": "subject, from the word", "value": 0.75}]})";

TEST(ToldHeads, AreReadFromACard) {
  const testing::TemporaryFolder folder;
  EXPECT_THAT(load_told_heads(folder.file("card.json", kCard)),
              ::testing::ElementsAre(ToldHead{{1, 3}, "the subject", "Dogs bark.", 2, "bark", "Dogs"}));
  EXPECT_THAT(load_told_heads(folder.file("card.json", R"({"summary": "none"})")), IsEmpty());
}

TEST(ToldHeads, ABrokenCardIsRefusedWithItsPlace) {
  const testing::TemporaryFolder folder;
  const auto refusal = [&](const char* bytes) { return error_of([&] { load_told_heads(folder.file("card.json", bytes)); }).message(); };
  EXPECT_THAT(refusal(R"({"heads": {}})"), HasSubstr("card.json: heads"));
  EXPECT_THAT(refusal(R"({"heads": [{"layer": -1, "head": 0}]})"), HasSubstr("heads[0].layer"));
}

TEST(ToldHeads, AreThoseOfTheModelThatIsAskedAbout) {
  const testing::TemporaryFolder folder;
  const testing::OwnModelPlaces places(folder.path());
  for (const char* name : {"first", "second"}) {
    const std::string model = std::string("assets/models/") + name;
    std::filesystem::create_directories(folder / model);
    folder.file(model + "/config.json", "{}");
  }
  folder.file("assets/models/first/card.json", kCard);
  Worker worker(1);
  ToldHeadShelf shelf(worker);
  for (const auto& [model, count] : {std::pair("first", 1U), std::pair("second", 0U), std::pair("sandbox", 0U), std::pair("first", 1U)}) {
    testing::wait_until([&] { return shelf.ask(model) != nullptr; });
    EXPECT_EQ(shelf.ask(model)->size(), count) << model;
  }
}

}  // namespace
}  // namespace headlight
