// The ledger of one query's computation: what is folded, where things are, and that numbers are those of the head.
#include "engine/figure/inside/inside_figure.h"

#include <algorithm>
#include <numeric>
#include <sstream>

#include "engine/core/error.h"
#include "engine/core/numbers.h"
#include "engine/figure/files/write_figure.h"
#include "engine/figure/inside/ledger_rows.h"
#include "engine/formats/json.h"
#include "tests/figure/figure_testing.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

std::string words(int count) {
  std::string text;
  for (int word = 0; word < count; ++word) text += (word == 0 ? "w" : " w") + std::to_string(word % 17);
  return text;
}

InsideFigureRequest request_for(const Snapshot& snapshot, std::optional<Index> query = {}, InsideMoment moment = end_of_step(6)) {
  FigureRequest request;
  request.kind = &kInsideFigure;
  request.head = {0, 0};
  request.query = query;
  request.moment_inside = moment;
  ThreadPool pool(1);
  InsideFigureRequest figure = inside_of(snapshot, request, pool);
  figure.area = {24, 16, 1168, 640};
  return figure;
}

std::vector<std::string> texts_in(const InsideFigure& figure) {
  std::vector<std::string> texts;
  for (const SceneItem& item : figure.scene.items) {
    if (const auto* text = std::get_if<SceneText>(&item)) texts.push_back(text->text);
  }
  return texts;
}
bool has_text(const InsideFigure& figure, const std::string& text) {
  const std::vector<std::string> texts = texts_in(figure);
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

TEST(LedgerRows, HoldEveryKeyOnceInOrder) {
  for (const int count : {1, 2, 13, 60, 500}) {
    const auto snapshot = sandbox_snapshot(words(count), 1, 4);
    const InsideFigureRequest request = request_for(*snapshot, snapshot->tokens() / 2);
    for (const bool shows_masked : {false, true}) {
      const std::vector<LedgerRow> rows = plan_rows(*request.inside, {12, 0, {}, shows_masked});
      Index next = 0;
      for (const LedgerRow& row : rows) {
        EXPECT_EQ(row.begin, next);
        next = row.end;
      }
      EXPECT_EQ(next, request.inside->keys());
      EXPECT_LE(rows.size(), 14U) << count;
    }
  }
}

TEST(LedgerRows, ShownAndFoldedMassAreOne) {
  const auto snapshot = sandbox_snapshot(words(500), 1, 4);
  const InsideFigureRequest request = request_for(*snapshot);
  const std::vector<LedgerRow> rows = plan_rows(*request.inside, {10, 3, {}, false});
  double mass = 0;
  for (const LedgerRow& row : rows) {
    if (row.kind == LedgerRow::Kind::key) mass += static_cast<double>(request.inside->row.weights[row.begin]);
    if (row.kind == LedgerRow::Kind::fold) mass += static_cast<double>(row.weight);
  }
  EXPECT_NEAR(mass, 1, 1e-5);
  EXPECT_NE(folding_text(*request.inside, rows), "");
  EXPECT_EQ(folding_text(*request.inside, plan_rows(*request.inside, {600, 0, {}, false})), "") << "nothing is folded";
}

TEST(LedgerRows, TheHeaviestKeysAreNotFolded) {
  const auto snapshot = sandbox_snapshot(words(200), 1, 4);
  const InsideFigureRequest request = request_for(*snapshot);
  const std::vector<LedgerRow> rows = plan_rows(*request.inside, {12, key_to_mark(*request.inside), {}, false});
  const auto is_shown = [&](Index key) {
    return std::any_of(rows.begin(), rows.end(),
                       [&](const LedgerRow& row) { return row.kind == LedgerRow::Kind::key && row.begin == key; });
  };
  for (int place = 0; place < 3; ++place) EXPECT_TRUE(is_shown(request.inside->by_weight[static_cast<std::size_t>(place)]));
}

TEST(LedgerRows, AnOpenedFoldShowsItsLargestKeys) {
  const auto snapshot = sandbox_snapshot(words(200), 1, 4);
  const InsideFigureRequest request = request_for(*snapshot);
  const std::vector<LedgerRow> rows = plan_rows(*request.inside, {30, 0, {}, false});
  const auto fold = std::find_if(rows.begin(), rows.end(), [](const LedgerRow& row) { return row.kind == LedgerRow::Kind::fold; });
  ASSERT_NE(fold, rows.end());
  const std::vector<Index> largest = largest_of_fold(*request.inside, *fold);
  ASSERT_FALSE(largest.empty());
  EXPECT_LE(largest.size(), 12U);
  const std::vector<LedgerRow> opened = plan_rows(*request.inside, {30, 0, {largest.front()}, false});
  EXPECT_TRUE(std::any_of(opened.begin(), opened.end(),
                          [&](const LedgerRow& row) { return row.kind == LedgerRow::Kind::key && row.begin == largest.front(); }));
}

TEST(LedgerRows, AFoldHoldsNoMaskedKeyWhereBothHaveRoom) {
  const auto snapshot = sandbox_snapshot(words(13), 1, 4);
  const InsideFigureRequest request = request_for(*snapshot, 8);
  for (const std::size_t most : {4, 5, 6, 8}) {
    for (const LedgerRow& row : plan_rows(*request.inside, {most, 2, {}, false})) {
      const Index mixed = row.kind == LedgerRow::Kind::fold ? row.masked_inside : 0;
      EXPECT_EQ(mixed, 0) << most;
    }
  }
}

TEST(InsideFigure, EveryKeyHasARowWhereAllFit) {
  const auto snapshot = sandbox_snapshot(words(13), 1, 4);
  for (int step = 3; step <= 7; ++step) {
    InsideFigureRequest request = request_for(*snapshot, 8, end_of_step(step));
    request.area = {24, 16, 760, 460};
    const InsideFigure figure = make_inside_figure(request, plain_measure());
    EXPECT_EQ(folding_text(*request.inside, figure.rows), "") << step;
  }
}

TEST(InsideFigure, ShowsTheWeightsOfTheHead) {
  const auto snapshot = sandbox_snapshot("a b c d e", 1, 2);
  const InsideFigure figure = make_inside_figure(request_for(*snapshot, 3), plain_measure());
  const HeadMaps maps = snapshot->maps({0, 0});
  for (Index key = 0; key <= 3; ++key) EXPECT_TRUE(has_text(figure, weight_text(static_cast<double>(maps.weights(3, key)), 4))) << key;
  EXPECT_TRUE(has_text(figure, "1.0000")) << "the sum of the column";
}

TEST(InsideFigure, FindsEveryNumberOfTheCurrentStepByItsPlace) {
  const auto snapshot = sandbox_snapshot("a b c d e", 1, 2);
  const InsideFigure figure = make_inside_figure(request_for(*snapshot, 3), plain_measure());
  for (const InsideValue what : {InsideValue::difference, InsideValue::exp, InsideValue::weight, InsideValue::score, InsideValue::scaled}) {
    const std::optional<Box> box = figure.box_of({what, 2});
    ASSERT_TRUE(box.has_value());
    const InsideSpot* spot = figure.spot_at({box->x + box->width / 2, box->y + box->height / 2});
    ASSERT_NE(spot, nullptr);
    EXPECT_EQ(number_at(*spot, {box->x + box->width / 2, box->y + box->height / 2}), (InsideNumber{what, 2}));
  }
  EXPECT_FALSE(figure.box_of({InsideValue::weighted, 2}).has_value()) << "a step ahead has no numbers";
}

TEST(InsideFigure, AStepThatHasNotBegunShowsNoNumber) {
  const auto snapshot = sandbox_snapshot("a b c d e", 1, 2);
  const InsideFigure figure = make_inside_figure(request_for(*snapshot, 3, {InsideStep::softmax, 0}), plain_measure());
  EXPECT_FALSE(figure.box_of({InsideValue::weight, 0}).has_value());
  EXPECT_TRUE(figure.box_of({InsideValue::scaled, 0}).has_value());
}

TEST(InsideFigure, PartialSumsOfValuesAreThoseOfTheKeysSoFar) {
  const auto snapshot = sandbox_snapshot("a b c d e f g h", 1, 2);
  const InsideFigureRequest request = request_for(*snapshot, 7);
  RowVector sums = RowVector::Zero(request.inside->d_value());
  for (Index key = 0; key < 4; ++key) sums += request.inside->weighted.row(key);
  EXPECT_LT((request.inside->sums_of_values(4) - sums).cwiseAbs().maxCoeff(), 1e-5F);
}

TEST(InsideFigure, NoTwoTextsLieOverEachOtherAtAnyStepOrSize) {
  const MeasureText measure = plain_measure();
  for (const int count : {2, 9, 120}) {
    const auto snapshot = sandbox_snapshot(words(count), 1, 4, count == 9 ? "none" : "");
    for (int step = 1; step <= kInsideSteps; ++step) {
      for (const Point size : {Point{704, 170}, Point{860, 420}, Point{1168, 640}, Point{1800, 1000}}) {
        InsideFigureRequest request = request_for(*snapshot, {}, end_of_step(step));
        request.area = {24, 16, size.x, size.y};
        const InsideFigure figure = make_inside_figure(request, measure);
        std::vector<SceneText> texts;
        for (const SceneItem& item : figure.scene.items) {
          if (const auto* text = std::get_if<SceneText>(&item)) texts.push_back(*text);
        }
        for (std::size_t a = 0; a < texts.size(); ++a) {
          for (std::size_t b = 0; b < a; ++b) {
            EXPECT_FALSE(overlap(texts[a], texts[b], measure)) << count << " tokens, step " << step << ", " << size.x << "x" << size.y
                                                               << ": " << texts[a].text << " and " << texts[b].text;
          }
        }
      }
    }
  }
}

TEST(InsideFigure, IsWrittenAsADrawing) {
  const auto snapshot = sandbox_snapshot("a b c d e", 1, 2);
  const TemporaryFolder folder;
  FigureRequest request;
  request.kind = &kInsideFigure;
  for (int step = 1; step <= kInsideSteps; ++step) {
    request.moment_inside = end_of_step(step);
    write_figure(*snapshot, request, folder / "inside.svg");
    EXPECT_NE(bytes_of(folder / "inside.svg").find("Step " + std::to_string(step) + " of 8"), std::string::npos);
  }
  request.query = 99;
  EXPECT_EQ(error_of([&] { write_figure(*snapshot, request, folder / "inside.svg"); }).kind(), ErrorKind::usage);
}

TEST(LedgerRows, NoMoreThanTheLimitHaveRowsAndFoldsHoldTheRest) {
  const auto snapshot = sandbox_snapshot(words(60), 1, 4);
  const InsideFigureRequest request = request_for(*snapshot, 59);
  const Inside& inside = *request.inside;
  for (const Index limit : {1, 3, 8}) {
    const std::vector<LedgerRow> rows = plan_rows(inside, {40, inside.by_weight.front(), {}, false, limit});
    Index keys = 0, alone = 0;
    double mass = 0;
    for (const LedgerRow& row : rows) {
      mass += static_cast<double>(row.weight);
      const bool is_largest = row.kind == LedgerRow::Kind::key && std::find(inside.by_weight.begin(), inside.by_weight.begin() + limit,
                                                                            row.begin) != inside.by_weight.begin() + limit;
      keys += is_largest ? 1 : 0;
      alone += row.kind == LedgerRow::Kind::key && !is_largest ? 1 : 0;
    }
    EXPECT_EQ(keys, limit);
    EXPECT_LE(alone, limit + 1) << "only where a single key lies between two of them";
    EXPECT_NEAR(mass, 1, 1e-5) << "nothing is lost";
  }
  const std::vector<LedgerRow> opened = plan_rows(inside, {40, inside.by_weight.front(), {7, 21}, false, 2});
  for (const Index key : {7, 21}) {
    EXPECT_TRUE(std::any_of(opened.begin(), opened.end(), [&](const LedgerRow& row) {
      return row.kind == LedgerRow::Kind::key && row.begin == key;
    })) << "what was opened is shown besides";
  }
}

/// Lines of a CSV that begin like this.
std::vector<std::string> lines_with(const std::string& text, const std::string& begin) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with(begin)) lines.push_back(line);
  }
  return lines;
}

