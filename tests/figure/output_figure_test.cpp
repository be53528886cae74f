// Predictions and tinted texts as figures: what they draw, and the numbers behind them.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "engine/core/error.h"
#include "engine/figure/files/write_figure.h"
#include "engine/figure/predictions/prediction_changes.h"
#include "engine/formats/json.h"
#include "tests/figure/figure_testing.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

std::shared_ptr<const Snapshot> predicting(const std::string& text, const std::string& mask = {}) {
  Query query;
  query.model.name = (std::filesystem::path(HEADLIGHT_TESTS_DIR) / "reference" / "models" / "gpt2").string();
  query.text = text;
  if (!mask.empty()) query.mask.rules.push_back({{}, mask, {}});
  Pipeline pipeline(1);
  SilentProgress progress;
  return pipeline.run(query, progress);
}

FigureRequest output_request() {
  FigureRequest request;
  request.kind = &kOutputFigure;
  return request;
}

PredictionsFound found_in(const Snapshot& snapshot, std::size_t listed) {
  ThreadPool pool(1);
  SilentProgress progress;
  return find_predictions(snapshot, {0, std::ssize(predicted_text(snapshot).tokens), listed}, pool, progress);
}

std::vector<std::string> words_in(const Scene& scene) {
  std::vector<std::string> texts;
  for (const SceneText& text : items_of<SceneText>(scene)) texts.push_back(text.text);
  return texts;
}

Json json_of(const Snapshot& snapshot, const FigureRequest& request) {
  const TemporaryFolder folder;
  write_figure(snapshot, request, folder / "a.json");
  return *parse_json(bytes_of(folder / "a.json"), "a.json");
}

