#include <gmock/gmock.h>

#include "app/document/wording.h"
#include "app/gui/panel/focus.h"
#include "engine/figure/figure_notes.h"
#include "engine/formats/tensors/write_tensors.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

using ::testing::HasSubstr, ::testing::Not;

/// Two layers of two heads over three tokens, one row of which does not sum to 1.
class DumpWindow : public testing::FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    std::vector<float> maps(36, 0);
    for (std::size_t row = 0; row < 12; ++row) maps[3 * row + row % 3] = row == 4 ? 3.0F : 1.0F;
    write_npz(folder_ / "maps.npz", std::vector<TensorToWrite>{{"attentions", {2, 2, 3, 3}, maps}},
              {{"tokens", R"(["a", "b", "c"])"}, {"headlight.mask", "none"}});
    context.dropped_paths = {(folder_ / "maps.npz").string()};
    settle();
  }
  testing::TemporaryFolder folder_;
};

TEST_F(DumpWindow, ADroppedFileIsShownInEveryView) {
  ASSERT_TRUE(snapshot()->is_dump());
  EXPECT_EQ(snapshot()->tokens(), 3);
  for (const View which : {View::overview, View::head, View::compare, View::lab}) {
    show(which);
    EXPECT_TRUE(view.notes.banner.empty()) << view.notes.banner;
  }
  EXPECT_EQ(dialogs.model_picker.recent_models.front(), (folder_ / "maps.npz").string());
}

TEST_F(DumpWindow, LayersOfDifferentNumbersOfHeadsAreShownInEveryView) {
  const std::vector<float> one = {1, 0, 0.5F, 0.5F}, three = {1, 0, 0.5F, 0.5F, 1, 0, 0, 1, 1, 0, 0.25F, 0.75F};
  write_npz(folder_ / "heads.npz", std::vector<TensorToWrite>{{"attention.0", {3, 2, 2}, three}, {"attention.1", {1, 2, 2}, one}},
            {{"tokens", R"(["a", "b"])"}});
  context.dropped_paths = {(folder_ / "heads.npz").string()};
  settle();
  ASSERT_EQ(snapshot()->heads(0), 3);
  ASSERT_EQ(snapshot()->heads(1), 1);
  view.head = {0, 2};
  for (const View which : {View::overview, View::head, View::links, View::flow, View::compare, View::lab}) {
    show(which);
    EXPECT_TRUE(view.notes.banner.empty()) << view.notes.banner;
  }
  EXPECT_EQ(view.head, (HeadId{0, 2}));
  view.head = {1, 2};  // a layer with fewer heads
  settle();
  EXPECT_TRUE(snapshot()->contains(view.head));
}

TEST_F(DumpWindow, NothingIsOfferedThatCannotBeEdited) {
  EXPECT_TRUE(window.has("Given sentence"));
  EXPECT_FALSE(window.has("Sentence"));
  EXPECT_TRUE(window.has("Mask text")) << "it says which keys the measures count";
  EXPECT_FALSE(window.has("Mask acts on"));
  EXPECT_TRUE(window.has("Layer slider"));
  view.view = View::head;
  EXPECT_FALSE(window.has("Stage"));
}

TEST_F(DumpWindow, AStageAndABrushOfTheModelBeforeAreLetGo) {
  view.view = View::head;
  view.head_page.stage = Stage::scores;
  view.painting.brush = Brush::cell;
  settle();
  EXPECT_EQ(view.head_page.stage, Stage::weights);
  EXPECT_EQ(view.painting.brush, Brush::off);
}

TEST_F(DumpWindow, RowsThatDoNotSumToOneAreSaid) {
  EXPECT_EQ(badge_of(*snapshot(), document().style, {0, 1}), "not normalised: 1 row sums to 3 · weights above 1 clipped");
  EXPECT_EQ(badge_of(*snapshot(), document().style, {0, 0}), "");
  EXPECT_EQ(badge_of(*snapshot(), document().style), "rows of 1 of 4 heads are not attention weights (–) · weights above 1 clipped");
  EXPECT_EQ(row_problem(snapshot()->maps({0, 1}), 1), "sums to 3");
  EXPECT_EQ(row_problem(snapshot()->maps({0, 1}), 0), "");
  ASSERT_EQ(snapshot()->notices.size(), 1U);
  EXPECT_TRUE(window.has("Close Notice"));
}

