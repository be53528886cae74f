// What is done to many heads or places of one text, as figures: patches from another text, heads switched off one after another, and several
// ways to change heads side by side.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "engine/figure/effects/methods_figure.h"
#include "engine/figure/files/write_figure.h"
#include "engine/formats/json.h"
#include "tests/figure/page_figures.h"

namespace headlight::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

FigureRequest request_of_study(const Snapshot& snapshot, const FigureKind& kind) {
  FigureRequest request;
  request.kind = &kind;
  request.effects = made_studies(snapshot);
  return request;
}

std::vector<std::string> texts_on(const Scene& scene) {
  std::vector<std::string> texts;
  for (const SceneText& text : items_of<SceneText>(scene)) texts.push_back(text.text);
  return texts;
}

std::string words_on(const Scene& scene) {
  std::string words;
  for (const std::string& text : texts_on(scene)) words += text + " ";
  return words;
}

Json lines_of(const Snapshot& snapshot, const FigureRequest& request) {
  const TemporaryFolder folder;
  write_figure(snapshot, request, folder / "a.json");
  return (*parse_json(bytes_of(folder / "a.json"), "a.json"))["lines"];
}

std::string refusal_of(const Snapshot& snapshot, const FigureRequest& request) {
  return error_of([&] { make_figure(snapshot, request, plain_measure()); }).detail().problem;
}

TEST(PatchFigure, ACellIsTheShareThatComesBackAndNumbersSayOfWhat) {
  const auto snapshot = predicting_story();
  FigureRequest request = request_of_study(*snapshot, kPatchFigure);
  const Scene scene = make_figure(*snapshot, request, plain_measure());
  const std::vector<SceneMap> maps = items_of<SceneMap>(scene);
  ASSERT_EQ(maps.size(), 1U);
  EXPECT_EQ(maps[0].picture->rows(), snapshot->layers());
  EXPECT_EQ(maps[0].picture->columns(), snapshot->tokens());
  EXPECT_TRUE(maps[0].scale.is_zero_centred());
  EXPECT_EQ(maps[0].scale.high, 1);
  const Json lines = lines_of(*snapshot, request);
  ASSERT_EQ(lines.size(), request.effects.patches->values.size());
  for (const Json& line : lines) {
    const auto layer = line["layer"].get<float>(), position = line["position"].get<float>();
    const double share = (line["target"].get<double>() - 1.5) / 2;
    EXPECT_EQ(line["recovered"].get<double>(), share);
    EXPECT_EQ(maps[0].picture->value(layer, layer + 1, position, position + 1), static_cast<float>(share));
  }
  EXPECT_EQ(lines[0]["token"], lines[static_cast<std::size_t>(snapshot->tokens())]["token"]);
}

TEST(PatchFigure, SaysTheOtherTextWithoutItsFooterToo) {
  const auto snapshot = predicting_story();
  FigureRequest request = request_of_study(*snapshot, kPatchFigure);
  request.effects.target = parse_target("logit:#4@2");
  request.page = find_preset("column")->look;
  ASSERT_FALSE(request.page.has(PagePart::footer));
  const std::string words = words_on(make_figure(*snapshot, request, plain_measure()));
  EXPECT_THAT(words, HasSubstr("The horses that the sailor follows gallop. They know themselves."));
  EXPECT_THAT(words, HasSubstr("share of the difference"));
}

TEST(PatchFigure, NamesBothWordsWhereTheTextsDiffer) {
  const auto snapshot = predicting_story();
  const SceneMap map = items_of<SceneMap>(make_figure(*snapshot, request_of_study(*snapshot, kPatchFigure), plain_measure()))[0];
  const auto& words = map.words;
  ASSERT_NE(words, nullptr);
  EXPECT_THAT((*words->columns)[1], HasSubstr(" / "));
  EXPECT_THAT((*words->columns)[2], Not(HasSubstr(" / ")));
}

