#include "engine/model/model.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;

// Seeds S0-1 and D4: 64/8 is accepted; 64/7, 768/10 and 100/3 are refused with both numbers.
TEST(HeadCount, ThatDoesNotDivideTheWidthIsRefusedWithBothNumbers) {
  EXPECT_NO_THROW(check_head_count(64, 8));
  for (const auto& [width, heads] : {std::pair{64, 7}, {768, 10}, {100, 3}}) {
    const Error error = error_of([width = width, heads = heads] { check_head_count(width, heads); });
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(error.message().find(std::to_string(width)), std::string::npos);
    EXPECT_NE(error.message().find(std::to_string(heads) + " heads"), std::string::npos);
  }
}

TEST(HeadCount, RefusalOffersTheCountsThatAreLegal) {
  EXPECT_EQ(error_of([] { check_head_count(12, 5); }).detail().hint, "Possible head counts: 1, 2, 3, 4, 6, 12.");
}

TEST(HeadCount, ZeroAndNegativeAreRefused) {
  EXPECT_EQ(error_of([] { check_head_count(8, 0); }).kind(), ErrorKind::usage);
  EXPECT_EQ(error_of([] { check_head_count(8, -2); }).kind(), ErrorKind::usage);
  EXPECT_EQ(error_of([] { check_head_count(0, 1); }).kind(), ErrorKind::usage);
}

TEST(Config, SizesThatDoNotFitTogetherAreRefused) {
  ModelConfig config;
  config.layers = 2;
  config.d_model = 8;
  config.heads.count = config.heads.kv_count = 2;
  config.heads.d_head = 4;
  config.feed_forward.d_ff = 32;
  config.positions.most = 16;
  EXPECT_NO_THROW(check_config(config));
  ModelConfig broken = config;
  for (int* size : {&broken.layers, &broken.d_model, &broken.heads.count, &broken.heads.kv_count, &broken.heads.d_head,
                    &broken.feed_forward.d_ff, &broken.positions.most}) {
    broken = config;
    *size = 0;
    EXPECT_EQ(error_of([&] { check_config(broken); }).kind(), ErrorKind::usage);
  }
}

TEST(Config, HeadsAreAMultipleOfTheKeyValueHeadsTheyShare) {
  EXPECT_NO_THROW(check_kv_heads(8, 2));
  const Error error = error_of([] { check_kv_heads(8, 3); });
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_EQ(error.detail().problem, "8 heads cannot share 3 key/value heads evenly");
}

TEST(Config, RotaryPositionsNeedPairs) {
  ModelConfig config = make_sandbox({.positions = PositionKind::rotary})->config;
  EXPECT_NO_THROW(check_rotary(config));
  config.positions.rotary.dimensions = 3;
  EXPECT_EQ(error_of([&] { check_rotary(config); }).detail().expected, "an even number from 2 to 8");
  config.positions.rotary = {.theta = 0.5};
  EXPECT_EQ(error_of([&] { check_rotary(config); }).detail().field, "rotary");
}

// An encoder–decoder model is one list of layers: the encoder's, then self- and cross-attention of each layer of the decoder.
TEST(Config, LayersOfAnEncoderDecoderKnowTheirPlaceAndMask) {
  const ModelConfig config = make_sandbox({.layers = 2, .kind = SandboxKind::encoder_decoder})->config;
  ASSERT_EQ(config.layers, 6);
  const std::vector<LayerPlace> places = {{Stack::encoder, 0}, {Stack::encoder, 1}, {Stack::decoder, 0},
                                          {Stack::cross, 0},   {Stack::decoder, 1}, {Stack::cross, 1}};
  for (int layer = 0; layer < 6; ++layer) {
    EXPECT_EQ(config.place(layer), places[static_cast<std::size_t>(layer)]);
    EXPECT_EQ(config.own_mask(layer), config.place(layer).stack == Stack::decoder ? "causal" : "none");
    EXPECT_EQ(config.layer_at(config.place(layer)), layer);
  }
  EXPECT_EQ(config.layer_at({Stack::cross, 2}), std::nullopt);
  EXPECT_EQ(config.layer_at({Stack::only, 0}), std::nullopt);
}

}  // namespace
}  // namespace headlight
