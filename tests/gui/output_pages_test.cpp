// Output: a word becomes the target by a click, every view says what edits do to it, and pages take it apart.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "app/gui/panel/saved_view.h"
#include "app/gui/watching/target_here.h"
#include "engine/studies/importance/patch_report.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

class OutputPages : public testing::FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    open_gpt2();
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
  void choose_sweep(const std::string& label) {
    press("Sweep");
    press(label);
  }
  testing::TemporaryFolder folder;
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

TEST_F(OutputPages, ATypedTargetIsOneStepAndIsWatchedOnEnter) {
  const std::size_t steps = session.history().labels().size();
  window.click("Typed target");
  window.type("logit:#4-#7@2");  // in the place of "loss"
  EXPECT_EQ(document().target, Target{}) << "not while it is typed";
  window.key("enter");
  settle();
  EXPECT_EQ(to_text(document().target), "logit:#4-#7@2");
  EXPECT_EQ(session.history().labels().size(), steps + 1);
  session.undo();
  settle();
  EXPECT_EQ(document().target, Target{});
  EXPECT_EQ(view.output.typed_target.text, "loss");
}

TEST_F(OutputPages, ATypedTargetThatCannotBeReadStaysUntilItIsMendedOrGivenUp) {
  const auto type = [&](const std::string& text) {
    window.click("Typed target");
    window.key("ctrl+a");
    window.type(text);
  };
  type("logit:#4@");
  window.click("Watch loss");  // elsewhere: it leaves the box
  settle();
  EXPECT_EQ(view.output.typed_target.text, "logit:#4@");
  EXPECT_TRUE(window.has("Typed target problem"));
  EXPECT_EQ(document().target, Target{});
  window.click("Typed target");
  window.key("escape");
  EXPECT_EQ(view.output.typed_target.text, "loss");
  EXPECT_FALSE(window.has("Typed target problem"));
  type("logit:#4@");
  window.key("enter");
  EXPECT_TRUE(window.has("Typed target problem"));
  type("logit:#4@1");
  window.key("enter");
  settle();
  EXPECT_EQ(to_text(document().target), "logit:#4@1");
  EXPECT_FALSE(window.has("Typed target problem"));
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
  choose_sweep("gate gradient");
  EXPECT_EQ(view.output.sweep, SweepKind::gate);
  EXPECT_TRUE(window.has("Effect 1.1"));
}

TEST_F(OutputPages, TheSweepOrdersTheOverviewAndFollowsTheText) {
  press("Output Heads");
  choose_sweep("even map");
  press("Order the Overview");
  EXPECT_EQ(view.view, View::overview);
  EXPECT_EQ(view.overview.arrangement.tint, "effect:uniform");
  const auto numbers = [&] {
    std::vector<double> values;
    for (const auto& column : session.columns().group("effects")) {
      if (column->id != "effect:uniform") continue;
      for (const HeadId head : snapshot()->all_heads()) values.push_back(column->values.of(head));
    }
    return values;
  };
  const std::vector<double> before = numbers();
  ASSERT_FALSE(before.empty());
  change([](Query& query) { query.text = "a dog ran"; });
  settle();
  EXPECT_EQ(numbers().size(), before.size()) << "asked for anew, since the Overview is ordered by it";
  EXPECT_NE(numbers(), before);
  show(View::measures);
  EXPECT_FALSE(numbers().empty()) << "a column of the table as well";
}

TEST_F(OutputPages, MethodsStandSideBySideWithTheirAgreement) {
  press("Output Heads");
  press("Beside side by side");
  EXPECT_TRUE(window.has("By off"));
  EXPECT_TRUE(window.has("By gate gradient"));
  EXPECT_TRUE(draws("Side by side "));
  view.output.texts.file = folder.file("texts.txt", "a cat sat on the mat\nthe dog ran\n");
  settle();
  EXPECT_TRUE(window.has("By mean over texts"));
  EXPECT_TRUE(window.has("By resampled"));
  press("By mean over texts");
  EXPECT_EQ(view.output.sweep, SweepKind::mean);
}

TEST_F(OutputPages, ThePruningCurveIsDrawnTwice) {
  press("Output Heads");
  press("Beside pruning");
  EXPECT_TRUE(window.has("One-shot step 1"));
  EXPECT_TRUE(window.has("Exact step 1"));
}

