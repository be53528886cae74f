// Laws that every map figure keeps, whatever its size, map and labels.
#include <gtest/gtest.h>

#include "engine/figure/axes.h"
#include "engine/figure/map_layout.h"
#include "engine/figure/marks.h"
#include "tests/figure/figure_testing.h"
#include "tests/figure/map_request.h"

namespace headlight::testing {
namespace {

struct Case {
  Index rows, columns;
  Box area;
};
const std::vector<Case> kCases = {
    {5, 5, {16, 16, 1008, 728}},    {14, 14, {16, 16, 1008, 728}}, {40, 40, {0, 0, 1008, 728}},    {150, 150, {30, 5, 700, 500}},
    {512, 512, {0, 0, 1500, 1200}}, {4, 6, {0, 0, 800, 600}},      {10, 900, {0, 0, 800, 600}},    {900, 10, {0, 0, 800, 600}},
    {1, 1, {0, 0, 400, 400}},       {20, 20, {0, 0, 300, 260}},    {4096, 4096, {0, 0, 900, 700}},
};

std::vector<SceneText> labels_of(const Scene& scene, Colour colour) {
  std::vector<SceneText> labels;
  for (const SceneText& text : items_of<SceneText>(scene)) {
    if (text.colour == colour) labels.push_back(text);
  }
  return labels;
}

// Seeds D7: the side of the rows is titled as that of the queries, the side of the columns as that of the keys.
TEST(MapFigure, AxisTitlesStandBesideRowsAndAboveColumns) {
  MapFigureRequest request = map_request(5, 9, {16, 16, 1008, 728});
  request.titles = {"decoder queries", "encoder keys"};
  const MapFigure figure = make_map_figure(request, plain_measure());
  int found = 0;
  for (const SceneText& text : items_of<SceneText>(figure.scene)) {
    const bool is_query = text.text == "decoder queries", is_key = text.text == "encoder keys";
    found += static_cast<int>(is_query) + static_cast<int>(is_key);
    if (is_query) {
      EXPECT_LT(text.at.x, figure.map.x);
      EXPECT_TRUE(text.at.y > figure.map.y && text.at.y < figure.map.bottom());
      EXPECT_EQ(text.degrees, 90);
    }
    if (is_key) {
      EXPECT_LT(text.at.y, figure.map.y);
      EXPECT_TRUE(text.at.x > figure.map.x && text.at.x <= figure.map.right());
      EXPECT_EQ(text.degrees, 0);
    }
  }
  EXPECT_EQ(found, 2);
  EXPECT_EQ(AxisTitles{}.query, "queries");
  EXPECT_EQ(AxisTitles{}.key, "keys");
}

TEST(MapFigure, NothingLeavesTheArea) {
  for (const Case& c : kCases) {
    const MapFigureRequest request = map_request(c.rows, c.columns, c.area);
    const Scene scene = make_map_figure(request, plain_measure()).scene;
    const Box& area = request.area;
    for (const SceneText& text : items_of<SceneText>(scene)) {
      for (const Point corner : corners_of(text, plain_measure())) {
        EXPECT_TRUE(corner.x >= area.x - 1 && corner.x <= area.right() + 1 && corner.y >= area.y - 1 && corner.y <= area.bottom() + 1)
            << c.rows << " × " << c.columns << ": “" << text.text << "” reaches " << corner.x << ", " << corner.y;
      }
    }
    for (const SceneMap& map : items_of<SceneMap>(scene)) {
      EXPECT_GE(map.box.x, area.x);
      EXPECT_LE(map.box.right(), area.right());
      EXPECT_LE(map.box.bottom(), area.bottom());
    }
  }
}

TEST(MapFigure, NoTwoTextsTouch) {
  for (const Case& c : kCases) {
    MapFigureRequest request = map_request(c.rows, c.columns, c.area);
    for (const bool has_crosshair : {false, true}) {
      if (has_crosshair) request.crosshair = Cell{c.rows * 2 / 3, c.columns / 3};
      if (has_crosshair) request.pinned_query = c.rows / 5;
      const auto texts = items_of<SceneText>(make_map_figure(request, plain_measure()).scene);
      for (std::size_t i = 0; i < texts.size(); ++i) {
        for (std::size_t j = i + 1; j < texts.size(); ++j) {
          if (texts[i].degrees != texts[j].degrees) continue;
          EXPECT_FALSE(overlap(texts[i], texts[j], plain_measure()))
              << c.rows << " × " << c.columns << ": “" << texts[i].text << "” and “" << texts[j].text << "”";
        }
      }
    }
  }
}

TEST(MapFigure, CellsAreSquareUnlessALongThinMapWouldBecomeALine) {
  for (const Case& c : kCases) {
    const MapFigure figure = make_map_figure(map_request(c.rows, c.columns, c.area), plain_measure());
    const Box cell = figure.box_of({0, 0});
    if (std::max(c.rows, c.columns) < 4 * std::min(c.rows, c.columns) || std::min(cell.width, cell.height) >= 2) {
      EXPECT_NEAR(cell.width, cell.height, 1e-3) << c.rows << " × " << c.columns;
    } else {
      EXPECT_GT(std::min(figure.map.width, figure.map.height), 50) << c.rows << " × " << c.columns;
    }
  }
}

TEST(MapFigure, TheCellUnderAPointIsTheCellDrawnThere) {
  for (const Case& c : kCases) {
    const MapFigure figure = make_map_figure(map_request(c.rows, c.columns, c.area), plain_measure());
    for (const Cell cell : {Cell{0, 0}, Cell{c.rows / 2, c.columns / 3}, Cell{c.rows - 1, c.columns - 1}}) {
      const Box box = figure.box_of(cell);
      EXPECT_EQ(figure.cell_at({box.x + box.width / 2, box.y + box.height / 2}), cell);
    }
    EXPECT_EQ(figure.cell_at({figure.map.x - 1, figure.map.y}), std::nullopt);
    EXPECT_EQ(figure.cell_at({figure.map.x, figure.map.bottom() + 1}), std::nullopt);
  }
}

TEST(MapFigure, ZoomingKeepsTheMapInPlaceAndLabelsBesideTheirCells) {
  MapFigureRequest request = map_request(64, 64, {0, 0, 900, 690});
  const MapFigure whole = make_map_figure(request, plain_measure());
  std::vector<std::string> queries;
  for (int i = 0; i < 64; ++i) queries.push_back("q" + std::to_string(i));
  request.query_labels = std::make_shared<const std::vector<std::string>>(std::move(queries));
  request.window = {10.3F, 26.8F, 20.6F, 37.1F};
  const MapFigure zoomed = make_map_figure(request, plain_measure());
  EXPECT_NEAR(zoomed.map.width, whole.map.width, 40) << "only the labels' size may change the box a little";
  int labels = 0;
  for (const SceneText& text : items_of<SceneText>(zoomed.scene)) {
    if (text.text[0] != 'q' || text.text == "queries") continue;
    ++labels;
    const Box cell = zoomed.box_of({std::stoi(text.text.substr(1)), 20});
    EXPECT_NEAR(text.at.y, cell.y + cell.height / 2, 0.01) << text.text;
    EXPECT_TRUE(text.at.y >= zoomed.map.y && text.at.y <= zoomed.map.bottom()) << text.text;
  }
  EXPECT_GE(labels, 16);
}

TEST(MapFigure, TheCrosshairFramesWhatTheMaskAllowsAndItsLabelsAreMarked) {
  auto mask = std::make_shared<Mask>(14, 14, false);
  for (Index query = 0; query < 14; ++query) {
    for (Index key = 0; key <= query; ++key) mask->set(query, key, true);
  }
  MapFigureRequest request = map_request(14, 14, {0, 0, 1000, 700}, mask);
  request.crosshair = Cell{9, 1};
  const MapFigure figure = make_map_figure(request, plain_measure());
  const Palette& colours = palette(Theme::dark);
  Box row, column;
  for (const SceneLine& dash : items_of<SceneLine>(figure.scene)) {
    if (dash.colour != colours.query && dash.colour != colours.key) continue;
    Box& around = dash.colour == colours.query ? row : column;
    if (around == Box{}) around = {dash.from.x, dash.from.y, 0, 0};
    around.width = std::max(around.width, dash.to.x - around.x);
    around.height = std::max(around.height, dash.to.y - around.y);
  }
  EXPECT_EQ(row.x, figure.box_of({9, 0}).x);
  EXPECT_NEAR(row.right(), figure.box_of({9, 9}).right(), 0.01);
  EXPECT_NEAR(column.y, figure.box_of({1, 1}).y, 1);
  EXPECT_NEAR(column.bottom(), figure.map.bottom(), 0.01);
  EXPECT_EQ(labels_of(figure.scene, colours.query).size(), 2U) << "the axis title and one label";
  EXPECT_EQ(labels_of(figure.scene, colours.key).size(), 2U);
}

TEST(MapFigure, MarkedLabelsStayWhenLabelsAreThinned) {
  MapFigureRequest request = map_request(512, 512, {0, 0, 900, 700});
  std::vector<std::string> queries = *request.query_labels;
  queries[333] = "here";
  request.query_labels = std::make_shared<const std::vector<std::string>>(std::move(queries));
  request.crosshair = Cell{333, 77};
  const auto labels = labels_of(make_map_figure(request, plain_measure()).scene, palette(Theme::dark).query);
  EXPECT_TRUE(std::any_of(labels.begin(), labels.end(), [](const SceneText& text) { return text.text == "here"; }));
}

/// Texts that are numbers, in the face of positions; without those of the bar.
std::vector<SceneText> positions_of(const MapFigure& figure) {
  std::vector<SceneText> positions;
  for (const SceneText& text : items_of<SceneText>(figure.scene)) {
    const bool is_number = text.text.find_first_not_of("0123456789") == std::string::npos;
    if (is_number && text.face == FontFace::mono && text.at.x <= figure.map.right()) positions.push_back(text);
  }
  return positions;
}
std::size_t ticks_of(const MapFigure& figure) {
  const auto lines = items_of<SceneLine>(figure.scene);
  return static_cast<std::size_t>(
      std::count_if(lines.begin(), lines.end(), [](const SceneLine& line) { return line.colour == palette(Theme::dark).text_third; }));
}

TEST(MapFigure, PositionsStandBesideTheTokensOfATextThatIsTooLongToCount) {
  MapFigureRequest request = map_request(60, 60, {0, 0, 1500, 1400});
  EXPECT_TRUE(positions_of(make_map_figure(request, plain_measure())).empty()) << "60 can be counted";
  request = map_request(61, 61, {0, 0, 1500, 1400});
  const MapFigure figure = make_map_figure(request, plain_measure());
  const std::vector<SceneText> positions = positions_of(figure);
  EXPECT_EQ(positions.size(), 122U) << "there is room for every label";
  EXPECT_EQ(ticks_of(figure), 0U) << "no label is left out";
  for (const SceneText& position : positions) {
    const auto token = static_cast<Index>(std::stoi(position.text));
    const Box cell = figure.box_of(Cell{token, token});
    const bool is_query = position.degrees == 0;
    EXPECT_NEAR(is_query ? position.at.y : position.at.x, is_query ? cell.y + cell.height / 2 : cell.x + cell.width / 2, 0.01);
  }
}

TEST(MapFigure, LabelsThatAreLeftOutNeverReadLikeRunningText) {
  const MapFigure figure = make_map_figure(map_request(40, 40, {0, 0, 500, 420}), plain_measure());
  std::size_t labels = 0;
  for (const SceneText& text : items_of<SceneText>(figure.scene)) labels += text.colour == palette(Theme::dark).text_second ? 1 : 0;
  const std::size_t positions = positions_of(figure).size();
  EXPECT_GT(positions, 8U);
  EXPECT_LT(positions, 60U) << "of 80 labels only some";
  EXPECT_EQ(ticks_of(figure), positions) << "a tick says which cell each belongs to";
  EXPECT_GE(labels, 2 * positions) << "each label stands with its position";
}

TEST(MapFigure, APinnedLabelStandsOnAFillAndAHoveredOneDoesNot) {
  const Palette& colours = palette(Theme::dark);
  const auto filled = [&](const MapFigure& figure) {
    std::vector<Box> boxes;
    for (const SceneBox& box : items_of<SceneBox>(figure.scene)) {
      if (box.fill == mark_fill(colours.query, Mark::pinned)) boxes.push_back(box.box);
    }
    return boxes;
  };
  MapFigureRequest request = map_request(14, 14, {0, 0, 1000, 700});
  request.crosshair = Cell{3, 1};
  EXPECT_TRUE(filled(make_map_figure(request, plain_measure())).empty());
  request.pinned_query = 6;
  const MapFigure figure = make_map_figure(request, plain_measure());
  const std::vector<Box> boxes = filled(figure);
  ASSERT_EQ(boxes.size(), 1U);
  const Box row = figure.box_of({6, 0});
  EXPECT_TRUE(boxes[0].y < row.y + row.height / 2 && boxes[0].bottom() > row.y + row.height / 2);
  EXPECT_LT(boxes[0].right(), figure.map.x) << "the fill changes no colour of the map";
}

TEST(MapFigure, FullyMaskedRowsAreMarkedAtTheRight) {
  auto mask = std::make_shared<Mask>(10, 10, true);
  for (Index key = 0; key < 10; ++key) mask->set(4, key, false);
  const MapFigure figure = make_map_figure(map_request(10, 10, {0, 0, 700, 600}, mask), plain_measure());
  const auto marks = labels_of(figure.scene, palette(Theme::dark).bad);
  ASSERT_EQ(marks.size(), 1U);
  EXPECT_GT(marks[0].at.x, figure.map.right());
  const Box row = figure.box_of({4, 0});
  EXPECT_NEAR(marks[0].at.y, row.y + row.height / 2, 0.01);
}

TEST(MapFigure, TheBarsNumbersStandWhereTheirColoursAre) {
  MapFigureRequest request = map_request(10, 10, {0, 0, 700, 600});
  request.scale = {ColourMap::magma, true, ScaleKind::gamma, 0.5F, 0, 2};
  const MapFigure figure = make_map_figure(request, plain_measure());
  const Box bar = items_of<SceneRamp>(figure.scene).at(0).box;
  int numbers = 0;
  for (const SceneText& text : items_of<SceneText>(figure.scene)) {
    if (text.face != FontFace::mono) continue;
    ++numbers;
    EXPECT_NEAR((bar.bottom() - text.at.y) / bar.height, request.scale.place(std::stof(text.text)), 0.01) << text.text;
  }
  EXPECT_EQ(numbers, 5);
}

TEST(MapFigure, ASmallAreaGivesUpWhatStandsAroundTheMap) {
  const MapFigure figure = make_map_figure(map_request(30, 30, {0, 0, 100, 90}), plain_measure());
  EXPECT_GE(figure.map.width, 40);
  EXPECT_TRUE(items_of<SceneRamp>(figure.scene).empty());
  EXPECT_TRUE(make_map_figure({}, plain_measure()).scene.items.empty()) << "nothing to draw";
}

TEST(MapFigure, APinnedRowIsSolidAndARowPointedAtDashed) {
  MapFigureRequest request = map_request(6, 6, {0, 0, 400, 400});
  request.pinned_query = 1;
  request.crosshair = Cell{4, 2};
  for (const Theme theme : {Theme::dark, Theme::light}) {
    request.theme = theme;
    const MapFigure figure = make_map_figure(request, plain_measure());
    const Colour colour = palette(theme).query;
    const auto spans_row = [&](float y, Index row) { return std::abs(y - figure.box_of({row, 0}).y) < 2 * figure.box_of({row, 0}).height; };
    int solid = 0, dashes = 0;
    for (const SceneBox& box : items_of<SceneBox>(figure.scene)) {
      if (box.stroke != colour) continue;
      ++solid;
      EXPECT_TRUE(spans_row(box.box.y, 1));
      EXPECT_GE(box.stroke_width, 2.5F) << "thicker than what is pointed at";
    }
    for (const SceneLine& line : items_of<SceneLine>(figure.scene)) {
      if (line.colour != colour) continue;
      ++dashes;
      EXPECT_TRUE(spans_row(line.from.y, 4));
    }
    EXPECT_EQ(solid, 1);
    EXPECT_GT(dashes, 10);
  }
}

TEST(MapFigure, FramesLieAboveTheMapAroundTheirCells) {
  MapFigureRequest request = map_request(6, 6, {0, 0, 600, 500});
  request.frames = {{FrameKind::drawn_map, 2, 3, 1, 2}, {FrameKind::relation, 3, 5, 0, 2}};
  const MapFigure figure = make_map_figure(request, plain_measure());
  const Palette& colours = palette(Theme::dark);
  const auto map = std::find_if(figure.scene.items.begin(), figure.scene.items.end(),
                                [](const SceneItem& item) { return std::holds_alternative<SceneMap>(item); });
  const auto box_in = [&](Colour colour) {
    const auto found = std::find_if(map, figure.scene.items.end(), [&](const SceneItem& item) {
      const auto* box = std::get_if<SceneBox>(&item);
      return box != nullptr && box->stroke == colour;
    });
    return found == figure.scene.items.end() ? Box{} : std::get<SceneBox>(*found).box;
  };
  EXPECT_EQ(box_in(colours.accent), figure.box_of(Cell{2, 1}));
  const Box relation = box_in(colours.key), cells = figure.box_of(request.frames[1]);
  EXPECT_FLOAT_EQ(relation.x, figure.map.x + 1) << "its line stays inside the map";
  EXPECT_FLOAT_EQ(relation.right(), cells.right());
  EXPECT_FLOAT_EQ(relation.height, cells.height);
}

TEST(MapFigure, AFrameIsOpenWhereTheMapEndsBeforeItsCellsDo) {
  MapFigureRequest request = map_request(12, 12, {0, 0, 600, 500});
  request.window = {2, 8, 2, 8};
  request.frames = {{FrameKind::relation, 3, 5, 0, 4}, {FrameKind::relation, 0, 2, 0, 2}, {FrameKind::drawn_map, 8, 12, 3, 4}};
  const MapFigure figure = make_map_figure(request, plain_measure());
  const Palette& colours = palette(Theme::dark);
  std::vector<SceneLine> sides;
  for (const SceneLine& line : items_of<SceneLine>(figure.scene)) {
    if (line.colour == colours.key) sides.push_back(line);
  }
  ASSERT_EQ(sides.size(), 3U) << "above, below and at the right; of the second frame nothing is seen";
  for (const SceneLine& side : sides) {
    EXPECT_GE(std::min(side.from.x, side.to.x), figure.map.x);
    EXPECT_LE(std::max(side.from.x, side.to.x), figure.map.right());
  }
  for (const SceneBox& box : items_of<SceneBox>(figure.scene)) EXPECT_FALSE(box.stroke == colours.accent) << "below the part that is shown";
}

TEST(MapFigure, APairHasALineWhereItsSecondSentenceBegins) {
  MapFigureRequest request = map_request(7, 9, {0, 0, 600, 500});
  request.second_queries = 4;
  request.second_keys = 6;
  const MapFigure figure = make_map_figure(request, plain_measure());
  const float across = figure.box_of(Cell{4, 0}).y, down = figure.box_of(Cell{0, 6}).x;
  int found = 0;
  for (const SceneLine& line : items_of<SceneLine>(figure.scene)) {
    if (line.colour != palette(Theme::dark).text) continue;
    ++found;
    const bool is_level = line.from.y == line.to.y;
    EXPECT_FLOAT_EQ(is_level ? line.from.y : line.from.x, is_level ? across : down);
  }
  EXPECT_EQ(found, 2);
}

}  // namespace
}  // namespace headlight::testing
