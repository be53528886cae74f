// Models with an encoder and a decoder: two texts, three kinds of maps.
#include <gmock/gmock.h>

#include "engine/core/random.h"
#include "engine/pipeline/pipeline.h"
#include "tests/pipeline/same_bits.h"
#include "tests/reference/slow_encoder_decoder.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using testing::error_of;
using testing::expect_same_bits;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::run;
using testing::to_table;

constexpr int kLayers = 2;  // of each stack: layers 0, 1 the encoder's; 2, 4 the decoder's own; 3, 5 cross-attention

/// 6 tokens for the encoder, 4 for the decoder.
Query pair_query() {
  Query query;
  query.text = "The cat sat on the mat";
  query.decoder_text = "Die Katze sass da";
  query.model.sandbox = {.layers = kLayers, .d_model = 24, .heads = 4, .kind = SandboxKind::encoder_decoder};
  return query;
}

MaskRule layer_mask(int layer, std::string text) {
  return {{Scope::Kind::layer, {layer, 0}}, std::move(text), {}};
}

// Seeds S2-8 and S3-13: 4 queries and 6 keys give a map of 4 × 6.
TEST(EncoderDecoder, MapsHaveTheSizesOfTheTextsTheyStandBetween) {
  Pipeline pipeline(2);
  const auto snapshot = run(pipeline, pair_query());
  const std::vector<std::string> names = {"encoder 0", "encoder 1", "decoder 0", "cross 0", "decoder 1", "cross 1"};
  const std::vector<std::pair<Index, Index>> sizes = {{6, 6}, {6, 6}, {4, 4}, {4, 6}, {4, 4}, {4, 6}};
  ASSERT_EQ(snapshot->layers(), 6);
  for (int layer = 0; layer < 6; ++layer) {
    const auto at = static_cast<std::size_t>(layer);
    EXPECT_EQ(snapshot->layer_name(layer), names[at]);
    EXPECT_EQ(snapshot->queries(layer), sizes[at].first);
    EXPECT_EQ(snapshot->keys(layer), sizes[at].second);
    const HeadMaps maps = snapshot->maps({layer, 1});
    ASSERT_EQ(maps.weights.rows(), sizes[at].first) << names[at];
    ASSERT_EQ(maps.weights.cols(), sizes[at].second) << names[at];
    EXPECT_EQ(snapshot->summary({layer, 1}).queries, sizes[at].first);
    EXPECT_EQ(snapshot->summary({layer, 1}).keys, sizes[at].second);
    for (Index row = 0; row < maps.weights.rows(); ++row) EXPECT_NEAR(maps.weights.row(row).sum(), 1.0F, 1e-6F);
    const bool looks_back_only = names[at].starts_with("decoder");
    EXPECT_EQ(maps.weights(0, maps.weights.cols() - 1) == 0, looks_back_only) << names[at];
  }
}

TEST(EncoderDecoder, AgreesWithTheSlowSecondOpinion) {
  Pipeline pipeline(2);
  Query query = pair_query();
  query.mask.rules.push_back(layer_mask(1, "window:3"));
  query.mask.rules.push_back(layer_mask(4, "causal + window:2"));
  query.mask.rules.push_back({{Scope::Kind::head, {3, 2}}, "", {{1, 2, 0, 5, false}}});  // one row, all keys but the last
  const auto fast = run(pipeline, query);
  const auto allows = [](int layer, int head, int from, int to) {
    if (layer == 1) return std::abs(from - to) < 3;
    if (layer == 2) return to <= from;
    if (layer == 4) return to <= from && from - to < 2;
    return !(layer == 3 && head == 2 && from == 1 && to < 5);
  };
  const testing::Table embedded = to_table(*fast->trace.embedded.whole()),
                       decoder_embedded = to_table(*fast->trace.layers[2]->resid_pre.whole());
  const auto slow = testing::slow_encoder_decoder(*fast->model, embedded, decoder_embedded, kLayers, 4, allows);
  for (int layer = 0; layer < fast->layers(); ++layer) {
    const auto at = static_cast<std::size_t>(layer);
    EXPECT_LE(testing::largest_difference(slow.run.resid_post[at], *fast->trace.layers[at]->resid_post.whole()), 1e-5) << "layer " << layer;
    for (int head = 0; head < 4; ++head) {
      const Matrix weights = fast->maps({layer, head}).weights;
      ASSERT_EQ(slow.run.weights[at][static_cast<std::size_t>(head)].size(), static_cast<std::size_t>(weights.rows()));
      EXPECT_LE(testing::largest_difference(slow.run.weights[at][static_cast<std::size_t>(head)], weights), 1e-5)
          << "layer " << layer << " head " << head;
    }
  }
  EXPECT_LE(testing::largest_difference(slow.run.final_hidden, *fast->trace.final_hidden.whole()), 1e-5);
}

