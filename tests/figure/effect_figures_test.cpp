// What explains the model's answer, as figures: a logit in parts, what every head does to a target, and what every layer would predict.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "engine/attribution/lens.h"
#include "engine/attribution/logit_bars.h"
#include "engine/core/error.h"
#include "engine/figure/effects/asked_logit.h"
#include "engine/figure/effects/effect_grid.h"
#include "engine/figure/files/compare_files.h"
#include "engine/figure/files/write_figure.h"
#include "engine/figure/predictions/predictions.h"
#include "engine/formats/json.h"
#include "engine/interventions/intervention.h"
#include "tests/figure/figure_testing.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::shared_ptr<const Snapshot> explained(const std::string& model = "gpt2", Query query = {}) {
  query.model.name = (std::filesystem::path(HEADLIGHT_TESTS_DIR) / "reference" / "models" / model).string();
  query.text = "the cat sat on the mat";
  Pipeline pipeline(1);
  SilentProgress progress;
  return pipeline.run(query, progress);
}

FigureRequest request_for(const FigureKind& kind) {
  FigureRequest request;
  request.kind = &kind;
  return request;
}

std::vector<std::string> shown_words(const Scene& scene) {
  std::vector<std::string> texts;
  for (const SceneText& text : items_of<SceneText>(scene)) texts.push_back(text.text);
  return texts;
}

Json written_json(const Snapshot& snapshot, const FigureRequest& request) {
  const TemporaryFolder folder;
  write_figure(snapshot, request, folder / "a.json");
  return *parse_json(bytes_of(folder / "a.json"), "a.json");
}

std::shared_ptr<const HeadEffects> made_effects(const Snapshot& snapshot, std::vector<double> values) {
  HeadEffects effects{.unchanged = 2, .heads = snapshot.all_heads(), .values = std::move(values)};
  effects.values.resize(effects.heads.size(), 0.01);
  return std::make_shared<const HeadEffects>(std::move(effects));
}

TEST(AttributionFigure, BarsRunOnFromEachOtherAndItsNumbersAddUpToTheLogit) {
  const auto snapshot = explained();
  FigureRequest request = request_for(kAttributionFigure);
  request.effects.target = parse_target("logit:#4-#11@3");
  const Scene scene = make_figure(*snapshot, request, plain_measure());
  ThreadPool pool(1);
  const LogitParts parts = attribute_logit(*snapshot, {3, 4, 11}, pool);
  EXPECT_THAT(shown_words(scene), Contains("sum = logit"));
  double sum = 0;
  for (const LogitBar& bar : logit_bars(*snapshot, parts, 20)) {
    EXPECT_THAT(shown_words(scene), Contains(bar.label));
    sum += bar.value;
  }
  EXPECT_NEAR(sum, parts.sum, 1e-9);
  const Json json = written_json(*snapshot, request);
  double written = 0, of_head = 0, of_sources = 0;
  const HeadId head = *largest_head(parts);
  for (const Json& line : json["lines"]) {
    const bool is_source = line["part"] == "source";
    (is_source ? of_sources : written) += line["value"].get<double>();
    if (!is_source && line["layer"] == head.layer && line["head"] == head.head) of_head = line["value"].get<double>();
    if (!is_source) continue;
    EXPECT_EQ(json["tokens"][line["position"].get<std::size_t>()], line["token"]);
  }
  EXPECT_NEAR(written, parts.sum, 1e-9);
  EXPECT_NEAR(of_sources, of_head, 1e-4) << "the head with the largest part is split, unless another is named";
}

TEST(AttributionFigure, IsOfTheLikeliestTokenAndTheLargestHeadUnlessTheyAreNamed) {
  const auto snapshot = explained();
  FigureRequest request = request_for(kAttributionFigure);
  ThreadPool pool(1);
  SilentProgress silent;
  const LogitQuestion asked = asked_logit(*snapshot, request.effects, pool, silent);
  EXPECT_EQ(asked.position, snapshot->tokens() - 1);
  EXPECT_EQ(asked.token, find_predictions(*snapshot, {asked.position, 1, 1}, pool, silent).predictions[0].likeliest[0].id);
  request.effects.position = 2;
  EXPECT_EQ(asked_logit(*snapshot, request.effects, pool, silent).position, 2);
  request.effects.head = HeadId{1, 0};
  EXPECT_THAT(shown_words(make_figure(*snapshot, request, plain_measure())), Contains("1.0 by source token"));
}

