#include <algorithm>

#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

using TrainingPanel = testing::FrameTest;

// Seeds S4-12: a drawn map, gradient steps, and a map that follows; every step of the way can be undone.
TEST_F(TrainingPanel, AHeadIsTrainedTowardsADrawnMapAndFollows) {
  show(View::head);
  window.click("Draw the map you want");
  window.drag(window.cell_of("map", {5, 2}), window.cell_of("map", {5, 2}));
  settle();
  EXPECT_EQ(document().drawn_map, (DrawnMap{{0, 0}, {{5, 6, 2, 3, true}}}));
  EXPECT_TRUE(document().query.mask.rules.empty()) << "the brush paints the drawn map and not the mask";
  const float before = snapshot()->maps({0, 0}).weights(5, 2);
  window.click("20 steps");
  settle();
  EXPECT_EQ(document().query.model.sandbox.edits.size(), 2U);
  const int trained = document().drawn_map.training_steps;  // fewer than 20 where the drawing has come true before
  EXPECT_GT(trained, 1);
  EXPECT_EQ(session.history().undo_label(), "trained " + std::to_string(trained) + " steps");
  EXPECT_GT(snapshot()->maps({0, 0}).weights(5, 2), std::max(0.9F, before));
  EXPECT_EQ(view.notes.banner, "");

  window.click("Reset weights");
  settle();
  EXPECT_EQ(snapshot()->maps({0, 0}).weights(5, 2), before);
}

TEST_F(TrainingPanel, AStrokeThatBeginsOnADrawnCellErases) {
  show(View::head);
  window.click("Draw the map you want");
  window.drag(window.cell_of("map", {5, 2}), window.cell_of("map", {6, 2}));
  window.drag(window.cell_of("map", {6, 2}), window.cell_of("map", {6, 2}));
  settle();
  const Matrix wanted = wanted_map(document().drawn_map, 12, 12);
  EXPECT_EQ(wanted.sum(), 1.0F);
  EXPECT_EQ(wanted(5, 2), 1.0F);
  session.undo();
  settle();
  EXPECT_EQ(wanted_map(document().drawn_map, 12, 12).sum(), 2.0F) << "a stroke is one step";
}

TEST_F(TrainingPanel, AMaskedCellCannotBeDrawn) {
  show(View::head);
  window.click("Draw the map you want");
  EXPECT_FALSE(window.has("Paints deny")) << "the brush paints no mask now";
  window.click(window.cell_of("map", {2, 9}));  // above the diagonal of a causal map
  settle();
  EXPECT_EQ(document().drawn_map, DrawnMap{});
  EXPECT_TRUE(window.has("Masked drawing")) << "the reason";
  window.click("Brush row");
  window.click(window.cell_of("map", {2, 1}));
  settle();
  EXPECT_EQ(caches.drawn_cells.cells, 3) << "keys 0, 1 and 2: the mask forbids the others";
  EXPECT_EQ(caches.drawn_cells.masked_cells, 9);
  window.click("1 step");
  settle();
  EXPECT_EQ(document().query.model.sandbox.edits.size(), 2U);
  EXPECT_EQ(view.notes.banner, "");
}

TEST_F(TrainingPanel, TheLossIsOneCurveOverAllStepsTowardsADrawnMap) {
  show(View::head);
  window.click("Draw the map you want");
  window.click(window.cell_of("map", {5, 2}));
  settle();
  EXPECT_FALSE(window.has("Loss curve"));
  window.click("1 step");
  settle();
  window.click("20 steps");
  settle();
  EXPECT_TRUE(window.has("Loss curve"));
  const std::vector<double> losses = view.drawn_map.loss_curve.losses;
  ASSERT_GE(losses.size(), 3U);
  EXPECT_TRUE(std::is_sorted(losses.rbegin(), losses.rend()));
  EXPECT_EQ(document().drawn_map.training_steps + 1, std::ssize(losses))
      << "one before the first step, and one after each of both rounds of training";
  session.undo();
  settle();
  EXPECT_FALSE(window.has("Loss curve")) << "it is that of another sandbox";
  window.click(window.cell_of("map", {6, 1}));
  settle();
  window.click("1 step");
  settle();
  EXPECT_EQ(view.drawn_map.loss_curve.losses.size(), 2U) << "another drawing, another curve";
}

TEST_F(TrainingPanel, ARefusalIsSaidAsLongAsItIsTrue) {
  Document next = document();
  next.query.score.kind = ScoreKind::cosine;
  session.apply(next, false, false);
  show(View::head);
  window.click("Draw the map you want");
  window.click(window.cell_of("map", {5, 2}));
  settle();
  window.click("1 step");
  settle();
  EXPECT_TRUE(window.has("Training refused"));
  EXPECT_EQ(view.notes.banner, "");
  say("Another sentence of some more words than that");
  EXPECT_FALSE(window.has("Training refused"));
}

TEST_F(TrainingPanel, CrossAttentionOffersNoDrawing) {
  Document next = document();
  next.query.model.sandbox = {.layers = 2, .d_model = 32, .heads = 4, .kind = SandboxKind::encoder_decoder};
  session.apply(next, false, false);
  settle();
  view.head = {0, 0};
  show(View::head);
  window.click("Draw the map you want");
  EXPECT_TRUE(view.drawn_map.is_painted);
  view.head = {3, 0};
  settle();
  EXPECT_FALSE(window.has("Draw the map you want"));
  EXPECT_FALSE(view.drawn_map.is_painted);
}

// Seeds S0-2 and S4-12: an entry, or a whole row, set by hand.
TEST_F(TrainingPanel, NumbersAreSetByHand) {
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
