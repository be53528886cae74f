// Effects and patches over the texts of a file, as figures: means with their errors in place of one text's numbers.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "engine/figure/files/write_figure.h"
#include "engine/formats/json.h"
#include "tests/figure/page_figures.h"

namespace headlight::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kNoneOfTexts = std::numeric_limits<double>::quiet_NaN();

/// Of every head: means that are 0.25 apart, and of the first no error.
EffectsOfTexts effects_of_texts(const Snapshot& snapshot, std::vector<EffectMethod> methods) {
  EffectsOfTexts study{.file = "pairs.csv", .texts = 1204, .left_out = 3, .places = snapshot.all_heads()};
  for (const EffectMethod method : methods) {
    MeansOfTexts& way = study.ways.emplace_back(MeansOfTexts{.method = method});
    for (std::size_t place = 0; place < study.places.size(); ++place) {
      way.means.push_back(0.25 * static_cast<double>(place + 1));
      way.errors.push_back(place == 0 ? kNoneOfTexts : 0.125);
      way.counts.push_back(static_cast<std::int64_t>(1200 + place));
    }
  }
  return study;
}

/// Two layers, and three positions in the first, of which the second text reaches two.
EffectsOfTexts patches_of_texts() {
  EffectsOfTexts study{.file = "pairs.csv", .texts = 2, .part = PatchedPart::stream, .unpatched = -4, .partner = 6};
  study.places = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}};
  study.shares = {0, 0.5, kNoneOfTexts, 0.25, 1, 1.5};
  study.ways = {
      {.method = {}, .means = {0, 5, 0, 2.5, 10, 15}, .errors = {0, 1, kNoneOfTexts, 1, 1, kNoneOfTexts}, .counts = {2, 2, 1, 2, 2, 1}}};
  return study;
}

FigureRequest request_over_texts(const FigureKind& kind, EffectsOfTexts study) {
  FigureRequest request;
  request.kind = &kind;
  request.effects.part = study.part.value_or(request.effects.part);
  if (!study.part) request.effects.methods = {study.ways.front().method};
  request.effects.study = std::make_shared<const EffectsOfTexts>(std::move(study));
  return request;
}

std::string words_over_texts(const Scene& scene) {
  std::string words;
  for (const SceneText& text : items_of<SceneText>(scene)) words += text.text + " ";
  return words;
}

Json lines_over_texts(const Snapshot& snapshot, const FigureRequest& request) {
  const TemporaryFolder folder;
  write_figure(snapshot, request, folder / "a.json");
  return (*parse_json(bytes_of(folder / "a.json"), "a.json"))["lines"];
}

std::string refusal_over_texts(const Snapshot& snapshot, const FigureRequest& request) {
  return error_of([&] { make_figure(snapshot, request, plain_measure()); }).detail().problem;
}

TEST(FiguresOfTexts, EffectsAreMeansWithTheirErrorsAndCounts) {
  const auto snapshot = predicting_story();
  const FigureRequest request = request_over_texts(kEffectsFigure, effects_of_texts(*snapshot, {EffectMethod::zero}));
  const std::string words = words_over_texts(make_figure(*snapshot, request, plain_measure()));
  EXPECT_THAT(words, HasSubstr("mean change of the"));
  EXPECT_THAT(words, HasSubstr("pairs.csv · 1,204 texts"));
  EXPECT_THAT(words, HasSubstr("3 lines left out"));
  EXPECT_THAT(words, Not(HasSubstr("follow gallops"))) << "the text of the picture is not what the numbers are of";
  EXPECT_THAT(words, Not(HasSubstr("hint"))) << "that is said of one text";
  const Json lines = lines_over_texts(*snapshot, request);
  ASSERT_EQ(lines.size(), snapshot->all_heads().size());
  EXPECT_EQ(lines[0]["zero"], 0.25);
  EXPECT_TRUE(lines[0]["standard_error"].is_null());
  EXPECT_EQ(lines[1]["standard_error"], 0.125);
  EXPECT_EQ(lines[2]["n"], 1202);
}

