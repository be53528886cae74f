// Flow: several heads as one map; and what a style leaves out of every view.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <string>

#include "app/gui/dialogs/dialogs.h"
#include "app/gui/panel/saved_view.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/script/state_dump.h"
#include "engine/core/numbers.h"
#include "engine/figure/pictures.h"
#include "tests/figure/figure_testing.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class FlowWindow : public testing::FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    window.painter.watch([this](const Scene& scene, std::string_view name) { painted[std::string(name)] = scene; });
    view.head = {1, 0};
  }
  Scene flow() {
    show(View::flow);
    settle();
    return painted["flow"];
  }
  static const SceneMap& map_of(const Scene& scene) {
    for (const SceneItem& item : scene.items) {
      if (const auto* map = std::get_if<SceneMap>(&item)) return *map;
    }
    throw std::logic_error("no map");
  }
  static bool says(const Scene& scene, const std::string& text) {
    return std::any_of(scene.items.begin(), scene.items.end(), [&](const SceneItem& item) {
      const auto* each = std::get_if<SceneText>(&item);
      return each != nullptr && each->text.find(text) != std::string::npos;
    });
  }
  /// Anywhere in the window, whatever line it is broken at.
  bool is_written(const std::string& words) {
    std::string all;
    for (const DrawnText& text : window.items.texts()) all += text.text + " ";
    return all.find(words) != std::string::npos;
  }
  void restyle(const auto& edit) {
    Document next = document();
    edit(next.style);
    session.apply(next, false, false);
    settle();
  }
  std::map<std::string, Scene> painted;
};

TEST_F(FlowWindow, ShowsTheMeanOfTheLayerThatIsLookedAtAndSaysSo) {
  const Scene scene = flow();
  Matrix mean = Matrix::Zero(snapshot()->tokens(), snapshot()->tokens());
  for (int head = 0; head < snapshot()->heads(1); ++head) mean += snapshot()->maps({1, head}).weights;
  mean /= static_cast<float>(snapshot()->heads(1));
  const MapPicture& picture = *map_of(scene).picture;
  for (Index query = 0; query < mean.rows(); ++query) {
    for (Index key = 0; key <= query; ++key) {
      const auto row = static_cast<float>(query), column = static_cast<float>(key);
      EXPECT_NEAR(picture.value(row, row + 1, column, column + 1), mean(query, key), 1e-6);
    }
  }
  EXPECT_TRUE(says(scene, "mean of 8 heads: layer 1"));
  EXPECT_TRUE(says(scene, "derived from several maps"));
}

TEST_F(FlowWindow, RolloutTakesAllLayersAndSaysWhyTheFirstTokenGrows) {
  flow();
  view.flow.settings.reduction = Reduction::rollout;
  view.flow.which = FlowPage::Heads::all;
  const Scene scene = flow();
  EXPECT_TRUE(says(scene, "rollout of"));
  EXPECT_TRUE(says(scene, "causal: row 0 holds the first token alone"));
  const MapPicture& picture = *map_of(scene).picture;
  EXPECT_EQ(picture.value(0, 1, 0, 1), 1);
}

TEST_F(FlowWindow, IsChosenInTheRailAndKeptForTheNextStart) {
  flow();
  window.click("Reduction");
  window.click("maximum");
  window.click("Flow of");
  window.click("all layers");
  EXPECT_EQ(view.flow.settings.reduction, Reduction::max);
  EXPECT_EQ(view.flow.which, FlowPage::Heads::all);
  const ViewState next = view_from_json(to_json(view, all_views()), all_views());
  EXPECT_EQ(next.flow.settings.reduction, Reduction::max);
  EXPECT_EQ(next.flow.which, FlowPage::Heads::all);
}

TEST_F(FlowWindow, TakesTheHeadsThatAreBrushed) {
  view.brushed = {{0, 2}, {1, 1}};
  view.flow.which = FlowPage::Heads::brushed;
  EXPECT_TRUE(says(flow(), "mean of 2 heads: 0.2, 1.1"));
  view.brushed.clear();
  EXPECT_TRUE(says(flow(), "mean of 8 heads: layer 1")) << "without any, those of the layer";
}

