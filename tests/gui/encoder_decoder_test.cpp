// The window on a model with an encoder and a decoder: maps that are not square, and two texts.
#include <algorithm>

#include "app/document/wording.h"
#include "app/gui/panel/focus.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

/// 6 tokens for the encoder, 4 for the decoder; layers 0, 1 encoder, 2, 4 decoder, 3, 5 cross.
class EncoderDecoderWindow : public testing::FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    change([](Document& next) {
      next.query.model.sandbox = {.layers = 2, .d_model = 32, .heads = 4, .kind = SandboxKind::encoder_decoder};
      next.query.text = "The cat sat on the mat";
      next.query.decoder_text = "Die Katze sass da";
    });
  }
  void change(const auto& edit) {
    Document next = document();
    edit(next);
    session.apply(next, false, false);
    settle();
  }
  void look_at(HeadId head) {
    view.head = head;
    show(View::head);
  }
  CellWindow window_of(const std::string& label) {
    for (const DrawnItem& item : window.items.items()) {
      if (item.label == label) return item.cells;
    }
    ADD_FAILURE() << label;
    return {};
  }
};

TEST_F(EncoderDecoderWindow, TheOverviewHoldsMapsOfAllThreeKinds) {
  EXPECT_EQ(window_of("head 0.0"), (CellWindow{0, 6, 0, 6}));
  EXPECT_EQ(window_of("head 2.3"), (CellWindow{0, 4, 0, 4}));
  EXPECT_EQ(window_of("head 5.1"), (CellWindow{0, 4, 0, 6}));
}

TEST_F(EncoderDecoderWindow, TheHeadViewReachesEveryCellOfACrossMapAndNoneBeyond) {
  look_at({3, 1});
  EXPECT_EQ(window_of("map"), (CellWindow{0, 4, 0, 6}));
  window.hover(window.cell_of("map", {3, 5}));
  EXPECT_EQ(view.pointed.cell, (Cell{3, 5}));
  EXPECT_EQ(head_title(*snapshot(), view.head), "Cross 0 · Head 1");
  EXPECT_EQ(short_name(*snapshot(), view.head), "cross.0.1") << "as the command line takes it";
}

TEST_F(EncoderDecoderWindow, TheLegendOfLinksNamesHeadsByTheirStack) {
  window.items.watch_texts();
  view.head = {3, 1};
  show(View::links);
  const auto& texts = window.items.texts();
  const auto is_written = [&](std::string_view name) {
    return std::any_of(texts.begin(), texts.end(), [&](const DrawnText& text) { return text.text == name; });
  };
  EXPECT_TRUE(is_written("cross.0.1"));
  EXPECT_FALSE(is_written("3.1"));
}

TEST_F(EncoderDecoderWindow, ARowThatIsKeptIsOneOfTheDecodersText) {
  look_at({3, 1});
  window.click(window.cell_of("map", {2, 5}));
  EXPECT_EQ(view.pinned_query, (TokenPlace{Side::decoder, 2}));
  EXPECT_TRUE(window.has("Release pin"));
  look_at({2, 1});
  EXPECT_TRUE(window.has("Release pin")) << "the decoder's own attention has the same queries";
  look_at({0, 1});
  EXPECT_FALSE(window.has("Release pin")) << "the encoder has others";
  look_at({5, 0});
  EXPECT_TRUE(window.has("Release pin"));
}

TEST_F(EncoderDecoderWindow, TheStripShowsTheQueriesTextAndTheKeysWhereItIsAnotherOne) {
  look_at({3, 1});
  EXPECT_TRUE(window.has("token 3"));
  EXPECT_FALSE(window.has("token 4"));
  EXPECT_TRUE(window.has("key token 5"));
  look_at({2, 1});
  EXPECT_TRUE(window.has("token 3"));
  EXPECT_FALSE(window.has("token 4"));
  EXPECT_FALSE(window.has("key token 0"));
  look_at({0, 1});
  EXPECT_TRUE(window.has("token 5"));
  EXPECT_FALSE(window.has("key token 0"));
}

