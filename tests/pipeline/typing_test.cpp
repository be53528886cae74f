// What a text that is typed on costs: in models that read one way only rows that are new or changed are computed, with the bits of a fresh run.
#include <gtest/gtest.h>

#include "engine/pipeline/pipeline.h"
#include "tests/pipeline/cancel_at.h"
#include "tests/pipeline/random_edits.h"
#include "tests/pipeline/same_bits.h"

namespace headlight {
namespace {

using testing::expect_same_bits;
using testing::query_of;
using testing::run;

std::string some_words(int count, const std::string& word = "word") {
  std::string text;
  for (int number = 0; number < count; ++number) text += word + std::to_string(number % 7) + " ";
  return text;
}

Index rows_computed(Pipeline& pipeline, Query& query, const std::string& text) {
  query.text = text;
  return run(pipeline, query)->cost.rows_computed;
}

TEST(Typing, AtTheEndComputesTheNewTokensAlone) {
  Pipeline pipeline(2);
  Query query = query_of("");
  const std::string text = some_words(20);
  EXPECT_EQ(rows_computed(pipeline, query, text), 20);
  EXPECT_EQ(rows_computed(pipeline, query, text + "a"), 1);
  EXPECT_EQ(rows_computed(pipeline, query, text + "apple"), 1) << "its last token changed";
  EXPECT_EQ(rows_computed(pipeline, query, text + "apple and two more"), 3);
  EXPECT_EQ(rows_computed(pipeline, query, text), 0) << "deleted again";
  EXPECT_EQ(rows_computed(pipeline, query, some_words(12) + "other " + some_words(7)), 8) << "in the middle: the rows from there on";
  EXPECT_EQ(rows_computed(pipeline, query, "other " + some_words(19)), 20);
}

TEST(Typing, ModelsThatReadBothWaysComputeEveryTokenAgain) {
  Pipeline pipeline(2);
  Query query = query_of("");
  query.model.sandbox.kind = SandboxKind::bidirectional;
  EXPECT_EQ(rows_computed(pipeline, query, some_words(20)), 20);
  EXPECT_EQ(rows_computed(pipeline, query, some_words(20) + "a"), 21);
}

TEST(Typing, SharesTheRowsThatStayInMemory) {
  Pipeline pipeline(1);
  Query query = query_of(some_words(100));
  const auto before = run(pipeline, query);
  query.text += "a";
  const auto after = run(pipeline, query);
  Trace both = before->trace;
  both.layers.insert(both.layers.end(), after->trace.layers.begin(), after->trace.layers.end());
  EXPECT_LT(bytes_of(both), bytes_of(before->trace) * 3 / 2);
  EXPECT_EQ(before->trace.layer(3).q.rows(), 100) << "what was found before stays";
}

// Above this length q is projected again from the stream of all rows, known or new.
TEST(Typing, LongTextsWithoutQueriesEndInTheBitsOfAFreshRun) {
  Query query = query_of(some_words(static_cast<int>(kMostTokensWithQueries) - 1));
  query.model.sandbox.layers = 2;
  query.model.sandbox.d_model = 8;
  query.model.sandbox.heads = 2;
  query.model.sandbox.positions = PositionKind::rotary;
  Pipeline pipeline(2);
  std::shared_ptr<const Snapshot> typed;
  for (int word = 0; word < 3; ++word) {
    query.text += "one ";
    typed = run(pipeline, query);
    EXPECT_EQ(typed->trace.layer(1).q.is_kept(), typed->tokens() <= kMostTokensWithQueries);
  }
  EXPECT_EQ(typed->tokens(), kMostTokensWithQueries + 2);
  EXPECT_EQ(typed->cost.rows_computed, 1);
  Pipeline fresh(1);
  expect_same_bits(*typed, *run(fresh, query));
  query.text = some_words(static_cast<int>(kMostTokensWithQueries) - 2) + "other";
  const auto shortened = run(pipeline, query);
  EXPECT_TRUE(shortened->trace.layer(1).q.is_kept());
  EXPECT_EQ(shortened->cost.rows_computed, 1);
  Pipeline afresh(1);
  expect_same_bits(*shortened, *run(afresh, query));
}

TEST(Typing, AStrokeOnAMaskComputesTheRowsFromThereOnInItsLayerAndAbove) {
  Pipeline pipeline(2);
  Query query = query_of(some_words(20));
  run(pipeline, query);
  query.mask.rules.push_back({{Scope::Kind::head, {1, 2}}, "", {{15, 16, 3, 4, false}}});
  const auto edited = run(pipeline, query);
  EXPECT_EQ(edited->cost.layers_reused, 1);
  EXPECT_EQ(edited->cost.rows_computed, 5);
  Pipeline fresh(1);
  expect_same_bits(*edited, *run(fresh, query));
}

/// A text changed as a person does: at its end, or anywhere.
void type(std::string& text, RandomStream& random, int most_words) {
  const auto pick = [&](std::size_t count) { return static_cast<std::size_t>(random.next() % std::max<std::size_t>(1, count)); };
  switch (pick(5)) {
    case 0:
      text += some_words(1 + static_cast<int>(pick(3)), "new");
      break;
    case 1:
      text.resize(text.size() - std::min(text.size(), 1 + pick(9)));
      break;
    case 2:
      text.insert(pick(text.size()), " x ");
      break;
    case 3:
      if (!text.empty()) text[pick(text.size())] = static_cast<char>('a' + pick(26));
      break;
    default:
      text = some_words(static_cast<int>(pick(static_cast<std::size_t>(most_words))));
  }
}

void expect_fresh_bits_after_typing(Query query, int steps, int most_words, int& shared) {
  Pipeline typing(2);
  const PositionKind positions = query.model.sandbox.positions;
  RandomStream random(5, "typing" + std::to_string(static_cast<int>(positions)));
  for (int step = 0; step < steps; ++step) {
    type(query.text, random, most_words);
    if (step % 7 == 3 && positions != PositionKind::rotary) testing::edit(query, random);  // not every width can be turned
    query.model.sandbox.seed = 1;
    const auto kept = run(typing, query);
    Pipeline fresh(1 + step % 2);
    const auto expected = run(fresh, query);
    expect_same_bits(*kept, *expected);
    ASSERT_FALSE(::testing::Test::HasFailure()) << "step " << step << ": " << query.text;
    if (kept->cost.rows_computed < kept->tokens()) ++shared;
  }
}

TEST(Typing, HasTheBitsOfAFreshRunWhateverIsTyped) {
  int shared = 0;
  for (const auto positions :
       {PositionKind::none, PositionKind::sinusoidal, PositionKind::rotary, PositionKind::alibi, PositionKind::t5_buckets}) {
    Query query = query_of(some_words(10));
    query.model.sandbox.positions = positions;
    expect_fresh_bits_after_typing(query, 150, 40, shared);
  }
  EXPECT_GT(shared, 200);
}

// Beyond 256 tokens a cell of a summary's picture is made of several rows.
TEST(Typing, HasTheBitsOfAFreshRunInLongTexts) {
  int shared = 0;
  Query query = query_of("");
  query.model.sandbox.layers = 2;
  Pipeline typing(2);
  for (const int count : {255, 256, 257, 258, 300, 511, 512, 513, 400, 401, 256}) {
    for (const char* end : {"", "a", "apple pie"}) {
      query.text = some_words(count) + end;
      const auto kept = run(typing, query);
      Pipeline fresh(2);
      expect_same_bits(*kept, *run(fresh, query));
      ASSERT_FALSE(HasFailure()) << count << " words and " << end;
      if (kept->cost.rows_computed < 10) ++shared;
    }
  }
  EXPECT_GE(shared, 22);
}

TEST(Typing, ACancelKeepsWhatTheNextRunCanShare) {
  Query query = query_of(some_words(30));
  Pipeline pipeline(1);
  run(pipeline, query);
  query.text += "a";
  testing::CancelAt cancelling(3);
  EXPECT_THROW(pipeline.run(query, cancelling), Cancelled);
  query.text += " b";
  const auto after = run(pipeline, query);
  EXPECT_EQ(after->cost.rows_computed, 2);
  Pipeline fresh(1);
  expect_same_bits(*after, *run(fresh, query));
}

}  // namespace
}  // namespace headlight