// Seeds S0-9: what is asked and what is read are different inputs.
TEST(EncoderDecoder, OnlyCrossAttentionAndWhatFollowsItSeesTheEncodersText) {
  Pipeline pipeline(1);
  Query query = pair_query();
  const auto before = run(pipeline, query);
  query.text = "A dog ran off with the bone";
  const auto after = run(pipeline, query);
  EXPECT_TRUE(testing::has_same_bits(before->maps({2, 0}).weights, after->maps({2, 0}).weights));
  EXPECT_EQ(after->maps({3, 0}).weights.cols(), 7);
  EXPECT_FALSE(testing::has_same_bits(before->trace.final_hidden, after->trace.final_hidden));
}

TEST(EncoderDecoder, ANewDecoderTextKeepsTheEncoder) {
  Pipeline reusing(2);
  Query query = pair_query();
  const auto before = run(reusing, query);
  query.decoder_text = "Der Hund";
  const auto kept = run(reusing, query);
  EXPECT_EQ(kept->cost.layers_reused, kLayers);
  EXPECT_EQ(kept->trace.layers[1], before->trace.layers[1]);
  Pipeline fresh(1);
  expect_same_bits(*kept, *run(fresh, query));
}

TEST(EncoderDecoder, AMaskKeepsTheLayersBelowItsOwn) {
  for (int layer = 0; layer < 3 * kLayers; ++layer) {
    Pipeline reusing(2), fresh(1);
    Query query = pair_query();
    run(reusing, query);
    query.mask.rules.push_back(layer_mask(layer, "k != 1"));
    const auto kept = run(reusing, query);
    EXPECT_EQ(kept->cost.layers_reused, layer);
    expect_same_bits(*kept, *run(fresh, query));
    query.mask.rules.clear();
    Pipeline plain(1);
    expect_same_bits(*run(reusing, query), *run(plain, query));
  }
}

/// One text, the other, a mask of any stack, or the kind of model changes.
void edit_either_text(Query& query, RandomStream& random) {
  const auto pick = [&](std::uint64_t count) { return static_cast<int>(random.next() % count); };
  const char* texts[] = {"The cat sat on the mat", "A dog", "", "One two three four five six seven eight nine ten"};
  const char* masks[] = {"none", "causal", "window:2", "no-self", "k == 0 || q == k", "padding:3"};
  switch (pick(6)) {
    case 0:
      query.text = texts[pick(4)];
      break;
    case 1:
      query.decoder_text = texts[pick(4)];
      break;
    case 2:
      query.decoder_text.reset();
      break;
    case 3:
      query.mask.rules.push_back(layer_mask(pick(7), masks[pick(6)]));
      break;
    case 4:
      query.mask.rules.clear();
      break;
    default:
      query.model.sandbox.kind = pick(3) > 0 ? SandboxKind::encoder_decoder : SandboxKind::bidirectional;
  }
}

TEST(EncoderDecoder, AReusedRunEqualsAFreshRunBitForBitAfterRandomEdits) {
  Pipeline reusing(2);
  RandomStream random(5, "edits");
  Query query = pair_query();
  int reused = 0, encoder_decoders = 0;
  for (int step = 0; step < 80; ++step) {
    edit_either_text(query, random);
    const auto kept = run(reusing, query);
    Pipeline fresh(1 + static_cast<int>(random.next() % 3));
    expect_same_bits(*kept, *run(fresh, query));
    reused += kept->cost.layers_reused;
    encoder_decoders += kept->decoder_encoding ? 1 : 0;
    ASSERT_FALSE(HasFailure()) << "step " << step;
  }
  EXPECT_GT(reused, 50);
  EXPECT_GT(encoder_decoders, 30);
}

