// Measures as figures: the table of heads and the scatter of two measures.
#include <algorithm>
#include <cmath>

#include "engine/figure/files/write_figure.h"
#include "engine/figure/heads/head_table.h"
#include "engine/figure/heads/scatter.h"
#include "engine/formats/json.h"
#include "engine/measures/run/run_measures.h"
#include "tests/figure/figure_testing.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

constexpr const char* kWords = "the cat and the dog and the cat";

FigureRequest table_request() {
  FigureRequest request;
  request.kind = &kMeasuresFigure;
  request.measures.ids = {"mean-distance", "induction", "previous-token"};
  return request;
}

std::vector<std::string> texts_in(const Scene& scene) {
  std::vector<std::string> texts;
  for (const SceneItem& item : scene.items) {
    if (const auto* text = std::get_if<SceneText>(&item)) texts.push_back(text->text);
  }
  return texts;
}

/// Names of heads from top to bottom.
std::vector<std::string> heads_in(const Scene& scene) {
  std::vector<std::pair<float, std::string>> names;
  for (const SceneItem& item : scene.items) {
    const auto* text = std::get_if<SceneText>(&item);
    const bool is_name = text != nullptr && text->text.size() == 3 && text->text[1] == '.' && text->align_x == AlignX::left &&
                         text->face == FontFace::mono && text->colour == palette(Theme::dark).text;
    if (is_name) names.emplace_back(text->at.y, text->text);
  }
  std::sort(names.begin(), names.end());
  std::vector<std::string> heads;
  for (auto& [y, name] : names) heads.push_back(name);
  return heads;
}

TEST(MeasuresFigure, HasEveryHeadAndTheNumbersThatItsColumnsHave) {
  const auto snapshot = sandbox_snapshot(kWords, 2, 3);
  const FigureRequest request = table_request();
  const Scene page = make_figure(*snapshot, request, plain_measure());
  EXPECT_EQ(heads_in(page), (std::vector<std::string>{"0.0", "0.1", "0.2", "1.0", "1.1", "1.2"}));
  const std::vector<std::string> texts = texts_in(page);
  for (const auto& column : columns_of_run(*snapshot, request.measures.ids)) {
    for (const HeadId head : snapshot->all_heads()) {
      const std::string number = column_number(*column, column->values.of(head));
      EXPECT_NE(std::find(texts.begin(), texts.end(), number), texts.end()) << column->id << " " << number;
    }
  }
}

TEST(MeasuresFigure, OrdersAndFiltersAsTheColumnsDo) {
  const auto snapshot = sandbox_snapshot(kWords, 2, 3);
  FigureRequest request = table_request();
  const HeadColumns columns = columns_of_run(*snapshot, request.measures.ids);
  request.measures.sorts = {{"mean-distance", true}};
  const std::vector<HeadId> sorted = sorted_heads(snapshot->all_heads(), columns, request.measures.sorts);
  const double middle = columns.front()->values.of(sorted[3]);
  request.measures.ranges = {{.column = "mean-distance", .high = middle, .has_high = false}};
  std::vector<std::string> expected;
  for (std::size_t place = 0; place < 3; ++place) expected.push_back(fmt::format("{}.{}", sorted[place].layer, sorted[place].head));
  const Scene page = make_figure(*snapshot, request, plain_measure());
  EXPECT_EQ(heads_in(page), expected);
  std::string notes;  // over several lines
  for (const std::string& text : texts_in(page)) notes += text + " ";
  EXPECT_NE(notes.find("3 of 6 heads · ordered by mean distance, smallest first · only mean distance < "), std::string::npos) << notes;
}

