#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "app/gui/panel/relations.h"
#include "tests/environment.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

using ExamplesMenu = testing::FrameTest;

TEST_F(ExamplesMenu, SetsTheSentenceInOneStepAndShowsItsRelations) {
  const std::string before = document().query.text;
  window.click("Examples");
  window.click("London, three times");
  settle();
  EXPECT_EQ(document().query.text, "London, inhabited by more than 10 million people, is the capital of England.");
  EXPECT_TRUE(window.has("Close Relations"));
  window.click("Close Relations");
  settle();
  EXPECT_FALSE(window.has("Close Relations"));
  window.key("ctrl+z");
  settle();
  EXPECT_EQ(document().query.text, before);
}

TEST_F(ExamplesMenu, RelationsGoWhenTheSentenceIsChanged) {
  window.click("Examples");
  window.click("A deposit at the bank");
  settle();
  EXPECT_TRUE(window.has("Close Relations"));
  say("I am going to deposit my money at the river bank");
  EXPECT_FALSE(window.has("Close Relations"));
}

TEST_F(ExamplesMenu, RelationsAreFramedInTheMapAndMaskedOnesAreSaidToBe) {
  window.click("Examples");
  window.click("A deposit at the bank");
  show(View::head);
  EXPECT_TRUE(window.has("Relation deposit → bank"));
  Document causal = sandbox_document();  // the example came with a model that sees both ways
  causal.query.text = document().query.text;
  session.apply(causal, false, false);
  settle();
  Document next = causal;
  const Look look{palette(Theme::dark), window.fonts, 1};
  const Panel panel{context, snapshot(), session.worker().status(), next, view, caches, look, all_views()};
  const std::vector<ShownRelation> relations = shown_relations(panel);
  ASSERT_EQ(relations.size(), 3U);
  for (const ShownRelation& shown : relations) {
    EXPECT_EQ(shown.is_masked, shown.cells.key_begin > shown.cells.query_begin) << shown.relation.from << " → " << shown.relation.to;
  }
  EXPECT_TRUE(relations[0].is_masked) << "deposit comes before bank";
  next.query.model.sandbox.kind = SandboxKind::bidirectional;
  session.apply(next, false, false);
  settle();
  const Panel both{context, snapshot(), session.worker().status(), next, view, caches, look, all_views()};
  for (const ShownRelation& shown : shown_relations(both)) EXPECT_FALSE(shown.is_masked);
}

/// Assets with one sound example and one broken one.
class TornExamples : public testing::FrameTest {
 protected:
  TornExamples() {
    std::filesystem::create_directories(folder_ / "assets/examples");
    std::filesystem::create_directories(folder_ / "assets/models");
    folder_.file("assets/examples/mine.json", R"({"name": "Mine", "text": "mine", "relations": []})");
    folder_.file("assets/examples/torn.json", R"({"name": "Torn", "relations": []})");
  }
  testing::TemporaryFolder folder_;
  testing::OwnModelPlaces places_{folder_.path()};
};

TEST_F(TornExamples, AreNamedBelowTheSoundOnes) {
  window.click("Examples");
  EXPECT_TRUE(window.has("Mine"));
  bool is_named = false;
  for (const DrawnItem& item : window.items.items()) is_named = is_named || item.label.starts_with("Left out: torn.json: text");
  EXPECT_TRUE(is_named);
  EXPECT_FALSE(window.has("Close Refusal")) << "the picture has nothing to do with it";
  window.click("Mine");
  settle();
  EXPECT_EQ(document().query.text, "mine");
}

/// Assets with a built-in model whose card tells of one head.
class CardHeadsMenu : public testing::FrameTest {
 protected:
  CardHeadsMenu() {
    std::filesystem::create_directories(folder_ / "assets/models");
    std::filesystem::copy(std::filesystem::path(HEADLIGHT_TESTS_DIR) / "reference/models/gpt2", folder_ / "assets/models/tiny",
                          std::filesystem::copy_options::recursive);
    folder_.file("assets/models/tiny/card.json",
                 R"({"heads": [{"layer": 1, "head": 1, "name": "the word before", "text": "the quick brown fox",
        "query": 2, "from": "brown", "to": "quick"}]})");
  }
  testing::TemporaryFolder folder_;
  testing::OwnModelPlaces places_{folder_.path()};
};

TEST_F(CardHeadsMenu, ShowsTheHeadInItsSentenceWithTheRowHeld) {
  Document next = document();
  next.query.model.name = "tiny";
  session.apply(next, false, false);
  settle();
  window.click("Examples");
  window.click("the word before");
  settle();
  EXPECT_EQ(document().query.text, "the quick brown fox");
  EXPECT_EQ(view.view, View::head);
  EXPECT_EQ(view.head, (HeadId{1, 1}));
  ASSERT_TRUE(view.pinned_query.has_value());
  EXPECT_EQ(view.pinned_query->token, 2);
  EXPECT_TRUE(window.has("Release pin")) << "the row is held and can be let go";
}

/// The pointer that chose the head in the menu is over the map then.
TEST_F(CardHeadsMenu, ShowsTheWholeSentenceUnderThePointerThatChoseIt) {
  std::string heads;
  for (int at = 0; at < 14; ++at)
    heads += fmt::format(
        R"({}{{"layer": 1, "head": 1, "name": "way {}", "text": "the quick brown fox and the quick brown dog and the quick brown cat",
        "query": 9, "from": "and", "to": "dog"}})",
        at == 0 ? "" : ", ", at);
  folder_.file("assets/models/tiny/card.json", R"({"heads": [)" + heads + "]}");
  Document next = document();
  next.query.model.name = "tiny";
  next.query.text = "the quick brown fox";
  session.apply(next, false, false);
  show(View::head);
  window.hover("map");
  window.click("Examples");
  const ImVec2 chosen = window.centre_of("way 13");
  ASSERT_TRUE(window.box_of("map").contains({chosen.x, chosen.y}));
  window.click("way 13");
  settle();
  const auto& items = window.items.items();
  const auto map = std::find_if(items.begin(), items.end(), [](const DrawnItem& item) { return item.label == "map"; });
  ASSERT_NE(map, items.end());
  EXPECT_EQ(map->cells.row_end - map->cells.row_begin, static_cast<float>(snapshot()->tokens())) << "every row is in sight";
}

TEST_F(CardHeadsMenu, ALongNameLeavesRoomForWhatItsHeadDoes) {
  folder_.file("assets/models/tiny/card.json",
               R"({"heads": [{"layer": 1, "head": 1, "name": "what came after the same word before it (induction), to be exact",
        "text": "the quick brown fox", "query": 2, "from": "brown", "to": "quick"}]})");
  Document next = document();
  next.query.model.name = "tiny";
  session.apply(next, false, false);
  settle();
  window.items.watch_texts();
  window.click("Examples");
  window.frame(2);
  const DrawnText *name = nullptr, *what = nullptr;
  for (const DrawnText& text : window.items.texts()) {
    if (text.text.starts_with("what came after")) name = &text;
    if (text.text.starts_with("brown → quick")) what = &text;
  }
  ASSERT_TRUE(name && what);
  EXPECT_LT(name->corners[1].x, what->corners[0].x);
}

}  // namespace
}  // namespace headlight