TEST(AttributionFigure, RefusesWhatIsNotOneLogit) {
  const auto snapshot = explained();
  for (const FigureKind* kind : {&kAttributionFigure, &kLensFigure}) {
    FigureRequest request = request_for(*kind);
    const auto refusal = [&] { return error_of([&] { make_figure(*snapshot, request, plain_measure()); }); };
    request.effects.target = parse_target("loss");
    EXPECT_THAT(refusal().detail().problem, HasSubstr("one logit"));
    request.effects.target = parse_target("logit:#4@70");
    EXPECT_EQ(refusal().kind(), ErrorKind::usage);
    request.effects.target.reset();
    request.effects.position = 70;
    EXPECT_THAT(refusal().detail().problem, HasSubstr("there is no position 70: the text has 0 to"));
  }
  EXPECT_THAT(why_no_figure(kAttributionFigure, *sandbox_snapshot("The cat", 1, 1)), HasSubstr("predicts no tokens"));
  EXPECT_THAT(why_no_figure(kEffectsFigure, *sandbox_snapshot("The cat", 1, 1)), HasSubstr("predicts no tokens"));
}

TEST(LensFigure, HasARowForEveryLayerAndEndsInTheModelsOwnPredictions) {
  for (const char* model : {"gpt2", "bert-mlm"}) {
    const auto snapshot = explained(model);
    FigureRequest request = request_for(kLensFigure);
    request.effects.position = 3;
    const Scene scene = make_figure(*snapshot, request, plain_measure());
    EXPECT_THAT(shown_words(scene), Contains("embedding"));
    EXPECT_EQ(scene.spots.size(), static_cast<std::size_t>(snapshot->layers()) + 1) << model;
    ThreadPool pool(1);
    SilentProgress silent;
    const Prediction own = find_predictions(*snapshot, {3, 1, 5}, pool, silent).predictions[0];
    const Json lines = written_json(*snapshot, request)["lines"];
    std::vector<Json> last;
    for (const Json& line : lines) {
      if (line["layer"] == snapshot->layers() - 1) last.push_back(line);
    }
    ASSERT_EQ(last.size(), own.likeliest.size()) << "the followed token is the likeliest";
    for (std::size_t rank = 0; rank < last.size(); ++rank) {
      EXPECT_EQ(last[rank]["id"], own.likeliest[rank].id);
      EXPECT_EQ(last[rank]["probability"].get<double>(), own.likeliest[rank].probability);
      EXPECT_EQ(last[rank]["is_followed"], rank == 0 ? 1 : 0);
    }
  }
}

TEST(EffectsFigure, HasACellForEveryHeadAndRanksThemBySize) {
  const auto snapshot = explained();
  FigureRequest request = request_for(kEffectsFigure);
  EXPECT_THAT(error_of([&] { make_figure(*snapshot, request, plain_measure()); }).detail().problem, HasSubstr("not computed"));
  request.effects.found = made_effects(*snapshot, {0.2, -0.9, std::nan("")});
  const Scene scene = make_figure(*snapshot, request, plain_measure());
  const std::size_t heads = snapshot->all_heads().size();
  EXPECT_GE(scene.spots.size(), heads + std::min<std::size_t>(heads - 1, kFewestRanked));
  const std::vector<std::string> texts = shown_words(scene);
  const auto place = [&](const std::string& words) { return std::find(texts.begin(), texts.end(), words) - texts.begin(); };
  EXPECT_LT(place("−0.900"), place("+0.200"));
  EXPECT_LT(place("+0.200"), std::ssize(texts));
  EXPECT_THAT(scene.spots[1].words, HasSubstr("0.1: -0.9; the target would be 1.1"));
  EXPECT_THAT(scene.spots[2].words, HasSubstr("no value"));
  const Json lines = written_json(*snapshot, request)["lines"];
  ASSERT_EQ(lines.size(), heads);
  EXPECT_EQ(lines[1]["zero"], -0.9);
  EXPECT_EQ(lines[1]["target"], 2 - 0.9);
  EXPECT_TRUE(lines[2]["zero"].is_null());
  EXPECT_EQ(items_of<SceneRamp>(scene).size(), 1U);
  request.page.without = {PagePart::bar};
  EXPECT_TRUE(items_of<SceneRamp>(make_figure(*snapshot, request, plain_measure())).empty());
}

/// Cells are framed and said to be off, however a head was switched off.
TEST(EffectsFigure, MarksHeadsThatAreOffAlreadyWithAllOfTheirLayerToo) {
  Query query;
  query.switched_off = {{0, 1}};
  for (const char* edit : {"1=off", "0.0=off"}) query.interventions.push_back(parse_intervention(edit));
  const auto snapshot = explained("gpt2", query);
  FigureRequest request = request_for(kEffectsFigure);
  request.effects.found = made_effects(*snapshot, {});
  const Scene scene = make_figure(*snapshot, request, plain_measure());
  const std::vector<HeadId> heads = snapshot->all_heads();
  for (std::size_t place = 0; place < heads.size(); ++place) {
    const HeadId head = heads[place];
    const bool is_off = head.layer == 1 || head == HeadId{0, 0} || head == HeadId{0, 1};
    EXPECT_EQ(scene.spots[place].words.ends_with("it is switched off already"), is_off) << head.layer << "." << head.head;
  }
}