TEST_F(DumpWindow, LayersAreCalledByTheNumbersOfTheFile) {
  const std::vector<float> maps = {1, 0, 0.5F, 0.5F};
  write_npz(folder_ / "gap.npz", std::vector<TensorToWrite>{{"attention.0", {1, 2, 2}, maps}, {"attention.2", {1, 2, 2}, maps}}, {});
  context.dropped_paths = {(folder_ / "gap.npz").string()};
  settle();
  show(View::overview);
  EXPECT_TRUE(window.has("head 2.0"));
  EXPECT_FALSE(window.has("head 1.0"));
  window.click("head 2.0");
  EXPECT_EQ(view.head, (HeadId{1, 0}));
  EXPECT_EQ(head_title(*snapshot(), view.head), "Layer 2 · Head 0");
}

TEST_F(DumpWindow, AnAssumedCausalMaskIsSaidInABadgeAndSwitchedOffWithNone) {
  const std::vector<float> maps = {1, 0, 0.5F, 0.5F};
  write_npz(folder_ / "causal.npz", std::vector<TensorToWrite>{{"attention.0", {1, 2, 2}, maps}}, {{"tokens", R"(["a", "b"])"}});
  context.dropped_paths = {(folder_ / "causal.npz").string()};
  settle();
  EXPECT_EQ(badge_of(*snapshot(), document().style, {0, 0}), "causal mask assumed");
  EXPECT_EQ(badge_of(*snapshot(), document().style), "causal mask assumed");
  EXPECT_EQ(snapshot()->summary({0, 0}).informative_rows, 1);
  window.click("Mask none");
  settle();
  EXPECT_EQ(badge_of(*snapshot(), document().style, {0, 0}), "");
  EXPECT_EQ(snapshot()->summary({0, 0}).informative_rows, 2);
}

TEST_F(DumpWindow, AMaskThatIsNotKnownIsSaidInABadgeUntilOneIsGiven) {
  const std::vector<float> maps = {0.5F, 0.5F, 0.5F, 0.5F};
  write_npz(folder_ / "open.npz", std::vector<TensorToWrite>{{"attention.0", {1, 2, 2}, maps}}, {{"tokens", R"(["a", "b"])"}});
  context.dropped_paths = {(folder_ / "open.npz").string()};
  settle();
  EXPECT_EQ(badge_of(*snapshot(), document().style, {0, 0}), "mask not known: every key counts");
  EXPECT_EQ(badge_of(*snapshot(), document().style), "mask not known: every key counts");
  window.click("Mask causal");
  settle();
  EXPECT_THAT(badge_of(*snapshot(), document().style, {0, 0}), Not(HasSubstr("not known")));
  EXPECT_THAT(badge_of(*snapshot(), document().style), Not(HasSubstr("not known")));
}

TEST_F(DumpWindow, ToPressTheMaskThatIsAssumedConfirmsIt) {
  const std::vector<float> maps = {1, 0, 0.5F, 0.5F};
  write_npz(folder_ / "causal.npz", std::vector<TensorToWrite>{{"attention.0", {1, 2, 2}, maps}}, {{"tokens", R"(["a", "b"])"}});
  context.dropped_paths = {(folder_ / "causal.npz").string()};
  settle();
  window.click("Mask causal");
  settle();
  ASSERT_EQ(document().query.mask.rules.size(), 1U);
  EXPECT_EQ(document().query.mask.rules[0].text, "causal");
  EXPECT_EQ(badge_of(*snapshot(), document().style, {0, 0}), "");
  window.click("Mask causal");
  settle();
  EXPECT_EQ(document().query.mask.rules[0].text, "none") << "now it is a switch as everywhere";
}

/// Three texts of one layer with one head over two tokens, as `headlight attend` writes them; the first weight is 1, 0.5 and 0.25.
void write_batch(const std::filesystem::path& path) {
  const std::vector<float> maps = {1, 0, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.25F, 0.75F, 0.5F, 0.5F};
  write_npz(path, std::vector<TensorToWrite>{{"attention", {3, 1, 2, 2}, maps}}, {{"tokens", R"(["a", "b"])"}, {"attend", "{}"}});
}

