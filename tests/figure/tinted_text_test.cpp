// A text whose words are tinted by weights: its lines, and the words under the pointer.
#include "engine/figure/links/tinted_text.h"

#include <gtest/gtest.h>

#include "tests/figure/figure_testing.h"

namespace headlight::testing {
namespace {

TEST(TintedTextOfLinks, WordsFlowIntoLinesAndArePointedAt) {
  const auto snapshot = sandbox_snapshot("the cat sat on the mat and looked at the dog that ran away", 1, 1);
  std::vector<TokenLabel> labels;
  for (const Token& token : snapshot->encoding->tokens) labels.push_back(snapshot->label(token));
  TextValues values;
  values.values.assign(labels.size(), 0);
  values.values[2] = 1;
  const WordsInLines words = words_in_lines(*snapshot->encoding, labels, 200, plain_measure());
  const TintedText text = make_tinted_text(words, {.values = &values});
  ASSERT_EQ(text.boxes.size(), labels.size());
  EXPECT_GT(text.height, 90);
  for (std::size_t token = 0; token < text.boxes.size(); ++token) {
    const Box& box = text.boxes[token];
    EXPECT_LE(box.right(), 203);
    EXPECT_EQ(text.token_at({box.x + box.width / 2, box.y + 3}), static_cast<Index>(token));
  }
  const auto grounds = items_of<SceneBox>(text.scene);
  ASSERT_EQ(grounds.size(), 1U) << "only the word that has a value is tinted";
  EXPECT_EQ(grounds.front().box, text.boxes[2]);
}

TEST(TintedTextOfLinks, OnlyWhatIsInSightIsDrawnButAllCanBePointedAt) {
  const auto snapshot = sandbox_snapshot("the cat sat on the mat and looked at the dog that ran away", 1, 1);
  std::vector<TokenLabel> labels;
  for (const Token& token : snapshot->encoding->tokens) labels.push_back(snapshot->label(token));
  const WordsInLines words = words_in_lines(*snapshot->encoding, labels, 200, plain_measure());
  const TintedText all = make_tinted_text(words, {});
  const float top = all.boxes[0].y, bottom = all.boxes[0].bottom();
  const auto of_first_line =
      static_cast<std::size_t>(std::count_if(all.boxes.begin(), all.boxes.end(), [&](const Box& box) { return box.y == top; }));
  ASSERT_LT(of_first_line, labels.size());
  const TintedText seen = make_tinted_text(words, {.seen_top = top, .seen_bottom = bottom});
  EXPECT_EQ(items_of<SceneText>(seen.scene).size(), of_first_line);
  EXPECT_EQ(items_of<SceneText>(all.scene).size(), labels.size());
  EXPECT_EQ(seen.boxes, all.boxes);
  EXPECT_EQ(seen.height, all.height);
}

TEST(TintedTextOfLinks, HebrewIsReadFromTheRightAndWhatIsLatinInItFromTheLeft) {
  const auto snapshot = sandbox_snapshot("החתול ישב the mat על השטיח", 1, 1);
  std::vector<TokenLabel> labels;
  for (const Token& token : snapshot->encoding->tokens) labels.push_back(snapshot->label(token));
  ASSERT_EQ(labels.size(), 6U);
  const auto drawn = [&](float width) {
    return make_tinted_text(words_in_lines(*snapshot->encoding, labels, width, plain_measure()), {.at = {10, 0}});
  };
  const TintedText text = drawn(600);
  const auto& boxes = text.boxes;
  EXPECT_NEAR(boxes[0].right(), 610, 2) << "begins at the right edge";
  EXPECT_LT(boxes[1].right(), boxes[0].x);
  EXPECT_LT(boxes[3].right(), boxes[1].x);
  EXPECT_LT(boxes[2].right(), boxes[3].x) << "the, then mat";
  EXPECT_LT(boxes[4].right(), boxes[2].x);
  EXPECT_LT(boxes[5].right(), boxes[4].x);
  EXPECT_GT(boxes[1].x - boxes[3].right(), 0) << "with a blank where the direction changes";
  const TintedText narrow = drawn(130);
  EXPECT_GT(narrow.boxes[5].y, narrow.boxes[0].y);
  for (const Box& box : narrow.boxes) EXPECT_LE(box.right(), 142);
}

}  // namespace
}  // namespace headlight::testing