TEST_F(EncoderDecoderWindow, ATokenUnderThePointerMarksTheAxisItStandsOn) {
  look_at({3, 1});
  window.hover("key token 5");
  EXPECT_EQ(view.pointed.token, (TokenPlace{Side::text, 5}));
  Document draft = document();
  const Look look{palette(Theme::dark), window.fonts, 1};
  const Panel panel{context, snapshot(), session.worker().status(), draft, view, caches, look, all_views()};
  EXPECT_EQ(crosshair_of(panel, 3), (Cell{kNoToken, 5}));
  EXPECT_EQ(crosshair_of(panel, 0), (Cell{5, 5}));
  window.click("key token 5");
  EXPECT_FALSE(view.pinned_query.has_value()) << "a key is no row";
  window.click("token 1");
  EXPECT_EQ(view.pinned_query, (TokenPlace{Side::decoder, 1}));
}

TEST_F(EncoderDecoderWindow, TheBrushPaintsInsideACrossMap) {
  look_at({3, 1});
  view.painting.brush = Brush::cell;
  view.painting.scope = Scope::Kind::layer;
  const ImVec2 last = window.cell_of("map", {3, 5});
  window.drag(window.cell_of("map", {0, 5}), {last.x + 400, last.y + 400});
  settle();
  ASSERT_EQ(document().query.mask.rules.size(), 1U);
  for (const CellBlock& block : document().query.mask.rules[0].strokes) {
    EXPECT_LE(block.query_end, 4);
    EXPECT_LE(block.key_end, 6);
  }
  EXPECT_FALSE(snapshot()->trace.layers[3]->mask(0).allows(3, 5));
  EXPECT_TRUE(snapshot()->trace.layers[5]->mask(0).allows(3, 5));
}

TEST_F(EncoderDecoderWindow, APresetStaysInTheStackThatIsLookedAt) {
  look_at({3, 1});
  window.click("Mask window");
  settle();
  EXPECT_EQ(document().query.mask, (MaskEdits{{{{Scope::Kind::stack, {}, Stack::cross}, "window:4", {}}}}));
  EXPECT_FALSE(snapshot()->trace.layers[5]->mask(0).allows(0, 5));
  EXPECT_TRUE(snapshot()->trace.layers[0]->mask(0).allows(0, 5)) << "the encoder keeps its own mask";
  EXPECT_FALSE(snapshot()->trace.layers[2]->mask(0).allows(0, 1)) << "the decoder stays causal";
  look_at({2, 1});
  window.click("Mask no self");
  settle();
  EXPECT_EQ(document().query.mask.rules.back(), (MaskRule{{Scope::Kind::stack, {}, Stack::decoder}, "causal + no-self", {}}));
  window.click("Mask no self");
  EXPECT_EQ(document().query.mask.rules.size(), 1U) << "the decoder's own mask is no edit";
}

TEST_F(EncoderDecoderWindow, AppliesToNamesTheStackAndEveryStackIsAChoiceOfItsOwn) {
  look_at({3, 1});
  window.click("Applies to");
  EXPECT_TRUE(window.has("all cross heads"));
  EXPECT_FALSE(window.has("all heads"));
  window.click("every stack");
  window.click("Mask no self");
  EXPECT_EQ(document().query.mask, (MaskEdits{{{{}, "no-self", {}}}}));
  settle();  // the map is drawn anew
  window.click("Brush cell");
  window.click(window.cell_of("map", {1, 5}));
  settle();
  ASSERT_EQ(document().query.mask.rules.size(), 2U);
  EXPECT_EQ(document().query.mask.rules[1].scope, (Scope{Scope::Kind::stack, {}, Stack::cross})) << "strokes count the tokens of one map";
  EXPECT_TRUE(snapshot()->trace.layers[0]->mask(0).allows(1, 5));
  EXPECT_FALSE(snapshot()->trace.layers[5]->mask(0).allows(1, 5));
}

TEST_F(EncoderDecoderWindow, AnImportedMaskStaysInItsStack) {
  look_at({3, 1});
  view.painting.scope = Scope::Kind::all;
  const testing::TemporaryFolder folder;
  window.click("Mask file…");
  EXPECT_FALSE(window.has("Mask scope every stack"));
  window.click("Mask path");
  window.type(folder.file("cross.txt", "000001\n000001\n000001\n000001\n").string());
  window.click("Read mask");
  settle();
  settle();
  ASSERT_EQ(document().query.mask.rules.size(), 1U);
  EXPECT_EQ(document().query.mask.rules[0].scope, (Scope{Scope::Kind::stack, {}, Stack::cross}));
  EXPECT_EQ(snapshot()->trace.layers[3]->mask(0).allowed_in_row(0), 1);
  EXPECT_EQ(snapshot()->trace.layers[0]->mask(0).allowed_in_row(0), 6);
}

