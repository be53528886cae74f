// A grid whose heads are ordered, filtered and numbered by measures.
#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "engine/figure/files/write_figure.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/measures/run/run_measures.h"
#include "tests/figure/figure_testing.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kArrangedWords = "the cat and the dog and the cat";

FigureRequest arranged_request() {
  FigureRequest request;
  request.kind = &kGridFigure;
  request.measures.ids = {"mean-distance", "induction"};
  return request;
}

std::vector<std::string> words_written_in(const Scene& scene) {
  std::vector<std::string> texts;
  for (const SceneItem& item : scene.items) {
    if (const auto* text = std::get_if<SceneText>(&item)) texts.push_back(text->text);
  }
  return texts;
}

/// Heads of the maps of a page, in their order.
std::vector<std::string> mapped_heads(const Scene& page) {
  std::vector<std::string> heads;
  for (const SceneItem& item : page.items) {
    if (const auto* map = std::get_if<SceneMap>(&item)) heads.push_back(map->words->name);
  }
  return heads;
}

std::string name_of_map(HeadId head) {
  return fmt::format("layer {} · head {}", head.layer, head.head);
}

std::string notes_written_in(const Scene& page) {
  std::string notes;  // over several lines
  for (const std::string& text : words_written_in(page)) notes += text + " ";
  return notes;
}

TEST(ArrangedGrid, SetsHeadsInTheOrderOfAMeasureAndWritesItsValueAtEach) {
  const auto snapshot = sandbox_snapshot(kArrangedWords, 2, 3);
  FigureRequest request = arranged_request();
  request.measures.sorts = {{"mean-distance", true}};
  request.measures.tint = "mean-distance";
  const HeadColumns columns = columns_of_run(*snapshot, {"mean-distance"});
  std::vector<std::string> expected;
  for (const HeadId head : sorted_heads(snapshot->all_heads(), columns, request.measures.sorts)) expected.push_back(name_of_map(head));
  const Scene page = make_figure(*snapshot, request, plain_measure());
  EXPECT_EQ(mapped_heads(page), expected);
  for (const HeadId head : snapshot->all_heads())
    EXPECT_THAT(words_written_in(page), Contains(column_number(*columns.front(), columns.front()->values.of(head))));
  EXPECT_THAT(notes_written_in(page), HasSubstr("number and bar: mean distance · 6 heads · ordered by mean distance, smallest first"));
  EXPECT_THAT(notes_written_in(page), HasSubstr("hints, not findings"));
}

TEST(ArrangedGrid, LeavesOutWhatTheFilterLeavesOutAndKeepsThePlacesOfLayers) {
  const auto snapshot = sandbox_snapshot(kArrangedWords, 2, 3);
  FigureRequest request = arranged_request();
  const HeadColumns columns = columns_of_run(*snapshot, {"mean-distance"});
  const std::vector<HeadId> sorted = sorted_heads(snapshot->all_heads(), columns, std::vector<ColumnSort>{{"mean-distance", true}});
  const double middle = columns.front()->values.of(sorted[2]);
  request.measures.ranges = {{.column = "mean-distance", .high = middle}};
  std::vector<HeadId> left(sorted.begin(), sorted.begin() + 3);
  std::sort(left.begin(), left.end());
  std::vector<std::string> expected;
  for (const HeadId head : left) expected.push_back(name_of_map(head));
  const Scene page = make_figure(*snapshot, request, plain_measure());
  EXPECT_EQ(mapped_heads(page), expected);
  EXPECT_THAT(words_written_in(page), Contains("layer 1"));
  EXPECT_THAT(notes_written_in(page), HasSubstr("3 of 6 heads · only mean distance ≤ "));
  request.measures.ranges.front().high = -1;
  EXPECT_THAT(error_of([&] { make_figure(*snapshot, request, plain_measure()); }).detail().problem, HasSubstr("no head is left"));
}

