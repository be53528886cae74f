#include "engine/model/config.h"

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
  config.heads = 2;
  config.d_head = 4;
  config.d_ff = 32;
  config.max_positions = 16;
  EXPECT_NO_THROW(check_config(config));
  for (int ModelConfig::*size : {&ModelConfig::layers, &ModelConfig::d_model, &ModelConfig::heads, &ModelConfig::d_head, &ModelConfig::d_ff,
                                 &ModelConfig::max_positions}) {
    ModelConfig broken = config;
    broken.*size = 0;
    EXPECT_EQ(error_of([&] { check_config(broken); }).kind(), ErrorKind::usage);
  }
}

}  // namespace
}  // namespace headlight
