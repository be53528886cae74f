// One selection in tiles and labs: a cell under the pointer is marked in every map of the frame, and a pinned row as well.
#include "app/gui/panel/focus.h"
#include "app/gui/views/views.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

class Tiles : public testing::FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    window.resize({1600, 1000});
    window.painter.watch([this](const Scene& scene, std::string_view name) { painted_[std::string(name)] = scene; });
    settle();
  }
  /// Dashes of a colour: of what is hovered.
  std::size_t dashes(const std::string& name, Colour colour) {
    std::size_t count = 0;
    for (const SceneItem& item : painted_[name].items) {
      const auto* line = std::get_if<SceneLine>(&item);
      count += line != nullptr && line->colour == colour ? 1 : 0;
    }
    return count;
  }
  /// Solid lines of a colour: of what is pinned.
  std::size_t boxes(const std::string& name, Colour colour) {
    std::size_t count = 0;
    for (const SceneItem& item : painted_[name].items) {
      const auto* box = std::get_if<SceneBox>(&item);
      count += box != nullptr && box->stroke == colour ? 1 : 0;
    }
    return count;
  }
  const Palette& colours() const { return palette(document().style.theme); }
  std::map<std::string, Scene> painted_;
};

TEST_F(Tiles, ACellUnderThePointerIsMarkedInEveryTile) {
  show(View::overview);
  ASSERT_EQ(dashes("overview", colours().query), 0U);
  window.hover(window.cell_of("head 1.2", {4, 2}));
  EXPECT_EQ(view.pointed.cell, (Cell{4, 2}));
  EXPECT_EQ(view.pointed.layer, 1);
  EXPECT_EQ(view.pointed.head, (HeadId{1, 2}));
  const auto tiles = static_cast<std::size_t>(snapshot()->layers() * snapshot()->heads());
  EXPECT_GE(dashes("overview", colours().query), 4 * tiles) << "a row of each";
  EXPECT_GE(dashes("overview", colours().key), 4 * tiles) << "a column of each";
  EXPECT_TRUE(window.has("Row profile of 4")) << "the inspector follows";
  window.hover(ImVec2(1, 1));
  EXPECT_EQ(dashes("overview", colours().query), 0U);
}

TEST_F(Tiles, APinnedRowIsSolidInEveryTileAndEveryCard) {
  Document next = document();
  next.pins = {{{0, 0}}, {{1, 1}}};
  session.apply(next, false, false);
  view.pinned_query = TokenPlace{Side::text, 5};
  show(View::overview);
  EXPECT_EQ(boxes("overview", colours().query), static_cast<std::size_t>(snapshot()->layers() * snapshot()->heads()));
  show(View::compare);
  EXPECT_EQ(boxes("compare", colours().query), 3U) << "two heads and their difference";
  window.hover(window.cell_of("card A", {3, 1}));
  EXPECT_GE(dashes("compare", colours().query), 3U);
  EXPECT_GE(dashes("compare", colours().key), 3U);
}

TEST_F(Tiles, AKeyOfTheComparedRowIsMarkedWhereverItIs) {
  Document next = document();
  next.pins = {{{0, 0}}, {{1, 1}}};
  session.apply(next, false, false);
  view.pinned_query = TokenPlace{Side::text, 5};
  show(View::compare);
  window.hover("Compared key 2");
  window.frame();
  EXPECT_EQ(view.pointed.token, (TokenPlace{Side::text, 2}));
  EXPECT_GE(dashes("compare", colours().key), 3U);
}

TEST_F(Tiles, TheAttemptsMarkTokensAsTheTextHasThem) {
  show(View::lab);
  view.labs.lab = Lab::attempts;
  settle();
  view.pinned_query = TokenPlace{Side::text, 3};
  window.frame(2);
  EXPECT_EQ(boxes("lab", colours().query), 8U) << "scores and weights of four attempts";
  window.hover(window.cell_of("final attempt 0", {2, 1}));
  EXPECT_EQ(view.pointed.cell, (Cell{2, 1}));
  EXPECT_GE(dashes("lab", colours().query), 8U * 4);
  window.click(window.cell_of("final attempt 0", {2, 1}));
  EXPECT_EQ(view.pinned_query, (TokenPlace{Side::text, 2}));
  window.hover("token 4");
  window.frame();
  EXPECT_GE(dashes("lab", colours().key), 8U * 4) << "from the strip";
}

TEST_F(Tiles, StripsOfALayerMarkTheRowsOfTheirTokens) {
  show(View::lab);
  view.labs.lab = Lab::concatenation;
  view.labs.step = LayerStep::projections;
  settle();
  ASSERT_EQ(boxes("lab", colours().query), 0U);
  window.click(window.cell_of("strip q", {4, 1}));
  EXPECT_EQ(view.pinned_query, (TokenPlace{Side::text, 4}));
  window.hover(ImVec2(1, 1));
  EXPECT_EQ(boxes("lab", colours().query), 3U) << "in q, k and v";
}

TEST_F(Tiles, TheToyRunPinsARowOfItsOwn) {
  show(View::lab);
  view.labs.lab = Lab::toy_run;
  settle();
  window.hover(window.cell_of("toy 0.1", {2, 1}));
  EXPECT_GE(dashes("lab", colours().key), 10U * 4) << "in every map of both items";
  EXPECT_FALSE(view.pointed.cell.has_value()) << "it has no token of the text";
  window.click(window.cell_of("toy 0.1", {2, 1}));
  window.hover(ImVec2(1, 1));
  EXPECT_EQ(boxes("lab", colours().query), 10U);
  EXPECT_FALSE(view.pinned_query.has_value());
  window.key("escape");
  window.frame();
  EXPECT_EQ(boxes("lab", colours().query), 0U);
}

}  // namespace
}  // namespace headlight