TEST(EffectsFigure, AProblemOfTheTargetIsWhyThereIsNone) {
  const auto snapshot = explained();
  FigureRequest request = request_for(kEffectsFigure);
  request.effects.found = std::make_shared<const HeadEffects>(HeadEffects{.problem = "The text is too short."});
  EXPECT_EQ(error_of([&] { make_figure(*snapshot, request, plain_measure()); }).detail().problem, "The text is too short.");
  request.effects.method = EffectMethod::mean;
  EXPECT_THAT(error_of([&] { make_figure(*snapshot, request, plain_measure()); }).detail().problem, HasSubstr("other texts"));
}

TEST(EffectsFigure, ColoursReachToAllButAFiftieth) {
  EXPECT_EQ(effect_reach({}), 1);
  EXPECT_NEAR(effect_reach({0.31, -0.1}), 0.5, 1e-12);
  EXPECT_EQ(effect_reach({1, 0, std::nan("")}), 1);
  std::vector<double> values(100, 0.04);
  values[7] = 90, values[8] = -80;
  EXPECT_NEAR(effect_reach(values), 0.05, 1e-12);
  EXPECT_EQ(count_beyond(values, 0.05), 2U);
}

TEST(EffectFigures, ArraysHaveTheNumbersOfTheirLines) {
  const auto snapshot = explained();
  FigureRequest request = request_for(kEffectsFigure);
  request.effects.found = made_effects(*snapshot, {0.25, -0.5});
  const TemporaryFolder folder;
  for (const char* name : {"a.npz", "a.safetensors", "a.csv", "a.tsv"}) write_figure(*snapshot, request, folder / name);
  EXPECT_THAT(bytes_of(folder / "a.csv"), HasSubstr("layer,head,zero,target\n0,0,0.25,2.25\n0,1,-0.5,1.5\n"));
  EXPECT_THAT(bytes_of(folder / "a.npz"), HasSubstr("zero.npy"));
  EXPECT_THAT(bytes_of(folder / "a.npz"), Not(HasSubstr("<f4")));
  EXPECT_THAT(bytes_of(folder / "a.safetensors"), HasSubstr("\"zero\":{\"dtype\":\"F64\""));
  request.effects.found = made_effects(*snapshot, {std::nextafter(0.25, 1), -0.5});
  for (const char* name : {"b.npz", "b.safetensors"}) {
    write_figure(*snapshot, request, folder / name);
    const std::filesystem::path before = folder / ("a" + std::filesystem::path(name).extension().string());
    EXPECT_EQ(difference_between(before, before), "");
    EXPECT_THAT(difference_between(before, folder / name), HasSubstr("numbers differ")) << "the last bit of a double is in the file";
  }
}

TEST(CompareMeasuresFigure, HasTheMeasuresOfBothHeadsAndTheirDifference) {
  const auto snapshot = sandbox_snapshot("The cat sat on the mat", 2, 2);
  FigureRequest request = request_for(kCompareMeasuresFigure);
  EXPECT_THAT(error_of([&] { make_figure(*snapshot, request, plain_measure()); }).detail().problem,
              HasSubstr("needs at least 1 named head"));
  request.heads = {{{0, 0}}, {{1, 1}}};
  const std::vector<std::string> texts = shown_words(make_figure(*snapshot, request, plain_measure()));
  EXPECT_THAT(texts, Contains("A − B"));
  const HeadSummary &a = snapshot->summary({0, 0}), &b = snapshot->summary({1, 1});
  const Json lines = written_json(*snapshot, request)["lines"];
  EXPECT_EQ(lines.size(), 3 * a.measured.table.size());
  for (const Json& line : lines) {
    const std::string measure = line["measure"], letter = line["letter"];
    const double value = letter == "A" ? a.value(measure) : letter == "B" ? b.value(measure) : a.value(measure) - b.value(measure);
    if (std::isnan(value)) {
      EXPECT_TRUE(line["value"].is_null()) << measure;
    } else {
      EXPECT_EQ(line["value"].get<double>(), value) << measure;
    }
  }
  request.heads.pop_back();
  EXPECT_THAT(shown_words(make_figure(*snapshot, request, plain_measure())), Not(Contains("A − B")));
}

}  // namespace
}  // namespace headlight::testing