TEST(PatchFigure, OfHeadsHasAColumnForEachAndNoCellWhereALayerHasFewer) {
  const auto snapshot = predicting_story();
  FigureRequest request = request_of_study(*snapshot, kPatchFigure);
  request.effects.part = PatchedPart::pattern;
  PatchSweep sweep{.unpatched = 0, .other = 2, .values = {}};
  for (int head = 0; head < 3; ++head) sweep.values.push_back({0, head, -1, 1.0});
  sweep.values.push_back({1, 0, -1, kNoNumber});
  request.effects.patches = std::make_shared<const PatchSweep>(sweep);
  const SceneMap map = items_of<SceneMap>(make_figure(*snapshot, request, plain_measure()))[0];
  EXPECT_EQ(map.picture->columns(), 3);
  EXPECT_EQ(map.picture->value(0, 1, 2, 3), 1) << "the change of the target, as the window's grid has it";
  EXPECT_EQ(map.words->name, "change of the target");
  EXPECT_FALSE(std::isfinite(map.picture->value(1, 2, 2, 3)));
  const Json lines = lines_of(*snapshot, request);
  EXPECT_EQ(lines[2]["head"], 2);
  EXPECT_EQ(lines[2]["change"], 1);
  EXPECT_EQ(lines[2]["recovered"], 0.5);
  const std::string words = words_on(make_figure(*snapshot, request, plain_measure()));
  EXPECT_THAT(words, HasSubstr("change of the"));
  EXPECT_THAT(words, Not(HasSubstr("share of the difference")));
  EXPECT_TRUE(lines[3]["recovered"].is_null());
}

TEST(PatchFigure, NeedsAnotherTextAndItsNumbers) {
  const auto snapshot = predicting_story();
  FigureRequest request = request_of_study(*snapshot, kPatchFigure);
  request.effects.patches.reset();
  EXPECT_THAT(refusal_of(*snapshot, request), HasSubstr("not computed"));
  request.effects.other_text.clear();
  EXPECT_THAT(refusal_of(*snapshot, request), HasSubstr("another text"));
}

TEST(PruningFigure, HasAPointForEachStepOfBothCurves) {
  const auto snapshot = predicting_story();
  const FigureRequest request = request_of_study(*snapshot, kPruningFigure);
  const PruningCurves& curves = *request.effects.pruned;
  const Scene scene = make_figure(*snapshot, request, plain_measure());
  ASSERT_EQ(scene.spots.size(), curves.once.size() + curves.anew.size());
  for (std::size_t step = 1; step < curves.once.size(); ++step) {  // values rise from left to right
    EXPECT_GT(scene.spots[step].box.x, scene.spots[step - 1].box.x);
    EXPECT_LT(scene.spots[step].box.y, scene.spots[step - 1].box.y);
  }
  const std::size_t last = curves.once.size() - 1;
  EXPECT_LT(scene.spots[last].box.y, scene.spots.back().box.y) << "the larger value is higher";
  EXPECT_THAT(scene.spots[last].words, HasSubstr(fmt::format("number {}:", last + 1)));
  const Json lines = lines_of(*snapshot, request);
  ASSERT_EQ(lines.size(), 1 + scene.spots.size());
  EXPECT_EQ(lines[0]["target"], 1.5);
  EXPECT_EQ(lines[1]["head"], curves.once[0].removed.head);
  EXPECT_EQ(lines.back()["curve"], "exact");
  EXPECT_EQ(lines.back()["target"].get<double>(), curves.anew.back().value);
}

TEST(PruningFigure, AStepWithoutANumberIsPassedOver) {
  const auto snapshot = predicting_story();
  FigureRequest request = request_of_study(*snapshot, kPruningFigure);
  PruningCurves curves = *request.effects.pruned;
  curves.once[1].value = kNoNumber;
  request.effects.pruned = std::make_shared<const PruningCurves>(curves);
  const Scene scene = make_figure(*snapshot, request, plain_measure());
  EXPECT_EQ(scene.spots.size(), curves.once.size() - 1 + curves.anew.size());
  EXPECT_TRUE(lines_of(*snapshot, request)[2]["target"].is_null());
  request.effects.pruned = std::make_shared<const PruningCurves>(PruningCurves{.whole = 1, .once = {}, .anew = {}});
  EXPECT_THAT(refusal_of(*snapshot, request), HasSubstr("one head, which stays"));
}

TEST(MethodsFigure, ListsHeadsByTheFirstMethodAndHowAlikeTheyRank) {
  const auto snapshot = predicting_story();
  const FigureRequest request = request_of_study(*snapshot, kMethodsFigure);
  const ComparedEffects& compared = *request.effects.compared;
  const Scene scene = make_figure(*snapshot, request, plain_measure());
  const std::vector<std::string> texts = texts_on(scene);
  EXPECT_THAT(texts, Contains("zero ablation · gate gradient"));
  EXPECT_THAT(texts, Contains("0.75"));
  const auto largest = std::max_element(compared.methods[0].values.begin(), compared.methods[0].values.end(),
                                        [](double a, double b) { return std::abs(a) < std::abs(b); });
  const HeadId head = compared.methods[0].heads[static_cast<std::size_t>(largest - compared.methods[0].values.begin())];
  EXPECT_THAT(scene.spots[0].words, HasSubstr(fmt::format("{}.{}, zero ablation: {}", head.layer, head.head, *largest)));
  const Json lines = lines_of(*snapshot, request);
  ASSERT_EQ(lines.size(), compared.methods[0].heads.size());
  for (std::size_t line = 0; line < lines.size(); ++line) {
    EXPECT_EQ(lines[line]["zero"].get<double>(), compared.methods[0].values[line]);
    EXPECT_EQ(lines[line]["gate"].get<double>(), compared.methods[1].values[line]);
  }
}

