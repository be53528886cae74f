// Laws of a comparison, in a window's area and on a page.
#include <fmt/core.h>

#include <algorithm>

#include "engine/figure/files/write_figure.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/formats/file_reader.h"
#include "engine/formats/json.h"
#include "tests/figure/figure_testing.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

FigureRequest compare_request(std::vector<ComparedHead> heads) {
  FigureRequest request;
  request.kind = &kCompareFigure;
  request.heads = std::move(heads);
  return request;
}

CompareFigure cards_of(const Snapshot& snapshot, const FigureRequest& request, Box area) {
  CompareFigureRequest comparison = comparison_of(snapshot, request);
  comparison.area = area;
  FreshMaps source(snapshot);
  return make_compare_figure(snapshot, comparison, source, plain_measure());
}

bool has_text(const Scene& scene, const std::string& part) {
  const auto texts = items_of<SceneText>(scene);
  return std::any_of(texts.begin(), texts.end(), [&](const SceneText& text) { return text.text.find(part) != std::string::npos; });
}

std::string written(const Snapshot& snapshot, const FigureRequest& request, const std::string& name) {
  const TemporaryFolder folder;
  write_figure(snapshot, request, folder / name);
  return bytes_of(folder / name);
}

TEST(CompareFigure, CardsFillTheirAreaInLinesWithoutTouching) {
  const auto snapshot = sandbox_snapshot("one two three four", 2, 4);
  const FigureRequest request = compare_request({{{0, 0}}, {{0, 1}}, {{1, 0}}, {{1, 3}}, {{1, 2}}});
  for (const Box area : {Box{0, 0, 900, 700}, Box{10, 20, 420, 300}, Box{0, 0, 150, 900}, Box{0, 0, 3000, 500}}) {
    const std::vector<CompareCard> cards = cards_of(*snapshot, request, area).cards;
    ASSERT_EQ(cards.size(), 5U);
    for (std::size_t i = 0; i < cards.size(); ++i) {
      const Box& box = cards[i].box;
      EXPECT_GE(box.x, area.x);
      EXPECT_LE(box.right(), area.x + std::max(area.width, 200.0F) + 0.01F);
      EXPECT_GE(cards[i].figure.map.x, box.x);
      EXPECT_LE(cards[i].figure.map.right(), box.right());
      EXPECT_LE(cards[i].figure.map.bottom(), box.bottom());
      for (std::size_t j = 0; j < i; ++j) {
        const Box& other = cards[j].box;
        const bool is_apart = box.x >= other.right() || other.x >= box.right() || box.y >= other.bottom() || other.y >= box.bottom();
        EXPECT_TRUE(is_apart) << i << " and " << j;
      }
    }
  }
}

TEST(CompareFigure, ANarrowCardStillSaysWhichHeadOfWhichTextItShows) {
  const auto snapshot = sandbox_snapshot("one two three four", 2, 4);
  const FigureRequest request = compare_request({{{1, 3}, snapshot, "text 2"}});
  EXPECT_TRUE(has_text(cards_of(*snapshot, request, {0, 0, 900, 700}).scene, "text 2 · layer 1 · head 3"));
  const Scene narrow = cards_of(*snapshot, request, {0, 0, 200, 700}).scene;
  EXPECT_TRUE(has_text(narrow, "text 2 · 1.3"));
}

TEST(CompareFigure, AHeadThatItsRunDoesNotHaveGetsACardThatSaysSo) {
  const auto snapshot = sandbox_snapshot("one two three", 2, 2);
  const CompareFigure figure = cards_of(*snapshot, compare_request({{{0, 1}}, {{7, 0}}}), {0, 0, 900, 700});
  ASSERT_EQ(figure.cards.size(), 3U);
  EXPECT_TRUE(figure.cards[0].has_map());
  for (const std::size_t place : {1U, 2U}) {
    EXPECT_FALSE(figure.cards[place].has_map());
    EXPECT_EQ(figure.cards[place].problem, "This model has no such head.");
  }
}

