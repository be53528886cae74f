#include "engine/figure/stage.h"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include <cmath>

#include "engine/core/error.h"
#include "engine/figure/files/write_figure.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/pipeline/pipeline.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;

std::shared_ptr<const Snapshot> snapshot_of(const ScoreSettings& score, PositionKind positions = PositionKind::sinusoidal) {
  Query query;
  query.model.sandbox.layers = 1;
  query.model.sandbox.positions = positions;
  query.text = "a b c d";
  query.score = score;
  SilentProgress silent;
  return Pipeline(1).run(query, silent);
}

TEST(StagePicture, OfMaskedScoresHatchesWhatMayNotBeAttendedTo) {
  HeadMaps maps;
  maps.scores = Matrix::Constant(2, 2, 3);
  maps.factor = 0.5F;
  maps.mask = std::make_shared<const Mask>(2, 2, true);
  maps.weights = Matrix::Constant(2, 2, 0.5F);
  const auto run = snapshot_of({});
  const auto picture = [&](Stage stage) { return make_stage_picture(*run, {0, 0}, maps, stage); };
  EXPECT_EQ(picture(Stage::scores)->mask(), nullptr);
  EXPECT_EQ(picture(Stage::masked)->mask(), maps.mask);
  EXPECT_EQ(picture(Stage::mask)->mask(), maps.mask);
  EXPECT_EQ(picture(Stage::mask)->value(0, 1, 0, 1), 1);
  EXPECT_FLOAT_EQ(picture(Stage::scores)->value(0, 2, 0, 2), 3);
  EXPECT_FLOAT_EQ(picture(Stage::scaled)->value(0, 2, 0, 2), 1.5F);
}

TEST(ScaleLabel, SaysWhatScoresWereDividedBy) {
  EXPECT_EQ(scale_label(0.25F, true, 1, 16), "÷ √16");
  EXPECT_EQ(scale_label(0.5F, true, 0.5F, 16), "÷ √16 ÷ 0.50");
  EXPECT_EQ(scale_label(2, false, 0.5F, 16), "÷ 0.50");
  EXPECT_EQ(scale_label(0.125F, true, 1, 16), "× 0.125") << "a model with a way of its own";
  EXPECT_EQ(scale_label(1, false, 1, 16), "");
}

TEST(StageText, NamesTheStepsThatTheHeadHas) {
  EXPECT_EQ(stage_text(*snapshot_of({}), {0, 0}, Stage::weights), "");
  EXPECT_EQ(stage_text(*snapshot_of({}), {0, 0}, Stage::masked), "dot scores ÷ √8, of the keys that may be attended to");
  EXPECT_EQ(stage_text(*snapshot_of({.kind = ScoreKind::cosine}), {0, 0}, Stage::scaled), "cosine scores not scaled, before the mask");
  const auto all = snapshot_of({.kind = ScoreKind::relative, .softcap = 5.0F, .sink = -1.5F}, PositionKind::alibi);
  EXPECT_EQ(stage_text(*all, {0, 0}, Stage::masked),
            "relative scores ÷ √8, soft-cap 5, position bias, of the keys that may be attended to");
  EXPECT_THAT(stage_text(*all, {0, 0}, Stage::weights), HasSubstr("-1.5"));
}

TEST(StageValues, AreWhatGoesIntoTheSoftmax) {
  const auto snapshot = snapshot_of({.softcap = 2.0F}, PositionKind::alibi);
  const HeadMaps maps = snapshot->maps({0, 1});
  const Matrix masked = stage_values(*snapshot, {0, 1}, maps, Stage::masked);
  const Matrix mask = stage_values(*snapshot, {0, 1}, maps, Stage::mask);
  for (Index query = 0; query < 4; ++query) {
    double sum = 0;
    for (Index key = 0; key < 4; ++key) {
      EXPECT_EQ(mask(query, key), key <= query ? 1 : 0);
      EXPECT_EQ(std::isinf(masked(query, key)), key > query);
      sum += std::exp(static_cast<double>(masked(query, key)));
    }
    for (Index key = 0; key < 4; ++key)
      EXPECT_NEAR(std::exp(static_cast<double>(masked(query, key))) / sum, static_cast<double>(maps.weights(query, key)), 1e-5);
  }
}

TEST(StageFigure, HoldsTheStageInPictureAndNumbers) {
  const testing::TemporaryFolder folder;
  const auto snapshot = snapshot_of({});
  FigureRequest request;
  request.stage = Stage::mask;
  write_figure(*snapshot, request, folder / "mask.csv");
  EXPECT_THAT(testing::bytes_of(folder / "mask.csv"), HasSubstr("\"b\",1,1,0,0"));
  write_figure(*snapshot, request, folder / "mask.json");
  EXPECT_THAT(testing::bytes_of(folder / "mask.json"), HasSubstr("\"mask\": ["));
  write_figure(*snapshot, request, folder / "mask.svg");
  EXPECT_THAT(testing::bytes_of(folder / "mask.svg"), HasSubstr("filled: may attend"));
  request.kind = &kGridFigure;
  EXPECT_EQ(testing::error_of([&] { check_figure(*snapshot, request); }).kind(), ErrorKind::usage);
}

