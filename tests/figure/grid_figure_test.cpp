#include "engine/figure/grid/grid_figure.h"

#include <gtest/gtest.h>

#include "engine/figure/marks.h"
#include "tests/figure/figure_testing.h"

namespace headlight::testing {
namespace {

GridFigureRequest request_of(Box area) {
  GridFigureRequest request;
  request.area = area;
  return request;
}

/// Many heads at no cost: every layer is the same.
Snapshot repeated(const Snapshot& snapshot, int layers) {
  Snapshot many = snapshot;
  many.trace.layers.assign(static_cast<std::size_t>(layers), snapshot.trace.layers[0]);
  many.summaries.assign(static_cast<std::size_t>(layers), snapshot.summaries[0]);
  return many;
}

TEST(GridFigure, EveryHeadHasATileAndNoTwoTouch) {
  const auto snapshot = sandbox_snapshot("The animal crossed the street", 4, 8);
  const GridFigure figure = make_grid_figure(*snapshot, request_of({10, 20, 1008, 728}), plain_measure());
  ASSERT_EQ(figure.tiles.size(), 32U);
  for (std::size_t i = 0; i < figure.tiles.size(); ++i) {
    const auto& [head, tile] = figure.tiles[i];
    EXPECT_EQ(figure.layout.box_of(head), tile);
    EXPECT_EQ(figure.head_at({tile.x + tile.width / 2, tile.y + tile.height / 2}), head);
    EXPECT_LE(tile.right(), 1018);
    for (std::size_t j = i + 1; j < figure.tiles.size(); ++j) {
      const Box& other = figure.tiles[j].second;
      EXPECT_TRUE(tile.right() < other.x || other.right() < tile.x || tile.bottom() + 16 < other.y || other.bottom() + 16 < tile.y);
    }
  }
  EXPECT_LE(figure.content_height, 728) << "all layers fit";
}

TEST(GridFigure, BrushedHeadsHaveAnotherFrameThanTheChosenOne) {
  const auto snapshot = sandbox_snapshot("The animal crossed the street", 2, 2);
  GridFigureRequest request = request_of({10, 20, 600, 500});
  request.selected = HeadId{0, 0};
  request.brushed = {{0, 0}, {0, 1}};
  const GridFigure figure = make_grid_figure(*snapshot, request, plain_measure());
  const Palette& colours = palette(request.style.theme);
  const auto frames_of = [&](HeadId head, Colour colour) {
    const Box tile = figure.layout.box_of(head);
    const auto boxes = items_of<SceneBox>(figure.scene);
    return std::count_if(boxes.begin(), boxes.end(), [&](const SceneBox& box) {
      return box.stroke == colour && box.stroke_width > 1 && box.box.x <= tile.x && box.box.x > tile.x - 8 && box.box.y <= tile.y &&
             box.box.y > tile.y - 8;
    });
  };
  EXPECT_EQ(frames_of({0, 0}, colours.accent), 1);
  EXPECT_EQ(frames_of({0, 0}, colours.text_second), 1) << "it is brushed, too";
  EXPECT_EQ(frames_of({0, 1}, colours.accent), 0);
  EXPECT_EQ(frames_of({0, 1}, colours.text_second), 1);
  EXPECT_EQ(frames_of({1, 0}, colours.text_second), 0);
}

TEST(GridFigure, CaptionsDoNotTouch) {
  const auto snapshot = sandbox_snapshot("The animal crossed the street", 2, 12);
  for (const float width : {700.0F, 1000.0F, 1600.0F}) {
    const auto texts =
        items_of<SceneText>(make_grid_figure(repeated(*snapshot, 12), request_of({0, 0, width, 3000}), plain_measure()).scene);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      for (std::size_t j = i + 1; j < texts.size(); ++j) {
        ASSERT_FALSE(overlap(texts[i], texts[j], plain_measure())) << texts[i].text << " and " << texts[j].text << " at " << width;
      }
    }
  }
}

TEST(GridFigure, NarrowAreasWrapALayerOntoSeveralEvenLines) {
  const auto snapshot = sandbox_snapshot("The cat", 2, 12);
  const GridFigure figure = make_grid_figure(*snapshot, request_of({0, 0, 600, 700}), plain_measure());
  EXPECT_EQ(figure.layout.columns, 4);
  EXPECT_GE(figure.layout.tile, 64);
  EXPECT_GT(figure.layout.box_of({0, 4}).y, figure.layout.box_of({0, 0}).bottom());
  EXPECT_GT(figure.layout.box_of({1, 0}).y, figure.layout.box_of({0, 11}).bottom());
}

TEST(GridFigure, CaptionsStandRightUnderMapsOfEveryShape) {
  for (const auto& [text, decoder_text] :
       {std::pair("The animal crossed the wide street today", "Das Tier"), std::pair("The", "Das Tier ging ueber die Strasse")}) {
    const auto snapshot = pair_snapshot(text, decoder_text);
    const Scene scene = make_grid_figure(*snapshot, request_of({0, 0, 1000, 900}), plain_measure()).scene;
    const auto maps = items_of<SceneMap>(scene);
    const auto texts = items_of<SceneText>(scene);
    ASSERT_FALSE(maps.empty());
    for (const SceneMap& map : maps) {
      const auto names = std::count_if(texts.begin(), texts.end(), [&](const SceneText& caption) {
        const float below = caption.at.y - map.box.bottom();
        return caption.text.starts_with("h") && caption.at.x == map.box.x && below > 0 && below < 16;
      });
      EXPECT_EQ(names, 1) << map.box.width << " × " << map.box.height;
    }
  }
}

/// The share of the area, across and down, that the grid and what it leaves to a larger map reach over.
Point reach_of(const Snapshot& snapshot, Point area) {
  const GridFigure figure = make_grid_figure(snapshot, request_of({0, 0, area.x, area.y}), plain_measure());
  const Box& spare = figure.layout.spare;
  EXPECT_TRUE(spare.width == 0 || spare.x >= figure.layout.content_width || spare.y >= figure.content_height);
  return {std::max(figure.layout.content_width, spare.right()) / area.x, std::max(figure.content_height, spare.bottom()) / area.y};
}

TEST(GridFigure, FillsItsAreaWhateverItsShape) {
  const auto few = sandbox_snapshot("The animal crossed the street", 4, 8), many = sandbox_snapshot("The animal crossed", 2, 12);
  for (const Point area : {Point{984, 500}, Point{1040, 730}, Point{1840, 1250}}) {
    for (const Snapshot& snapshot : {*few, repeated(*many, 12)}) {
      if (snapshot.layers() == 12 && area.y < 600) continue;  // scrolls
      const Point reach = reach_of(snapshot, area);
      EXPECT_GE(std::min(reach.x, reach.y), 0.7F) << area.x << " × " << area.y << ", " << snapshot.layers() << " layers";
      EXPECT_LE(std::max(reach.x, reach.y), 1) << area.x << " × " << area.y;
      EXPECT_GE(std::max(reach.x, reach.y), 0.95F) << area.x << " × " << area.y << ", " << snapshot.layers() << " layers";
    }
  }
}

TEST(GridFigure, IsNeverTornApart) {
  for (const auto& [layers, heads] : {std::pair(2, 1), std::pair(4, 8), std::pair(12, 12), std::pair(24, 16)}) {
    const auto one = sandbox_snapshot("The animal crossed the street", 1, heads);
    const Snapshot snapshot = repeated(*one, layers);
    for (const Point area : {Point{984, 380}, Point{670, 580}, Point{1040, 730}, Point{1840, 1250}, Point{900, 230}}) {
      const GridLayout layout = make_grid_figure(snapshot, request_of({0, 0, area.x, area.y}), plain_measure()).layout;
      for (int layer = 1; layer < layers; ++layer) {
        const GridLayout::Layer &above = layout.layers[static_cast<std::size_t>(layer - 1)],
                                &here = layout.layers[static_cast<std::size_t>(layer)];
        if (here.left > above.left) continue;  // the next column of layers
        const int lines = (heads + layout.columns - 1) / layout.columns;
        const float end = above.top - above.keys + static_cast<float>(lines) * above.line_step;
        EXPECT_LE(here.top - here.keys - end, 36) << layers << " × " << heads << " in " << area.x << " × " << area.y;
      }
      const float between = layout.step - layout.layers[0].width - layout.beside - std::max(0.0F, layout.caption_width - layout.tile);
      EXPECT_LE(between, 24.5F) << layers << " × " << heads << " in " << area.x << " × " << area.y;
    }
  }
}

TEST(GridFigure, FewHeadsOfAFewLayersStandBesideEachOther) {
  const auto snapshot = sandbox_snapshot("The animal crossed the street", 2, 1);
  const GridFigure figure = make_grid_figure(*snapshot, request_of({0, 0, 1840, 1250}), plain_measure());
  const Box first = figure.layout.box_of({0, 0}), second = figure.layout.box_of({1, 0});
  EXPECT_EQ(first.y, second.y);
  EXPECT_GT(second.x, first.right());
  EXPECT_GT(first.width, 600) << "under each other they could be 600 at most";
  const auto texts = items_of<SceneText>(figure.scene);
  for (const char* name : {"layer 0", "layer 1"}) {
    EXPECT_TRUE(std::any_of(texts.begin(), texts.end(), [&](const SceneText& text) { return text.text == name; })) << name;
  }
}

TEST(GridFigure, RoomForAMuchLargerMapIsSpare) {
  const auto two = sandbox_snapshot("The animal crossed the street", 2, 8), four = sandbox_snapshot("The animal crossed the street", 4, 8);
  const auto spare = [&](const Snapshot& snapshot, Box area) {
    return make_grid_figure(snapshot, request_of(area), plain_measure()).layout.spare;
  };
  Box below;
  for (float height = 500; height < 800 && (below.width == 0 || below.x > 10); height += 10) below = spare(*four, {10, 20, 700, height});
  EXPECT_EQ(below.x, 10);
  EXPECT_EQ(below.right(), 710);
  EXPECT_GE(below.height, 176);
  const Box right = spare(*two, {10, 20, 1400, 230});
  EXPECT_GT(right.x, 10);
  EXPECT_EQ(right.right(), 1410);
  EXPECT_EQ(spare(*two, {0, 0, 700, 230}), Box{});
}

TEST(GridFigure, ACellOfATileIsToldWhereItIsLargeEnough) {
  const auto snapshot = sandbox_snapshot("The animal crossed the street", 2, 2);
  const GridFigure large = make_grid_figure(*snapshot, request_of({0, 0, 700, 700}), plain_measure());
  const Box tile = large.layout.box_of({1, 1});
  const float cell = tile.width / 5;
  EXPECT_EQ(large.cell_at(*snapshot, {1, 1}, {tile.x + 1.5F * cell, tile.y + 4.5F * cell}), (Cell{4, 1}));
  EXPECT_EQ(large.cell_at(*snapshot, {1, 1}, {tile.x + 1, tile.bottom() + 3}), std::nullopt) << "the caption";
  std::string text;
  for (int word = 0; word < 90; ++word) text += "a ";
  const auto many = sandbox_snapshot(text, 1, 2);
  const GridFigure small = make_grid_figure(*many, request_of({0, 0, 300, 200}), plain_measure());
  const Box first = small.layout.box_of({0, 0});
  EXPECT_EQ(small.cell_at(*many, {0, 0}, {first.x + 9, first.y + 9}), std::nullopt);
}

TEST(GridFigure, TwelveLayersOfTwelveHeadsAreInSightAtOnceWithTheirNumbers) {
  const auto snapshot = sandbox_snapshot("The animal crossed", 2, 12);
  const GridFigure figure = make_grid_figure(repeated(*snapshot, 12), request_of({0, 0, 1000, 700}), plain_measure());
  EXPECT_EQ(figure.tiles.size(), 144U);
  EXPECT_LE(figure.content_height, 700);
  EXPECT_GE(figure.layout.tile, 36);
  const auto texts = items_of<SceneText>(figure.scene);
  const auto numbers = std::count_if(texts.begin(), texts.end(), [](const SceneText& text) {
    return text.text.starts_with("0.") && text.text.size() == 4 && text.align_x == AlignX::right;
  });
  EXPECT_EQ(numbers, 144);
}

TEST(GridFigure, SoAreTwelveLayersWhoseHeadsShareKeysAndValues) {
  Query query;
  query.text = "The animal crossed";
  query.model.sandbox.heads = 12;
  query.model.sandbox.d_model = 48;
  query.model.sandbox.layers = 1;
  query.kv_heads = 4;
  Pipeline pipeline(1);
  SilentProgress progress;
  const GridFigure figure = make_grid_figure(repeated(*pipeline.run(query, progress), 12), request_of({0, 0, 1000, 700}), plain_measure());
  EXPECT_EQ(figure.tiles.size(), 144U);
  EXPECT_LE(figure.content_height, 700);
  EXPECT_GE(figure.layout.tile, 36);
  const auto lines = items_of<SceneLine>(figure.scene);
  const auto level =
      std::count_if(lines.begin(), lines.end(), [](const SceneLine& line) { return line.from.y == line.to.y && line.to.x > line.from.x; });
  EXPECT_GE(level, 12 * 4) << "a bracket for every group";
  for (const SceneLine& line : lines) {
    for (const auto& [head, tile] : figure.tiles) {
      ASSERT_FALSE(line.from.y > tile.y && line.from.y < tile.bottom() && line.from.x >= tile.x && line.from.x < tile.right())
          << head.layer;
    }
  }
}

TEST(GridFigure, LargeTilesHaveTheNamesOfTheirTokensOnceALine) {
  const auto snapshot = sandbox_snapshot("The animal crossed", 2, 4);
  const auto count = [&](Box area, std::string_view word, float degrees) {
    const auto texts = items_of<SceneText>(make_grid_figure(*snapshot, request_of(area), plain_measure()).scene);
    return std::count_if(texts.begin(), texts.end(), [&](const SceneText& text) { return text.text == word && text.degrees == degrees; });
  };
  EXPECT_EQ(count({0, 0, 1000, 700}, "animal", 0), 2) << "rows: at the left of each layer";
  EXPECT_EQ(count({0, 0, 1000, 700}, "animal", 90), 8) << "columns: above each tile";
  EXPECT_EQ(count({0, 0, 220, 200}, "animal", 90), 0) << "no room";
}

TEST(GridFigure, HeadsThatShareAKeyAndValueAreUnderOneBracket) {
  Query query;
  query.text = "The animal crossed the street";
  query.model.sandbox.heads = 8;
  query.model.sandbox.d_model = 32;
  query.kv_heads = 2;
  Pipeline pipeline(1);
  SilentProgress progress;
  const auto snapshot = pipeline.run(query, progress);
  const GridFigure figure = make_grid_figure(*snapshot, request_of({0, 0, 1000, 900}), plain_measure());
  const auto texts = items_of<SceneText>(figure.scene);
  for (int group = 0; group < 2; ++group) {
    const auto named = std::find_if(texts.begin(), texts.end(),
                                    [&](const SceneText& text) { return text.text == fmt::format("key/value head {}", group); });
    ASSERT_NE(named, texts.end());
    const Box first = figure.layout.box_of({0, 4 * group}), last = figure.layout.box_of({0, 4 * group + 3});
    EXPECT_NEAR(named->at.x, (first.x + last.right()) / 2, 0.5F) << "in the middle of its heads";
    EXPECT_GT(named->at.y, last.bottom());
    EXPECT_EQ(named->colour, palette(Theme::dark).key);
  }
  const auto plain = sandbox_snapshot("The animal", 2, 8);
  EXPECT_TRUE(items_of<SceneLine>(make_grid_figure(*plain, request_of({0, 0, 1000, 900}), plain_measure()).scene).empty());
}

TEST(GridFigure, OnlyWhatIsSeenIsMade) {
  const auto one = sandbox_snapshot("The cat", 1, 4);
  const Snapshot many = repeated(*one, 5000);
  GridFigureRequest request = request_of({0, 0, 800, 600});
  const GridFigure top = make_grid_figure(many, request, plain_measure());
  EXPECT_LT(top.tiles.size(), 60U);
  EXPECT_LT(top.scene.items.size(), 400U);
  EXPECT_EQ(top.tiles.front().first, (HeadId{0, 0}));
  request.scroll = top.content_height - 600;
  const GridFigure end = make_grid_figure(many, request, plain_measure());
  EXPECT_EQ(end.tiles.back().first, (HeadId{4999, 3}));
  EXPECT_LE(end.tiles.back().second.bottom(), 600);
  EXPECT_EQ(end.content_height, top.content_height);
}

TEST(GridFigure, ScrollingMovesTilesByItsAmount) {
  const auto snapshot = sandbox_snapshot("The cat", 4, 4);
  GridFigureRequest request = request_of({0, 0, 500, 200});
  const Box before = make_grid_figure(*snapshot, request, plain_measure()).layout.box_of({2, 1});
  request.scroll = 37;
  const Box after = make_grid_figure(*snapshot, request, plain_measure()).layout.box_of({2, 1});
  EXPECT_FLOAT_EQ(before.y - after.y, 37);
}

TEST(GridFigure, EveryMapMarksThePinnedRowAndWhatIsPointedAt) {
  const auto snapshot = sandbox_snapshot("The cat sat", 2, 4);
  GridFigureRequest request = request_of({0, 0, 800, 600});
  request.marks = [](int layer) {
    return TileMarks{.pinned_query = layer == 0 ? std::optional<Index>(1) : std::nullopt, .hovered_key = 2};
  };
  const GridFigure figure = make_grid_figure(*snapshot, request, plain_measure());
  const Palette& colours = palette(Theme::dark);
  int rows = 0, dashes = 0;
  for (const SceneBox& box : items_of<SceneBox>(figure.scene)) rows += box.stroke == colours.query ? 1 : 0;
  for (const SceneLine& line : items_of<SceneLine>(figure.scene)) dashes += line.colour == colours.key ? 1 : 0;
  EXPECT_EQ(rows, 4) << "the heads of layer 0";
  EXPECT_GT(dashes, 8 * 4) << "a column of every head";
}

TEST(GridFigure, ARowOfALongTextIsMarkedByALineThatHidesNoOther) {
  std::string text;
  for (int word = 0; word < 90; ++word) text += "a ";
  const auto snapshot = sandbox_snapshot(text, 1, 2);
  GridFigureRequest request = request_of({0, 0, 300, 200});
  request.marks = [](int) { return TileMarks{.pinned_query = 40}; };
  const GridFigure figure = make_grid_figure(*snapshot, request, plain_measure());
  int lines = 0;
  for (const SceneLine& line : items_of<SceneLine>(figure.scene)) lines += line.width == 1 && line.from.y == line.to.y ? 1 : 0;
  EXPECT_EQ(lines, 2) << "one in each map";
  for (const SceneBox& box : items_of<SceneBox>(figure.scene)) EXPECT_NE(box.stroke, palette(Theme::dark).query);
}

TEST(GridFigure, SelectedHoveredAndPinnedHeadsAreTold) {
  const auto snapshot = sandbox_snapshot("The cat sat", 2, 4);
  GridFigureRequest request = request_of({0, 0, 800, 600});
  request.selected = HeadId{1, 2};
  request.hovered = HeadId{0, 1};
  request.pinned = {{0, 3}, {1, 2}};
  const Scene scene = make_grid_figure(*snapshot, request, plain_measure()).scene;
  const Palette& colours = palette(Theme::dark);
  int selected = 0, dashes = 0;
  for (const SceneBox& box : items_of<SceneBox>(scene)) {
    selected += box.stroke == colours.accent && box.fill == mark_fill(colours.accent, Mark::pinned) ? 1 : 0;
  }
  const Box around = make_grid_figure(*snapshot, request, plain_measure()).layout.box_of({0, 1});
  for (const SceneLine& line : items_of<SceneLine>(scene)) {
    dashes += line.colour == colours.accent ? 1 : 0;
    EXPECT_TRUE(line.from.x > around.x - 5 && line.to.x < around.right() + 5 && line.to.y < around.bottom() + 5) << "only the hovered one";
  }
  EXPECT_EQ(selected, 1);
  EXPECT_GT(dashes, 20);
  std::string letters;
  for (const SceneText& text : items_of<SceneText>(scene)) {
    if (text.text.size() == 1) letters += text.text;
  }
  EXPECT_EQ(letters, "AB");
}

TEST(GridFigure, AHeadThatIsSwitchedOffIsCalledSo) {
  Snapshot snapshot = *sandbox_snapshot("The cat", 1, 4);
  snapshot.query.switched_off = {{0, 2}};
  const auto count = [&](float width, std::string_view word) {
    const auto texts =
        items_of<SceneText>(make_grid_figure(snapshot, request_of({0, 0, width, width > 500 ? 700.0F : 110.0F}), plain_measure()).scene);
    return std::count_if(texts.begin(), texts.end(), [&](const SceneText& text) { return text.text == word; });
  };
  EXPECT_EQ(count(1000, "switched off"), 1);
  EXPECT_EQ(count(1000, "off"), 0);
  EXPECT_EQ(count(400, "off"), 1) << "what fits";
  EXPECT_EQ(count(1000, "×"), 0);
}

TEST(GridFigure, AnUndefinedFigureIsADash) {
  const auto snapshot = sandbox_snapshot("Cat", 1, 1);  // one token: no informative row
  const auto texts = items_of<SceneText>(make_grid_figure(*snapshot, request_of({0, 0, 400, 400}), plain_measure()).scene);
  EXPECT_TRUE(std::any_of(texts.begin(), texts.end(), [](const SceneText& text) { return text.text == "–"; }));
}

}  // namespace
}  // namespace headlight::testing