TEST(ArrangedGrid, OrdersAmongTheListedHeadsAlone) {
  const auto snapshot = sandbox_snapshot(kArrangedWords, 2, 3);
  FigureRequest request = arranged_request();
  request.only = {{1, 2}, {0, 0}, {0, 1}};
  request.measures.sorts = {{"induction", false}};
  std::vector<std::string> expected;
  for (const HeadId head : sorted_heads(request.only, columns_of_run(*snapshot, {"induction"}), request.measures.sorts))
    expected.push_back(name_of_map(head));
  EXPECT_EQ(mapped_heads(make_figure(*snapshot, request, plain_measure())), expected);
}

TEST(ArrangedGrid, FilesOfNumbersHaveTheHeadsThatAreShownInTheirOrder) {
  const auto snapshot = sandbox_snapshot(kArrangedWords, 2, 3);
  const TemporaryFolder folder;
  FigureRequest request = arranged_request();
  request.measures.tint = "induction";
  const auto heads_of = [&] {
    write_figure(*snapshot, request, folder / "a.csv");
    std::istringstream lines(bytes_of(folder / "a.csv"));
    std::vector<HeadId> heads;
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
      const HeadId head{line[0] - '0', line[2] - '0'};
      if (heads.empty() || heads.back() != head) heads.push_back(head);
    }
    return heads;
  };
  EXPECT_EQ(heads_of(), snapshot->all_heads()) << "another number leaves the heads where they are";
  request.measures.sorts = {{"mean-distance", false}};
  EXPECT_EQ(heads_of(), measured_heads(*snapshot, request.measures).rows);
}

TEST(ArrangedGrid, NoTwoTextsCoverEachOther) {
  const auto snapshot = sandbox_snapshot(kArrangedWords, 3, 4);
  for (const float width : {0.0F, 85.0F, 180.0F}) {
    for (const bool is_ordered : {false, true}) {
      FigureRequest request = arranged_request();
      request.page.width_mm = width;
      request.measures.tint = "mean-distance";
      if (is_ordered) request.measures.sorts = {{"mean-distance", false}};
      const auto texts = items_of<SceneText>(make_figure(*snapshot, request, plain_measure()));
      for (std::size_t i = 0; i < texts.size(); ++i) {
        for (std::size_t j = i + 1; j < texts.size(); ++j)
          EXPECT_FALSE(overlap(texts[i], texts[j], plain_measure())) << width << " mm: " << texts[i].text << " and " << texts[j].text;
      }
    }
  }
}

TEST(ArrangedGrid, OnALowPageMapsAreSmallerAndLettersKeepTheirSize) {
  const auto snapshot = sandbox_snapshot(kArrangedWords, 4, 8);
  FigureRequest request = arranged_request();
  request.measures.sorts = {{"mean-distance", true}};
  request.page = find_preset("slide")->look;
  const Scene page = make_figure(*snapshot, request, plain_measure());
  EXPECT_TRUE(fit_of(request.page, page).keeps_type()) << text_of(fit_of(request.page, page));
  EXPECT_LE(page.height, request.page.height_mm * kPointsPerMm + 0.1F);
  EXPECT_EQ(mapped_heads(page).size(), 32U);
}

TEST(ArrangedGrid, WithoutAMeasureIsTheGridByLayer) {
  const auto snapshot = sandbox_snapshot(kArrangedWords, 2, 3);
  FigureRequest request = arranged_request();
  request.measures = {};
  const Scene page = make_figure(*snapshot, request, plain_measure());
  EXPECT_EQ(mapped_heads(page).size(), 6U);
  EXPECT_THAT(notes_written_in(page), Not(HasSubstr("ordered")));
  request.measures.tint = "induction";
  EXPECT_EQ(error_of([&] { make_figure(*snapshot, request, plain_measure()); }).detail().problem, "no measure is chosen");
}

}  // namespace
}  // namespace headlight::testing