/// Σ weight · v·W_O is the head's output, and the stage has the length of each of its terms (metrics 5.1).
TEST(StageNormWeights, AreTheLengthsOfWhatAddsUpToTheHeadsOutput) {
  for (const PositionKind positions : {PositionKind::sinusoidal, PositionKind::rotary}) {
    const auto snapshot = snapshot_of({}, positions);
    const LayerTrace& layer = snapshot->trace.layer(0);
    for (const HeadId head : snapshot->all_heads()) {
      const HeadMaps maps = snapshot->maps(head);
      const Index width = maps.v.cols();
      const Matrix output = snapshot->model->parameters.layer(0).o.weight.to_matrix().middleRows(head.head * width, width);
      const Matrix f = maps.v * output;
      const Matrix lengths = stage_values(*snapshot, head, maps, Stage::norm_weights);
      ASSERT_EQ(lengths.rows(), 4);
      for (Index query = 0; query < 4; ++query) {
        RowVector sum = RowVector::Zero(f.cols());
        for (Index key = 0; key < 4; ++key) {
          const RowVector part = maps.weights(query, key) * f.row(key);
          EXPECT_NEAR(lengths(query, key), part.norm(), 1e-6F * (1 + part.norm()));
          sum += part;
        }
        RowVector z(width);
        for (Index number = 0; number < width; ++number) z[number] = layer.z.at(query, head.head * width + number);
        EXPECT_LT((sum - z * output).norm(), 1e-5F * (1 + sum.norm()));
      }
      HeadMaps of_weights = maps;
      of_weights.v.resize(0, 0);
      EXPECT_TRUE(stage_values(*snapshot, head, of_weights, Stage::norm_weights).array().isNaN().all()) << "values are not known";
    }
  }
}

TEST(StageNormWeights, WithoutTheOutputMatrixAreThoseOfTheValues) {
  Query query;
  query.model.sandbox.layers = 1;
  query.text = "a b c d";
  query.block.has_output_projection = false;
  SilentProgress silent;
  const auto snapshot = Pipeline(1).run(query, silent);
  const HeadMaps maps = snapshot->maps({0, 1});
  EXPECT_EQ(stage_values(*snapshot, {0, 1}, maps, Stage::norm_weights), stage_values(*snapshot, {0, 1}, maps, Stage::value_weights));
  EXPECT_THAT(stage_text(*snapshot, {0, 1}, Stage::norm_weights), HasSubstr("W_O is left out"));
}

/// Metrics 5.1: the recorded lengths of all heads of nano-gpt's first layer together, in its last row.
TEST(StageNormWeights, OfNanoGptAreTheRecordedOnes) {
  std::string folder;
  for (const auto& reference : testing::reference_folders()) {
    if (std::filesystem::is_directory(reference / "nano-gpt")) folder = (reference / "nano-gpt").string();
  }
  if (folder.empty()) return testing::say_not_found("reference/nano-gpt");
  Query query;
  query.model.name = folder;
  query.ids = {2, 1, 0, 1, 1, 2, 0, 1, 1, 1, 2};
  SilentProgress silent;
  const auto snapshot = Pipeline(1).run(query, silent);
  const std::vector<float> told = {.156978F, .015469F, .004226F, .013966F, .012430F, .107606F,
                                   .003428F, .005302F, .005337F, .007124F, .042311F};
  Matrix together = Matrix::Zero(11, 48), alone = Matrix::Zero(3, 11);
  for (int head = 0; head < 3; ++head) {
    const HeadMaps maps = snapshot->maps({0, head});
    const Matrix output = snapshot->model->parameters.layer(0).o.weight.to_matrix().middleRows(head * 16, 16);
    for (Index key = 0; key < 11; ++key) together.row(key) += maps.weights(10, key) * (maps.v.row(key) * output);
    alone.row(head) = stage_values(*snapshot, {0, head}, maps, Stage::norm_weights).row(10);
  }
  for (Index key = 0; key < 11; ++key) {
    EXPECT_NEAR(together.row(key).norm(), told[static_cast<std::size_t>(key)], 2e-6F) << key;
    EXPECT_LE(together.row(key).norm(), alone.col(key).sum() + 1e-6F) << "heads may cancel";
  }
}

