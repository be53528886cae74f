// Why this cell: the section of the inspector that takes a score apart.
#include "app/gui/why/why_cell.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

class WhyCell : public testing::FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    open_gpt2();
    view.head = {1, 2};
    show(View::head);
    window.click("token 4");
    settle();
  }
  void open() {
    window.click(kWhySection);
    settle();
  }
  std::vector<std::string> drawn(const std::string& beginning) {
    window.frame(2);
    std::vector<std::string> labels;
    for (const DrawnItem& item : window.items.items()) {
      if (item.label.starts_with(beginning)) labels.push_back(item.label);
    }
    return labels;
  }
};

TEST_F(WhyCell, IsComputedOnlyWhileItsSectionIsOpen) {
  EXPECT_TRUE(window.has(kWhySection));
  EXPECT_TRUE(drawn("Query part ").empty());
  open();
  EXPECT_FALSE(drawn("Query part ").empty());
  EXPECT_FALSE(drawn("Key part ").empty());
  EXPECT_TRUE(window.has("Query sum of parts"));
  EXPECT_TRUE(window.has("Key sum of parts"));
  window.click(kWhySection);
  settle();
  EXPECT_TRUE(drawn("Query part ").empty());
}

TEST_F(WhyCell, LeadsToTheHeadThatAPartIsWithTheRowOfItsToken) {
  open();
  std::vector<std::string> heads = drawn("Key part head ");
  if (heads.empty()) heads = drawn("Query part head ");
  ASSERT_FALSE(heads.empty());
  window.click(heads.front());
  settle();
  EXPECT_EQ(view.head.layer, 0);
  EXPECT_EQ(view.view, View::head);
  ASSERT_TRUE(view.pinned_query);
  EXPECT_TRUE(window.has("Key part token")) << "it goes on with the cell of that head";
}

TEST_F(WhyCell, FollowsTheCellThatIsLookedAt) {
  open();
  window.click("token 2");
  settle();
  EXPECT_TRUE(window.has("Query sum of parts"));
  const auto found = session.effects().cell({snapshot(), {1, 2}, 2, 0});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->request.query, 2);
}

TEST_F(WhyCell, WithoutACellAsksForOneAndWhereScoresAreNoProductsSaysWhy) {
  open();
  window.click("token 4");  // lets it go
  window.feed.move({1, 1});
  window.play();
  settle();
  EXPECT_TRUE(drawn("Query part ").empty());
  Document next = document();
  next.query.model = {};  // the sandbox, which has every score function
  next.query.score.kind = ScoreKind::additive;
  session.apply(next, false, false);
  settle();
  window.click("token 3");
  settle();
  EXPECT_TRUE(drawn("Query part ").empty());
  EXPECT_EQ(session.worker().status().error_message, "");
}

TEST_F(WhyCell, HasAColumnOfItsOwnInTheDrawer) {
  window.resize({1024, 768});
  settle();
  ASSERT_TRUE(window.has(kWhySection));
  open();
  EXPECT_FALSE(drawn("Query part ").empty());
  EXPECT_TRUE(window.has("Query sum of parts"));
}

TEST_F(WhyCell, RestsInViewsThatHaveAnInspectorOfTheirOwn) {
  open();
  show(View::output);
  EXPECT_TRUE(drawn("Query part ").empty());
  show(View::head);
  EXPECT_FALSE(drawn("Query part ").empty());
}

}  // namespace
}  // namespace headlight