TEST(CompareFigure, AFileSubtractsThePairThatWasChosen) {
  const auto snapshot = sandbox_snapshot("one two three", 2, 2);
  FigureRequest request = compare_request({{{0, 0}}, {{0, 1}}, {{1, 0}}});
  EXPECT_FALSE(has_text(make_figure(*snapshot, request, plain_measure()), " − "));
  request.difference = ComparedPair{2, 0};
  const Scene scene = make_figure(*snapshot, request, plain_measure());
  EXPECT_TRUE(has_text(scene, "C − A"));
  const auto maps = items_of<SceneMap>(scene);
  ASSERT_EQ(maps.size(), 4U);
  EXPECT_EQ(maps[3].picture->value(2, 3, 1, 2), snapshot->maps({1, 0}).weights(2, 1) - snapshot->maps({0, 0}).weights(2, 1));
}

TEST(CompareFigure, MapsOnTheirOwnScalesHaveAColourBarEach) {
  const auto snapshot = sandbox_snapshot("one two three", 2, 2);
  FigureRequest request = compare_request({{{0, 0}}, {{0, 1}}, {{1, 0}}});
  request.style.range = RangeKind::head;
  EXPECT_EQ(items_of<SceneRamp>(make_figure(*snapshot, request, plain_measure())).size(), 1U);
  request.has_own_scales = true;
  const Scene scene = make_figure(*snapshot, request, plain_measure());
  const auto ramps = items_of<SceneRamp>(scene);
  ASSERT_EQ(ramps.size(), 3U);
  for (std::size_t i = 0; i < ramps.size(); ++i) {
    EXPECT_EQ(ramps[i].scale.high, snapshot->summary(request.heads[i].head).largest);
  }
  EXPECT_TRUE(has_text(scene, "each map on its own scale"));
}

TEST(CompareFigure, NamingTheFiguresOwnRunChangesNothing) {
  const auto snapshot = sandbox_snapshot("one two three", 2, 2);
  const FigureRequest plain = compare_request({{{0, 0}}, {{1, 1}}});
  const FigureRequest named = compare_request({{{0, 0}, snapshot}, {{1, 1}, snapshot}});
  for (const char* name : {"a.svg", "a.csv", "a.npy", "a.json"})
    EXPECT_EQ(written(*snapshot, plain, name), written(*snapshot, named, name));
}

TEST(CompareFigure, AHeadOfAnotherRunBringsItsOwnTextNumbersAndNotes) {
  const auto own = sandbox_snapshot("one two three", 2, 2);
  const auto other = sandbox_snapshot("eins zwei drei vier", 1, 2, "causal+window:2");
  const FigureRequest request = compare_request({{{1, 0}}, {{0, 1}, other, "zweiter"}});
  const Scene scene = make_figure(*own, request, plain_measure());
  for (const char* part : {"A: one two three", "B: eins zwei drei vier", "zweiter · layer 0 · head 1", "B causal+window:2", "vier"}) {
    EXPECT_TRUE(has_text(scene, part)) << part;
  }
  EXPECT_EQ(items_of<SceneMap>(scene).size(), 2U) << "3 × 3 and 4 × 4";
  EXPECT_TRUE(has_text(scene, "no A − B:"));
  const Json json = Json::parse(written(*own, request, "two.json"));
  EXPECT_EQ(json["text"], "one two three");
  EXPECT_FALSE(json["heads"][0].contains("text"));
  EXPECT_EQ(json["heads"][1]["subject"], "zweiter");
  EXPECT_EQ(json["heads"][1]["text"], "eins zwei drei vier");
  EXPECT_EQ(json["heads"][1]["weights"][3][2].get<float>(), other->maps({0, 1}).weights(3, 2));
  const std::string csv = written(*own, request, "two.csv");
  EXPECT_EQ(csv.substr(0, csv.find('\n')), "subject,layer,head,query,key,query_token,key_token,weight");
  EXPECT_NE(csv.find("\n\"zweiter\",0,1,3,0,\"vier\",\"eins\","), std::string::npos) << csv;
}

