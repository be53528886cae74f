#include "app/gui/labs/lab_page.h"
#include "app/gui/panel/saved_view.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

class LabsView : public testing::FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    say("I am going to deposit my money at the bank");
    window.click("Labs");
    settle();
  }
  void open(const char* title) {
    window.click(title);
    settle();
  }
  /// What is on the page, and what it was found for.
  std::shared_ptr<const LabResult> result() {
    const std::optional<Index> pinned = view.pinned_query ? std::optional(view.pinned_query->token) : std::nullopt;
    return session.labs().ask({view.labs, snapshot(), view.head, pinned});
  }
};

TEST_F(LabsView, OpensWithTheThreeAttemptsSideBySide) {
  EXPECT_EQ(view.view, View::lab);
  const Box vanilla = window.box_of("vanilla 0");
  const Box last = window.box_of("final attempt 0");
  EXPECT_FLOAT_EQ(vanilla.y, last.y);
  EXPECT_FLOAT_EQ(vanilla.width, last.width);
  EXPECT_LT(vanilla.right(), last.x);
}

constexpr float kBelowThePage = 84;  // tokens and status

TEST_F(LabsView, TheAttemptsFillThePageAndStayInSight) {
  float before = 0;
  for (const ImVec2 size : {ImVec2{1600, 1000}, ImVec2{2560, 1440}}) {
    window.resize(size);
    settle();
    const Box first = window.box_of("vanilla 0"), card = window.box_of("card final attempt");
    EXPECT_GT(first.y, window.box_of("vanilla 0 scores").bottom()) << "one above the other, where that makes them larger";
    EXPECT_GT(card.bottom(), 0.9F * (size.y - kBelowThePage));
    EXPECT_GT(window.box_of("numbers of final attempt").height, 100) << "not cut off";
    EXPECT_GT(first.width, 1.3F * before);
    before = first.width;
  }
}

TEST_F(LabsView, TheWholeLayerFillsThePage) {
  for (const ImVec2 size : {ImVec2{1600, 1000}, ImVec2{2560, 1440}}) {
    window.resize(size);
    open("The whole layer");
    const Box bend = window.box_of("bend"), card = window.box_of("card bend");
    EXPECT_GT(bend.width, 0.6F * size.x);
    EXPECT_GT(bend.height, 0.35F * size.y);
    EXPECT_LT(card.bottom(), size.y - kBelowThePage);
  }
}

TEST_F(LabsView, TheStripsOfAConcatenationFillThePage) {
  window.resize({1600, 1000});
  open("Concatenation");
  const Box output = window.box_of("strip output");
  EXPECT_LT(output.bottom(), 1000 - kBelowThePage);
  EXPECT_GT(output.bottom(), 600);
}

TEST_F(LabsView, AllTheLabsDrawWhatTheyFound) {
  for (const auto& [title, lab] :
       {std::pair("Mask conventions", Lab::mask_fills), std::pair("Why divide by √d", Lab::scaling), std::pair("Dropout", Lab::dropout),
        std::pair("What heads cost", Lab::head_cost), std::pair("Toy run", Lab::toy_run), std::pair("Concatenation", Lab::concatenation),
        std::pair("The whole layer", kWalkLab), std::pair("Circuits", kCircuitsLab), std::pair("Effective attention", kEffectiveLab),
        std::pair("Three attempts", Lab::attempts)}) {
    open(title);
    EXPECT_EQ(view.labs.lab, lab) << title;
    ASSERT_NE(result(), nullptr) << title;
    EXPECT_EQ(result()->request.settings, view.labs) << title;
    EXPECT_EQ(result()->request.snapshot, snapshot()) << title;
  }
  EXPECT_EQ(session.worker().status().error_message, "");
}

TEST_F(LabsView, MoreHeadsAreMoreMaps) {
  window.click("Heads K more");
  settle();
  EXPECT_TRUE(window.has("attempt 2 1"));
  EXPECT_FALSE(window.has("attempt 2 2"));
  for (int presses = 0; presses < 5; ++presses) window.click("Heads K more");
  settle();
  EXPECT_EQ(view.labs.attempt_heads, 4);
}

TEST_F(LabsView, TheToyRunIsAGridOfFiveHeadsAndTwoItems) {
  open("Toy run");
  for (int item = 0; item < 2; ++item) {
    for (int head = 0; head < 5; ++head) EXPECT_TRUE(window.has("toy " + std::to_string(item) + "." + std::to_string(head)));
  }
  window.click("Valid length, item 1 more");
  window.click("Inputs random");
  settle();
  EXPECT_EQ(view.labs.toy_lengths, (std::array{3, 3}));
  EXPECT_TRUE(result()->request.settings.is_toy_random);
}

TEST_F(LabsView, TheMarksOfEmptyRowsHaveRoomBesideTheirMaps) {
  open("Toy run");
  for (int head = 0; head < 4; ++head) {
    const Box map = window.box_of("toy 0." + std::to_string(head));
    const Box next = window.box_of("toy 0." + std::to_string(head + 1));
    EXPECT_GE(next.x - map.right(), 5 + ImGui::CalcTextSize("∅").x + 2);
  }
}