TEST_F(EncoderDecoderWindow, ADecoderThatLooksAheadIsSaidToDoSo) {
  look_at({3, 1});
  window.click("Mask window");
  settle();
  EXPECT_FALSE(window.has("Sight ahead")) << "the decoder's own attention is as it was";
  window.click("Applies to");
  window.click("every stack");
  window.click("Mask no self");
  settle();
  EXPECT_TRUE(window.has("Sight ahead"));
}

TEST_F(EncoderDecoderWindow, TheSecondBoxIsWhatTheDecoderReads) {
  EXPECT_TRUE(window.has("Decoder reads"));
  EXPECT_FALSE(window.has("Second sentence"));
  window.click("Decoder reads");
  window.key("ctrl+a");
  window.type("Ein Hund");
  settle();
  EXPECT_EQ(document().query.decoder_text, "Ein Hund");
  EXPECT_FALSE(document().query.text_pair.has_value());
  EXPECT_EQ(snapshot()->queries(3), 2);
  window.key("ctrl+a");
  window.key("delete");
  settle();
  EXPECT_FALSE(document().query.decoder_text.has_value());
  EXPECT_EQ(snapshot()->queries(3), 6) << "the sentence itself";
  change([](Document& next) { next.query.model.sandbox.kind = SandboxKind::causal; });
  window.frame();
  EXPECT_TRUE(window.has("Second sentence"));
}

TEST_F(EncoderDecoderWindow, ComparedMapsOfDifferentSizesHaveNoDifference) {
  change([](Document& next) { next.pins = {{{3, 0}}, {{0, 0}}, {{5, 0}}}; });
  view.compare.left = 0;
  view.compare.right = 1;
  view.compare.has_chosen_pair = true;
  show(View::compare);
  EXPECT_TRUE(window.has("card A"));
  EXPECT_TRUE(window.has("card B"));
  EXPECT_FALSE(window.has("card A − B"));
  view.compare.has_chosen_pair = false;
  settle();
  EXPECT_TRUE(window.has("card A − C")) << "the first two of one size";
  window.hover(window.cell_of("card A − C", {3, 5}));
  EXPECT_EQ(view.pointed.cell, (Cell{3, 5}));
}

TEST_F(EncoderDecoderWindow, TheCrosshairCrossesToCardsWithTheSameTexts) {
  change([](Document& next) { next.pins = {{{3, 0}}, {{0, 0}}, {{2, 0}}}; });
  show(View::compare);
  window.hover(window.cell_of("card A", {1, 4}));
  Document draft = document();
  const Look look{palette(Theme::dark), window.fonts, 1};
  const Panel panel{context, snapshot(), session.worker().status(), draft, view, caches, look, all_views()};
  EXPECT_EQ(crosshair_of(panel, 5), (Cell{1, 4}));
  EXPECT_EQ(crosshair_of(panel, 0), (Cell{kNoToken, 4}));
  EXPECT_EQ(crosshair_of(panel, 2), (Cell{1, kNoToken}));
}

TEST_F(EncoderDecoderWindow, EveryViewStandsATextThatIsTakenAway) {
  for (const View which : {View::overview, View::head, View::compare}) {
    view.head = {5, 2};
    change([](Document& next) { next.pins = {{{3, 0}}, {{0, 0}}}; });
    show(which);
    window.click("token 3");
    change([](Document& next) { next.query.decoder_text = "Die"; });
    EXPECT_EQ(snapshot()->queries(5), 1);
    change([](Document& next) { next.query.decoder_text = ""; });
    EXPECT_TRUE(snapshot()->is_empty());
    change([](Document& next) { next.query.decoder_text = "Die Katze sass da"; });
    EXPECT_TRUE(window.has("token 3"));
  }
}

}  // namespace
}  // namespace headlight