TEST(CompareFigure, MapsOfTwoTextsOfOneLengthAreSubtracted) {
  const auto own = sandbox_snapshot("one two three", 2, 2);
  const auto other = sandbox_snapshot("eins zwei drei", 2, 2);
  const FigureRequest request = compare_request({{{1, 0}}, {{1, 0}, other, "2"}});
  const auto maps = items_of<SceneMap>(make_figure(*own, request, plain_measure()));
  ASSERT_EQ(maps.size(), 3U);
  EXPECT_EQ(maps[2].picture->value(2, 3, 0, 1), own->maps({1, 0}).weights(2, 0) - other->maps({1, 0}).weights(2, 0));
}

TEST(CompareFigure, TheFirstTwoHeadsOfOneSizeCanBeSubtracted) {
  const auto own = sandbox_snapshot("one two three", 2, 2);
  const auto longer = sandbox_snapshot("one two three four", 2, 2);
  const ComparedHead small{{0, 0}}, same{{1, 1}}, large{{0, 0}, longer, "text 2"}, missing{{7, 0}};
  const ComparedHead waiting{.head = {0, 1}, .subject = "before", .problem = "Being computed …"};
  const auto first = [&](std::vector<ComparedHead> heads) { return first_subtractable(*own, heads); };
  EXPECT_EQ(first({small, same, large}), (ComparedPair{0, 1}));
  EXPECT_EQ(first({small, large, same}), (ComparedPair{0, 2}));
  EXPECT_EQ(first({large, missing, waiting, small, same}), (ComparedPair{3, 4}));
  EXPECT_EQ(first({small, large, missing, waiting}), std::nullopt);
  EXPECT_EQ(first({}), std::nullopt);
}

TEST(CompareFigure, WhereNoTwoMapsAreOfOneSizeTheCardSaysSo) {
  const auto own = sandbox_snapshot("one two three", 2, 2);
  const ComparedHead four{{0, 0}, sandbox_snapshot("one two three four", 2, 2)}, two{{0, 0}, sandbox_snapshot("one two", 2, 2)};
  FigureRequest request = compare_request({{{0, 0}}, four, two});
  request.difference = ComparedPair{};
  EXPECT_EQ(cards_of(*own, request, {0, 0, 900, 700}).cards.back().problem,
            "No two of these maps are of one size, so there is nothing to subtract.");
  request.heads.pop_back();
  EXPECT_EQ(cards_of(*own, request, {0, 0, 900, 700}).cards.back().problem,
            "3 × 3 and 4 × 4 cells: only maps of one size can be subtracted.");
}

TEST(PinLetter, GoesOnWithNumbersBehindZ) {
  EXPECT_EQ(pin_letter(0), "A");
  EXPECT_EQ(pin_letter(25), "Z");
  EXPECT_EQ(pin_letter(26), "27");
}

TEST(GridFigure, AFileMarksPinnedHeadsWithTheirLetters) {
  const auto snapshot = sandbox_snapshot("one two three", 2, 2);
  FigureRequest request;
  request.kind = &kGridFigure;
  request.heads = {{{1, 1}}, {{0, 0}, sandbox_snapshot("eins zwei", 1, 1)}, {{0, 1}, snapshot}};
  const Scene scene = make_figure(*snapshot, request, plain_measure());
  std::vector<std::string> letters;
  for (const SceneText& text : items_of<SceneText>(scene)) {
    if (text.text.size() == 1 && text.face == FontFace::ui_bold) letters.push_back(text.text);
  }
  std::sort(letters.begin(), letters.end());
  EXPECT_EQ(letters, (std::vector<std::string>{"A", "C"})) << "B is of another run";
}

TEST(HeatmapFigure, SaysWhatItsFramesMean) {
  const auto snapshot = sandbox_snapshot("one two three", 1, 2);
  FigureRequest request;
  EXPECT_FALSE(has_text(make_figure(*snapshot, request, plain_measure()), "framed"));
  request.frames = {{FrameKind::drawn_map, 1, 2, 0, 1}};
  EXPECT_TRUE(has_text(make_figure(*snapshot, request, plain_measure()), "framed: the map that was drawn for this head"));
}

