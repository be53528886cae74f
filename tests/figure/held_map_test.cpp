// What a map does while a text grows by a token at a time.
#include <gtest/gtest.h>

#include "engine/figure/map_layout.h"
#include "tests/figure/figure_testing.h"
#include "tests/figure/map_request.h"

namespace headlight::testing {
namespace {

TEST(HeldMap, KeepsItsCornerWhileATextIsTypedAndItsCellsChangeInFewSteps) {
  std::optional<HeldMap> held;
  const Box area{24, 16, 980, 700};
  place_map_figure(map_request(4, 4, area), Hold::nothing, held, plain_measure());
  const Box first = held->placed.map;
  int changes = 0;
  float cell = held->cell;
  for (Index tokens = 5; tokens <= 40; ++tokens) {
    const MapFigure figure =
        place_map_figure(map_request(tokens, tokens, area), Hold::corner, held, plain_measure()).drawn(plain_measure());
    EXPECT_EQ(figure.map.y, first.y) << tokens;
    EXPECT_EQ(figure.map.x, first.x) << tokens;
    EXPECT_LE(figure.map.bottom(), area.bottom());
    EXPECT_EQ(figure.window.row_end, static_cast<float>(tokens)) << "all of it is shown";
    changes += held->cell != cell ? 1 : 0;
    cell = held->cell;
  }
  EXPECT_LE(changes, 9);
  EXPECT_LT(cell, 20);
  EXPECT_FALSE(place_map_figure(map_request(40, 40, area), Hold::nothing, held, plain_measure()).placed.map.width < 40 * cell)
      << "let go: as large as can be";
}

TEST(HeldMap, NothingMovesUnderThePointer) {
  std::optional<HeldMap> held;
  const Box area{24, 16, 980, 700};
  const MapFigure before = place_map_figure(map_request(10, 10, area), Hold::nothing, held, plain_measure()).drawn(plain_measure());
  for (const Index tokens : {9, 12, 30, 100}) {
    const MapFigure after = place_map_figure(map_request(tokens, tokens, area), Hold::cells, held, plain_measure()).drawn(plain_measure());
    EXPECT_EQ(after.box_of(Cell{3, 2}), before.box_of(Cell{3, 2})) << tokens;
    EXPECT_LE(after.map.bottom(), area.bottom()) << "what has no room is not shown";
  }
}

TEST(HeldMap, IsPlacedAnewWhereItsTitleNoLongerFitsBesideIt) {
  std::optional<HeldMap> held;
  MapFigureRequest request = map_request(10, 10, {24, 16, 980, 240});
  place_map_figure(request, Hold::nothing, held, plain_measure());
  ASSERT_TRUE(held->placed.margins.is_header_beside);
  request.subtitle = "10 queries × 10 keys · no difference: the maps are of two sizes, and only maps of one size can be subtracted";
  const MapFigure figure = place_map_figure(request, Hold::corner, held, plain_measure()).drawn(plain_measure());
  const MapFigure fresh = make_map_figure(request, plain_measure());
  EXPECT_EQ(figure.map, fresh.map);
}

}  // namespace
}  // namespace headlight::testing