TEST_F(LabsView, TheConcatenationFollowsTheLayerAndItsStep) {
  open("Concatenation");
  EXPECT_EQ(window.box_of("strip z").x, window.box_of("strip output").x);
  EXPECT_EQ(window.box_of("strip z").width, window.box_of("strip output").width) << "as many columns on the same scale";
  window.click("Show q, k, v");
  settle();
  EXPECT_TRUE(window.has("strip k"));
  EXPECT_FALSE(window.has("strip z"));
  window.key("down");
  settle();
  EXPECT_EQ(view.head.layer, 1);
  EXPECT_EQ(result()->request.head.layer, 1);
}

double luminance(Colour colour) {
  return 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue;
}

TEST(LabHatch, StandsOutFromItsGroundAndFromTheWeightsNearZero) {
  for (const Theme theme : {Theme::dark, Theme::light}) {
    const HatchStyle hatch = lab_hatch(palette(theme));
    EXPECT_GT(std::abs(luminance(hatch.line) - luminance(hatch.ground)), 40);
    for (const ColourMap map : {ColourMap::grey, ColourMap::blues}) {  // those that begin at the ground
      const Colour nothing = ramp(map, theme == Theme::dark)[0];
      EXPECT_GT(std::abs(luminance(hatch.line) - luminance(nothing)), 40) << name_of(map);
    }
  }
}

TEST_F(LabsView, DropoutFollowsTheHeadThatIsLookedAt) {
  open("Dropout");
  window.key("right");
  settle();
  EXPECT_EQ(view.head, (HeadId{0, 1}));
  EXPECT_EQ(result()->request.head, (HeadId{0, 1}));
  window.click("Sample more");
  settle();
  EXPECT_EQ(result()->request.settings.dropout_seed, 2);
}

TEST_F(LabsView, APinnedTokenIsTheRowOfTheMaskConventions) {
  open("Mask conventions");
  EXPECT_EQ(std::any_cast<const FillsFound&>(result()->found).keys.size(), 3U) << "1, 2, 3 all masked";
  window.click("Row this head’s row");
  window.click("token 4");
  settle();
  EXPECT_EQ(std::any_cast<const FillsFound&>(result()->found).query, "deposit");
  window.click("Row 1, 2, 3 all masked");
  settle();
  EXPECT_EQ(std::any_cast<const FillsFound&>(result()->found).keys.size(), 3U);
}

TEST_F(LabsView, TheCostSwitchesBeginAtTheModelAndFollowItAgain) {
  open("What heads cost");
  EXPECT_EQ(view.labs.has_bias, std::nullopt);
  EXPECT_FALSE(std::any_cast<const CostFound&>(result()->found).has_bias) << "the sandbox has no biases";
  window.click("Bias");
  window.click("Group 2");
  settle();
  EXPECT_TRUE(std::any_cast<const CostFound&>(result()->found).has_bias);
  EXPECT_EQ(std::any_cast<const CostFound&>(result()->found).heads_per_kv_head, 2);
  window.click("Bias");
  window.click("Group 1 head");
  settle();
  EXPECT_EQ(view.labs.has_bias, std::nullopt);
  EXPECT_EQ(view.labs.heads_per_kv_head, std::nullopt);
}

TEST_F(LabsView, LetsGoOfItsResultWhenAnotherViewIsShown) {
  const std::weak_ptr<const LabResult> kept = result();
  window.click("Overview");
  settle();
  EXPECT_TRUE(kept.expired());
}

TEST_F(LabsView, HaveAKeyOfTheirOwn) {
  window.key("1");
  EXPECT_EQ(view.view, View::overview);
  window.key(std::to_string(all_views().size()));  // they are the last
  EXPECT_EQ(view.view, View::lab);
}

TEST_F(LabsView, FitASmallWindowAndAnEmptyText) {
  for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(900, 600), ImVec2(40, 30)}) {
    window.resize(size);
    for (const Lab lab : {Lab::attempts, Lab::mask_fills, Lab::scaling, Lab::dropout, Lab::head_cost, Lab::toy_run, Lab::concatenation}) {
      view.labs.lab = lab;
      settle();
    }
  }
  window.resize({1600, 1000});
  say("");
  EXPECT_EQ(session.worker().status().error_message, "");
  say("one");
  for (const Lab lab : {Lab::attempts, Lab::mask_fills, Lab::scaling, Lab::dropout, Lab::head_cost, Lab::toy_run, Lab::concatenation}) {
    view.labs.lab = lab;
    settle();
    EXPECT_EQ(session.worker().status().error_message, "");
  }
}

TEST(LabsJson, KeepsTheLabAndItsSettings) {
  ViewState view;
  view.view = View::lab;
  view.labs = {Lab::toy_run, true, 3, false, 0.25F, 7, false, 4, true, {0, 6}, LayerStep::inputs};
  EXPECT_EQ(view_from_json(to_json(view, all_views()), all_views()).labs, view.labs);
  EXPECT_EQ(view_from_json(to_json(view, all_views()), all_views()).view, View::lab);
}

TEST(LabsJson, OutOfRangeIsTheDefault) {
  const Json json = {{"labs",
                      {{"shown", "alchemy"},
                       {"attempt_heads", 99},
                       {"dropout_percent", 100},
                       {"bias", "maybe"},
                       {"heads_per_kv_head", -3},
                       {"toy_lengths", {-1, "x", 5}},
                       {"dropout_seed", 0}}}};
  EXPECT_EQ(view_from_json(json, all_views()).labs, LabSettings{});
}

}  // namespace
}  // namespace headlight
