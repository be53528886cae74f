#include "app/gui/kit/scene_painter.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/gui/null_window.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

std::shared_ptr<const MapPicture> picture_of(float value) {
  return std::make_shared<MapPicture>(Matrix::Constant(4, 4, value), 1, 4, 4, nullptr, false);
}

SceneMap map_at(float x, float y, float side = 40) {
  return {{x, y, side, side}, picture_of(0.5F), {0, 4, 0, 4}, {}, {}};
}

/// Draws one scene as "figure" at an origin, in a window that fills the display.
struct Stage {
  explicit Stage(float scale = 1) : window({400, 300}, scale) {
    window.draw = [this] {
      ImGui::SetNextWindowPos({0, 0});
      ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
      ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
      ImGui::Begin("stage", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground);
      ImGui::PopStyleVar();
      first_vertex = ImGui::GetWindowDrawList()->VtxBuffer.Size;
      const int first_index = ImGui::GetWindowDrawList()->IdxBuffer.Size;
      window.painter.paint(scene, origin, "figure");
      const auto& all = ImGui::GetWindowDrawList()->VtxBuffer;
      vertices.assign(all.begin() + first_vertex, all.end());
      indices = ImGui::GetWindowDrawList()->IdxBuffer.Size - first_index;
      ImGui::End();
    };
  }
  /// The rectangle around everything that was drawn.
  Box extent() const {
    ImVec2 least{1e9F, 1e9F}, most{-1e9F, -1e9F};
    for (const ImDrawVert& vertex : vertices) {
      least = {std::min(least.x, vertex.pos.x), std::min(least.y, vertex.pos.y)};
      most = {std::max(most.x, vertex.pos.x), std::max(most.y, vertex.pos.y)};
    }
    return {least.x, least.y, most.x - least.x, most.y - least.y};
  }
  NullWindow window;
  Scene scene;
  ImVec2 origin{0, 0};
  int first_vertex = 0, indices = 0;
  std::vector<ImDrawVert> vertices;
};

TEST(ScenePainter, IdleFramesPaintNoMaps) {
  Stage stage;
  stage.scene.items = {map_at(10, 10), map_at(60, 10)};
  stage.window.frame();
  EXPECT_EQ(stage.window.painter.map_paints(), 2);
  stage.window.frame(20);
  EXPECT_EQ(stage.window.painter.map_paints(), 2);
  EXPECT_EQ(stage.window.textures.uploads, 1);
}

TEST(ScenePainter, OnlyTheMapThatChangedIsPaintedAgain) {
  Stage stage;
  stage.scene.items = {map_at(10, 10), map_at(60, 10)};
  stage.window.frame();
  const auto& second = std::get<SceneMap>(stage.scene.items[1]);
  const auto repaints = [&](auto change) {
    SceneMap changed = second;
    change(changed);
    stage.scene.items[1] = changed;
    const int before = stage.window.painter.map_paints();
    stage.window.frame(3);
    return stage.window.painter.map_paints() - before;
  };
  EXPECT_EQ(repaints([](SceneMap& map) { map.picture = picture_of(0.7F); }), 1);
  EXPECT_EQ(repaints([](SceneMap& map) { map.window.row_end = 2; }), 1);
  EXPECT_EQ(repaints([](SceneMap& map) { map.scale.gamma = 0.3F; }), 1);
  EXPECT_EQ(repaints([](SceneMap& map) { map.hatch.spacing = 9; }), 1);
  EXPECT_EQ(repaints([](SceneMap&) {}), 0);
}

TEST(ScenePainter, ScrollingMovesMapsWithoutPaintingThem) {
  Stage stage;
  stage.scene.items = {map_at(10, 10), map_at(60.4F, 10)};
  stage.window.frame();
  for (int step = 0; step < 30; ++step) {
    stage.origin.y += 0.7F;
    stage.window.frame();
  }
  EXPECT_EQ(stage.window.painter.map_paints(), 2);
}

