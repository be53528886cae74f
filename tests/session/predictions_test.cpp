#include "app/work/predictions.h"

#include <gmock/gmock.h>

#include <cmath>

#include "app/session/session.h"
#include "app/work/prediction_changes.h"
#include "tests/work/snapshots.h"
#include "tests/work/waiting.h"

namespace headlight {
namespace {

using ::testing::SizeIs;
using testing::snapshot_of;
using testing::wait_until;

Query query_of(const std::string& model, const std::string& text) {
  Query query;
  query.model.name = std::string(HEADLIGHT_TESTS_DIR) + "/reference/models/" + model;
  query.text = text;
  return query;
}

TEST(PredictionWords, ARankCountsFromOneInProse) {
  EXPECT_EQ(choice_text(0), "first choice");
  EXPECT_EQ(choice_text(2), "third choice");
  EXPECT_EQ(choice_text(3), "4th choice");
  EXPECT_EQ(choice_text(10), "11th choice");
  EXPECT_EQ(choice_text(21), "22nd choice");
  EXPECT_EQ(choice_text(110), "111th choice");
  EXPECT_EQ(choice_text(1000), "1001st choice");
}

TEST(PredictionWords, HowOpenAPredictionIsNeverReadsAsCertainWhereItIsNot) {
  EXPECT_EQ(certainty_text(0.002), "Nearly certain (entropy 0.002 nats).");
  EXPECT_EQ(certainty_text(std::log(4.0)), "About as undecided as between 4.0 equally likely tokens (entropy 1.386 nats).");
}

TEST(Predictions, OfACausalModelAreAskedForBehindTheLastToken) {
  const auto snapshot = snapshot_of(query_of("gpt2", "the quick brown fox"));
  EXPECT_EQ(asked_position(*snapshot), snapshot->tokens() - 1);
}

TEST(Predictions, OfAMaskedLanguageModelAreAskedForAtTheMask) {
  const auto snapshot = snapshot_of(query_of("bert-mlm", "the [MASK] brown fox"));
  const Index asked = asked_position(*snapshot);
  EXPECT_EQ(snapshot->encoding->tokens[static_cast<std::size_t>(asked)].text, "[MASK]");
  Query plain = query_of("bert-mlm", "the [MASK] brown fox");
  plain.reads_special_text = false;
  const auto as_text = snapshot_of(plain);
  EXPECT_GT(as_text->tokens(), snapshot->tokens()) << "the brackets are tokens of their own";
  EXPECT_EQ(asked_position(*as_text), as_text->tokens() - 2) << "the last word, before [SEP]";
}

TEST(Predictions, OfAnEncoderDecoderFollowTheDecodersText) {
  Query query = query_of("t5", "the quick brown fox");
  query.decoder_text = "a";
  const auto snapshot = snapshot_of(query);
  EXPECT_EQ(&predicted_text(*snapshot), snapshot->decoder_encoding.get());
  SilentProgress progress;
  ThreadPool pool(1);
  const Index tokens = std::ssize(predicted_text(*snapshot).tokens);
  const PredictionsFound found = find_predictions(snapshot, {0, tokens, 3}, pool, progress);
  EXPECT_THAT(found.predictions, SizeIs(static_cast<std::size_t>(tokens)));
  EXPECT_THAT(found.labels.front(), SizeIs(3));
  EXPECT_THAT(found.tokens, SizeIs(static_cast<std::size_t>(tokens)));
}

TEST(Predictions, ArePagesThatCoverEveryPositionOnce) {
  const auto snapshot = snapshot_of(query_of("gpt2", "the quick brown fox jumps over the lazy dog"));
  const PredictionRequest page = page_with(snapshot, 4);
  EXPECT_EQ(page.first, 0);
  EXPECT_EQ(page.count, snapshot->tokens()) << "a small model has one page for a sentence";
  EXPECT_EQ(page_with(snapshot, 1000), page) << "a position behind the text counts as its last";
}

/// A run of a text, and one of it with a head of each layer switched off.
PredictionChangesRequest changed_runs() {
  Query query = query_of("gpt2", "the animal did not cross the street");
  const auto before = snapshot_of(query);
  query.switched_off = {{0, 0}, {1, 1}};
  const auto now = snapshot_of(query);
  SilentProgress progress;
  ThreadPool pool(1);
  const PredictionSpan span{0, now->tokens(), kListedPredictions};
  return {std::make_shared<const PredictionsFound>(find_predictions(now, span, pool, progress)), before};
}

TEST(PredictionChanges, HaveTheTrueProbabilityOfEachTokenHoweverUnlikely) {
  const PredictionChangesRequest request = changed_runs();
  SilentProgress progress;
  ThreadPool pool(1);
  const PredictionChanges changes = find_changes(request, pool, progress);
  ASSERT_EQ(changes.problem, "");
  const Index tokens = request.before->tokens();
  const auto all_of = [&](const std::shared_ptr<const Snapshot>& run) {
    const PredictionSpan all{0, tokens, static_cast<std::size_t>(run->model->config.vocabulary)};
    return find_predictions(run, all, pool, progress).predictions;
  };
  const auto now = all_of(request.now->request.snapshot), before = all_of(request.before);
  const auto probability = [](const Prediction& prediction, std::int64_t id) {
    for (const LikelyToken& each : prediction.likeliest) {
      if (each.id == id) return each.probability;
    }
    return std::nan("");
  };
  std::size_t lost = 0, unlisted = 0;
  for (std::size_t place = 0; place < changes.positions.size(); ++place) {
    const PositionChanges& here = changes.positions[place];
    ASSERT_EQ(here.listed.size(), kListedPredictions);
    std::vector<TokenChange> tokens_here = here.listed;
    tokens_here.insert(tokens_here.end(), here.lost.begin(), here.lost.end());
    if (here.actual) tokens_here.push_back(*here.actual);
    for (const TokenChange& token : tokens_here) {
      EXPECT_EQ(token.now.probability, probability(now[place], token.now.id));
      EXPECT_EQ(token.before.probability, probability(before[place], token.now.id));
      unlisted += token.before.rank >= static_cast<Index>(kListedPredictions) ? 1U : 0U;
    }
    for (const TokenChange& token : here.lost) {
      EXPECT_LT(token.before.rank, static_cast<Index>(kListedPredictions));
      EXPECT_GE(token.now.rank, static_cast<Index>(kListedPredictions));
    }
    lost += here.lost.size();
  }
  EXPECT_GT(lost, 0U) << "the runs have to be such that the law can break";
  EXPECT_GT(unlisted, 0U);
}

TEST(PredictionChanges, AreOnlyOfTextsOfOneLength) {
  const auto longer = snapshot_of(query_of("gpt2", "the animal did not cross"));
  const auto shorter = snapshot_of(query_of("gpt2", "the animal"));
  EXPECT_EQ(why_not_subtracted(*longer, *longer), "");
  EXPECT_NE(why_not_subtracted(*longer, *shorter).find("only predictions for texts of one length"), std::string::npos);
}

TEST(Predictions, OfTheWindowComeFromTheComputeThread) {
  Document document;
  document.query = query_of("gpt2", "the quick brown");
  Session session(document, 1);
  wait_until([&] { return session.snapshot() != nullptr && session.worker().is_idle(); });
  const PredictionRequest request = page_with(session.snapshot(), 0);
  session.predictions().ask(request);
  wait_until([&] { return session.predictions().ask(request) != nullptr; });
  auto found = session.predictions().ask(request);
  EXPECT_EQ(found->request, request);
  EXPECT_THAT(found->predictions.front().likeliest, SizeIs(kListedPredictions));
  const std::weak_ptr<const PredictionsFound> kept = found;
  found.reset();
  session.predictions().rest();
  wait_until([&] { return kept.expired(); });
}

}  // namespace
}  // namespace headlight
