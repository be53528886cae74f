// Score, Block, Heads and Sandbox: what can be built and asked of a model.
#include <gmock/gmock.h>

#include "app/document/fields/sandbox_fields.h"
#include "app/gui/panel/draft_model.h"
#include "app/gui/rails/field_controls.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;
using ScorePanel = testing::FrameTest;
using BlockPanel = testing::FrameTest;
using HeadsPanel = testing::FrameTest;
using SandboxPanel = testing::FrameTest;

TEST_F(ScorePanel, AnotherFunctionChangesTheMapsAndTheWayBackIsInTheList) {
  const Matrix before = snapshot()->maps({0, 0}).weights;
  window.click("Score function");
  window.click("cosine");
  settle();
  EXPECT_EQ(document().query.score.kind, ScoreKind::cosine);
  EXPECT_FALSE(snapshot()->maps({0, 0}).weights.isApprox(before));
  EXPECT_FALSE(window.has("Scaled")) << "÷ √d_head does not belong to it";
  window.click("Score function");
  window.click("model's own · dot");
  settle();
  EXPECT_FALSE(document().query.score.kind);
  EXPECT_EQ(snapshot()->maps({0, 0}).weights, before);
}

TEST_F(ScorePanel, TheSandboxCanComputeEveryFunction) {
  for (const char* name : {"additive", "relative", "dot"}) {
    window.click("Score function");
    window.click(name);
    settle();
    EXPECT_FALSE(session.worker().status().error.has_value()) << name;
    EXPECT_EQ(name_of(*document().query.score.kind), name);
  }
}

TEST_F(ScorePanel, ALoadedModelOffersNoFunctionThatItHasNoParametersFor) {
  Document loaded = document();
  loaded.query.model.name = std::string(HEADLIGHT_TESTS_DIR) + "/reference/models/gpt2";
  session.apply(loaded, false, false);
  settle();
  window.click("Score function");
  window.click("additive");
  EXPECT_FALSE(document().query.score.kind);
  window.click("cosine");
  settle();
  EXPECT_EQ(document().query.score.kind, ScoreKind::cosine);
  EXPECT_FALSE(session.worker().status().error.has_value());
}

TEST_F(ScorePanel, ASoftCapIsOffOnOrTheModelsOwn) {
  window.click("Soft-cap");
  window.click("on");
  settle();
  EXPECT_EQ(document().query.score.softcap, 30.0F);
  EXPECT_EQ(snapshot()->trace.layers[0]->rule(0).softcap, 30);
  EXPECT_TRUE(window.has("Cap"));
  window.click("Soft-cap");
  window.click("off");
  EXPECT_EQ(document().query.score.softcap, 0.0F);
  window.click("Soft-cap");
  window.click("model's own · off");
  EXPECT_FALSE(document().query.score.softcap);
}

TEST_F(ScorePanel, ASinkTakesItsShareOfEveryRow) {
  window.click("Sink");
  window.click("on");
  settle();
  EXPECT_EQ(document().query.score.sink, 0.0F);
  EXPECT_LT(snapshot()->maps({0, 0}).weights.row(3).sum(), 0.999F);
  const Box slider = window.box_of("Sink score");
  const float y = slider.y + slider.height / 2;
  window.drag({slider.x + slider.width / 2, y}, {slider.right() - 60, y});
  EXPECT_GT(*document().query.score.sink, 1);
  window.click("Sink");
  window.click("model's own · off");
  EXPECT_FALSE(document().query.score.sink);
}

TEST_F(BlockPanel, PartsCanBeLeftOutOneByOne) {
  EXPECT_FALSE(window.has("Attention skip")) << "folded at the first start";
  Document biased = document();
  biased.query.model.sandbox.biases = SandboxBiases::random;
  session.apply(biased, false, false);
  settle();
  window.click("Block");
  window.click("Attention skip");
  window.click("Feed-forward skip");
  window.click("Output projection");
  window.click("Biases");
  settle();
  EXPECT_EQ(document().query.block, (BlockSwitches{false, false, false, false}));
  EXPECT_FALSE(session.worker().status().error.has_value());
  window.key("ctrl+z");
  EXPECT_TRUE(document().query.block.has_biases);
}

TEST_F(BlockPanel, BiasesThatTheModelDoesNotHaveCannotBeLeftOut) {
  window.click("Block");
  EXPECT_TRUE(window.has("Attention skip"));
  EXPECT_FALSE(window.has("Biases")) << "the sandbox is built without";
  Document biased = document();
  biased.query.model.sandbox.biases = SandboxBiases::random;
  session.apply(biased, false, false);
  settle();
  const Matrix with = *snapshot()->trace.final_hidden.whole();
  window.click("Biases");
  settle();
  EXPECT_FALSE(document().query.block.has_biases);
  EXPECT_NE(*snapshot()->trace.final_hidden.whole(), with);
}

TEST_F(HeadsPanel, FewerKeyValueHeadsAreAnApproximation) {
  window.click("Key/value heads");
  EXPECT_TRUE(window.has("8"));
  EXPECT_FALSE(window.has("3")) << "8 heads cannot share 3";
  window.click("2");
  settle();
  EXPECT_EQ(document().query.kv_heads, 2);
  EXPECT_EQ(snapshot()->trace.layers[0]->kv_heads, 2);
  window.click("Key/value heads");
  window.click("model's own · 8");
  EXPECT_FALSE(document().query.kv_heads);
}