TEST_F(FlowWindow, AFileHoldsTheMapThatIsShown) {
  view.flow.settings.reduction = Reduction::median;
  const Scene scene = flow();
  Document draft = document();
  Panel panel{context, snapshot(), session.worker().status(), draft, view, caches, {palette(draft.style.theme), window.fonts}, all_views()};
  const Scene file = make_figure(*snapshot(), shown_figure(panel, kFlowFigure), testing::plain_measure());
  EXPECT_TRUE(*map_of(file).picture == *map_of(scene).picture);
  EXPECT_EQ(map_of(file).scale, map_of(scene).scale);
  EXPECT_TRUE(says(file, "derived: median of 8 heads: layer 1"));
}

TEST_F(FlowWindow, InspectorAndStripSpeakOfTheMapThatIsShownAndNotOfTheChosenHead) {
  const Scene scene = flow();
  window.items.watch_texts();
  window.hover(window.cell_of("flow map", {4, 1}));
  settle();
  const float mean = map_of(scene).picture->value(4, 5, 1, 2);
  ASSERT_NE(mean, snapshot()->maps({1, 0}).weights(4, 1));
  EXPECT_TRUE(window.has(fmt::format("Joined cell 4,1: {}", weight_text(static_cast<double>(mean), 4))));
  EXPECT_TRUE(window.has("Row profile of 4"));
  EXPECT_TRUE(window.has("Derived badge"));
  EXPECT_TRUE(window.has("How the map is made"));
  EXPECT_FALSE(window.has("measure entropy")) << "numbers of one head";
  EXPECT_TRUE(is_written("mean of 8 heads: layer 1."));
}

TEST_F(FlowWindow, APinnedRowIsReadFromTheJoinedMap) {
  view.flow.settings.reduction = Reduction::max;
  const Scene scene = flow();
  window.items.watch_texts();
  window.click(window.cell_of("flow map", {5, 2}));
  window.hover("Flow");
  settle();
  const MapPicture& picture = *map_of(scene).picture;
  Index largest = 0;
  for (Index key = 1; key < picture.columns(); ++key) {
    const auto at = static_cast<float>(key), before = static_cast<float>(largest);
    if (picture.value(5, 6, at, at + 1) > picture.value(5, 6, before, before + 1)) largest = key;
  }
  const auto at = static_cast<float>(largest);
  EXPECT_TRUE(
      window.has(fmt::format("Joined cell 5,{}: {}", largest, weight_text(static_cast<double>(picture.value(5, 6, at, at + 1)), 4))));
  EXPECT_TRUE(is_written("these are not shares of"));
  const Json dump = dump_state(session, {}, {})["joined"];
  EXPECT_EQ(dump["reduction"], "max");
  EXPECT_FLOAT_EQ(dump["values"][5][static_cast<std::size_t>(largest)], picture.value(5, 6, at, at + 1));
  show(View::head);
  EXPECT_TRUE(dump_state(session, {}, {})["joined"].is_null());
}

TEST_F(FlowWindow, RolloutTellsItsCausalCaveatInTheInspectorToo) {
  flow();
  view.flow.settings.reduction = Reduction::rollout;
  view.flow.which = FlowPage::Heads::all;
  flow();
  window.items.watch_texts();
  settle();
  EXPECT_TRUE(is_written("Causal: row 0 holds the first token alone"));
}

TEST_F(FlowWindow, AClickPinsTheRowAndCtrlCCopiesTheMap) {
  flow();
  window.click(window.cell_of("flow map", {3, 1}));
  EXPECT_EQ(view.pinned_query, (TokenPlace{Side::text, 3}));
}

