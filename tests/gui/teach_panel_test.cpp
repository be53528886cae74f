#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

using TeachPanel = testing::FrameTest;

// Seeds S4-12: a painted wish, gradient steps, and a map that follows; every step of the way can be undone.
TEST_F(TeachPanel, APaintedWishIsTaughtAndTheMapFollows) {
  show(View::head);
  window.click("Paint a wish");
  window.drag(window.cell_of("map", {5, 2}), window.cell_of("map", {5, 2}));
  settle();
  EXPECT_EQ(document().wish, (PaintedWish{{0, 0}, {{5, 6, 2, 3, true}}}));
  EXPECT_TRUE(document().query.mask.rules.empty()) << "the brush paints the wish and not the mask";
  const float before = snapshot()->maps({0, 0}).weights(5, 2);
  window.click("20 steps");
  settle();
  EXPECT_EQ(document().query.model.sandbox.edits.size(), 2U);
  EXPECT_GT(snapshot()->maps({0, 0}).weights(5, 2), std::max(0.9F, before));
  EXPECT_EQ(view.banner, "");

  window.click("As drawn");
  settle();
  EXPECT_EQ(snapshot()->maps({0, 0}).weights(5, 2), before);
}

TEST_F(TeachPanel, AStrokeThatBeginsOnAWishedCellTakesWishesAway) {
  show(View::head);
  window.click("Paint a wish");
  window.drag(window.cell_of("map", {5, 2}), window.cell_of("map", {6, 2}));
  window.drag(window.cell_of("map", {6, 2}), window.cell_of("map", {6, 2}));
  settle();
  const Matrix wanted = wanted_map(document().wish, 12, 12);
  EXPECT_EQ(wanted.sum(), 1.0F);
  EXPECT_EQ(wanted(5, 2), 1.0F);
  session.undo();
  settle();
  EXPECT_EQ(wanted_map(document().wish, 12, 12).sum(), 2.0F) << "a stroke is one step";
}

TEST_F(TeachPanel, AWishThatTheMaskForbidsIsExplained) {
  show(View::head);
  window.click("Paint a wish");
  window.click(window.cell_of("map", {2, 9}));  // above the diagonal of a causal map
  settle();
  window.click("1 step");
  settle();
  EXPECT_NE(view.banner.find("mask allows"), std::string::npos) << view.banner;
  EXPECT_TRUE(document().query.model.sandbox.edits.empty());
}

// Seeds S0-2 and S4-12: an entry, or a whole row, set by hand.
TEST_F(TeachPanel, NumbersAreSetByHand) {
  const float before = snapshot()->model->parameters.layers[0].q.weight.to_matrix()(0, 0);
  window.click("Edit …");
  settle();
  window.click("New value");
  window.type("2.5");
  window.click("Set cell");
  settle();
  EXPECT_EQ(snapshot()->model->parameters.layers[0].q.weight.to_matrix()(0, 0), 2.5F);
  EXPECT_NE(before, 2.5F);
  window.click("New value");
  window.type("-1");
  window.click("Set row");
  settle();
  EXPECT_TRUE(snapshot()->model->parameters.layers[0].q.weight.to_matrix().row(0).isApproxToConstant(-1.0F));
  EXPECT_EQ(document().query.model.sandbox.edits.size(), 1U) << "the row replaces the cell";
}

}  // namespace
}  // namespace headlight
