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
  const Document causal = document();
  Document next = causal;
  const Look look{palette(Theme::dark), window.fonts, 1};
  const Panel panel{context, snapshot(), session.worker().status(), next, view, look};
  const std::vector<ShownRelation> relations = shown_relations(panel);
  ASSERT_EQ(relations.size(), 3U);
  for (const ShownRelation& shown : relations) {
    EXPECT_EQ(shown.is_masked, shown.cells.key_begin > shown.cells.query_begin) << shown.relation.from << " → " << shown.relation.to;
  }
  EXPECT_TRUE(relations[0].is_masked) << "deposit comes before bank";
  next.query.model.sandbox.kind = SandboxKind::bidirectional;
  session.apply(next, false, false);
  settle();
  const Panel both{context, snapshot(), session.worker().status(), next, view, look};
  for (const ShownRelation& shown : shown_relations(both)) EXPECT_FALSE(shown.is_masked);
}

}  // namespace
}  // namespace headlight
