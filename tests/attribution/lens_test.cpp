// What each layer would predict, read through the last norm and the logit head.
#include "engine/attribution/lens.h"

#include <gtest/gtest.h>

#include "tests/attribution/attributed.h"

namespace headlight {
namespace {

using testing::NamedQuery;
using testing::run_nano_gpt;
using testing::run_query;

class LensOfRecordedModel : public ::testing::TestWithParam<NamedQuery> {};

TEST_P(LensOfRecordedModel, EndsWithTheModelsOwnOutputBitForBit) {
  const auto run = run_query(GetParam().query);
  if (!run->model->config.has_logits) {
    EXPECT_NE(why_no_lens(*run), "");
    return;
  }
  ThreadPool pool(1);
  SilentProgress progress;
  const PredictionSpan span{2, 4, 3};
  const std::vector<LensLayer> lens = read_lens(*run, span, pool, progress);
  const ModelConfig& config = run->model->config;
  ASSERT_EQ(std::ssize(lens), config.layers - config.stacks.encoder_layers + 1);
  EXPECT_EQ(lens.front().layer, -1);
  EXPECT_EQ(lens.back().layer, config.layers - 1);
  const auto own =
      predict_tokens(*run->model, *run->trace.final_hidden.whole(), run->query_tokens(config.layers - 1).tokens, span, pool, progress);
  for (std::size_t at = 0; at < own.size(); ++at) {
    const Prediction& read = lens.back().predictions[at];
    EXPECT_EQ(read.position, own[at].position);
    EXPECT_EQ(read.entropy, own[at].entropy);
    EXPECT_EQ(read.actual.has_value(), own[at].actual.has_value());
    for (std::size_t rank = 0; rank < own[at].likeliest.size(); ++rank) {
      EXPECT_EQ(read.likeliest[rank].id, own[at].likeliest[rank].id);
      EXPECT_EQ(read.likeliest[rank].logit, own[at].likeliest[rank].logit);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, LensOfRecordedModel, ::testing::ValuesIn(testing::recorded_models()),
                         [](const auto& each) { return each.param.name; });

// metrics, 7.1: "CBABBC" sorted is "ABBBCC".
TEST(Lens, OfNanoGptIsRightAfterTheBlockThatTheRecordingNames) {
  const auto run = run_nano_gpt();
  if (!run) return;
  ThreadPool pool(1);
  SilentProgress progress;
  const std::vector<LensLayer> lens = read_lens(*run, {5, 6, 1}, pool, progress);
  const std::vector<std::int64_t> sorted = {0, 1, 1, 1, 2, 2};
  const auto wrong = [&](std::size_t layer) {
    int count = 0;
    for (std::size_t at = 0; at < sorted.size(); ++at) count += lens[layer].predictions[at].likeliest.front().id == sorted[at] ? 0 : 1;
    return count;
  };
  EXPECT_EQ(wrong(0), 1) << "after the embedding";
  EXPECT_EQ(wrong(2), 0) << "after block 1";
  EXPECT_EQ(wrong(3), 0);
}

TEST(Lens, FollowsTokensThatAreNotLikely) {
  Query query;
  query.model.name = "story-gpt";
  query.text = "The girl that the sailors saw";
  const auto run = run_query(query);
  ThreadPool pool(1);
  SilentProgress progress;
  const auto followed = follow_tokens(*run, 3, {7, 90}, pool, progress);
  const auto lens = read_lens(*run, {3, 1, static_cast<std::size_t>(run->model->config.vocabulary)}, pool, progress);
  ASSERT_EQ(followed.size(), lens.size());
  for (std::size_t layer = 0; layer < lens.size(); ++layer) {
    for (const LikelyToken& token : followed[layer]) {
      const LikelyToken& same = lens[layer].predictions.front().likeliest.at(static_cast<std::size_t>(token.rank));
      EXPECT_EQ(same.id, token.id);
      EXPECT_EQ(same.logit, token.logit);
    }
  }
}

TEST(Lens, RefusesPositionsThatTheTextDoesNotHave) {
  Query query;
  query.model.name = "story-gpt";
  query.text = "The girl";
  const auto run = run_query(query);
  ThreadPool pool(1);
  SilentProgress progress;
  EXPECT_EQ(testing::error_of([&] { read_lens(*run, {run->tokens(), 1, 1}, pool, progress); }).kind(), ErrorKind::usage);
  EXPECT_EQ(testing::error_of([&] { follow_tokens(*run, -1, {}, pool, progress); }).kind(), ErrorKind::usage);
  EXPECT_EQ(testing::error_of([&] { follow_tokens(*run, 0, {-1}, pool, progress); }).kind(), ErrorKind::usage);
}

}  // namespace
}  // namespace headlight
