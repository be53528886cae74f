#include "app/gui/panel/cell_words.h"

#include "app/gui/panel/cell_steps.h"
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

std::string said_of(Index key) {
  TokenNames queries, keys;
  queries.axis = {"it"};
  keys.axis = {"The", "animal", "was", "tired"};
  std::string text;
  for (const Span& span : words_of_cell(palette(Theme::dark), sharp_maps(), {0, key}, queries, keys)) text += span.text;
  return text;
}

TEST(CellWords, RoundNoShareToAllOrNothing) {
  EXPECT_EQ(said_of(1), "“it” gives 99.6\u00A0% of this head’s attention to “animal”; next is “The” with 0.4\u00A0%.");
}

TEST(CellWords, AreAboutTheCellThatIsAskedAbout) {
  EXPECT_EQ(said_of(2), "“it” gives <\u00A00.1\u00A0% of this head’s attention to “was”; “animal” gets the most, 99.6\u00A0%.");
  EXPECT_EQ(said_of(3), "“it” may not look at “tired”: the mask forbids it; “animal” gets the most, 99.6\u00A0%.");
}

TEST(CellWords, DoNotStateAnAssumedMaskAsAFact) {
  TokenNames queries, keys;
  queries.axis = {"it"};
  keys.axis = {"The", "animal", "was", "tired"};
  std::string text;
  for (const Span& span : words_of_cell(palette(Theme::dark), sharp_maps(), {0, 3}, queries, keys, true)) text += span.text;
  EXPECT_EQ(text, "“it” gives no attention to “tired”: a causal mask is assumed; “animal” gets the most, 99.6\u00A0%.");
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

TEST_F(InWords, StandBesideWhatTheKeyReceivesFromAllQueries) {
  show(View::head);
  window.hover(window.cell_of("map", {5, 1}));
  settle();
  EXPECT_TRUE(window.has("Column sum of 1"));
}

}  // namespace
}  // namespace headlight
