// What is pointed at beside the maps of heads: numbers of z, the difference of two heads, maps and tables of the labs.
#include <sstream>

#include "app/gui/panel/focus.h"
#include "engine/figure/stage.h"
#include "tests/gui/frame_fixture.h"

namespace headlight::testing {
namespace {

class PicturedSelection : public FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    window.items.watch_texts();
  }
  bool says(const std::string& text) {
    window.frame(2);
    for (const DrawnText& each : window.items.texts()) {
      if (each.text.find(text) != std::string::npos) return true;
    }
    return false;
  }
  void open_menu(const std::string& map, Cell cell) {
    window.feed.click(window.cell_of(map, cell), ImGuiMouseButton_Right);
    window.play();
    window.frame(2);
  }
  void copy() {
    window.key("ctrl+c");
    settle();
    window.frame(3);
  }
  static std::vector<std::vector<std::string>> copied() {
    std::vector<std::vector<std::string>> table;
    std::istringstream text(ImGui::GetClipboardText());
    for (std::string line; std::getline(text, line);) {
      table.emplace_back();
      std::istringstream cells(line);
      for (std::string cell; std::getline(cells, cell, '\t');) table.back().push_back(cell);
    }
    return table;
  }
};

class MixedZ : public PicturedSelection {
 protected:
  void SetUp() override {
    PicturedSelection::SetUp();
    show(View::head);
    view.head_page.stage = Stage::z;
    settle();
    window.frame(2);
  }
  HeadMaps maps() const { return snapshot()->maps(view.head); }
};

TEST_F(MixedZ, ANumberUnderThePointerIsNoCellOfTokens) {
  window.hover(window.cell_of("map", {4, 5}));
  window.frame(2);
  EXPECT_EQ(view.pointed.number, (VectorNumber{4, 5}));
  EXPECT_FALSE(view.pointed.cell);
  EXPECT_EQ(view.pointed.token, (TokenPlace{Side::text, 4})) << "its query lights up in the strip";
  EXPECT_TRUE(window.has("Number 5 of 4")) << "the inspector says what makes it";
  EXPECT_TRUE(window.has("Row profile of 4"));
  const MixedPart largest = parts_of_z(maps(), 4, 5).front();
  EXPECT_TRUE(says(caches.pictures.key_names(0)[largest.key]));
}

TEST_F(MixedZ, AClickPinsTheRowOfItsQuery) {
  window.click(window.cell_of("map", {4, 5}));
  EXPECT_EQ(view.pinned_query, (TokenPlace{Side::text, 4}));
  window.hover(ImVec2(1, 1));
  window.frame(2);
  Index largest = 0;
  row_of_z(maps(), 4).cwiseAbs().maxCoeff(&largest);
  EXPECT_TRUE(window.has("Number " + std::to_string(largest) + " of 4")) << "without the pointer that of the largest number";
}

TEST_F(MixedZ, TheBrushSaysWhyItDoesNotPaint) {
  view.painting.brush = Brush::cell;
  const Document before = document();
  window.hover(window.cell_of("map", {2, 5}));
  window.frame(3);
  EXPECT_TRUE(window.has("Brush refused"));
  window.click(window.cell_of("map", {2, 5}));
  settle();
  EXPECT_EQ(document(), before);
}

TEST_F(MixedZ, CtrlCCopiesTheNumberWithItsParts) {
  window.hover(window.cell_of("map", {4, 5}));
  copy();
  const auto table = copied();
  const std::vector<MixedPart> parts = parts_of_z(maps(), 4, 5);
  ASSERT_EQ(table.size(), parts.size() + 2);
  EXPECT_EQ(table[0].back(), "weight · v 5");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    EXPECT_EQ(table[i + 1][0], std::to_string(parts[i].key));
    EXPECT_EQ(std::stof(table[i + 1][4]), parts[i].product());
  }
  EXPECT_EQ(std::stof(table.back().back()), row_of_z(maps(), 4)(5));
}

TEST_F(MixedZ, TheMapIsCopiedWithNumbersForColumns) {
  window.hover(ImVec2(1, 1));
  copy();
  const auto table = copied();
  const Matrix z = stage_values(*snapshot(), view.head, maps(), Stage::z);
  ASSERT_EQ(table.size(), static_cast<std::size_t>(z.rows()) + 1);
  EXPECT_EQ(table[0][0], "query \\ number");
  EXPECT_EQ(table[0].back(), std::to_string(z.cols() - 1));
  EXPECT_EQ(std::stof(table[4][3]), z(3, 2));
}

