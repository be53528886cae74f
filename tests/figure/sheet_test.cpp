// Maps and tables of a lab on one page.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/figure/figure_parts.h"
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

/// A lab with the table alone.
Scene scene_of_table(const Snapshot& snapshot, SheetTable table, const PageLook& page) {
  FigureRequest request = request_of(kLabFigure, page);
  Sheet sheet{.title = "mask conventions", .notes = {}, .parts = {std::move(table)}, .of_tables = {}};
  request.lab.found = std::make_shared<const Sheet>(std::move(sheet));
  return make_figure(snapshot, request, plain_measure());
}

std::vector<std::string> texts_of_sheet(const Scene& scene) {
  std::vector<std::string> texts;
  for (const SceneText& text : items_of<SceneText>(scene)) texts.push_back(text.text);
  return texts;
}

TEST(SheetFigure, ANarrowTableBreaksItsFirstColumnAndCutsNothing) {
  SheetTable table{{"convention · seen in", "float16", "float32", "float64"}, {}, 150};
  table.rows = {{{"replace by −1e9 before the softmax", "0.000 | 1.000", "0.000 | 1.000", "0.000 | 1.000"},
                 "Dive into Deep Learning, older labml.ai"},
                {{"left out of the sum", "0.000 | 1.000", "0.000 | 1.000", "0.000 | 1.000"}, "Headlight", true}};
  const Scene scene = scene_of_table(*story(), table, {.width_mm = 85, .without = {PagePart::caption, PagePart::footer}});
  std::string words;
  for (const std::string& text : texts_of_sheet(scene)) {
    EXPECT_FALSE(text.ends_with("…")) << text;
    words += text + " ";
  }
  EXPECT_NE(words.find("Dive into Deep Learning, older labml.ai"), std::string::npos) << "below the numbers it has the whole width";
  const std::vector<std::string> texts = texts_of_sheet(scene);
  EXPECT_EQ(std::count(texts.begin(), texts.end(), "replace by −1e9 before the softmax"), 0) << "broken into lines";
  for (const char* word : {"replace", "−1e9", "before", "softmax"}) EXPECT_NE(words.find(word), std::string::npos) << word;
  EXPECT_TRUE(fit_of({.width_mm = 85}, scene).keeps_type());
  std::vector<Box> taken;  // no two texts lie over each other
  for (const SceneText& text : items_of<SceneText>(scene)) {
    const auto [left, top, right, bottom] = unturned(text, plain_measure());
    const Box box{text.at.x + left, text.at.y + top, right - left, bottom - top};
    for (const Box& other : taken)
      EXPECT_TRUE(box.right() <= other.x + 0.1F || other.right() <= box.x + 0.1F || box.bottom() <= other.y + 0.1F ||
                  other.bottom() <= box.y + 0.1F)
          << text.text;
    taken.push_back(box);
  }
}

TEST(SheetFigure, SetsFormulasInPieces) {
  const auto snapshot = story();
  SheetTable table{{"attempt", "scale"}, {{{"final attempt", "1/√4"}, {}, false, {}, {"w_j ∝ exp((W_Q v_i) · (W_K v_j) / √d)"}}}, 150};
  for (const PageLook& page : {PageLook{}, PageLook{.width_mm = 85}, PageLook{.width_mm = 60}}) {
    const Scene scene = scene_of_table(*snapshot, table, page);
    std::vector<std::string> low;
    for (const SceneText& text : items_of<SceneText>(scene)) {
      EXPECT_EQ(text.text.find('_'), std::string::npos) << text.text;
      if (is_script(text)) low.push_back(text.text);
    }
    EXPECT_EQ(low, (std::vector<std::string>{"j", "Q", "i", "K", "j"}));
  }
}

TEST(SheetFigure, TitlesOfStripsAreFormulas) {
  const auto snapshot = story();
  FigureRequest request = request_of(kLabFigure, {.width_mm = 85});
  request.lab.found = some_sheet(*snapshot);
  const std::vector<std::string> texts = texts_of_sheet(make_figure(*snapshot, request, plain_measure()));
  const auto begin = std::find(texts.begin(), texts.end(), "Z = concat(z");
  ASSERT_LT(begin - texts.begin() + 4, std::ssize(texts));
  EXPECT_EQ(std::vector<std::string>(begin, begin + 5), (std::vector<std::string>{"Z = concat(z", "0", " … z", "3", ") · 4 × 24"}));
}

}  // namespace
}  // namespace headlight
