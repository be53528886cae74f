#include "app/gui/panel/explained_here.h"
#include "app/gui/panel/focus.h"
#include "engine/attention/score.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

/// One query that looks at three of four keys: 0.996 + 0.0039 + 1e-4, and 0 of the last, which is masked.
HeadMaps sharp_maps() {
  HeadMaps maps;
  Mask mask(1, 4, true);
  mask.set(0, 3, false);
  maps.mask = std::make_shared<const Mask>(mask);
  maps.weights = Matrix(1, 4);
  maps.weights << 0.0039F, 0.996F, 0.0001F, 0;
  maps.is_row_masked = {false};
  return maps;
}

using InWords = testing::FrameTest;

TEST_F(InWords, SpeakOfTheCellUnderThePointer) {
  show(View::head);
  for (const Cell cell : {Cell{5, 1}, Cell{5, 4}, Cell{7, 0}}) {
    window.hover(window.cell_of("map", cell));
    settle();
    EXPECT_TRUE(window.has("Cell " + std::to_string(cell.query) + "," + std::to_string(cell.key) + " in words"));
  }
}

TEST_F(InWords, SpeakOfTheLargestCellOfAKeptRow) {
  show(View::head);
  view.pinned_query = TokenPlace{Side::text, 5};
  window.hover(ImVec2{2, 2});
  settle();
  const auto maps = session.worker().maps(snapshot(), view.head);
  Index largest = 0;
  maps->weights.row(5).maxCoeff(&largest);
  EXPECT_TRUE(window.has("Cell 5," + std::to_string(largest) + " in words"));
}

// Seeds S3-5.
TEST(Received, IsTheSumOfAColumnOverTheQueriesThatMaySeeTheKey) {
  HeadMaps maps = sharp_maps();
  Mask mask(2, 4, true);
  mask.set(0, 3, false);
  maps.mask = std::make_shared<const Mask>(mask);
  maps.weights = Matrix(2, 4);
  maps.weights << 0.25F, 0.5F, 0.25F, 0, 0.5F, 0.125F, 0.125F, 0.25F;
  EXPECT_EQ(received_by(maps, 0).sum, 0.75);
  EXPECT_EQ(received_by(maps, 0).queries, 2);
  EXPECT_EQ(received_by(maps, 3).sum, 0.25);
  EXPECT_EQ(received_by(maps, 3).queries, 1);
  maps.mask = nullptr;
  EXPECT_EQ(received_by(maps, 3).queries, 2) << "maps of a file";
}

TEST(Received, OfAllKeysTogetherIsOneForEachQuery) {
  Matrix q = Matrix::Random(6, 4), k = Matrix::Random(5, 4);
  HeadRule rule;
  rule.mask = std::make_shared<const Mask>(6, 5, true);
  const HeadMaps maps = compute_maps(q, k, rule);
  double all = 0;
  for (Index key = 0; key < 5; ++key) all += received_by(maps, key).sum;
  EXPECT_NEAR(all, 6, 1e-5);
}

TEST_F(InWords, SpeakOfTheHeadWhereNothingIsPointedAt) {
  show(View::head);
  window.hover(ImVec2{2, 2});
  settle();
  EXPECT_TRUE(window.has("Head in words"));
}

TEST_F(InWords, HaveTheColoursOfTheAxes) {
  const Palette& colours = palette(Theme::dark);
  const Explanation said{{Wording::Kind::query, "q"}, {Wording::Kind::key, "k"}, {Wording::Kind::plain, "p"}};
  const std::vector<Span> spans = spans_of(colours, said, colours.text);
  ASSERT_EQ(spans.size(), 3U);
  EXPECT_EQ(spans[0].colour, colours.query);
  EXPECT_EQ(spans[1].colour, colours.key);
  EXPECT_EQ(spans[2].colour, colours.text);
}

TEST_F(InWords, AreCopied) {
  show(View::head);
  view.pinned_query = TokenPlace{Side::text, 5};
  window.hover(ImVec2{2, 2});
  settle();
  window.click("Copy words");
  const HeadMaps& maps = *session.worker().maps(snapshot(), view.head);
  const Index largest = largest_keys(maps, 5, 1).front();
  const AxisLabels names = axis_labels(*snapshot(), *snapshot()->encoding);
  EXPECT_EQ(std::string(ImGui::GetClipboardText()),
            text_of(explain_cell(headlight::explained_head(*snapshot(), view.head, maps, names, names), {5, largest})));
}

TEST_F(InWords, SayWhatACellWasBeforeTheEdits) {
  show(View::head);
  Document edited = document();
  edited.query.mask.rules = {{.scope = {}, .text = "causal + no-self", .strokes = {}}};
  session.apply(edited, false, false);
  settle();
  view.pinned_query = TokenPlace{Side::text, 5};
  window.hover(ImVec2{2, 2});
  settle();
  window.click("Copy words");
  EXPECT_NE(std::string(ImGui::GetClipboardText()).find("\nBefore the edits “"), std::string::npos) << ImGui::GetClipboardText();
}

TEST_F(InWords, SayWhatAllEditsChanged) {
  show(View::head);
  EXPECT_FALSE(window.has("Edits in words"));
  Document edited = document();
  edited.query.mask.rules = {{.scope = {}, .text = "causal + no-self", .strokes = {}}};
  session.apply(edited, false, false);
  settle();
  view.rails.wanted_section = "Edits";
  window.frame(3);
  EXPECT_TRUE(window.has("Edits in words"));
}

TEST_F(InWords, SayWhatEditsDoToTheTargetThatIsWatched) {
  window.items.watch_texts();
  Document edited = document();
  edited.query.model.name = "story-gpt";
  edited.query.text = "The cat that the boys help is hungry.";
  edited.target = parse_target("logit:is-are@6");
  session.apply(edited, false, false);
  settle();
  edited.query.switched_off = {{2, 5}};
  session.apply(edited, false, false);
  settle();
  view.rails.wanted_section = "Edits";
  window.frame(3);
  std::string words;
  for (const DrawnText& text : window.items.texts()) words += text.text + " ";
  EXPECT_NE(words.find("6.227"), std::string::npos) << "before: " << words;
  EXPECT_NE(words.find("6.146"), std::string::npos) << "now";
}

TEST_F(InWords, AreShownByTheirCommandAtWhatIsPointedAt) {
  show(View::head);
  window.hover(window.cell_of("map", {5, 1}));
  window.key("ctrl+i");
  ASSERT_TRUE(window.has("Explained"));
  window.click("Copy");
  const HeadMaps& maps = *session.worker().maps(snapshot(), view.head);
  EXPECT_NE(std::string(ImGui::GetClipboardText()).find(percent_text(static_cast<double>(maps.weights(5, 1)))), std::string::npos);
  window.key("escape");
  EXPECT_FALSE(window.has("Explained"));
}

TEST_F(InWords, StandBesideWhatTheKeyReceivesFromAllQueries) {
  show(View::head);
  window.hover(window.cell_of("map", {5, 1}));
  settle();
  EXPECT_TRUE(window.has("Column sum of 1"));
  EXPECT_NE(drawn_words().find(" of at most "), std::string::npos) << "and it says what it could receive";
}

}  // namespace
}  // namespace headlight