TEST_F(MixedZ, TheMenuHasWhatMeansSomethingThere) {
  open_menu("map", {4, 5});
  EXPECT_TRUE(window.has("Copy number and its parts"));
  EXPECT_TRUE(window.has("Pin row"));
  EXPECT_TRUE(window.has("Mask row"));
  EXPECT_FALSE(window.has("Mask cell")) << "a number of z is not a cell of a mask";
  EXPECT_FALSE(window.has("Mask column"));
  window.click("Explain this");
  window.frame(2);
  EXPECT_TRUE(says("adds"));
}

TEST_F(MixedZ, ZoomIsLetGoWhereColumnsBecomeOthers) {
  view.head_page.zoom = {0, 4, 0, 4};
  window.click("Stage");
  window.click("weights");
  EXPECT_EQ(view.head_page.zoom, CellWindow{});
}

class DifferenceCard : public PicturedSelection {
 protected:
  void SetUp() override {
    PicturedSelection::SetUp();
    show(View::head);
    for (const int head : {0, 2}) {
      view.head = {0, head};
      window.key("space");
    }
    show(View::compare);
    window.frame(2);
  }
  float difference(Cell cell) const {
    return snapshot()->maps({0, 0}).weights(cell.query, cell.key) - snapshot()->maps({0, 2}).weights(cell.query, cell.key);
  }
};

TEST_F(DifferenceCard, CtrlCCopiesBothWeightsAndTheirDifference) {
  window.hover(window.cell_of("card A − B", {5, 2}));
  copy();
  const auto table = copied();
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table[0].back(), "A − B");
  ASSERT_EQ(table[1].size(), 7U);
  EXPECT_EQ(table[1][0], "5");
  EXPECT_EQ(std::stof(table[1][4]), snapshot()->maps({0, 0}).weights(5, 2));
  EXPECT_EQ(std::stof(table[1][5]), snapshot()->maps({0, 2}).weights(5, 2));
  EXPECT_EQ(std::stof(table[1][6]), difference({5, 2}));
}

TEST_F(DifferenceCard, ItsMenuCopiesExplainsAndPins) {
  open_menu("card A − B", {5, 2});
  EXPECT_TRUE(window.has("Explain this"));
  EXPECT_FALSE(window.has("Switch head off")) << "it is of two heads";
  EXPECT_FALSE(window.has("Mask cell"));
  window.click("Copy row");
  const auto row = copied();
  ASSERT_EQ(row.size(), static_cast<std::size_t>(snapshot()->tokens()) + 1);
  EXPECT_EQ(std::stof(row[3].back()), difference({5, 2}));
  open_menu("card A − B", {5, 2});
  window.click("Pin row");
  EXPECT_EQ(view.pinned_query, (TokenPlace{Side::text, 5}));
  open_menu("card A − B", {5, 2});
  window.click("Copy map");
  settle();
  window.frame(3);
  const auto map = copied();
  ASSERT_EQ(map.size(), static_cast<std::size_t>(snapshot()->tokens()) + 1);
  EXPECT_EQ(std::stof(map[6][3]), difference({5, 2}));
  EXPECT_TRUE(says("copied: 0.0 − 0.2"));
}

TEST_F(DifferenceCard, TheInspectorSpeaksOfACardAndNeverOfAnotherHead) {
  view.head = {1, 3};
  window.hover(ImVec2(1, 1));
  window.frame(3);
  EXPECT_TRUE(window.has("Head 0.0")) << "the first card, where the head that is looked at is none";
  EXPECT_FALSE(window.has("Head 1.3"));
  window.hover(window.cell_of("card B", {5, 2}));
  EXPECT_TRUE(window.has("Head 0.2"));
  window.hover(window.cell_of("card A − B", {5, 2}));
  EXPECT_TRUE(window.has("Head 0.0")) << "the one that is subtracted from";
  window.hover(ImVec2(1, 1));
  copy();
  EXPECT_TRUE(says("of head 0.0"));
  view.head = {0, 2};
  window.frame(2);
  EXPECT_TRUE(window.has("Head 0.2")) << "the chosen card";
}

