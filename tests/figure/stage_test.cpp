#include "engine/figure/stage.h"

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
  EXPECT_EQ(make_stage_picture(maps, Stage::scores)->mask(), nullptr);
  EXPECT_EQ(make_stage_picture(maps, Stage::masked)->mask(), maps.mask);
  EXPECT_EQ(make_stage_picture(maps, Stage::mask)->mask(), maps.mask);
  EXPECT_EQ(make_stage_picture(maps, Stage::mask)->value(0, 1, 0, 1), 1);
  EXPECT_FLOAT_EQ(make_stage_picture(maps, Stage::scores)->value(0, 2, 0, 2), 3);
  EXPECT_FLOAT_EQ(make_stage_picture(maps, Stage::scaled)->value(0, 2, 0, 2), 1.5F);
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
  const Matrix masked = stage_values(maps, Stage::masked);
  const Matrix mask = stage_values(maps, Stage::mask);
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

TEST(StageZ, IsWhatTheForwardPassHandedOnNumberByNumber) {
  const auto snapshot = snapshot_of({});
  const HeadId head{0, 1};
  const HeadMaps maps = snapshot->maps(head);
  const Matrix z = stage_values(maps, Stage::z);
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
  const auto picture = make_stage_picture(maps, Stage::z);
  EXPECT_EQ(picture->rows(), 2);
  EXPECT_EQ(picture->columns(), 5);
  EXPECT_FALSE(picture->is_row_masked(0));
  EXPECT_TRUE(picture->is_row_masked(1));
  maps.is_row_masked = {false, false};
  EXPECT_EQ(make_stage_picture(maps, Stage::z)->mask(), nullptr);
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