TEST(MeasuresFigure, NoTwoTextsCoverEachOtherAndNoneLeavesThePage) {
  const auto snapshot = sandbox_snapshot(kWords, 3, 4);
  FigureRequest request = table_request();
  for (const MeasureRequest& usual : measure_requests(kUsualMeasures, "test")) {
    if (std::find(request.measures.ids.begin(), request.measures.ids.end(), usual.id) == request.measures.ids.end())
      request.measures.ids.push_back(usual.id);
  }
  request.measures.sorts = {{"hidden-mass:first-token", false}, {"induction", true}};
  for (const FigureKind* kind : {&kMeasuresFigure, &kScatterFigure}) {
    request.kind = kind;
    const Scene page = make_figure(*snapshot, request, plain_measure());
    std::vector<SceneText> texts;
    for (const SceneItem& item : page.items) {
      if (const auto* text = std::get_if<SceneText>(&item)) texts.push_back(*text);
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
      for (const Point corner : corners_of(texts[i], plain_measure())) {
        EXPECT_TRUE(corner.x >= 0 && corner.x <= page.width && corner.y >= 0 && corner.y <= page.height) << texts[i].text;
      }
      for (std::size_t j = i + 1; j < texts.size(); ++j)
        EXPECT_FALSE(overlap(texts[i], texts[j], plain_measure())) << kind->name << ": " << texts[i].text << " and " << texts[j].text;
    }
  }
}

TEST(MeasuresFigure, FilesOfNumbersHaveEveryDigitInTheOrderOfTheRows) {
  const auto snapshot = sandbox_snapshot(kWords, 2, 2);
  FigureRequest request = table_request();
  request.measures.sorts = {{"previous-token", false}};
  const HeadColumns columns = columns_of_run(*snapshot, request.measures.ids);
  const std::vector<HeadId> rows = sorted_heads(snapshot->all_heads(), columns, request.measures.sorts);
  const TemporaryFolder folder;
  write_figure(*snapshot, request, folder / "a.csv");
  std::string csv = "layer,head,mean-distance,induction,previous-token\n";
  for (const HeadId head : rows) {
    csv += fmt::format("{},{}", head.layer, head.head);
    for (const auto& column : columns) csv += std::isnan(column->values.of(head)) ? "," : fmt::format(",{}", column->values.of(head));
    csv += "\n";
  }
  EXPECT_EQ(bytes_of(folder / "a.csv"), csv);
  write_figure(*snapshot, request, folder / "a.json");
  const Json json = parse_json(bytes_of(folder / "a.json"), "a.json");
  EXPECT_EQ(json["heads"][0]["layer"], rows.front().layer);
  EXPECT_EQ(json["columns"][0]["values"][0].get<double>(), columns[0]->values.of(rows.front()));
}

TEST(MeasuresFigure, AnUnknownMeasureAndAnOrderByNoneOfItsColumnsAreRefused) {
  const auto snapshot = sandbox_snapshot(kWords, 1, 1);
  FigureRequest request = table_request();
  request.measures.sorts = {{"entropy", false}};
  EXPECT_NE(error_of([&] { check_figure(*snapshot, request); }).detail().problem.find("“entropy”"), std::string::npos);
  request = table_request();
  request.measures.ids.emplace_back("nothing");
  EXPECT_EQ(error_of([&] { check_figure(*snapshot, request); }).kind(), ErrorKind::usage);
  request.measures = {};
  EXPECT_EQ(error_of([&] { check_figure(*snapshot, request); }).detail().problem, "no measure is chosen");
}

/// The middles of the discs.
std::vector<Point> points_in(const Scene& scene) {
  std::vector<Point> points;
  for (const SceneItem& item : scene.items) {
    const auto* box = std::get_if<SceneBox>(&item);
    if (box == nullptr || box->radius == 0 || box->radius * 2 != box->box.width) continue;
    points.push_back({box->box.x + box->radius, box->box.y + box->radius});
  }
  return points;
}

TEST(Scatter, PlacesEveryHeadByBothItsNumbers) {
  const auto snapshot = sandbox_snapshot(kWords, 2, 4);
  FigureRequest request = table_request();
  request.kind = &kScatterFigure;
  request.measures.across = "mean-distance";
  request.measures.up = "previous-token";
  const HeadColumns columns = columns_of_run(*snapshot, request.measures.ids);
  const std::vector<HeadId> heads = snapshot->all_heads();
  const std::vector<Point> points = points_in(make_figure(*snapshot, request, plain_measure()));
  ASSERT_EQ(points.size(), heads.size());
  for (std::size_t i = 0; i < heads.size(); ++i) {
    for (std::size_t j = 0; j < heads.size(); ++j) {
      const auto is_less = [&](std::size_t column) { return columns[column]->values.of(heads[i]) < columns[column]->values.of(heads[j]); };
      EXPECT_TRUE(!is_less(0) || points[i].x <= points[j].x);
      EXPECT_TRUE(!is_less(2) || points[i].y >= points[j].y) << "up is more";
    }
  }
}