TEST(MethodsFigure, ListsWhatIsPatchedFromAnotherTextBesideTheMethods) {
  const auto snapshot = predicting_story();
  FigureRequest request = request_of_study(*snapshot, kMethodsFigure);
  ComparedEffects compared = *request.effects.compared;
  HeadEffects patched = compared.methods.front();
  patched.part = PatchedPart::pattern;
  compared.methods.push_back(patched);
  request.effects.compared = std::make_shared<const ComparedEffects>(compared);
  request.effects.patched = {PatchedPart::pattern};
  const std::string words = words_on(make_figure(*snapshot, request, plain_measure()));
  EXPECT_THAT(words, HasSubstr("map of another text"));
  EXPECT_THAT(words, HasSubstr(request.effects.other_text));
  EXPECT_EQ(lines_of(*snapshot, request)[0]["patch-pattern"].get<double>(), patched.values[0]);
  request.effects.other_text.clear();
  EXPECT_THAT(refusal_of(*snapshot, request), HasSubstr("another text"));
}

TEST(MethodsFigure, ListsLessWhereAPageIsLow) {
  const auto snapshot = predicting_story();
  ComparedEffects compared = *made_studies(*snapshot).compared;
  compared.agreements.assign(15, {0, 1, 0.5});
  const std::size_t heads = compared.methods.front().heads.size();
  const ComparedLines all = compared_within(compared, 0), low = compared_within(compared, 200), least = compared_within(compared, 10);
  EXPECT_EQ(all.heads, std::min(heads, kUsualCompared));
  EXPECT_EQ(all.agreements, 15U);
  EXPECT_LT(low.agreements, 5U);
  EXPECT_LE(static_cast<float>(low.heads + low.agreements + 3) * 20, 200);
  EXPECT_EQ(least.heads, kFewestCompared);
  EXPECT_EQ(least.agreements, 0U);
}

TEST(MethodsFigure, TakesShortNamesWhereColumnsAreNarrow) {
  const auto snapshot = predicting_story();
  FigureRequest request = request_of_study(*snapshot, kMethodsFigure);
  ComparedEffects compared = *request.effects.compared;
  for (const EffectMethod method : {EffectMethod::uniform, EffectMethod::previous, EffectMethod::self, EffectMethod::first}) {
    compared.methods.push_back(compared.methods.front());
    compared.methods.back().method = method;
  }
  request.effects.compared = std::make_shared<const ComparedEffects>(compared);
  EXPECT_THAT(texts_on(make_figure(*snapshot, request, plain_measure())), Contains("gate gradient"));
  request.page = find_preset("column")->look;
  const Scene narrow = make_figure(*snapshot, request, plain_measure());
  EXPECT_THAT(texts_on(narrow), Contains("previous"));
  EXPECT_GE(fit_of(request.page, narrow).smallest.points, 6.99F) << "six columns fit without smaller letters";
}

TEST(StudyFigures, InAColumnOfAPaperNoLettersAreSmallerThanSevenPoints) {
  const auto snapshot = predicting_story();
  for (const FigureKind* kind : {&kPatchFigure, &kPruningFigure, &kMethodsFigure}) {
    FigureRequest request = request_of_study(*snapshot, *kind);
    request.page = find_preset("column")->look;
    EXPECT_GE(fit_of(request.page, make_figure(*snapshot, request, plain_measure())).smallest.points, 6.99F) << kind->name;
  }
}

TEST(StudyFigures, NumbersAreEqualByTheirBits) {
  const auto snapshot = predicting_story();
  const EffectsRequest one = made_studies(*snapshot);
  EffectsRequest other = made_studies(*snapshot);
  EXPECT_EQ(one, other);
  PatchSweep patches = *one.patches;
  patches.values[3].value = std::nextafter(patches.values[3].value, 9.0);
  other.patches = std::make_shared<const PatchSweep>(patches);
  EXPECT_FALSE(one == other);
  other = one;
  PruningCurves curves = *one.pruned;
  curves.anew.back().value = kNoNumber;
  other.pruned = std::make_shared<const PruningCurves>(curves);
  EXPECT_FALSE(one == other);
  EffectsRequest same = one;
  same.pruned = std::make_shared<const PruningCurves>(curves);
  EXPECT_EQ(other, same) << "NaN is itself";
}

}  // namespace
}  // namespace headlight::testing