std::vector<std::string> file_lines(const std::string& bytes) {
  std::vector<std::string> lines;
  std::istringstream stream(bytes);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(OutputFigure, HasARowForEveryPositionAndTheTokensOfTheChosenOne) {
  const auto snapshot = predicting("the cat sat on the mat");
  FigureRequest request = output_request();
  request.output = {.position = 2, .listed = 5};
  const Scene scene = make_figure(*snapshot, request, plain_measure());
  const std::vector<std::string> texts = words_in(scene);
  const PredictionsFound found = found_in(*snapshot, 5);
  const Index tokens = snapshot->tokens();
  EXPECT_EQ(scene.spots.size(), static_cast<std::size_t>(tokens) + 5);
  for (Index position = 0; position < tokens; ++position) {
    EXPECT_THAT(texts, Contains(std::to_string(position)));
    const LikelyToken& best = found.predictions[static_cast<std::size_t>(position)].likeliest.front();
    EXPECT_THAT(scene.spots[static_cast<std::size_t>(position)].words, HasSubstr(fmt::format(" {}", best.probability)));
  }
  for (std::size_t rank = 0; rank < 5; ++rank) {
    const std::string& words = scene.spots[static_cast<std::size_t>(tokens) + rank].words;
    EXPECT_THAT(words, HasSubstr(fmt::format("id {}, ", found.predictions[2].likeliest[rank].id)));
  }
}

TEST(OutputFigure, TheListIsBesideThePositionsWhereThePageIsWideAndBelowElsewhere) {
  const auto snapshot = predicting("the cat sat on the mat");
  const auto spots_of = [&](const PageLook& page) {
    FigureRequest request = output_request();
    request.page = page;
    return make_figure(*snapshot, request, plain_measure()).spots;
  };
  const auto tokens = static_cast<std::size_t>(snapshot->tokens());
  const std::vector<SceneSpot> wide = spots_of({}), narrow = spots_of({.width_mm = 85});
  EXPECT_GT(wide[tokens].box.x, wide[0].box.right());
  EXPECT_EQ(narrow[tokens].box.x, narrow[0].box.x);
  EXPECT_GT(narrow[tokens].box.y, narrow[tokens - 1].box.bottom());
}

TEST(OutputFigure, ItsNumbersAreThePredictionsAndTokensAreAsTheyAre) {
  const auto snapshot = predicting("the cat sat on the mat");
  FigureRequest request = output_request();
  request.output.listed = 3;
  const Json json = json_of(*snapshot, request);
  const PredictionsFound found = found_in(*snapshot, 3);
  std::size_t line = 0;
  for (const Prediction& prediction : found.predictions) {
    bool is_listed = false;
    for (const LikelyToken& likely : prediction.likeliest) {
      const Json& read = json["lines"][line++];
      EXPECT_EQ(read["position"], prediction.position);
      EXPECT_EQ(read["token"], snapshot->label(snapshot->encoding->tokens[static_cast<std::size_t>(prediction.position)]).text);
      EXPECT_EQ(read["id"], likely.id);
      EXPECT_EQ(read["rank"], likely.rank);
      EXPECT_EQ(read["predicted"], snapshot->model->tokenizer->token_of(likely.id).value());
      EXPECT_EQ(read["probability"].get<double>(), likely.probability);
      EXPECT_EQ(read["logit"].get<float>(), likely.logit);
      const bool is_actual = prediction.actual && prediction.actual->id == likely.id;
      EXPECT_EQ(read["is_actual"], is_actual ? 1 : 0);
      is_listed = is_listed || is_actual;
    }
    if (!prediction.actual || is_listed) continue;
    EXPECT_EQ(json["lines"][line]["id"], prediction.actual->id);
    EXPECT_EQ(json["lines"][line++]["is_actual"], 1) << "the token that the text has, however unlikely";
  }
  EXPECT_EQ(json["lines"].size(), line);
  const TemporaryFolder folder;
  write_figure(*snapshot, request, folder / "a.csv");
  const std::vector<std::string> lines = file_lines(bytes_of(folder / "a.csv"));
  EXPECT_EQ(lines.front(), "position,token,rank,id,predicted,logit,probability,is_actual");
  EXPECT_EQ(lines.size(), 1 + line);
}

TEST(OutputFigure, ShowsPositionsOfARangeAloneAndRefusesOthers) {
  const auto snapshot = predicting("the cat sat on the mat");
  FigureRequest request = output_request();
  request.output = {.position = 3, .first = 2, .count = 2, .listed = 1};
  const Json json = json_of(*snapshot, request);
  EXPECT_EQ(json["lines"].front()["position"], 2);
  EXPECT_EQ(json["lines"].back()["position"], 3);
  for (const OutputRequest& wrong : {OutputRequest{.position = 99}, OutputRequest{.position = 3, .first = 2, .count = 99},
                                     OutputRequest{.position = 0, .first = 2, .count = 2}, OutputRequest{.position = -1}}) {
    request.output = wrong;
    EXPECT_EQ(error_of([&] { check_figure(*snapshot, request); }).kind(), ErrorKind::usage);
  }
}

TEST(OutputFigure, BesideABaselineEachTokenHasWhatItWasBefore) {
  const auto before = predicting("the cat sat on the mat"), now = predicting("the cat sat on the mat", "window:2");
  FigureRequest request = output_request();
  request.baseline = before;
  request.output.listed = 4;
  const Json json = json_of(*now, request);
  const PredictionsFound all = found_in(*before, 2000);
  std::size_t compared = 0;
  for (const Json& line : json["lines"]) {
    const Prediction& prediction = all.predictions[line["position"].get<std::size_t>()];
    for (const LikelyToken& likely : prediction.likeliest) {
      if (likely.id != line["id"].get<std::int64_t>()) continue;
      EXPECT_EQ(line["probability_before"].get<double>(), likely.probability);
      ++compared;
    }
  }
  EXPECT_EQ(compared, json["lines"].size());
  const std::vector<std::string> texts = words_in(make_figure(*now, request, plain_measure()));
  EXPECT_THAT(texts, Contains("Δ"));
  EXPECT_THAT(texts, Contains("before"));
  request.baseline = predicting("the cat");
  const Scene other = make_figure(*now, request, plain_measure());
  std::string notes;
  for (const std::string& text : words_in(other)) notes += text + " ";
  EXPECT_THAT(notes, HasSubstr("no Δ: "));
}

TEST(OutputFigure, AModelThatPredictsNothingIsRefused) {
  const auto snapshot = sandbox_snapshot("The cat sat", 1, 1);
  EXPECT_THAT(error_of([&] { check_figure(*snapshot, output_request()); }).message(), HasSubstr("predicts no tokens"));
  EXPECT_EQ(why_no_figure(kHeatmapFigure, *snapshot), "");
}

FigureRequest text_request(const std::vector<HeadId>& heads, std::optional<LinkFocus> focus) {
  FigureRequest request;
  request.kind = &kTextFigure;
  request.links.heads = heads;
  request.links.focus = focus;
  request.links.is_kept = focus.has_value();
  return request;
}

TEST(TextFigure, ItsNumbersAreTheMeanWeightsOfTheHeads) {
  const auto snapshot = sandbox_snapshot("The cat sat on the mat", 2, 3);
  const Matrix a = snapshot->maps({1, 0}).weights, b = snapshot->maps({1, 2}).weights;
  const Json of_query = json_of(*snapshot, text_request({{1, 0}, {1, 2}}, LinkFocus{4, false}));
  EXPECT_THAT(of_query["what"].get<std::string>(), HasSubstr("weight from “the”"));
  for (Index key = 0; key < 6; ++key) {
    EXPECT_EQ(of_query["lines"][static_cast<std::size_t>(key)]["position"], key);
    EXPECT_NEAR(of_query["lines"][static_cast<std::size_t>(key)]["weight"].get<float>(), (a(4, key) + b(4, key)) / 2, 1e-7F);
  }
  const Json received = json_of(*snapshot, text_request({{1, 0}}, {}));
  EXPECT_THAT(received["what"].get<std::string>(), HasSubstr("that each word gets"));
  EXPECT_NEAR(received["lines"][0]["weight"].get<float>(), a.col(0).mean(), 1e-6F);
  const Json of_key = json_of(*snapshot, text_request({{1, 0}}, LinkFocus{1, true}));
  EXPECT_NEAR(of_key["lines"][5]["weight"].get<float>(), a(5, 1), 1e-7F);
}

TEST(TextFigure, NumbersDoNotLeaveOutWhatThePictureHides) {
  const auto snapshot = sandbox_snapshot("The cat sat on the mat", 1, 1);
  FigureRequest request = text_request({{0, 0}}, LinkFocus{4, false});
  const Json shown = json_of(*snapshot, request);
  request.style.hidden.positions = {0};
  EXPECT_EQ(json_of(*snapshot, request), shown);
}

TEST(TextFigure, EveryWordIsDrawnAndTheStrongestGroundIsThatOfTheLargestWeight) {
  const auto snapshot = sandbox_snapshot("The cat sat on the mat", 1, 1);
  const FigureRequest request = text_request({{0, 0}}, LinkFocus{5, false});
  const Scene scene = make_figure(*snapshot, request, plain_measure());
  for (const char* word : {"The", "cat", "sat", "on", "the", "mat"}) EXPECT_THAT(words_in(scene), Contains(word));
  ASSERT_EQ(scene.spots.size(), 6U);
  const Matrix weights = snapshot->maps({0, 0}).weights;
  for (std::size_t token = 0; token < 6; ++token)
    EXPECT_EQ(scene.spots[token].values, std::vector<float>{weights(5, static_cast<Index>(token))});
}

TEST(TextFigure, OfCrossAttentionBothTextsAreShown) {
  const auto snapshot = pair_snapshot("red blue", "eins zwei drei");
  const Scene scene = make_figure(*snapshot, text_request({{3, 0}}, LinkFocus{1, false}), plain_measure());
  for (const char* word : {"red", "blue", "eins", "zwei"}) EXPECT_THAT(words_in(scene), Contains(word));
}

}  // namespace
}  // namespace headlight::testing