// Reliability N3: an explicit empty state, whichever text is empty.
TEST(EncoderDecoder, EmptyTextsGiveMapsWithoutCells) {
  for (const PositionKind positions : {PositionKind::sinusoidal, PositionKind::rotary, PositionKind::t5_buckets, PositionKind::learned}) {
    Pipeline pipeline(2);
    Query query = pair_query();
    query.model.sandbox.positions = positions;
    query.decoder_text = "";
    const auto mute = run(pipeline, query);
    EXPECT_TRUE(mute->is_empty());
    EXPECT_EQ(mute->maps({0, 0}).weights.rows(), 6);
    EXPECT_EQ(mute->maps({3, 0}).weights.rows(), 0);
    EXPECT_THAT(mute->notices, AllOf(Contains("The decoder's text has no tokens."), Not(Contains("The text has no tokens."))));

    query = pair_query();
    query.model.sandbox.positions = positions;
    query.text = " ";
    const auto deaf = run(pipeline, query);
    EXPECT_TRUE(deaf->is_empty());
    EXPECT_EQ(deaf->maps({2, 0}).weights.rows(), 4);
    EXPECT_EQ(deaf->maps({3, 0}).weights.rows(), 4);
    EXPECT_EQ(deaf->maps({3, 0}).weights.cols(), 0);
    EXPECT_EQ(deaf->summary({3, 0}).masked_rows, 4);  // no key at all
    EXPECT_TRUE(deaf->trace.final_hidden.whole()->allFinite());
    EXPECT_THAT(deaf->notices, Contains("The text has no tokens."));
  }
}

TEST(EncoderDecoder, WithoutATextOfItsOwnTheDecoderReadsWhatTheEncoderReads) {
  Pipeline pipeline(1);
  Query query = pair_query();
  query.decoder_text.reset();
  EXPECT_EQ(run(pipeline, query)->decoder_encoding->tokens, run(pipeline, query)->encoding->tokens);
  query.text_pair = "a dog";
  EXPECT_EQ(run(pipeline, query)->decoder_encoding->text, "a dog");
  query.text_pair.reset();
  query.ids = {5, 7, 9};
  EXPECT_EQ(run(pipeline, query)->queries(3), 3);
}

// Positions of two texts are not comparable: figures that compare them are undefined, and the others are not.
TEST(EncoderDecoder, MeasuresOfDistanceAreUndefinedInCrossAttentionOnly) {
  Pipeline pipeline(1);
  const auto snapshot = run(pipeline, pair_query());
  EXPECT_TRUE(std::isnan(snapshot->summary({3, 0}).value("mean-distance")));
  EXPECT_TRUE(std::isnan(snapshot->summary({3, 0}).value("previous-token")));
  EXPECT_GT(snapshot->summary({3, 0}).value("normalised-entropy"), 0);
  EXPECT_GT(snapshot->summary({2, 0}).value("mean-distance"), 0);
  EXPECT_GT(snapshot->summary({0, 0}).value("previous-token"), 0);
}

TEST(EncoderDecoder, TheEstimateCoversWhatARunKeepsAndGrowsWithBothTexts) {
  Pipeline pipeline(1);
  Query query = pair_query();
  for (int word = 0; word < 300; ++word) query.text += " more";
  const auto snapshot = run(pipeline, query);
  const ModelConfig& config = snapshot->model->config;
  EXPECT_GE(estimate_bytes(config, 4, 306, 4), snapshot->cost.bytes);
  EXPECT_LT(estimate_bytes(config, 4, 306, 4), estimate_bytes(config, 4, 306, 306));
  EXPECT_LT(estimate_bytes(config, 4, 4, 306), estimate_bytes(config, 4, 306, 306));
}

TEST(EncoderDecoder, ALongDecoderTextIsRefusedSayingBothCounts) {
  Pipeline pipeline(1, {.bytes = 2'000'000});
  Query query = pair_query();
  run(pipeline, query);
  for (int word = 0; word < 3000; ++word) *query.decoder_text += " mehr";
  const Error error = error_of([&] { run(pipeline, query); });
  EXPECT_EQ(error.kind(), ErrorKind::limit);
  EXPECT_THAT(error.message(), AllOf(HasSubstr("6 tokens and 3004 of the decoder"), HasSubstr("6 layers of 4 heads")));
}

TEST(EncoderDecoder, LayersOfOneStackWithEqualMasksShareThem) {
  Pipeline pipeline(1);
  const auto snapshot = run(pipeline, pair_query());
  const auto mask = [&](int layer) { return snapshot->trace.layer(layer).rule(0).mask; };
  EXPECT_EQ(mask(0), mask(1));
  EXPECT_EQ(mask(2), mask(4));
  EXPECT_EQ(mask(3), mask(5));
  EXPECT_NE(mask(2), mask(3));
}

}  // namespace
}  // namespace headlight
