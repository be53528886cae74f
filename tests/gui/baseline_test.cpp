// What a person is told about the baseline: where it cannot be subtracted, whose words and heads it has, and what it differs in.
#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "app/document/subjects.h"
#include "app/gui/panel/focus.h"
#include "app/gui/panel/shown_figure.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

class Moments : public testing::FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    window.painter.watch([this](const Scene& scene, std::string_view name) {
      if (name == "head") head = scene;
    });
  }
  template <class Edit>
  void change(Edit edit) {
    Document next = document();
    edit(next.query);
    session.apply(next, false, false);
    settle();
  }
  void open_gpt2() {
    change([](Query& query) {
      query.model = {};
      query.model.name = std::string(HEADLIGHT_TESTS_DIR) + "/reference/models/gpt2";
    });
  }
  /// Head, with what is said now as the baseline.
  void keep(const std::string& text) {
    say(text);
    show(View::head);
    window.key("B");
    settle();
  }
  ComparedHead inspected() {
    Document draft = document();
    const Look look{palette(Theme::dark), window.fonts, 1};
    return inspected_head(Panel{context, snapshot(), session.worker().status(), draft, view, caches, look, all_views()});
  }
  /// All that Head writes: title, subtitle, labels.
  std::vector<std::string> written() {
    window.frame(2);
    std::vector<std::string> texts;
    for (const SceneItem& item : head.items) {
      if (const auto* text = std::get_if<SceneText>(&item)) texts.push_back(text->text);
    }
    return texts;
  }
  bool writes(const std::string& part) {
    const std::vector<std::string> texts = written();
    return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) { return text.find(part) != std::string::npos; });
  }
  /// Whether the inspector has a cell's weight now and before, and its change.
  bool inspector_has_both() {
    window.frame(2);
    const auto& items = window.items.items();
    return std::any_of(items.begin(), items.end(),
                       [](const DrawnItem& item) { return item.label == "now and before" && item.window.starts_with("Inspector"); });
  }
  Scene head;
};

TEST_F(Moments, TheBaselinesChipShrinksButNeverGoesAway) {
  show(View::head);
  window.ctrl_click("map");
  window.key("B");
  settle();
  for (const ImVec2 size : {ImVec2{1600, 1000}, ImVec2{1280, 800}, ImVec2{1024, 768}, ImVec2{960, 540}}) {
    for (const Stage stage : kStages) {
      view.head_page.stage = stage;
      window.resize(size);
      ASSERT_TRUE(window.has("Baseline")) << size.x;
      ASSERT_TRUE(window.has("Clear baseline")) << size.x;
      EXPECT_FALSE(overlap(window.box_of("Baseline"), window.box_of("Moment now"))) << size.x;
      const char* last = window.has("More views") ? "More views" : "Labs";  // where not all tabs fit, a menu follows them
      EXPECT_FALSE(overlap(window.box_of("Baseline"), window.box_of(last))) << size.x;
      EXPECT_FALSE(overlap(window.box_of("Moment Δ"), window.box_of("Stage"))) << size.x;
    }
  }
}

TEST_F(Moments, BeforeIsShownInItsOwnWordsWhateverItsLength) {
  keep("one two three four five six");
  say("one two");
  window.click("Moment before");
  window.hover(window.cell_of("map", {5, 4}));
  settle();
  EXPECT_EQ(view.pointed.cell, (Cell{5, 4}));
  ASSERT_TRUE(inspected().of);
  EXPECT_EQ(inspected().of->encoding->text, "one two three four five six");
  EXPECT_TRUE(window.has("Row profile of 5"));
  EXPECT_TRUE(writes("six"));
  window.click(window.cell_of("map", {5, 4}));
  EXPECT_FALSE(view.pinned_query) << "the present text has no such token";
  EXPECT_FALSE(inspector_has_both()) << "there is no such cell now";
}

TEST_F(Moments, ADifferenceOfTwoSizesIsRefusedWithTheReasonThatCompareGives) {
  keep("one two three four");
  window.click("Moment Δ");
  settle();
  say("one two");
  EXPECT_TRUE(writes("no Δ: 2 × 2 and 4 × 4 cells: only maps of one size can be subtracted."));
  EXPECT_TRUE(window.has("Moment before"));
  window.click("Moment before");
  window.click("Moment Δ");
  EXPECT_EQ(view.head_page.moment, Moment::before) << "it cannot be pressed";
}

TEST_F(Moments, AHeadThatTheBaselineLacksIsSaid) {
  change([](Query& query) { query.model.sandbox.heads = 2; });
  keep("one two");
  change([](Query& query) { query.model.sandbox.heads = 4; });
  view.head.head = 3;
  window.click("Moment before");
  EXPECT_EQ(view.head_page.moment, Moment::now);
  view.head_page.moment = Moment::before;
  EXPECT_TRUE(writes("The baseline has no head 0.3"));
}

TEST_F(Moments, ADifferenceOfOtherWordsNamesBoth) {
  keep("one two three");
  say("one dos three");
  window.click("Moment Δ");
  settle();
  EXPECT_TRUE(writes("the texts differ: word now / word before"));
  EXPECT_TRUE(writes("dos / two"));
  EXPECT_FALSE(writes("one / one"));
}