TEST_F(FlowWindow, HiddenKeysAreLeftOutOfEveryViewAndShownAgainByOneClick) {
  restyle([](Style& style) {
    style.hidden = parse_key_set("first-token");
    style.hiding = Hiding::renormalise;
  });
  const auto hides_first = [](const Scene& scene) {
    const MapPicture& picture = *map_of(scene).picture;
    return std::isnan(picture.value(0, static_cast<float>(picture.rows()), 0, 1));
  };
  EXPECT_TRUE(hides_first(flow()));
  EXPECT_TRUE(says(painted["flow"], "first token hidden, renormalised"));
  EXPECT_TRUE(says(painted["flow"], "renormalised after the mean over heads, not in each head"));
  for (const auto& [row, name] : {std::pair{View::overview, "overview"}, std::pair{View::head, "head"}}) {
    show(row);
    settle();
    EXPECT_TRUE(hides_first(painted[name])) << name;
  }
  EXPECT_TRUE(says(painted["head"], "derived: first token hidden, renormalised")) << "the badge is where the map is";
  ASSERT_TRUE(window.has("Show hidden keys"));
  window.click("Show hidden keys");
  settle();
  EXPECT_TRUE(document().style.hidden.is_empty());
  EXPECT_FALSE(hides_first(painted["head"]));
  EXPECT_FALSE(window.has("Show hidden keys"));
}

TEST_F(FlowWindow, LinksDrawNoLineToAHiddenKey) {
  show(View::links);
  restyle([](Style& style) { style.hidden = parse_key_set("first-token"); });
  const auto found = session.links().found();
  ASSERT_TRUE(found);
  for (const LinkLine& line : found->lines->lines) EXPECT_NE(line.key, 0);
  EXPECT_THAT(found->lines->maps->derived_text(), HasSubstr("derived: first token hidden"));
  EXPECT_THAT(found->lines->maps->derived_text(), HasSubstr("of the weight hidden"));
  EXPECT_THAT(lines_text(*found->lines), HasSubstr("of the attention that is left has no line")) << "another share by another name";
}

TEST_F(FlowWindow, ARightClickOnATokenHidesItsKey) {
  show(View::head);
  window.feed.click(window.cell_of("map", {4, 2}), ImGuiMouseButton_Right);
  window.play();
  window.click("Hide key in maps");
  EXPECT_EQ(document().style.hidden, parse_key_set("2"));
}

TEST_F(FlowWindow, AnyKeysAreTypedInDisplay) {
  window.click("Hide keys");
  settle();
  window.click("Other keys");
  window.type("1+2");
  settle();
  EXPECT_EQ(key_set_text(document().style.hidden), "1+2") << "also while it is no set of keys yet";
  EXPECT_GE(window.box_of("Other keys").x, 0);
  EXPECT_LE(window.box_of("Other keys").bottom(), 1500);
  window.key("ctrl+a");
  window.type("foo");
  settle();
  EXPECT_EQ(key_set_text(document().style.hidden), "1+2") << "what names no keys changes nothing";
}

TEST_F(FlowWindow, AKeyThatTheTextDoesNotHaveIsSaidUnderTheBoxAndInTheStrip) {
  const Index keys = snapshot()->keys(0);
  window.click("Hide keys");
  settle();
  window.click("Other keys");
  window.type("99");
  settle();
  EXPECT_THAT(drawn_words(), HasSubstr(fmt::format("This text has {} tokens, 0 to {}: 99 hides nothing in it.", keys, keys - 1)));
  EXPECT_THAT(drawn_words(), HasSubstr("token 99 hidden: not in this text"));
  window.key("ctrl+a");
  window.type("1");
  settle();
  EXPECT_THAT(drawn_words(), Not(HasSubstr("hides nothing")));
  EXPECT_THAT(drawn_words(), Not(HasSubstr("not in this text")));
}

TEST_F(FlowWindow, KeysAreHiddenInDisplay) {
  show(View::head);
  window.click("Hide keys");
  window.click("first token");
  EXPECT_EQ(document().style.hidden, parse_key_set("first-token"));
  window.click("The rest renormalised");
  EXPECT_EQ(document().style.hiding, Hiding::renormalise);
}

}  // namespace
}  // namespace headlight
