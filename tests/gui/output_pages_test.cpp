// Output: a word becomes the target by a click, every view says what edits do to it, and pages take it apart.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "app/gui/panel/saved_view.h"
#include "app/gui/watching/target_here.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

class OutputPages : public testing::FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    change([](Query& query) {
      query.model = {};
      query.model.name = std::string(HEADLIGHT_TESTS_DIR) + "/reference/models/gpt2";
      query.text = "the animal did not cross";
    });
    window.resize({1920, 1200});  // the pages side by side
    show(View::output);
  }
  template <class Edit>
  void change(Edit edit) {
    Document next = document();
    edit(next.query);
    session.apply(next, false, false);
    settle();
  }
  void press(const std::string& label) {
    window.click(label);
    settle();
  }
  bool draws(const std::string& beginning) {
    window.frame(2);
    const auto& items = window.items.items();
    return std::any_of(items.begin(), items.end(), [&](const DrawnItem& item) { return item.label.starts_with(beginning); });
  }
  Index last() const { return std::ssize(snapshot()->encoding->tokens) - 1; }
};

TEST_F(OutputPages, AClickedWordIsWatchedInEveryViewAndCanBeTakenBack) {
  EXPECT_FALSE(window.has("Target")) << "the loss of an unedited text is nothing to be told of";
  press("Rank 1");
  const Target watched = document().target;
  EXPECT_EQ(watched.kind, TargetKind::logit);
  EXPECT_EQ(watched.first, static_cast<int>(last()));
  for (const View which : {View::overview, View::head, View::links, View::output}) {
    show(which);
    EXPECT_TRUE(window.has("Target"));
  }
  show(View::overview);
  press("Target");
  EXPECT_EQ(view.view, View::output);
  session.undo();
  settle();
  EXPECT_EQ(document().target, Target{});
}

TEST_F(OutputPages, ShiftSubtractsAnotherWord) {
  press("Rank 0");
  window.feed.click(window.centre_of("Rank 2"), ImGuiMouseButton_Left, 1, ImGuiMod_Shift);
  window.play();
  settle();
  EXPECT_FALSE(document().target.token.empty());
  EXPECT_FALSE(document().target.other.empty());
}

TEST_F(OutputPages, AnotherClickWritesTheWordAfterTheText) {
  const std::string before = document().query.text;
  const Index tokens = last();
  press("+#1");
  EXPECT_TRUE(document().query.text.starts_with(before));
  EXPECT_GT(document().query.text.size(), before.size());
  EXPECT_GT(last(), tokens);
}

TEST_F(OutputPages, EditsShowTheTargetBeforeAndAfter) {
  EXPECT_TRUE(window.has("Target now"));
  change([](Query& query) { query.switched_off = {{0, 0}}; });
  EXPECT_TRUE(window.has("Target before"));
  EXPECT_TRUE(window.has("Target after"));
  EXPECT_TRUE(window.has("Target Δ"));
  EXPECT_TRUE(window.has("now, before, Δ")) << "of every listed word, without a baseline";
  show(View::head);
  EXPECT_TRUE(window.has("Target"));
}

TEST_F(OutputPages, PartsAddUpAndLeadToHeads) {
  press("Output Parts");
  EXPECT_TRUE(window.has("Sum of parts"));
  EXPECT_TRUE(draws("Part "));
  EXPECT_TRUE(draws("Source "));
}

TEST_F(OutputPages, EveryHeadIsSwitchedOffAlone) {
  press("Output Heads");
  const Snapshot& run = *snapshot();
  for (int layer = 0; layer < run.layers(); ++layer) {
    for (int head = 0; head < run.heads(layer); ++head) {
      const std::string name = std::to_string(layer) + "." + std::to_string(head);
      EXPECT_TRUE(window.has("Effect " + name));
    }
  }
  press("Effect 1.1");
  EXPECT_EQ(view.head, (HeadId{1, 1}));
  press("Method gate gradient");
  EXPECT_EQ(view.output.method, EffectMethod::gate);
  EXPECT_TRUE(window.has("Effect 1.1"));
}

TEST_F(OutputPages, PagesAreListedWhereThereIsNoRoomBesideTheTabs) {
  window.resize({1024, 768});
  EXPECT_FALSE(window.has("Output Parts"));
  press("Page of Output");
  press("Parts");
  EXPECT_EQ(view.output.page, OutputPage::Page::parts);
}

TEST_F(OutputPages, LayersListTheGuessOfEach) {
  press("Output Layers");
  EXPECT_TRUE(draws("Lens "));
}

TEST_F(OutputPages, ThePageIsKeptForTheNextStart) {
  press("Output Layers");
  press("Output Heads");
  press("Method gate gradient");
  const ViewState next = view_from_json(to_json(view, all_views()), all_views());
  EXPECT_EQ(next.output.page, OutputPage::Page::heads);
  EXPECT_EQ(next.output.method, EffectMethod::gate);
}

TEST_F(OutputPages, AWordIsNamedSoThatItIsReadAgain) {
  const Model& model = *snapshot()->model;
  for (std::int64_t id = 0; id < std::min<std::int64_t>(model.config.vocabulary, 300); ++id) {
    Document draft;
    watch_token(draft, *snapshot(), 1, id);
    const Target again = parse_target(to_text(draft.target));
    EXPECT_EQ(watch_text(again, {model, snapshot()->encoding->tokens}).token, id) << to_text(draft.target);
  }
}

}  // namespace
}  // namespace headlight