TEST_F(DumpWindow, ABatchIsShownFromItsFirstTextOnAndTheDocumentNamesIt) {
  write_batch(folder_ / "batch.npz");
  const std::size_t steps = session.history().labels().size();
  context.dropped_paths = {(folder_ / "batch.npz").string()};
  settle();
  EXPECT_TRUE(view.notes.banner.empty()) << view.notes.banner;
  ASSERT_EQ(snapshot()->layers(), 1);
  EXPECT_EQ(snapshot()->maps({0, 0}).weights(0, 0), 1.0F);
  EXPECT_EQ(document().query.item, 0);
  EXPECT_EQ(session.history().labels().size(), steps + 1) << "opening the file is the only step";
  window.key("ctrl+z");
  settle();
  EXPECT_EQ(snapshot()->layers(), 2) << "the file before it";
  EXPECT_FALSE(document().query.item);
  window.key("ctrl+y");
  settle();
  EXPECT_EQ(document().query.item, 0);
}

TEST_F(DumpWindow, AnotherTextOfABatchIsOneUndoStepAndSavedWithTheDocument) {
  write_batch(folder_ / "batch.npz");
  context.dropped_paths = {(folder_ / "batch.npz").string()};
  settle();
  ASSERT_TRUE(window.has("Item slider"));
  const std::size_t steps = session.history().labels().size();
  window.click("Item slider");  // its middle
  settle();
  EXPECT_EQ(document().query.item, 1);
  EXPECT_EQ(snapshot()->maps({0, 0}).weights(0, 0), 0.5F);
  EXPECT_EQ(session.history().labels().size(), steps + 1);
  EXPECT_EQ(session.history().undo_label(), "item 1");
  EXPECT_EQ(document_from_json(to_json(document()), "d.json").query.item, 1);
  window.key("ctrl+z");
  settle();
  EXPECT_EQ(snapshot()->maps({0, 0}).weights(0, 0), 1.0F);
}

TEST_F(DumpWindow, TheTextOfABatchStaysWhenAnotherFileCannotBeOpened) {
  write_batch(folder_ / "batch.npz");
  context.dropped_paths = {(folder_ / "batch.npz").string()};
  settle();
  window.click("Item slider");
  settle();
  context.dropped_paths = {folder_.file("broken.npz", "PK").string()};
  window.frame();
  Document edited = document();
  edited.style.gamma = 2;  // so that opening is not the last step, and only the model goes back
  session.apply(edited, false, false);
  settle();
  EXPECT_FALSE(view.notes.banner.empty());
  EXPECT_EQ(document().query.model.name, (folder_ / "batch.npz").string());
  EXPECT_EQ(document().query.item, 1);
}

TEST_F(DumpWindow, AFirstAxisWithoutANameIsReadAsThePersonSays) {
  const std::vector<float> maps = {1, 0, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F};
  write_npy(folder_ / "four.npy", {"", {2, 1, 2, 2}, maps});
  context.dropped_paths = {(folder_ / "four.npy").string()};
  settle();
  EXPECT_EQ(snapshot()->layers(), 2);
  EXPECT_FALSE(window.has("Item slider"));
  window.click("First axis texts");
  settle();
  EXPECT_EQ(snapshot()->layers(), 1);
  EXPECT_EQ(document().query.item, 0);
  EXPECT_TRUE(window.has("Item slider"));
  window.click("First axis layers");
  settle();
  EXPECT_EQ(snapshot()->layers(), 2);
  EXPECT_EQ(session.history().undo_label(), "first axis: layers");
}

TEST_F(DumpWindow, NothingIsAskedOfAFileWhoseAxesAreNamed) {
  EXPECT_FALSE(window.has("First axis texts"));
  EXPECT_FALSE(window.has("Item slider"));
}