TEST(InsideNumbers, AreWrittenStepByStepAndNoFurtherThanTheFigureHasCome) {
  const TemporaryFolder folder;
  const auto snapshot = sandbox_snapshot("a b c d", 1, 4);
  FigureRequest request;
  request.kind = &kInsideFigure;
  request.query = 2;
  request.moment_inside = end_of_step(6);
  write_figure(*snapshot, request, folder / "row.csv");
  const std::string csv = bytes_of(folder / "row.csv");
  EXPECT_TRUE(csv.starts_with("step,number,key,key_token,place,value\n"));
  const std::vector<std::string> weights = lines_with(csv, "6,\"weight\",");
  ASSERT_EQ(weights.size(), 4U);
  const HeadMaps maps = snapshot->maps({0, 0});
  for (Index key = 0; key < 4; ++key) {
    const std::string& line = weights[static_cast<std::size_t>(key)];
    EXPECT_EQ(std::stof(line.substr(line.rfind(',') + 1)), maps.weights(2, key)) << line;
  }
  EXPECT_EQ(weights[3], "6,\"weight\",3,\"d\",,0") << "a masked key is there, with its nothing";
  EXPECT_EQ(lines_with(csv, "6,\"score − max\",3,").front(), "6,\"score − max\",3,\"d\",,-inf");
  const Index d_head = request_for(*snapshot).inside->d_head();
  EXPECT_EQ(lines_with(csv, "2,\"k\",").size(), static_cast<std::size_t>(4 * d_head));
  EXPECT_EQ(lines_with(csv, "1,\"q\",,,").size(), static_cast<std::size_t>(d_head));
  EXPECT_TRUE(lines_with(csv, "7,").empty());
  request.moment_inside = end_of_step(8);
  write_figure(*snapshot, request, folder / "row.json");
  const Json json = Json::parse(bytes_of(folder / "row.json"));
  EXPECT_EQ(json["query"], 2);
  EXPECT_EQ(json["head"], 0);
  const auto table = [&](const std::string& name) {
    return *std::find_if(json["numbers"].begin(), json["numbers"].end(), [&](const Json& each) { return each["number"] == name; });
  };
  ASSERT_EQ(table("z")["values"].size(), static_cast<std::size_t>(d_head));
  const RowVector z = row_of_z(maps, 2);
  for (Index place = 0; place < d_head; ++place) EXPECT_EQ(table("z")["values"][static_cast<std::size_t>(place)].get<float>(), z[place]);
  EXPECT_EQ(table("weight")["values"].size(), 4U);
  EXPECT_EQ(table("weight · v")["values"][1].size(), static_cast<std::size_t>(d_head));
  EXPECT_TRUE(table("score − max")["values"][3].is_null()) << "−∞";
  EXPECT_THROW(write_figure(*snapshot, request, folder / "row.npy"), Error) << "vectors of different lengths do not make an array";
}

}  // namespace
}  // namespace headlight::testing