TEST_F(HeadsPanel, AHeadCountThatCannotBeGroupedBringsTheModelsOwnBack) {
  window.click("Key/value heads");
  window.click("8");
  window.click("Heads 4");
  settle();
  EXPECT_FALSE(document().query.kv_heads);
  EXPECT_FALSE(session.worker().status().error.has_value());
}

TEST_F(HeadsPanel, SizesThatDoNotFitCanBeLeftAgain) {
  Document odd = document();
  odd.query.model.sandbox.heads = 7;
  session.apply(odd, false, false);
  settle();
  EXPECT_TRUE(session.worker().status().error.has_value());
  window.click("Heads 4");
  settle();
  EXPECT_FALSE(session.worker().status().error.has_value());
  EXPECT_EQ(snapshot()->heads(), 4);
}

TEST(SandboxProblem, NamesTheNumbers) {
  SandboxSpec spec;
  EXPECT_EQ(problem_of(spec), "");
  spec.heads = 7;
  EXPECT_THAT(problem_of(spec), HasSubstr("7 heads do not divide d_model 64"));
  spec = {};
  spec.kv_heads = 3;
  EXPECT_THAT(problem_of(spec), HasSubstr("3"));
  spec = {};
  spec.heads = 64;
  spec.positions = PositionKind::rotary;
  EXPECT_THAT(problem_of(spec), HasSubstr("width 1"));
}

TEST(SandboxSpec, AnotherHeadCountLeavesNothingBehindThatDoesNotFit) {
  SandboxSpec spec;
  spec.kv_heads = 4;
  spec.positions = PositionKind::rotary;
  spec.rotary.dimensions = 8;
  set_heads(spec, 16);
  EXPECT_EQ(spec.kv_heads, 4);
  EXPECT_EQ(spec.rotary.dimensions, 0);
  set_heads(spec, 2);
  EXPECT_EQ(spec.kv_heads, 0);
  EXPECT_EQ(problem_of(spec), "");
}

TEST(SandboxKit, CountsWhatIsNotAsInANewSandbox) {
  SandboxSpec spec;
  EXPECT_EQ(advanced_changes(spec, sandbox_fields()), 0);
  spec.norm = NormKind::none;
  spec.rotary.theta = 500;
  EXPECT_EQ(advanced_changes(spec, sandbox_fields()), 1) << "rotary settings without rotary positions change nothing";
  spec.positions = PositionKind::rotary;
  EXPECT_EQ(advanced_changes(spec, sandbox_fields()), 2);
}

TEST_F(SandboxPanel, IsBuiltOfItsParts) {
  window.click("More");
  const auto choose = [&](const char* list, const char* value) {
    window.click(list);
    window.click(value);
    settle();
    EXPECT_FALSE(session.worker().status().error.has_value()) << list << " " << value;
  };
  choose("Kind", "bidirectional");
  choose("Norm", "rms norm");
  choose("Activation", "silu");
  choose("K/V heads of weights", "2");
  choose("d_ff", "128");
  window.click("Norm place after");
  window.click("Weights uniform");
  window.wheel(-4);  // the last of its rows lie below
  window.click("Biases random");
  settle();
  const SandboxSpec& spec = document().query.model.sandbox;
  EXPECT_EQ(spec.kind, SandboxKind::bidirectional);
  EXPECT_EQ(spec.norm, NormKind::rms_norm);
  EXPECT_EQ(spec.norm_place, NormPlace::after);
  EXPECT_EQ(spec.activation, Activation::silu);
  EXPECT_EQ(spec.distribution, WeightDistribution::uniform);
  EXPECT_EQ(spec.biases, SandboxBiases::random);
  EXPECT_EQ(snapshot()->model->config.heads.kv_count, 2);
  EXPECT_EQ(snapshot()->model->config.feed_forward.d_ff, 128);
  EXPECT_FALSE(snapshot()->model->config.mask.is_causal);
}

TEST_F(SandboxPanel, RotaryPositionsBringTheirDetails) {
  window.click("More");
  EXPECT_FALSE(window.has("Theta"));
  window.click("Positions");
  window.click("rotary");
  window.click("Rotary dimensions");
  window.click("4");
  window.click("Rotary scaling");
  window.click("linear");
  settle();
  const RotarySettings& rotary = document().query.model.sandbox.rotary;
  EXPECT_EQ(rotary.dimensions, 4);
  EXPECT_EQ(rotary.scaling.kind, RotaryScaling::Kind::linear);
  EXPECT_EQ(rotary.scaling.factor, 4);
  EXPECT_FALSE(session.worker().status().error.has_value());
  window.click("Heads …");
  window.click("Head count");
  window.type("64");
  window.key("enter");
  settle();
  EXPECT_EQ(document().query.model.sandbox.heads, 8) << "heads of width 1 have no pairs to turn";
}

TEST_F(SandboxPanel, PositionsThatDoNotFitAreNotToBeHad) {
  Document thin = document();
  thin.query.model.sandbox.heads = 64;
  session.apply(thin, false, false);
  settle();
  window.click("Positions");
  window.click("rotary");
  EXPECT_EQ(document().query.model.sandbox.positions, PositionKind::sinusoidal);
  window.key("escape");
  window.click("Positions");
  window.click("alibi");
  settle();
  EXPECT_EQ(document().query.model.sandbox.positions, PositionKind::alibi);
  EXPECT_FALSE(session.worker().status().error.has_value());
}

}  // namespace
}  // namespace headlight
