// What a page of HTML tells of places: tokens of links, numbers inside a head, words of a text.
#include <gmock/gmock.h>

#include <cstring>
#include <set>

#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/painters/painters.h"
#include "engine/formats/json.h"
#include "engine/inside/inside.h"
#include "tests/figure/figure_testing.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

using ::testing::HasSubstr;

/// What the page's script reads.
Json places_of(const Scene& scene) {
  const std::array stills{HtmlStill{"", scene}};
  const std::string page = to_html(stills);
  const std::string begin = "id=\"headlight-maps\">";
  const std::size_t at = page.find(begin) + begin.size();
  return (*parse_json(page.substr(at, page.find("</script>", at) - at), "page"))["places"];
}

TEST(HtmlPlaces, ATokenOfLinksTellsItsLinesAndHasTheirCurves) {
  const auto snapshot = sandbox_snapshot("The cat sat on the mat", 1, 2);
  FigureRequest request;
  request.kind = &kLinksFigure;
  request.links.heads = {{0, 0}, {0, 1}};
  request.links.filter = {.rule = LinkRule::top, .top = 1};
  const Scene scene = make_figure(*snapshot, request, plain_measure());
  const std::size_t curves = items_of<SceneCurve>(scene).size();
  ASSERT_EQ(curves, 12U) << "one of each query and head";
  ASSERT_EQ(scene.spots.size(), 12U) << "six queries, six keys";
  std::multiset<std::size_t> of_queries, of_keys;
  for (std::size_t spot = 0; spot < 12; ++spot)
    (spot < 6 ? of_queries : of_keys).insert(scene.spots[spot].curves.begin(), scene.spots[spot].curves.end());
  EXPECT_EQ(of_queries.size(), curves) << "every curve begins at one token";
  EXPECT_EQ(of_queries, of_keys) << "and ends at one";
  const Matrix weights = snapshot->maps({0, 1}).weights;
  Index key = 0;
  const float largest = weights.row(4).maxCoeff(&key);
  EXPECT_THAT(scene.spots[4].words, HasSubstr("“the” (4) gives "));
  EXPECT_THAT(scene.spots[4].words, HasSubstr(fmt::format("{} to ", largest)));
  EXPECT_THAT(scene.spots[4].words, HasSubstr("(head 0.1)"));
  const Json spots = places_of(scene)[0]["spots"];
  ASSERT_EQ(spots.size(), 12U);
  EXPECT_EQ(spots[4]["words"], scene.spots[4].words);
  EXPECT_EQ(spots[4]["curves"].get<std::vector<std::size_t>>(), scene.spots[4].curves);
}

TEST(HtmlPlaces, EveryNumberInsideAHeadIsTold) {
  const auto snapshot = sandbox_snapshot("The cat sat on the mat", 1, 2);
  FigureRequest request;
  request.kind = &kInsideFigure;
  request.query = 5;
  request.moment_inside = end_of_step(6);
  const Scene scene = make_figure(*snapshot, request, plain_measure());
  const Matrix weights = snapshot->maps({0, 0}).weights;
  std::size_t told = 0;
  for (const SceneSpot& spot : scene.spots) {
    for (Index key = 0; key < 6; ++key) {
      if (!spot.words.starts_with("weight of ") || spot.words.find(fmt::format("({})", key)) == std::string::npos) continue;
      EXPECT_EQ(spot.values, std::vector<float>{weights(5, key)});
      ++told;
    }
  }
  EXPECT_EQ(told, 6U);
  request.moment_inside = end_of_step(2);
  bool has_vector = false;
  const Json places = places_of(make_figure(*snapshot, request, plain_measure()));
  for (const Json& spot : places[0]["spots"]) has_vector = has_vector || spot.contains("first");
  EXPECT_TRUE(has_vector) << "numbers of vectors are counted";
}

TEST(HtmlPlaces, PlacesMoveWithTheFigureOntoItsPage) {
  const auto snapshot = sandbox_snapshot("The cat sat on the mat", 1, 2);
  for (const FigureKind* kind : {&kLinksFigure, &kInsideFigure, &kTextFigure}) {
    FigureRequest request;
    request.kind = kind;
    request.links.heads = {{0, 0}};
    request.page = {.width_mm = 60};
    const Scene scene = make_figure(*snapshot, request, plain_measure());
    ASSERT_FALSE(scene.spots.empty()) << kind->name;
    for (const SceneSpot& spot : scene.spots) {
      EXPECT_GE(spot.box.x, -0.1F) << kind->name << spot.words;
      EXPECT_LE(spot.box.right(), scene.width + 0.1F) << kind->name << spot.words;
      EXPECT_LE(spot.box.bottom(), scene.height + 0.1F) << kind->name << spot.words;
    }
  }
}

TEST(HtmlPlaces, WordsCannotEndTheScript) {
  Scene scene{100, 50, {255, 255, 255}, "a", {}};
  scene.spots.push_back({.box = {0, 0, 10, 10}, .words = "</script><b>", .values = {0.5F, -2}, .first = 3});
  const std::array stills{HtmlStill{"", scene}};
  EXPECT_EQ(to_html(stills).find("</script><b>"), std::string::npos);
  const Json spot = places_of(scene)[0]["spots"][0];
  EXPECT_EQ(spot["words"], "</script><b>");
  EXPECT_EQ(spot["values"], "AAAAPwAAAMA=") << "0.5 and −2 as float32";
  EXPECT_EQ(spot["first"], 3);
}

}  // namespace
}  // namespace headlight::testing
