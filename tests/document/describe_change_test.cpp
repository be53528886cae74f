#include <gtest/gtest.h>

#include <functional>

#include "app/document/history.h"
#include "tests/document/sample_document.h"

namespace headlight {
namespace {

std::string change(const std::function<void(Document&)>& edit, Document before = sandbox_document()) {
  Document after = before;
  edit(after);
  return describe_change(before, after);
}

Scope one_head() {
  return {Scope::Kind::head, {1, 2}};
}

TEST(DescribeChange, NamesNumbersBeforeAndAfter) {
  EXPECT_EQ(change([](Document& d) { d.query.heads = 4; }), "heads 8 → 4");
  EXPECT_EQ(change([](Document& d) { d.query.model.sandbox.layers = 6; }), "layers 4 → 6");
  EXPECT_EQ(change([](Document& d) { d.query.model.sandbox.seed = 2; }), "seed 1 → 2");
  EXPECT_EQ(change([](Document& d) { d.query.score.temperature = 0.5F; }), "temperature 1 → 0.5");
}

TEST(DescribeChange, NamesHiddenKeysInWords) {
  EXPECT_EQ(change([](Document& d) { d.style.hidden = parse_key_set("first-token"); }), "hidden keys: first token");
  EXPECT_EQ(change([](Document& d) { d.style.hidden = parse_key_set("3+special"); }), "hidden keys: token 3 and special tokens");
  Document hidden = sandbox_document();
  hidden.style.hidden = parse_key_set("first-token");
  EXPECT_EQ(change([](Document& d) { d.style.hidden = {}; }, hidden), "hidden keys: none");
}

TEST(DescribeChange, AsksNoLoadedModelForItsHeadCount) {
  Document loaded = sandbox_document();
  loaded.query.model.name = "/models/gpt2";
  EXPECT_EQ(change([](Document& d) { d.query.heads = 6; }, loaded), "heads → 6");
  loaded.query.heads = 6;
  EXPECT_EQ(change([](Document& d) { d.query.heads.reset(); }, loaded), "heads: the model's own");
}

TEST(DescribeChange, NamesModelsByTheirFolder) {
  EXPECT_EQ(change([](Document& d) { d.query.model.name = "/models/gpt2"; }), "model: gpt2");
}

TEST(DescribeChange, GivesHeadsOfAFileOfMapsNoNumbersThatTheFileDoesNotHave) {
  Document maps = sandbox_document();
  maps.query.model.name = "/maps/gap.safetensors";
  EXPECT_EQ(change([](Document& d) { d.pins = {{{1, 3}}}; }, maps), "pin a head");
}

TEST(DescribeChange, NamesTheTextOfABatchUnlessTheFileChangesToo) {
  Document maps = sandbox_document();
  maps.query.model.name = "/maps/batch.npz";
  EXPECT_EQ(change([](Document& d) { d.query.item = 2; }, maps), "item 2");
  maps.query.item = 2;
  EXPECT_EQ(change([](Document& d) { d.query.item.reset(); }, maps), "first axis: layers");
  const auto open_another = [](Document& d) {
    d.query.model.name = "/maps/other.npz";
    d.query.item.reset();
  };
  EXPECT_EQ(change(open_another, maps), "model: other.npz");
}

TEST(DescribeChange, NamesTextMaskLooksAndPins) {
  EXPECT_EQ(change([](Document& d) { d.query.text += "!"; }), "text");
  EXPECT_EQ(change([](Document& d) { d.query.text_pair = "b"; }), "second sentence");
  EXPECT_EQ(change([](Document& d) { d.query.mask.rules = {{{}, "causal", {}}}; }), "mask: causal");
  EXPECT_EQ(change([](Document& d) { d.query.mask.rules = {{one_head(), "none", {}}}; }), "mask: none in layer 1 head 2");
  EXPECT_EQ(change([](Document& d) { d.style.theme = Theme::light; }), "theme: light");
  EXPECT_EQ(change([](Document& d) { set_theme(d.style, Theme::light); }), "theme: light") << "its colours come along";
  EXPECT_EQ(change([](Document& d) { d.pins = {{{0, 3}}}; }), "pin layer 0 head 3");
  EXPECT_EQ(change([](Document& d) { d.query.switched_off = {{0, 3}, {1, 1}}; }), "switch off 2 heads");
  Document switched_off = sandbox_document();
  switched_off.query.switched_off = {{0, 3}};
  EXPECT_EQ(describe_change(switched_off, sandbox_document()), "switch on layer 0 head 3");
}

TEST(DescribeChange, NamesTheLayersOfAnEncoderDecoderByTheirStack) {
  Document document = sandbox_document();
  document.query.model.sandbox.kind = SandboxKind::encoder_decoder;
  document.query.model.sandbox.layers = 2;
  EXPECT_EQ(change([](Document& d) { d.query.switched_off = {{5, 3}}; }, document), "switch off cross 1 head 3");
  EXPECT_EQ(change([](Document& d) { d.pins = {{{1, 0}}}; }, document), "pin encoder 1 head 0");
  EXPECT_EQ(change(
                [](Document& d) {
                  d.query.mask.rules = {{{Scope::Kind::layer, {4, 0}}, "none", {}}};
                },
                document),
            "mask: none in decoder 1");
  EXPECT_EQ(change(
                [](Document& d) {
                  d.query.mask.rules = {{{Scope::Kind::stack, {}, Stack::cross}, "window:4", {}}};
                },
                document),
            "mask: window:4 in all cross heads");
}

std::string painted(std::vector<CellBlock> strokes) {
  return change([&](Document& d) { d.query.mask.rules = {{{}, "", std::move(strokes)}}; });
}

TEST(DescribeChange, TellsWhatTheBrushPainted) {
  EXPECT_EQ(painted({{3, 4, 5, 6, false}}), "mask 1 cell");
  EXPECT_EQ(painted({{3, 4, 5, 6, false}, {3, 4, 5, 6, false}, {3, 4, 6, 7, false}, {3, 4, 7, 8, false}}), "mask 3 cells");
  EXPECT_EQ(painted({{8, 9, 0, 1000, false}}), "mask row 8");
  EXPECT_EQ(painted({{0, 1000, 2, 3, true}}), "allow column 2");
  EXPECT_EQ(painted({{0, 4, 2, 6, true}}), "allow a rectangle");
  EXPECT_EQ(painted({{8, 9, 0, 1000, false}, {9, 10, 0, 1000, false}}), "mask 2 areas");
}

TEST(DescribeChange, CountsOnlyWhatWasPaintedNow) {
  Document before = sandbox_document();
  before.query.mask.rules = {{one_head(), "", {{0, 1, 0, 1, false}}}};
  const auto paint = [](Document& d) { d.query.mask.rules[0].strokes.push_back({4, 5, 4, 5, false}); };
  EXPECT_EQ(change(paint, before), "mask 1 cell in layer 1 head 2");
  EXPECT_EQ(change([](Document& d) { d.query.mask.rules.clear(); }, before), "brush: cleared in layer 1 head 2");
}

TEST(DescribeChange, JoinsAFewChangesAndCountsMany) {
  EXPECT_EQ(change([](Document& d) { d.query.text = std::string("x"), d.query.model.sandbox.layers = 2; }), "layers 4 → 2, text");
  EXPECT_EQ(describe_change(sandbox_document(), testing::sample_document()).find(" changes") != std::string::npos, true);
  EXPECT_EQ(change([](Document&) {}), "nothing");
}

// Whatever differs must be told: a step without a sentence would be a hole in the undo list.
TEST(DescribeChange, NoChangeIsCalledNothing) {
  const Document from = sandbox_document();
  const Document to = testing::sample_document();
  const std::vector<std::function<void(Document&)>> edits = {
      [&](Document& d) { d.query.model.name = to.query.model.name; },
      [&](Document& d) { d.query.model.sandbox.layers = 3; },
      [&](Document& d) { d.query.model.sandbox.d_model = 48; },
      [&](Document& d) { d.query.model.sandbox.heads = 6; },
      [&](Document& d) { d.query.model.sandbox.positions = PositionKind::none; },
      [&](Document& d) { d.query.model.sandbox.kind = SandboxKind::bidirectional; },
      [&](Document& d) { d.query.model.sandbox.kv_heads = 2; },
      [&](Document& d) { d.query.model.sandbox.d_ff = 7; },
      [&](Document& d) { d.query.model.sandbox.rotary.theta = 7; },
      [&](Document& d) { d.query.model.sandbox.norm = NormKind::none; },
      [&](Document& d) { d.query.model.sandbox.norm_place = NormPlace::after; },
      [&](Document& d) { d.query.model.sandbox.activation = Activation::relu; },
      [&](Document& d) { d.query.model.sandbox.distribution = WeightDistribution::uniform; },
      [&](Document& d) { d.query.model.sandbox.gain = 2; },
      [&](Document& d) { d.query.model.sandbox.edits = to.query.model.sandbox.edits; },
      [&](Document& d) { d.query.decoder_text = "x"; },
      [&](Document& d) { d.query.kv_heads = 2; },
      [&](Document& d) { d.query.mask_reach = MaskReach::this_head; },
      [&](Document& d) { d.query.score.kind = ScoreKind::cosine; },
      [&](Document& d) { d.query.score.softcap = 2; },
      [&](Document& d) { d.query.score.sink = 2; },
      [&](Document& d) { d.query.block.has_attention_skip = false; },
      [&](Document& d) { d.query.block.has_feed_forward_skip = false; },
      [&](Document& d) { d.query.block.has_output_projection = false; },
      [&](Document& d) { d.query.block.has_biases = false; },
      [&](Document& d) { d.query.model.sandbox.unit = SandboxUnit::bytes; },
      [&](Document& d) { d.query.ids = {1}; },
      [&](Document& d) { d.query.mask = to.query.mask; },
      [&](Document& d) { d.query.score.is_scaled = false; },
      [&](Document& d) {
        d.drawn_map = {{0, 1}, {{0, 1, 0, 1, true}}};
      },
      [&](Document& d) { d.target = to.target; },
      [&](Document& d) { d.style.map = ColourMap::grey; },
      [&](Document& d) { d.style.scale = ScaleKind::linear; },
      [&](Document& d) { d.style.gamma = 1; },
      [&](Document& d) { d.style.range = RangeKind::head; },
      [&](Document& d) { d.style.fixed_high = 2; },
  };
  for (std::size_t edit = 0; edit < edits.size(); ++edit) {
    EXPECT_NE(change(edits[edit], from), "nothing") << edit;
    EXPECT_NE(change(edits[edit], from), "order") << edit;
  }
}

TEST(DescribeChange, SaysWhatIsWatchedNow) {
  EXPECT_EQ(change([](Document& d) { d.target = parse_target("logit:follows-follow@5"); }),
            "watch the logit of “follows” less that of “follow” at position 5");
}

TEST(DescribeChange, TellsHowManyStepsWereTrained) {
  Document before;
  before.drawn_map = {{0, 1}, {{0, 1, 0, 1, true}}, 20};
  const auto train_head = [](int steps) {
    return [steps](Document& d) {
      d.query.model.sandbox.edits = {{"layer.0.q.weight", 0, 0, 1, 1, {static_cast<float>(steps)}}};
      d.drawn_map.training_steps += steps;
    };
  };
  EXPECT_EQ(change(train_head(20), before), "trained 20 steps");
  EXPECT_EQ(change(train_head(1), before), "trained 1 step");
  EXPECT_EQ(change(train_head(0), before), "parameters edited") << "by hand";
}

}  // namespace
}  // namespace headlight