TEST(FiguresOfTexts, AnErrorIsDrawnAtTheEndOfItsBarAndReachesNoFurtherThanTheNumbers) {
  const auto snapshot = predicting_story();
  FigureRequest request = request_over_texts(kEffectsFigure, effects_of_texts(*snapshot, {EffectMethod::zero}));
  const auto lines = [&] { return items_of<SceneLine>(make_figure(*snapshot, request, plain_measure())).size(); };
  const std::size_t with_errors = lines();
  EffectsOfTexts one = *request.effects.study;
  one.ways.front().errors.assign(one.places.size(), kNoneOfTexts);
  request.effects.study = std::make_shared<const EffectsOfTexts>(one);
  const std::size_t listed = std::min<std::size_t>(12, one.places.size());
  const bool lists_first = listed == one.places.size();  // it has no error, and is the smallest
  EXPECT_EQ(with_errors - lines(), 3 * (listed - (lists_first ? 1 : 0))) << "a line and its two ends for each";
}

TEST(FiguresOfTexts, PatchesByPositionAreSharesOfMeansAndTheirColumnsArePositions) {
  const auto snapshot = predicting_story();
  const FigureRequest request = request_over_texts(kPatchFigure, patches_of_texts());
  const Scene scene = make_figure(*snapshot, request, plain_measure());
  const std::vector<SceneMap> maps = items_of<SceneMap>(scene);
  ASSERT_EQ(maps.size(), 1U);
  EXPECT_EQ(maps[0].picture->columns(), 3);
  EXPECT_EQ(maps[0].picture->value(0, 1, 1, 2), 0.5F);
  EXPECT_EQ(maps[0].picture->value(1, 2, 2, 3), 1.5F);
  const std::string words = words_over_texts(scene);
  EXPECT_THAT(words, HasSubstr("as a share of the mean difference"));
  FigureRequest printed = request;
  printed.page.width_mm = 250;  // room for all notes
  const std::string wide = words_over_texts(make_figure(*snapshot, printed, plain_measure()));
  EXPECT_THAT(wide, HasSubstr("0: −4"));
  EXPECT_THAT(wide, HasSubstr("1 of 6 places beyond the colours"));
  const Json lines = lines_over_texts(*snapshot, request);
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[4], (Json{{"layer", 1}, {"position", 1}, {"n", 2}, {"change", 10.0}, {"standard_error", 1.0}, {"recovered", 1.0}}));
  EXPECT_TRUE(lines[2]["recovered"].is_null());
}

TEST(FiguresOfTexts, SayThatAStudyIsNotFinished) {
  const auto snapshot = predicting_story();
  EffectsOfTexts study = effects_of_texts(*snapshot, {EffectMethod::gate});
  study.is_finished = false;
  FigureRequest request = request_over_texts(kEffectsFigure, std::move(study));
  request.effects.method = EffectMethod::gate;
  EXPECT_THAT(words_over_texts(make_figure(*snapshot, request, plain_measure())), HasSubstr("the study is not finished"));
}

TEST(FiguresOfTexts, RefuseStudiesOfSomethingElse) {
  const auto snapshot = predicting_story();
  EXPECT_THAT(refusal_over_texts(*snapshot, request_over_texts(kEffectsFigure, patches_of_texts())), HasSubstr("the study is of patches"));
  EXPECT_THAT(refusal_over_texts(*snapshot, request_over_texts(kPatchFigure, effects_of_texts(*snapshot, {EffectMethod::zero}))),
              HasSubstr("not of patches: effects or methods shows it"));
  EXPECT_THAT(refusal_over_texts(*snapshot, request_over_texts(kEffectsFigure, effects_of_texts(*snapshot, {EffectMethod::gate}))),
              HasSubstr("no numbers of this way"))
      << "zero is asked for";
  EXPECT_THAT(refusal_over_texts(*snapshot, request_over_texts(kPruningFigure, effects_of_texts(*snapshot, {EffectMethod::zero}))),
              HasSubstr("of one text"));
  EffectsOfTexts fewer = effects_of_texts(*snapshot, {EffectMethod::zero});
  fewer.places.pop_back();
  EXPECT_THAT(refusal_over_texts(*snapshot, request_over_texts(kEffectsFigure, fewer)), HasSubstr("other heads"));
  EffectsOfTexts deeper = patches_of_texts();
  deeper.places[1].layer = snapshot->layers();
  EXPECT_THAT(refusal_over_texts(*snapshot, request_over_texts(kPatchFigure, deeper)), HasSubstr("other heads"))
      << "wherever it is in the list";
}

}  // namespace
}  // namespace headlight::testing
