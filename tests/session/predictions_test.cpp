#include "app/work/predictions.h"

#include <gmock/gmock.h>

#include <cmath>

#include "app/session/session.h"
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
  EXPECT_EQ(certainty_text(std::log(4.0)), "About as open as 4.0 equally likely tokens (entropy 1.386 nats).");
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
