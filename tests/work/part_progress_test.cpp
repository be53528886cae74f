#include <gmock/gmock.h>

#include "app/work/compute/desk.h"

namespace headlight {
namespace {

TEST(PartProgress, IsAShareOfTheWhole) {
  struct Heard final : Progress {
    void step(double done, std::string_view) override { heard.push_back(done); }
    void check() override { ++checks; }
    std::vector<double> heard;
    int checks = 0;
  } whole;
  PartProgress part(whole, 0.5, 0.75);
  part.step(0, "");
  part.step(1, "");
  part.check();
  EXPECT_THAT(whole.heard, ::testing::ElementsAre(0.5, 0.75));
  EXPECT_EQ(whole.checks, 1);
}

}  // namespace
}  // namespace headlight
