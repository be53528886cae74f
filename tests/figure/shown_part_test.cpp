// What is in a figure: the part of a map, the marked row and column, and which of all heads.
#include <algorithm>

#include "engine/figure/files/write_figure.h"
#include "engine/formats/json.h"
#include "tests/figure/figure_testing.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

constexpr const char* kWords = "zero one two three four five six seven";

std::vector<SceneMap> maps_in(const Scene& scene) {
  std::vector<SceneMap> maps;
  for (const SceneItem& item : scene.items) {
    if (const auto* map = std::get_if<SceneMap>(&item)) maps.push_back(*map);
  }
  return maps;
}

bool says(const Scene& scene, const std::string& words) {
  return std::any_of(scene.items.begin(), scene.items.end(), [&](const SceneItem& item) {
    const auto* text = std::get_if<SceneText>(&item);
    return text != nullptr && text->text.find(words) != std::string::npos;
  });
}

std::size_t labels_in(const Scene& scene, const std::string& word) {
  return static_cast<std::size_t>(std::count_if(scene.items.begin(), scene.items.end(), [&](const SceneItem& item) {
    const auto* text = std::get_if<SceneText>(&item);
    return text != nullptr && text->text == word;
  }));
}

/// Lines and outlines of one colour.
std::size_t marks_in(const Scene& scene, Colour colour) {
  return static_cast<std::size_t>(std::count_if(scene.items.begin(), scene.items.end(), [&](const SceneItem& item) {
    const auto* box = std::get_if<SceneBox>(&item);
    return box != nullptr && box->stroke == colour && box->stroke_width > 1;
  }));
}

TEST(ShownPart, APageHasTheCellsOfThePartAndTheirLabelsAlone) {
  const auto snapshot = sandbox_snapshot(kWords, 1, 1);
  FigureRequest request;
  request.part = {2, 5, 1, 4};
  const Scene page = make_figure(*snapshot, request, plain_measure());
  ASSERT_EQ(maps_in(page).size(), 1U);
  EXPECT_EQ(maps_in(page).front().window, request.part);
  EXPECT_EQ(maps_in(page).front().box.width, maps_in(page).front().box.height) << "cells are square";
  EXPECT_EQ(labels_in(page, "three"), 2U) << "a query and a key";
  EXPECT_EQ(labels_in(page, "four"), 1U) << "a query alone";
  EXPECT_EQ(labels_in(page, "one"), 1U) << "a key alone";
  for (const char* outside : {"zero", "five", "seven"}) EXPECT_EQ(labels_in(page, outside), 0U) << outside;
  EXPECT_TRUE(says(page, "queries 2–4, keys 1–3 of 8 × 8"));
}

TEST(ShownPart, OfEveryCellIsNoPart) {
  const auto snapshot = sandbox_snapshot(kWords, 1, 1);
  FigureRequest all, part;
  part.part = {0, 8, 0, 8};
  EXPECT_EQ(make_figure(*snapshot, all, plain_measure()), make_figure(*snapshot, part, plain_measure()));
}

TEST(ShownPart, OfComparedHeadsEndsWhereTheSmallerMapEnds) {
  const auto longer = sandbox_snapshot(kWords, 1, 2), shorter = sandbox_snapshot("zero one two three", 1, 2);
  FigureRequest request;
  request.kind = &kCompareFigure;
  request.heads = {{{0, 0}}, {{0, 1}, shorter, "text 2"}};
  request.part = {1, 6, 0, 6};
  const std::vector<SceneMap> maps = maps_in(make_figure(*longer, request, plain_measure()));
  ASSERT_EQ(maps.size(), 2U);
  EXPECT_EQ(maps[0].window, request.part);
  EXPECT_EQ(maps[1].window, (CellWindow{1, 4, 0, 4}));
}

TEST(ShownPart, ThatNoMapHasIsRefused) {
  const auto snapshot = sandbox_snapshot(kWords, 1, 1);
  FigureRequest request;
  const auto problem_of = [&](const CellWindow& part) {
    request.part = part;
    return error_of([&] { check_figure(*snapshot, request); }).detail().problem;
  };
  EXPECT_EQ(problem_of({8, 9, 0, 2}), "there are no such queries: the map has queries 0 to 7");
  EXPECT_EQ(problem_of({0, 2, 3, 9}), "there are no such keys: the map has keys 0 to 7");
  EXPECT_EQ(problem_of({3, 3, 0, 2}), "there are no such queries: the map has queries 0 to 7");
}

TEST(MarkedTokens, ARowAndAColumnAreOutlinedAndLabelledInBold) {
  const auto snapshot = sandbox_snapshot(kWords, 1, 1);
  const Palette& colours = palette(Theme::dark);
  FigureRequest request;
  const Scene plain = make_figure(*snapshot, request, plain_measure());
  EXPECT_EQ(marks_in(plain, colours.query) + marks_in(plain, colours.key), 0U);
  request.marked = {.query = 6, .key = 2};
  const Scene marked = make_figure(*snapshot, request, plain_measure());
  EXPECT_EQ(marks_in(marked, colours.query), 1U);
  EXPECT_EQ(marks_in(marked, colours.key), 1U);
  for (const char* word : {"six", "two"}) {
    EXPECT_TRUE(std::any_of(marked.items.begin(), marked.items.end(), [&](const SceneItem& item) {
      const auto* text = std::get_if<SceneText>(&item);
      return text != nullptr && text->text == word && text->face == FontFace::ui_bold;
    })) << word;
  }
}

