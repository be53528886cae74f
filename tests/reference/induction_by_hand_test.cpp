// The model that was set by hand does what its card says, and only while its parts are joined.
#include "tests/reference/demo_model.h"

namespace headlight {
namespace {

using testing::DemoModel;
using testing::Figure;
using testing::Mean;
using testing::offset_mass;
using testing::prefix_matching;
using testing::uniform_prefix_matching;

TEST_F(DemoModel, InductionByHandLooksAtWhatFollowedAnEarlierCopy) {
  open("induction-by-hand");
  std::vector<std::string> texts;
  for (const Json& line : testing::read_lines(testing::models() / name_ / "repeated.jsonl")) {
    const auto once = line.at("letters").get<std::string>();
    texts.push_back(once + once + once + once);
    for (Figure& figure : figures_) {
      if (figure.measure() != "previous token") continue;
      figure.measured[figure.head()].add(offset_mass(run(texts.back())->maps(figure.head()).weights, -1));
    }
  }
  add_repeated(texts, 25, false);
  compare();
  EXPECT_GE(value_of("previous token"), 0.99);
  EXPECT_GE(value_of("prefix matching"), 0.99);
}

/// Layer 1 reads what L0H0 wrote in its keys alone, so without that head its K path is cut.
TEST_F(DemoModel, InductionByHandFallsToChanceWhenItsKPathIsCut) {
  open("induction-by-hand");
  Mean whole, cut;
  for (const Json& line : testing::read_lines(testing::models() / name_ / "repeated.jsonl")) {
    const auto once = line.at("letters").get<std::string>();
    whole.add(prefix_matching(run(once + once + once + once)->maps({1, 0}).weights, 25));
    cut.add(prefix_matching(run(once + once + once + once, {}, {{0, 0}})->maps({1, 0}).weights, 25));
  }
  EXPECT_GE(whole.value(), 0.99);
  EXPECT_LE(cut.value(), uniform_prefix_matching(25));
}

}  // namespace
}  // namespace headlight