TEST(StageValueShare, HasRowsThatSumToAtMostOneAndTheOrderOfTheWeightedValues) {
  const auto snapshot = snapshot_of({});
  const HeadMaps maps = snapshot->maps({0, 0});
  const Matrix shares = stage_values(*snapshot, {0, 0}, maps, Stage::value_share);
  const Matrix weighted = stage_values(*snapshot, {0, 0}, maps, Stage::value_weights);
  for (Index query = 0; query < 4; ++query) {
    EXPECT_LE(shares.row(query).sum(), 1 + 1e-6F);
    float longest = 0;
    for (Index key = 0; key <= query; ++key) longest = std::max(longest, maps.value_norms[key]);
    for (Index key = 0; key < 4; ++key) EXPECT_FLOAT_EQ(shares(query, key) * longest, weighted(query, key));
  }
}

TEST(StageFigure, OfWhatKeysAddHoldsItsNumbersAndSaysWhatTheyAre) {
  const testing::TemporaryFolder folder;
  const auto snapshot = snapshot_of({});
  FigureRequest request;
  request.stage = Stage::norm_weights;
  FreshMaps source(*snapshot);
  const MapFigureRequest map = head_map(*snapshot, request, source);
  EXPECT_FALSE(map.scale.is_zero_centred());
  EXPECT_EQ(map.scale.low, 0);
  const Matrix values = stage_values(*snapshot, request.head, snapshot->maps(request.head), Stage::norm_weights);
  EXPECT_GE(map.scale.high, values.maxCoeff());
  EXPECT_EQ(map.picture->value(3, 4, 1, 2), values(3, 1));
  write_figure(*snapshot, request, folder / "norms.json");
  EXPECT_THAT(testing::bytes_of(folder / "norms.json"), HasSubstr("\"norm-weights\": ["));
  write_figure(*snapshot, request, folder / "norms.svg");
  EXPECT_THAT(testing::bytes_of(folder / "norms.svg"), HasSubstr("Kobayashi"));
}

/// All heads at a stage: the numbers of each head's own map, and of long texts the largest of every block.
TEST(StagedMaps, HoldTheLargestOfEachHeadsNumbersUnderOneScale) {
  Query query;
  query.model.sandbox = {.layers = 2, .d_model = 16, .heads = 2};
  for (int word = 0; word < 300; ++word) query.text += word % 3 == 0 ? "a " : word % 3 == 1 ? "bc " : "d ";
  SilentProgress silent;
  const auto snapshot = Pipeline(1).run(query, silent);
  ASSERT_EQ(snapshot->summary({0, 0}).pool, 2);
  ThreadPool pool(3);
  for (const Stage stage : {Stage::value_weights, Stage::value_share, Stage::norm_weights}) {
    EXPECT_TRUE(is_of_lengths(stage));
    const StagedMaps maps = make_staged_maps(*snapshot, stage, pool);
    float most = 0;
    for (const HeadId head : snapshot->all_heads()) {
      const Matrix whole = stage_values(*snapshot, head, snapshot->maps(head), stage);
      const Matrix small = small_stage_values(*snapshot, head.layer, stage, pool)[static_cast<std::size_t>(head.head)];
      ASSERT_EQ(small.rows(), 150);
      for (Index row = 0; row < 150; ++row) {
        for (Index column = 0; column < 150; ++column)
          ASSERT_FLOAT_EQ(small(row, column), whole.block(2 * row, 2 * column, 2, 2).maxCoeff()) << row << " " << column;
      }
      EXPECT_EQ(maps.of(head)->rows(), 300);
      most = std::max(most, whole.maxCoeff());
    }
    const ColourScale scale = scale_of_staged({}, maps);
    EXPECT_EQ(scale.low, 0);
    EXPECT_GE(scale.high * 1.0001F, most);
    EXPECT_LE(scale.high, 2 * most);
    EXPECT_EQ(maps.of({2, 0}), nullptr) << "no such layer";
  }
}

TEST(StageFigure, OfAllHeadsTakesWhatCanBeComparedBetweenHeads) {
  const testing::TemporaryFolder folder;
  const auto snapshot = snapshot_of({});
  FigureRequest request;
  request.kind = &kGridFigure;
  request.stage = Stage::norm_weights;
  check_figure(*snapshot, request);
  write_figure(*snapshot, request, folder / "heads.svg");
  EXPECT_THAT(testing::bytes_of(folder / "heads.svg"), HasSubstr("Kobayashi"));
  write_figure(*snapshot, request, folder / "heads.csv");
  const Matrix values = stage_values(*snapshot, {0, 1}, snapshot->maps({0, 1}), Stage::norm_weights);
  EXPECT_THAT(testing::bytes_of(folder / "heads.csv"), HasSubstr(fmt::format("{}", values(3, 0))));
  request.stage = Stage::scores;
  EXPECT_THAT(testing::error_of([&] { check_figure(*snapshot, request); }).what(), HasSubstr("norm-weights"));
}