TEST_F(OutputPages, APatchNeedsAnotherTextAndGivesLayersAndPositions) {
  press("Output Heads");
  choose_sweep("stream, layer × position");
  EXPECT_TRUE(window.has("Other text"));
  EXPECT_FALSE(draws("Patch "));
  view.output.other_text = "the";
  settle();
  EXPECT_FALSE(draws("Patch ")) << "it has another number of tokens, which is said";
  view.output.other_text = "the cross did not animal";
  settle();
  EXPECT_TRUE(window.has("Patch 0 at 0"));
  EXPECT_TRUE(window.has("Patch 1 at " + std::to_string(last())));
}

TEST_F(OutputPages, PatchesAreSavedWithTheNumbersThatWereFound) {
  press("Output Heads");
  view.output.other_text = "the cross did not animal";
  for (const SweepKind kind : {SweepKind::stream, SweepKind::z}) {
    view.output.sweep = kind;
    settle();
    press("Save as …");
    ASSERT_TRUE(view.output.patches_to_save);
    const PatchSweep patches = *patches_of(*view.output.patches_to_save, kind);
    dialogs.patch_saving.listing.folder = folder.path();
    dialogs.patch_saving.path = std::string(row_of(kind).name);
    press("Save");
    EXPECT_FALSE(view.output.patches_to_save);
    EXPECT_EQ(testing::bytes_of(folder / (std::string(row_of(kind).name) + ".csv")), patch_csv(patches)) << "without an ending it is .csv";
    EXPECT_EQ(std::ssize(patches.values), snapshot()->layers() * (kind == SweepKind::stream ? last() + 1 : snapshot()->heads()));
  }
}

TEST_F(OutputPages, XSwitchesTheHeadUnderThePointerOffAndOnAgain) {
  press("Output Heads");
  window.feed.move(window.centre_of("Effect 1.1"));
  window.play();
  window.frame(2);
  window.key("x");
  settle();
  EXPECT_EQ(document().query.switched_off, (std::vector<HeadId>{{1, 1}}));
  window.key("x");
  settle();
  EXPECT_TRUE(document().query.switched_off.empty());
}

TEST_F(OutputPages, AFileOfTextsGivesMeansInPlaceOfOneText) {
  press("Output Heads");
  press("Over a file of texts");
  EXPECT_FALSE(draws("Effect "));
  press("Choose a file of texts …");
  ASSERT_TRUE(view.dialogs.corpus);
  EXPECT_EQ(dialogs.corpus.finds, CorpusChoice::Finds::effects);
  dialogs.corpus.path = folder.file("texts.txt", "a cat sat on the mat\nthe dog ran\nthe king saw the man\n").string();
  window.frame(2);
  window.click("Method gate");
  window.click("Change each head");
  settle();
  EXPECT_EQ(view.view, View::output);
  ASSERT_EQ(session.corpora().state(), CorpusState::finished) << session.corpora().shown()->problem;
  const StoredStudy& stored = *session.corpora().shown()->stored;
  EXPECT_EQ(stored.manifest.measures, (std::vector<std::string>{"zero", "gate"}));
  EXPECT_EQ(stored.study.texts(), 3);
  EXPECT_TRUE(window.has("Effect 1.1"));
  window.items.watch_texts();
  window.frame(2);
  const auto& texts = window.items.texts();
  const auto says = [&](const char* words) {
    return std::any_of(texts.begin(), texts.end(), [&](const DrawnText& text) { return text.text.find(words) != std::string::npos; });
  };
  EXPECT_TRUE(says(" ± ")) << "the inspector's numbers are those of the page";
  EXPECT_FALSE(says("target would be")) << "and not those of this text";
  press("Order the Overview");
  EXPECT_EQ(view.overview.arrangement.tint, "zero");
  EXPECT_EQ(view.measures.source, "corpus");
  session.corpora().close();
  show(View::output);
  EXPECT_FALSE(says(" ± ")) << "a study that was closed is gone from the inspector too";
}

TEST_F(OutputPages, OneTextsSweepIsSavedAsAStudy) {
  press("Output Heads");
  press("Save as …");
  ASSERT_TRUE(view.dialogs.corpus_save);
  dialogs.corpus_saving.path = (folder / "one.csv").string();
  window.click("Save");
  settle();
  const std::string csv = testing::bytes_of(folder / "one.csv");
  EXPECT_TRUE(csv.starts_with("layer,head,n,zero")) << csv.substr(0, 80);
  EXPECT_EQ(session.corpora().state(), CorpusState::none) << "what is shown stays";
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
  choose_sweep("gate gradient");
  const ViewState next = view_from_json(to_json(view, all_views()), all_views());
  EXPECT_EQ(next.output.page, OutputPage::Page::heads);
  EXPECT_EQ(next.output.sweep, SweepKind::gate);
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