TEST(Scatter, AHeadWithoutAValueHasNoPointAndIsCounted) {
  auto across = std::make_shared<HeadColumn>(), up = std::make_shared<HeadColumn>();
  across->title = "a", up->title = "b";
  ScatterRequest request;
  request.across = across;
  request.up = up;
  request.heads = request.all = {{0, 0}, {0, 1}, {0, 2}};
  request.area = {0, 0, 300, 300};
  request.name = [](HeadId head) { return fmt::format("{}.{}", head.layer, head.head); };
  for (int head = 0; head < 3; ++head) across->values.set({0, head}, head), up->values.set({0, head}, head == 1 ? std::nan("") : head);
  const Scatter drawn = make_scatter(request, plain_measure());
  EXPECT_EQ(drawn.left_out, 1U);
  EXPECT_EQ(points_in(drawn.scene).size(), 2U);
}

TEST(HeadTable, IsCutForTheLargestLettersOnAPageThatItsWordsFill) {
  HeadTableRequest request;
  request.name = [](HeadId head) { return fmt::format("{}.{}", head.layer, head.head); };
  for (int head = 0; head < 16; ++head) request.all.push_back({0, head});
  request.rows = request.all;
  const auto snapshot = sandbox_snapshot(kWords, 1, 16);
  for (int time = 0; time < 2; ++time) {
    for (const auto& column : columns_of_run(*snapshot, table_request().measures.ids)) request.columns.push_back(column);
  }
  request.room = {700, 1};
  const Point alone = head_table_size(request, plain_measure());
  request.around = {12, 400};  // all of the page
  const Point with_words = head_table_size(request, plain_measure());
  const auto made_smaller = [](Point size) { return std::min(712 / (size.x + 12), 401 / (size.y + 400)); };
  EXPECT_GT(made_smaller(with_words), made_smaller(alone)) << "the words take most of the height, whatever the cut";
}

TEST(MeasuresFigure, OnALowPageTheFirstHeadsKeepTheirLettersAndAreCounted) {
  const auto snapshot = sandbox_snapshot(kWords, 9, 9);
  FigureRequest request = table_request();
  request.measures.sorts = {{"mean-distance", true}};
  const std::vector<HeadId> sorted =
      sorted_heads(snapshot->all_heads(), columns_of_run(*snapshot, request.measures.ids), request.measures.sorts);
  request.page = find_preset("slide")->look;
  const Scene page = make_figure(*snapshot, request, plain_measure());
  EXPECT_TRUE(fit_of(request.page, page).keeps_type());
  EXPECT_LE(page.height, request.page.height_mm * kPointsPerMm + 0.1F);
  std::vector<std::string> listed = heads_in(page);
  ASSERT_GE(listed.size(), 4U);
  ASSERT_LT(listed.size(), 81U);
  std::vector<std::string> expected;
  for (std::size_t place = 0; place < listed.size(); ++place)
    expected.push_back(fmt::format("{}.{}", sorted[place].layer, sorted[place].head));
  std::sort(listed.begin(), listed.end());  // parts of the table are beside each other
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(listed, expected) << "the first in the order";
  const std::vector<std::string> texts = texts_in(page);
  EXPECT_NE(std::find(texts.begin(), texts.end(), fmt::format("the first {} of these 81 heads", listed.size())), texts.end());
}

TEST(HeadTable, NoHeadThatPassesIsSaid) {
  const auto snapshot = sandbox_snapshot(kWords, 1, 2);
  FigureRequest request = table_request();
  request.measures.ranges = {{.column = "mean-distance", .low = 1e6}};
  const std::vector<std::string> texts = texts_in(make_figure(*snapshot, request, plain_measure()));
  EXPECT_NE(std::find(texts.begin(), texts.end(), "No head passes all filters."), texts.end());
}

}  // namespace
}  // namespace headlight::testing