TEST(StageZ, IsWhatTheForwardPassHandedOnNumberByNumber) {
  const auto snapshot = snapshot_of({});
  const HeadId head{0, 1};
  const HeadMaps maps = snapshot->maps(head);
  const Matrix z = stage_values(*snapshot, head, maps, Stage::z);
  const LayerTrace& layer = snapshot->trace.layer(0);
  const Index width = layer.z.cols() / layer.heads;
  ASSERT_EQ(z.cols(), width);
  EXPECT_EQ(columns_of(*snapshot, 0, Stage::z), width);
  EXPECT_EQ(columns_of(*snapshot, 0, Stage::scores), 4);
  for (Index query = 0; query < 4; ++query) {
    EXPECT_EQ(z.row(query), row_of_z(maps, query));
    for (Index number = 0; number < width; ++number) {
      EXPECT_EQ(z(query, number), layer.z.at(query, head.head * width + number)) << query << " " << number;
    }
  }
}

TEST(StageZ, IsMadeOfPartsThatSumToItLargestFirst) {
  const auto snapshot = snapshot_of({});
  const HeadMaps maps = snapshot->maps({0, 0});
  const std::vector<MixedPart> parts = parts_of_z(maps, 3, 2);
  ASSERT_EQ(parts.size(), 4U) << "the last query may look at every key";
  EXPECT_EQ(parts_of_z(maps, 1, 2).size(), 2U) << "masked keys add nothing";
  double sum = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    EXPECT_EQ(parts[i].value, maps.v(parts[i].key, 2));
    EXPECT_EQ(parts[i].weight, maps.weights(3, parts[i].key));
    EXPECT_LE(std::abs(parts[i].product()), std::abs(parts[i == 0 ? 0 : i - 1].product()));
    sum += static_cast<double>(parts[i].product());
  }
  EXPECT_NEAR(sum, static_cast<double>(row_of_z(maps, 3)(2)), 1e-5);
}

TEST(StageZ, HatchesRowsThatMayLookAtNothing) {
  HeadMaps maps;
  maps.mask = std::make_shared<const Mask>(2, 3, true);
  maps.weights = Matrix::Constant(2, 3, 1.0F / 3);
  maps.v = Matrix::Constant(3, 5, 2);
  maps.is_row_masked = {false, true};
  const auto run = snapshot_of({});
  const auto picture = make_stage_picture(*run, {0, 0}, maps, Stage::z);
  EXPECT_EQ(picture->rows(), 2);
  EXPECT_EQ(picture->columns(), 5);
  EXPECT_FALSE(picture->is_row_masked(0));
  EXPECT_TRUE(picture->is_row_masked(1));
  maps.is_row_masked = {false, false};
  EXPECT_EQ(make_stage_picture(*run, {0, 0}, maps, Stage::z)->mask(), nullptr);
}

TEST(StageZ, HasNumbersForColumnsInPictureAndFiles) {
  const testing::TemporaryFolder folder;
  const auto snapshot = snapshot_of({});
  FigureRequest request;
  request.stage = Stage::z;
  request.frames = {{FrameKind::relation, 0, 1, 0, 1}};
  FreshMaps source(*snapshot);
  const MapFigureRequest map = head_map(*snapshot, request, source);
  EXPECT_EQ(map.columns, MapColumns::numbers);
  EXPECT_EQ(map.titles.key, "numbers of z");
  EXPECT_TRUE(map.frames.empty()) << "a frame is around keys";
  EXPECT_TRUE(map.scale.is_zero_centred());
  ASSERT_EQ(map.key_labels->size(), 8U);
  EXPECT_EQ(map.key_labels->back(), "7");
  write_figure(*snapshot, request, folder / "z.csv");
  EXPECT_THAT(testing::bytes_of(folder / "z.csv"), HasSubstr("\"query \\ number\",\"0\",\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\"\n"));
  write_figure(*snapshot, request, folder / "z.json");
  EXPECT_THAT(testing::bytes_of(folder / "z.json"), HasSubstr("\"z\": ["));
  write_figure(*snapshot, request, folder / "z.npy");
  EXPECT_THAT(testing::bytes_of(folder / "z.npy"), HasSubstr("(4, 8)"));
  write_figure(*snapshot, request, folder / "z.svg");
  const std::string svg = testing::bytes_of(folder / "z.svg");
  EXPECT_THAT(svg, HasSubstr("numbers of z"));
  EXPECT_THAT(svg, HasSubstr(hex_text(palette(request.style.theme).value)));
  EXPECT_THAT(svg, ::testing::Not(HasSubstr(hex_text(palette(request.style.theme).key)))) << "no key stands on either axis";
}

}  // namespace
}  // namespace headlight