TEST_F(Moments, OutputFollowsTheRuleOfHead) {
  open_gpt2();
  keep("the animal did not cross");
  show(View::output);
  const Index tokens = std::ssize(snapshot()->encoding->tokens);
  const std::string differ = "The texts differ: word now / word before. Δ is of the words as they are now.";
  EXPECT_TRUE(window.has("now, before, Δ"));
  EXPECT_FALSE(window.has(differ));
  say("the animal not did cross");
  ASSERT_EQ(std::ssize(snapshot()->encoding->tokens), tokens);
  EXPECT_TRUE(window.has("now, before, Δ"));
  EXPECT_TRUE(window.has(differ));
  say("the animal");
  const Index fewer = std::ssize(snapshot()->encoding->tokens);
  EXPECT_FALSE(window.has("now, before, Δ"));
  EXPECT_TRUE(window.has("No Δ: " + std::to_string(fewer) + " and " + std::to_string(tokens) +
                         " tokens: only predictions for texts of one length can be subtracted."));
}

TEST_F(Moments, OutputShowsWhatLeftTheList) {
  open_gpt2();
  keep("the animal did not cross");
  change([](Query& query) { query.switched_off = {{0, 0}, {0, 1}, {1, 0}, {1, 1}}; });
  show(View::output);
  ASSERT_TRUE(window.has("Rank 11"));
  const auto& items = window.items.items();
  EXPECT_TRUE(std::any_of(items.begin(), items.end(), [](const DrawnItem& item) { return item.label.starts_with("Lost "); }));
}

TEST_F(Moments, HeadingsOfOutputSayWhatChangesAndDoNotTouch) {
  open_gpt2();
  say("the animal did not cross");
  show(View::output);
  EXPECT_TRUE(window.has("Column next word"));
  window.key("B");
  change([](Query& query) { query.mask.rules = {{{}, "none", {}}}; });
  for (const ImVec2 size : {ImVec2{1600, 1000}, ImVec2{1280, 800}, ImVec2{1024, 768}, ImVec2{960, 540}}) {
    window.resize(size);
    ASSERT_TRUE(window.has("Column next word")) << "one wording, with and without a baseline";
    ASSERT_TRUE(window.has("Column Δ next word")) << "whose Δ it is";
    std::vector<Box> columns;
    for (const DrawnItem& item : window.items.items()) {
      if (item.label.starts_with("Column ") && item.label.find(" sum") == std::string::npos) columns.push_back(item.box);
    }
    ASSERT_EQ(columns.size(), 5U);
    for (std::size_t i = 1; i < columns.size(); ++i) EXPECT_LT(columns[i - 1].right() + 4, columns[i].x) << size.x << ", heading " << i;
  }
}

TEST_F(Moments, TheBrushDoesNotEditNowWhileBeforeIsShown) {
  keep("one two three four");
  window.click("Moment before");
  view.painting.brush = Brush::cell;
  window.frame(2);
  const MaskEdits untouched = document().query.mask;
  window.drag(window.cell_of("map", {3, 1}), window.cell_of("map", {3, 2}));
  settle();
  EXPECT_EQ(document().query.mask, untouched);
  window.hover(window.cell_of("map", {3, 1}));
  EXPECT_TRUE(window.has("Brush refused"));
  window.click("Moment now");
  window.hover(window.cell_of("map", {3, 1}));
  EXPECT_FALSE(window.has("Brush refused"));
  window.drag(window.cell_of("map", {3, 1}), window.cell_of("map", {3, 2}));
  settle();
  EXPECT_NE(document().query.mask, untouched);
}

TEST_F(Moments, ADifferenceIsNamedInTitleAndInspectorAndSaysWhenNothingChanged) {
  keep("one two three four");
  window.click("Moment Δ");
  settle();
  EXPECT_TRUE(writes("Layer 0 · Head 0 · now − before"));
  EXPECT_TRUE(writes("Nothing changed"));
  change([](Query& query) { query.mask.rules = {{{}, "none", {}}}; });
  EXPECT_FALSE(writes("Nothing changed"));
  window.hover(window.cell_of("map", {3, 1}));
  settle();
  EXPECT_TRUE(inspector_has_both());
  window.click("Moment now");
  window.hover(window.cell_of("map", {3, 1}));
  EXPECT_FALSE(inspector_has_both());
}

TEST_F(Moments, TheChipNamesWhatDiffersFromNow) {
  change([](Query& query) { query.model.sandbox.heads = 4, query.mask.rules = {{{}, "causal", {}}}; });
  keep("one two three four");
  EXPECT_TRUE(window.has("Chip baseline"));
  change([](Query& query) { query.model.sandbox.heads = 2, query.mask.rules = {{{}, "none", {}}}; });
  EXPECT_TRUE(window.has("Chip baseline")) << "beside the tabs of all views there is no room for more; the tooltip says it";
  ImGui::GetIO().DisplaySize = {1920, 1080};
  settle();
  EXPECT_TRUE(window.has("Chip baseline · causal, 4 heads"));
  window.click("Moment Δ");
  settle();
  EXPECT_TRUE(writes("head 0.0 of 2 − head 0.0 of 4"));
}

}  // namespace
}  // namespace headlight