TEST_F(DifferenceCard, TheTableOfMeasuresIsCopied) {
  window.hover("measures table");
  copy();
  const auto table = copied();
  const auto& measures = snapshot()->summary({0, 0}).measured.table;
  ASSERT_EQ(table.size(), measures.size() + 1);
  ASSERT_EQ(table[1].size(), 4U) << "its name, A, B and their difference";
  EXPECT_EQ(table[1][0], measures[0].title);
  EXPECT_EQ(std::stod(table[1][1]), snapshot()->summary({0, 0}).value(measures[0].id));
  EXPECT_EQ(std::stod(table[1][2]), snapshot()->summary({0, 2}).value(measures[0].id));
  window.right_click("measures table");
  EXPECT_TRUE(window.has("Copy table"));
}

TEST_F(DifferenceCard, WhileTheMenuIsOpenTheInspectorShowsWhatItIsAbout) {
  open_menu("card B", {6, 2});
  ASSERT_TRUE(window.has("Explain this"));
  EXPECT_TRUE(window.has("Head 0.2"));
  EXPECT_TRUE(window.has("Cell 6,2 in words"));
  window.hover(window.cell_of("card A", {3, 1}));
  EXPECT_TRUE(window.has("Head 0.2"));
  EXPECT_TRUE(window.has("Cell 6,2 in words"));
}

TEST_F(PicturedSelection, WhileTheMenuIsOpenItsCellCountsBeforeThePinnedRow) {
  show(View::head);
  view.pinned_query = TokenPlace{Side::text, 3};
  open_menu("map", {6, 2});
  ASSERT_TRUE(window.has("Explain this"));
  EXPECT_TRUE(window.has("Cell 6,2 in words"));
}

TEST_F(MixedZ, WhileTheMenuIsOpenTheInspectorShowsItsNumber) {
  view.pinned_query = TokenPlace{Side::text, 3};
  open_menu("map", {5, 7});
  ASSERT_TRUE(window.has("Explain this"));
  EXPECT_TRUE(window.has("Number 7 of 5"));
}

TEST_F(MixedZ, TheMenuOfANumberThatASmallerModelDoesNotHaveIsClosed) {
  open_menu("map", {2, 7});
  ASSERT_TRUE(window.has("Explain this"));
  Document smaller = document();
  smaller.query.model.sandbox = {.layers = 2, .d_model = 8, .heads = 2};
  session.apply(smaller, false, false);
  settle();
  ASSERT_EQ(snapshot()->maps({0, 0}).v.cols(), 4);
  window.frame(3);
  EXPECT_FALSE(window.has("Copy number and its parts"));
  EXPECT_FALSE(view.menu.is_open);
}

class LabSelection : public PicturedSelection {
 protected:
  void open(const Lab& lab) {
    view.labs.lab = lab;
    show(View::lab);
    window.hover(ImVec2(1, 1));
    window.frame(2);
  }
};

TEST_F(LabSelection, CtrlCCopiesTheCellTheRowAndTheMapUnderThePointer) {
  open(Lab::dropout);
  const std::string map = "dropout before";
  window.hover(window.cell_of(map, {5, 2}));
  copy();
  auto table = copied();
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table[0], (std::vector<std::string>{"row", "row token", "column", "column token", "value"}));
  EXPECT_EQ(std::stof(table[1][4]), snapshot()->maps(view.head).weights(5, 2));
  open_menu(map, {5, 2});
  window.click("Copy row");
  table = copied();
  EXPECT_EQ(table.size(), static_cast<std::size_t>(snapshot()->tokens()) + 1);
  open_menu(map, {5, 2});
  window.click("Copy map");
  settle();
  window.frame(3);
  table = copied();
  ASSERT_EQ(table.size(), static_cast<std::size_t>(snapshot()->tokens()) + 1);
  EXPECT_EQ(std::stof(table[6][3]), snapshot()->maps(view.head).weights(5, 2));
  EXPECT_EQ(table[1][3], "") << "masked cells are empty";
}

TEST_F(LabSelection, ATableIsCopiedAsItStands) {
  open(Lab::head_cost);
  copy();
  const auto table = copied();
  ASSERT_GT(table.size(), 2U);
  EXPECT_EQ(table[0], (std::vector<std::string>{"heads", "width of a head", "parameters", "operations", "cache"}));
  EXPECT_EQ(table[1].size(), 5U);
  EXPECT_TRUE(says("copied: Shared width"));
}

}  // namespace
}  // namespace headlight::testing
