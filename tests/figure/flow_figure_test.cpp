// Several heads as one map in files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "engine/figure/files/write_figure.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/formats/json.h"
#include "tests/figure/figure_testing.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

FigureRequest flow_of(std::vector<HeadId> heads, FlowSettings settings = {}) {
  FigureRequest request;
  request.kind = &kFlowFigure;
  request.flow = {std::move(heads), settings};
  return request;
}

std::vector<HeadId> heads_of(const Snapshot& snapshot, int first, int last) {
  std::vector<HeadId> heads;
  for (int layer = first; layer <= last; ++layer) {
    for (int head = 0; head < snapshot.heads(layer); ++head) heads.push_back({layer, head});
  }
  return heads;
}

std::string words_of(const Scene& scene) {
  std::string text;
  for (const SceneItem& item : scene.items) {
    if (const auto* each = std::get_if<SceneText>(&item)) text += each->text + "\n";
  }
  return text;
}

TEST(FlowFigure, NamesWhatWasReducedAndOfWhichHeads) {
  const auto snapshot = sandbox_snapshot("the cat sat on the mat", 3, 2);
  EXPECT_EQ(flow_text(*snapshot, {heads_of(*snapshot, 1, 1), {}}), "mean of 2 heads: layer 1");
  EXPECT_EQ(flow_text(*snapshot, {heads_of(*snapshot, 0, 2), {Reduction::max}}), "maximum of 6 heads: layers 0 to 2");
  EXPECT_EQ(flow_text(*snapshot, {{{0, 1}, {2, 0}}, {Reduction::median}}), "median of 2 heads: 0.1, 2.0");
  EXPECT_EQ(flow_text(*snapshot, {heads_of(*snapshot, 0, 2), {.reduction = Reduction::rollout, .through = 1}}),
            "rollout of 4 heads: layers 0 to 1, mean in each layer");
  const std::string words = words_of(make_figure(*snapshot, flow_of(heads_of(*snapshot, 1, 1), {Reduction::min}), plain_measure()));
  EXPECT_THAT(words, HasSubstr("derived: minimum of 2 heads: layer 1"));
}

TEST(FlowFigure, OfARolloutSaysThatItIsCausal) {
  const auto snapshot = sandbox_snapshot("the cat sat on the mat", 3, 2);
  EXPECT_THAT(flow_caveat(*snapshot, {heads_of(*snapshot, 0, 2), {Reduction::rollout}}),
              HasSubstr("causal: row 0 holds the first token alone"));
  EXPECT_EQ(flow_caveat(*snapshot, {heads_of(*snapshot, 0, 2), {}}), "");
  const auto open = sandbox_snapshot("the cat sat on the mat", 3, 2, "none");
  EXPECT_EQ(flow_caveat(*open, {heads_of(*open, 0, 2), {Reduction::rollout}}), "");
}

TEST(FlowFigure, SaysThatWhatIsLeftIsRenormalisedAfterTheMean) {
  const auto snapshot = sandbox_snapshot("the cat sat on the mat", 2, 2);
  FigureRequest request = flow_of(heads_of(*snapshot, 0, 1));
  request.style.hidden = parse_key_set("first-token");
  constexpr const char* kSaid = "renormalised after the mean over heads, not in each head";
  const auto words = [&] {
    std::string text = words_of(make_figure(*snapshot, request, plain_measure()));
    std::replace(text.begin(), text.end(), '\n', ' ');  // lines of a paragraph
    return text;
  };
  EXPECT_THAT(words(), Not(HasSubstr(kSaid)));
  request.style.hiding = Hiding::renormalise;
  EXPECT_THAT(words(), HasSubstr(kSaid));
}

TEST(FlowFigure, OfCrossAttentionHasNoRolloutAndSaysWhy) {
  const auto pair = pair_snapshot("the cat sat", "a dog");
  EXPECT_THAT(why_no_flow(*pair, {heads_of(*pair, 3, 3), {Reduction::rollout}}),
              HasSubstr("In cross-attention the queries are of another text"));
  EXPECT_EQ(why_no_flow(*pair, {heads_of(*pair, 3, 3), {Reduction::mean}}), "");
  EXPECT_EQ(why_no_flow(*pair, {heads_of(*pair, 0, 1), {Reduction::rollout}}), "");
  EXPECT_THAT(why_no_flow(*pair, {{{0, 0}, {3, 0}}, {}}), HasSubstr("only maps of the same texts become one"));
  EXPECT_THROW(make_figure(*pair, flow_of(heads_of(*pair, 3, 3), {Reduction::rollout}), plain_measure()), Error);
  EXPECT_NE(why_no_flow(*pair, {}), "");
}

TEST(FlowFigure, NumbersAreThoseOfTheMapAndSayWhatTheyAre) {
  const auto snapshot = sandbox_snapshot("the cat sat on", 2, 2);
  const TemporaryFolder folder;
  FigureRequest request = flow_of(heads_of(*snapshot, 0, 1));
  request.style.hidden = parse_key_set("first-token");
  for (const char* name : {"f.csv", "f.json", "f.npy"}) write_figure(*snapshot, request, folder / name);
  const std::string table = bytes_of(folder / "f.csv");
  EXPECT_THAT(table, HasSubstr("derived: mean of 4 heads: layers 0 to 1"));
  Matrix mean = Matrix::Zero(4, 4);
  for (const HeadId head : request.flow.heads) mean += snapshot->maps(head).weights / 4;
  EXPECT_THAT(table, HasSubstr("the\",1,0,0,0")) << "true weights, whatever is hidden in the picture";
  const Json json = Json::parse(bytes_of(folder / "f.json"));
  EXPECT_EQ(json["derived"], "mean of 4 heads: layers 0 to 1");
  EXPECT_NEAR(json["values"][3][1].get<double>(), mean(3, 1), 1e-6);
}

}  // namespace
}  // namespace headlight::testing