TEST_F(DumpWindow, AMaskOfCellsGivesWayToAPresetAndIsNoTextItself) {
  const std::vector<float> maps = {0.5F, 0.5F, 0.5F, 0.5F}, mask = {1, 1, 1, 1};
  write_npz(folder_ / "cells.npz", std::vector<TensorToWrite>{{"attention.0", {1, 2, 2}, maps}, {"mask", {2, 2}, mask}}, {});
  for (const std::string preset : {"causal", "none"}) {
    context.dropped_paths = {(folder_ / "cells.npz").string()};
    settle();
    EXPECT_TRUE(view.rails.mask_entry.text.empty()) << view.rails.mask_entry.text;
    window.click("Mask " + preset);
    settle();
    ASSERT_EQ(document().query.mask.rules.size(), 1U) << preset;
    EXPECT_EQ(document().query.mask.rules[0].text, preset);
    EXPECT_FALSE(session.worker().status().error);
    window.key("ctrl+z");
    settle();
  }
}

TEST_F(DumpWindow, TheModelBeforeCanBeHadBack) {
  window.key("ctrl+z");
  settle();
  EXPECT_FALSE(snapshot()->is_dump());
  EXPECT_TRUE(window.has("Sentence"));
}

TEST_F(DumpWindow, WhatIsAssumedIsSaidInTheTitlesOfMeasuresAndFlow) {
  constexpr const char* kAssumed = "tokens only numbered · causal mask assumed";
  const std::vector<float> maps = {1, 0, 0.5F, 0.5F};
  write_npz(folder_ / "causal.npz", std::vector<TensorToWrite>{{"attention.0", {1, 2, 2}, maps}}, {});
  context.dropped_paths = {(folder_ / "causal.npz").string()};
  settle();
  EXPECT_EQ(badge_of(*snapshot(), document().style, {0, 0}), kAssumed);
  std::string painted;  // words of the last scene
  window.painter.watch([&](const Scene& scene, std::string_view) {
    painted.clear();
    for (const SceneItem& item : scene.items) {
      if (const auto* text = std::get_if<SceneText>(&item)) painted += text->text;
    }
  });
  for (const View which : {View::measures, View::flow}) {
    painted.clear();
    show(which);
    EXPECT_THAT(drawn_words() + painted, HasSubstr(kAssumed)) << painted;
  }
  EXPECT_THAT(notes_of_numbers(*snapshot()), HasSubstr(kAssumed));
  EXPECT_THAT(notes_of_derived(*snapshot(), document().style, snapshot()->all_heads()), HasSubstr(kAssumed));
}

TEST_F(DumpWindow, WhatIsAssumedOfOtherLayersIsNotSaidOfAHeadAFlowOrAComparison) {
  const std::vector<float> causal = {1, 0, 0.5F, 0.5F}, open = {0.5F, 0.5F, 0.5F, 0.5F};
  write_npz(
      folder_ / "mixed.npz",
      std::vector<TensorToWrite>{{"attention.0", {1, 2, 2}, causal}, {"attention.1", {1, 2, 2}, open}, {"attention.2", {1, 2, 2}, causal}},
      {{"tokens", R"(["a", "b"])"}});
  context.dropped_paths = {(folder_ / "mixed.npz").string()};
  settle();
  const Snapshot& run = *snapshot();
  constexpr const char* kUnknown = "mask not known: every key counts";
  EXPECT_EQ(assumptions_of(run), std::string("causal mask assumed in 2 layers · ") + kUnknown + " in 1 layer");
  const auto of_layers = [&](std::initializer_list<int> layers) {
    std::vector<HeadId> heads;
    for (const int layer : layers) heads.push_back({layer, 0});
    return assumptions_of(run, heads);
  };
  EXPECT_EQ(of_layers({0}), "causal mask assumed");
  EXPECT_EQ(of_layers({1}), kUnknown);
  EXPECT_EQ(of_layers({0, 2}), "causal mask assumed");
  EXPECT_EQ(of_layers({0, 1}), std::string("causal mask assumed in 1 layer · ") + kUnknown + " in 1 layer");
  EXPECT_THAT(notes_of_derived(run, document().style, run.heads_of_layer(1)), Not(HasSubstr("assumed")));
  const std::vector<ComparedHead> compared{{.head = {0, 0}}, {.head = {1, 0}}}, alike{{.head = {1, 0}}, {.head = {1, 0}}};
  EXPECT_EQ(badge_of(run, document().style, compared, false), std::string("A causal mask assumed, B ") + kUnknown);
  EXPECT_EQ(badge_of(run, document().style, alike, false), kUnknown);
}

}  // namespace
}  // namespace headlight