TEST(ScenePainter, MapsOutOfSightAreNotPainted) {
  Stage stage;
  stage.scene.items = {map_at(10, 10), map_at(10, 5000), map_at(-90, 10)};
  stage.window.frame();
  EXPECT_EQ(stage.window.painter.map_paints(), 1);
  EXPECT_EQ(stage.window.textures.images[0].height, 41);
}

TEST(ScenePainter, TheImageHoldsDevicePixelsAndTheColoursOfTheMap) {
  Stage stage(2);
  SceneMap map = map_at(10, 10, 20);
  stage.scene.items = {map};
  stage.window.frame();
  const Image& image = stage.window.textures.images.at(0);
  const Colour wanted = map.scale.colour(0.5F);
  ASSERT_EQ(image.width, 41);
  const std::size_t centre = (20 * 41 + 20) * 4;
  ASSERT_EQ(image.order, ByteOrder::bgra);
  EXPECT_EQ(image.pixels[centre], wanted.blue);
  EXPECT_EQ(image.pixels[centre + 2], wanted.red);
  const Box drawn = stage.extent();
  EXPECT_EQ(drawn, (Box{20, 20, 40, 40}));
}

TEST(ScenePainter, AnImageLargerThanTheTextureLimitIsPaintedSmaller) {
  Stage stage;
  stage.window.textures.largest = 100;
  stage.scene.items = {map_at(0, 0, 250)};
  stage.window.frame();
  EXPECT_LE(stage.window.textures.images.at(0).width, 100);
  EXPECT_NEAR(stage.extent().width, 250, 5);
}

TEST(ScenePainter, TextKeepsItsAlignedPointWhenItIsTurned) {
  Stage stage;
  const auto extent_of = [&](AlignX align, float degrees) {
    stage.scene.items = {SceneText{{200, 150}, "because", FontFace::ui, 14, {255, 255, 255, 255}, align, AlignY::middle, degrees}};
    stage.window.frame();
    return stage.extent();
  };
  const Box flat = extent_of(AlignX::left, 0);
  EXPECT_NEAR(flat.x, 200, 3);
  const Box up = extent_of(AlignX::left, 90);  // reads upwards: ends above the point
  EXPECT_NEAR(up.bottom(), 150, 3);
  EXPECT_NEAR(up.height, flat.width, 1);
  EXPECT_NEAR(up.x + up.width / 2, 200, 4);
  const Box down = extent_of(AlignX::right, 90);
  EXPECT_NEAR(down.y, 150, 3);
  const Box rising = extent_of(AlignX::left, 45);
  EXPECT_GT(rising.right(), 225);
  EXPECT_LT(rising.y, 125);
}

TEST(ScenePainter, TurnedTextIsNotCutByWhereItStoodBefore) {
  Stage stage;
  stage.scene.items = {
      SceneText{{10, 290}, "a long label that reads upwards", FontFace::ui, 14, {255, 255, 255, 255}, AlignX::left, AlignY::middle, 90}};
  stage.window.frame();
  EXPECT_GT(stage.extent().height, 150);
}

TEST(ScenePainter, MeasuresInPointsWhatItDraws) {
  Stage stage(2);
  stage.scene.items = {SceneText{{10, 100}, "keys", FontFace::ui, 14, {255, 255, 255, 255}}};
  stage.window.frame();
  ImGui::NewFrame();
  EXPECT_NEAR(stage.window.painter.measure()("keys", FontFace::ui, 14) * 2, stage.extent().width, 6);
  ImGui::EndFrame();
}

TEST(ScenePainter, ThinLinesAndFramesLieOnWholePixels) {
  Stage stage;
  const Colour white{255, 255, 255, 255};
  stage.scene.items = {SceneLine{{10.3F, 20.2F}, {110.3F, 20.2F}, white, 1}};
  stage.window.frame();
  EXPECT_EQ(stage.extent(), (Box{10, 20, 100, 1}));
  stage.scene.items = {SceneBox{{10.4F, 20.4F, 30, 30}, white}};
  stage.window.frame();
  const Box box = stage.extent();
  EXPECT_NEAR(box.x, 10, 1);
  EXPECT_NEAR(box.width, 30, 2);  // Dear ImGui's edges fade over half a pixel
}