TEST(CompareFigure, APageListsTheLastRowWhereNoneIsPinned) {
  const auto snapshot = sandbox_snapshot("one two three four", 2, 4);
  FigureRequest request = compare_request({{{0, 0}}, {{1, 1}}});
  const Scene scene = make_figure(*snapshot, request, plain_measure());
  EXPECT_TRUE(has_text(scene, "Row “four” 3"));
  ASSERT_EQ(scene.spots.size(), 4U) << "a line for each key";
  const float a = snapshot->maps({0, 0}).weights(3, 1), b = snapshot->maps({1, 1}).weights(3, 1);
  EXPECT_EQ(scene.spots[1].words, fmt::format("two 1: A {} B {} A − B {}", a, b, a - b));
  request.part = {1, 2.5F, 0, 3};
  EXPECT_TRUE(has_text(make_figure(*snapshot, request, plain_measure()), "Row “three” 2")) << "the last that is shown";
  request.page.without = {PagePart::row};
  EXPECT_FALSE(has_text(make_figure(*snapshot, request, plain_measure()), "Row “"));
}

TEST(CompareFigure, TheLastRowIsThatOfTheFiguresOwnText) {
  const auto own = sandbox_snapshot("one two three four", 2, 4), other = sandbox_snapshot("eins zwei drei", 2, 4);
  FigureRequest request = compare_request({{{0, 0}, other}, {{1, 1}}});
  const Scene scene = make_figure(*own, request, plain_measure());
  EXPECT_TRUE(has_text(scene, "Row “four” 3"));
  ASSERT_EQ(scene.spots.size(), 4U);
  EXPECT_EQ(scene.spots[1].words, fmt::format("two 1: B {}", own->maps({1, 1}).weights(3, 1))) << "A has no such row";
  request = compare_request({{{0, 0}, other}, {{1, 1}, other}});
  EXPECT_FALSE(has_text(make_figure(*own, request, plain_measure()), "Row “")) << "no map is of its text";
}

TEST(CompareFigure, APageListsThePinnedRowBelowItsMaps) {
  const auto snapshot = sandbox_snapshot("one two three four", 2, 4);
  FigureRequest request = compare_request({{{0, 0}}, {{1, 1}}});
  request.marked.query = 2;
  const Scene scene = make_figure(*snapshot, request, plain_measure());
  EXPECT_TRUE(has_text(scene, "Row “three” 2"));
  EXPECT_TRUE(has_text(scene, "1 key masked")) << "the key that comes after the row";
  ASSERT_EQ(scene.spots.size(), 3U) << "a line for each key that the row may look at";
  const float a = snapshot->maps({0, 0}).weights(2, 1), b = snapshot->maps({1, 1}).weights(2, 1);
  EXPECT_EQ(scene.spots[1].words, fmt::format("two 1: A {} B {} A − B {}", a, b, a - b));
  const float below = scene.spots[0].box.y;
  for (const SceneMap& map : items_of<SceneMap>(scene)) EXPECT_LT(map.box.bottom(), below);
}

TEST(CompareFigure, APinnedRowStaysOnPagesOfAnySize) {
  const auto snapshot = sandbox_snapshot("The horse that the sailors follow gallops. It knows itself.", 2, 4);
  FigureRequest request = compare_request({{{0, 0}}, {{1, 1}}, {{1, 3}}, {{0, 2}}, {{0, 3}}});
  request.marked.query = 9;
  for (const PageLook& page :
       {PageLook{.width_mm = 85}, PageLook{.width_mm = 180, .height_mm = 90}, PageLook{.width_mm = 50, .height_mm = 60},
        PageLook{.width_mm = 254, .height_mm = 190, .type = 14}, PageLook{}}) {
    request.page = page;
    const Scene scene = make_figure(*snapshot, request, plain_measure());
    EXPECT_TRUE(page.height_mm == 0 || scene.height <= page.height_mm * kPointsPerMm + 1) << page.width_mm << ": " << scene.height;
    for (const SceneText& item : items_of<SceneText>(scene)) {
      for (const Point corner : corners_of(item, plain_measure())) {
        EXPECT_TRUE(corner.x >= -0.1F && corner.x <= scene.width + 0.1F && corner.y >= -0.1F && corner.y <= scene.height + 0.1F)
            << page.width_mm << ": " << item.text;
      }
    }
  }
}

}  // namespace
}  // namespace headlight::testing
