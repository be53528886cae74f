// Maps and tables of a lab on one page.
#include <gtest/gtest.h>

#include "tests/figure/page_figures.h"

namespace headlight {
namespace {

using namespace testing;

TEST(SheetFigure, MapsOfALineBeginAtOneHeightHoweverLongTheirLabelsAre) {
  const auto snapshot = story();
  Sheet sheet = *some_sheet(*snapshot);
  auto& maps = std::get<SheetMaps>(sheet.parts.front());
  maps.maps[1].keys = std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"incomprehensibilities", "a", "b", "c"});
  FigureRequest request = request_of(kLabFigure, {});
  request.lab.found = std::make_shared<const Sheet>(std::move(sheet));
  const std::vector<SceneMap> drawn = items_of<SceneMap>(make_figure(*snapshot, request, plain_measure()));
  ASSERT_GE(drawn.size(), 3U);
  EXPECT_FLOAT_EQ(drawn[0].box.y, drawn[1].box.y);
  EXPECT_FLOAT_EQ(drawn[1].box.y, drawn[2].box.y);
}

}  // namespace
}  // namespace headlight