TEST(ScenePainter, ACurveHasItsWidthAndTwoTrianglesASegment) {
  for (const float width : {1.0F, 1.4F, 1.5F, 2.3F, 4.0F}) {
    Stage stage;
    stage.scene.items = {SceneCurve{{20, 100}, {120, 100}, {220, 100}, {320, 100}, {255, 255, 255}, width}};
    stage.window.frame();
    const auto is_in_pairs = [&stage] {
      return std::ssize(stage.vertices) >= 4 && stage.indices == 6 * (std::ssize(stage.vertices) / 2 - 1);
    };
    EXPECT_TRUE(is_in_pairs()) << width;
    // From the fonts' texture comes a line of a whole width with a pixel on each side that is clear: what it covers is as wide as asked for.
    const float whole = std::round(width);
    EXPECT_NEAR(stage.extent().height, (whole + 2) * width / whole, 1e-3F) << width;
    EXPECT_NEAR(stage.extent().y + stage.extent().height / 2, 100, 1e-3F) << width;
    EXPECT_NEAR(stage.extent().width, 300, 1e-3F) << width;
    std::get<SceneCurve>(stage.scene.items[0]).to_control = std::get<SceneCurve>(stage.scene.items[0]).to = {320, 200};
    stage.window.frame();
    EXPECT_TRUE(is_in_pairs()) << width;
    EXPECT_GT(stage.vertices.size(), 8U) << "it is bent";
  }
}

TEST(ScenePainter, AFrameBehindAMapIsDrawnAroundIt) {
  Stage stage;
  const Colour white{255, 255, 255, 255};
  SceneBox frame{{9, 9, 42, 42}, white};
  stage.scene.items = {frame, map_at(10, 10)};
  stage.window.frame();
  EXPECT_EQ(stage.extent(), (Box{9, 9, 42, 42}));
  float area = 0;
  for (std::size_t i = 4; i + 3 < stage.vertices.size(); i += 4) {  // the first four are the map's
    area += (stage.vertices[i + 2].pos.x - stage.vertices[i].pos.x) * (stage.vertices[i + 2].pos.y - stage.vertices[i].pos.y);
  }
  EXPECT_FLOAT_EQ(area, 42 * 42 - 40 * 40);
}

TEST(ScenePainter, MapsBetweenFramesAndLabelsAreOneDrawCall) {
  Stage stage;
  const auto commands = [&](int maps) {
    stage.scene.items.clear();
    for (int i = 0; i < maps; ++i) {
      const auto x = static_cast<float>(50 * i);
      stage.scene.items.emplace_back(SceneBox{{x - 1, 9, 42, 42}, {255, 255, 255, 255}});
      stage.scene.items.emplace_back(map_at(x, 10));
      stage.scene.items.emplace_back(SceneText{{x, 70}, "0.0", FontFace::mono, 12, {255, 255, 255, 255}});
    }
    stage.window.frame();
    return ImGui::GetDrawData()->CmdLists[0]->CmdBuffer.Size;
  };
  EXPECT_EQ(commands(2), commands(6));
}

TEST(ScenePainter, AFilledBoxHidesTheMapsBeforeItAndNoneAfterIt) {
  Stage stage;
  stage.scene.items = {map_at(10, 10), SceneBox{{0, 0, 200, 200}, {255, 0, 0, 255}}, SceneText{{0, 0}, "x"}, map_at(60, 10)};
  stage.window.frame();
  ASSERT_GE(stage.vertices.size(), 12U);
  EXPECT_FLOAT_EQ(stage.vertices[0].pos.x, 10);
  EXPECT_EQ(stage.vertices[4].col, IM_COL32(255, 0, 0, 255));
  EXPECT_FLOAT_EQ(stage.vertices[8].pos.x, 60);
}

}  // namespace
}  // namespace headlight::testing