TEST(MarkedTokens, KeepTheirLabelsWhereOthersAreLeftOut) {
  std::string text;
  for (int word = 0; word < 199; ++word) text += "w" + std::to_string(word) + " ";
  const auto snapshot = sandbox_snapshot(text, 1, 1);
  FigureRequest request;
  ASSERT_EQ(labels_in(make_figure(*snapshot, request, plain_measure()), "w101"), 0U) << "the law can break";
  request.marked = {.query = 101, .key = 101};
  EXPECT_EQ(labels_in(make_figure(*snapshot, request, plain_measure()), "w101"), 2U);
}

TEST(MarkedTokens, OfALayerAreMarkedInMapsOfItsTextsAlone) {
  const auto snapshot = pair_snapshot("The cat sat on the mat", "Die Katze sass da");
  FigureRequest request;
  request.kind = &kGridFigure;
  request.marked = {.query = 2};
  const Palette& colours = palette(request.style.theme);
  EXPECT_EQ(marks_in(make_figure(*snapshot, request, plain_measure()), colours.query), 18U) << "in every map";
  request.marked.of_layer = 0;
  EXPECT_EQ(marks_in(make_figure(*snapshot, request, plain_measure()), colours.query), 6U) << "the encoder's two layers of three heads";
  request.marked.of_layer = 3;
  EXPECT_EQ(marks_in(make_figure(*snapshot, request, plain_measure()), colours.query), 12U) << "where the decoder asks";
}

TEST(MarkedTokens, ThatNoMapHasAreRefused) {
  const auto snapshot = sandbox_snapshot(kWords, 1, 1);
  for (const FigureKind* kind : {&kHeatmapFigure, &kGridFigure, &kFlowFigure}) {
    FigureRequest request;
    request.kind = kind;
    request.flow.heads = {{0, 0}};
    request.marked = {.key = 8};
    EXPECT_EQ(error_of([&] { check_figure(*snapshot, request); }).detail().problem, "there is no key 8: the text has 0 to 7") << kind->name;
  }
}

TEST(ChosenHeads, FollowOneAnotherInTheirOrderAndAreTheNumbersToo) {
  const auto snapshot = sandbox_snapshot("The cat sat", 3, 4);
  FigureRequest request;
  request.kind = &kGridFigure;
  request.only = {{2, 1}, {0, 3}, {1, 0}};
  const Scene page = make_figure(*snapshot, request, plain_measure());
  ASSERT_EQ(maps_in(page).size(), 3U);
  EXPECT_EQ(maps_in(page).front().picture->rows(), 3);
  float left = -1;
  for (const char* name : {"2.1", "0.3", "1.0"}) {
    const auto label = std::find_if(page.items.begin(), page.items.end(), [&](const SceneItem& item) {
      const auto* text = std::get_if<SceneText>(&item);
      return text != nullptr && text->text == name;
    });
    ASSERT_NE(label, page.items.end()) << name;
    EXPECT_GT(std::get<SceneText>(*label).at.x, left) << name;
    left = std::get<SceneText>(*label).at.x;
  }
  EXPECT_TRUE(says(page, "3 of 12 heads"));
  EXPECT_FALSE(says(page, "layer 0")) << "their names have the layers";
  const TemporaryFolder folder;
  write_figure(*snapshot, request, folder / "a.json");
  const Json json = parse_json(bytes_of(folder / "a.json"), "a.json");
  ASSERT_EQ(json["heads"].size(), 3U);
  EXPECT_EQ(json["heads"][0]["layer"], 2);
  EXPECT_EQ(json["heads"][1]["head"], 3);
  write_figure(*snapshot, request, folder / "a.npy");
  EXPECT_NE(bytes_of(folder / "a.npy").find("'shape': (3, 3, 3)"), std::string::npos);
}

TEST(ChosenHeads, OfManyStayOnThePage) {
  const auto snapshot = sandbox_snapshot("The cat sat", 6, 8);
  FigureRequest request;
  request.kind = &kGridFigure;
  for (const HeadId head : snapshot->all_heads()) {
    request.only.push_back(head);
    const Scene page = make_figure(*snapshot, request, plain_measure());
    ASSERT_EQ(maps_in(page).size(), request.only.size());
    for (const SceneMap& map : maps_in(page)) {
      EXPECT_GE(map.box.x, 0);
      EXPECT_LE(map.box.right(), page.width) << request.only.size();
      EXPECT_LE(map.box.bottom(), page.height) << request.only.size();
    }
  }
}

}  // namespace
}  // namespace headlight::testing
