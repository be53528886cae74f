// What is shown inside a head is what the forward pass used, bit for bit.
#include "engine/inside/inside.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/attention/positions.h"
#include "engine/pipeline/pipeline.h"
#include "tests/testing.h"

namespace headlight {
namespace {

std::shared_ptr<const Snapshot> run(const Query& query) {
  Pipeline pipeline(1);
  SilentProgress progress;
  return pipeline.run(query, progress);
}

Query sandbox(const std::string& text, PositionKind positions = PositionKind::sinusoidal) {
  Query query;
  query.text = text;
  query.model.sandbox = {.layers = 2, .d_model = 32, .heads = 4, .positions = positions};
  return query;
}
constexpr const char* kText = "the horse that the sailors follow is tired";

struct Case {
  std::string name;
  Query query;
};

void PrintTo(const Case& each, std::ostream* out) {
  *out << each.name;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const char* name, const auto& change, PositionKind positions = PositionKind::sinusoidal) {
    all.push_back({name, sandbox(kText, positions)});
    change(all.back().query);
  };
  add("Plain", [](Query&) {});
  add(
      "Rotary", [](Query&) {}, PositionKind::rotary);
  add(
      "RotaryInPairsOfNeighbours", [](Query& query) { query.model.sandbox.rotary.is_interleaved = true; }, PositionKind::rotary);
  add(
      "Alibi", [](Query&) {}, PositionKind::alibi);
  add(
      "Buckets", [](Query&) {}, PositionKind::t5_buckets);
  add("Softcap", [](Query& query) { query.score.softcap = 2.0F; });
  add("Cosine", [](Query& query) { query.score.kind = ScoreKind::cosine; });
  add("Additive", [](Query& query) { query.score.kind = ScoreKind::additive; });
  add("Relative", [](Query& query) { query.score.kind = ScoreKind::relative; });
  add("Sink", [](Query& query) { query.score.sink = 1.5F; });
  add("HighSink", [](Query& query) { query.score.sink = 9.0F; });
  add("Temperature", [](Query& query) { query.score.temperature = 0.25F; });
  add(
      "Grouped", [](Query& query) { query.model.sandbox.kv_heads = 2; }, PositionKind::rotary);
  add("Averaged", [](Query& query) { query.kv_heads = 2; });
  add("Biases", [](Query& query) { query.model.sandbox.biases = SandboxBiases::random; });
  add("WithoutBiases", [](Query& query) {
    query.model.sandbox.biases = SandboxBiases::random;
    query.block.has_biases = false;
  });
  add("WithoutProjection", [](Query& query) { query.block.has_output_projection = false; });
  add("WithoutSkip", [](Query& query) { query.block.has_attention_skip = false; });
  add("BothWays", [](Query& query) { query.model.sandbox.kind = SandboxKind::bidirectional; });
  add("NormAfter", [](Query& query) { query.model.sandbox.norm_place = NormPlace::after; });
  add("WithoutItself", [](Query& query) { query.mask.rules.push_back({{}, "causal + no-self", {}}); });
  add("EveryOtherKey", [](Query& query) { query.mask.rules.push_back({{}, "k == 0 || k == 3 || k == 5", {}}); });
  add("TwoTexts", [](Query& query) {
    query.model.sandbox.kind = SandboxKind::encoder_decoder;
    query.decoder_text = "le cheval";
  });
  add("OtherHeadCount", [](Query& query) { query.heads = 2; });
  return all;
}

class InsideOf : public ::testing::TestWithParam<Case> {
 protected:
  /// Calls use(what is inside, the head's maps, its layer) for every head of every layer, each with one query.
  template <typename Use>
  void for_each_head(const Use& use) const {
    const std::shared_ptr<const Snapshot> snapshot = run(GetParam().query);
    ThreadPool pool(1);
    for (int layer = 0; layer < snapshot->layers(); ++layer) {
      for (int head = 0; head < snapshot->heads(layer); ++head) {
        const Index query = (3 * layer + head) % snapshot->queries(layer);
        use(look_inside(*snapshot, {layer, head}, query, pool), snapshot->maps({layer, head}), snapshot->trace.layer(layer), *snapshot);
      }
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Models, InsideOf, ::testing::ValuesIn(cases()), [](const auto& model) { return model.param.name; });

TEST_P(InsideOf, ScoresAndWeightsAreThoseOfTheMap) {
  for_each_head([](const Inside& inside, const HeadMaps& maps, const LayerTrace& layer, const Snapshot&) {
    const Index query = inside.query;
    EXPECT_EQ(inside.row.scores, maps.scores.row(query));
    EXPECT_EQ(inside.row.weights, maps.weights.row(query));
    for (Index key = 0; key < inside.keys(); ++key) {
      EXPECT_EQ(inside.row.scaled[key], maps.scaled_score(query, key));
      EXPECT_EQ(inside.row.finals[key], maps.final_score(query, key));
      EXPECT_EQ(inside.row.is_allowed[static_cast<std::size_t>(key)], layer.mask(inside.head.head).allows(query, key));
    }
  });
}

TEST_P(InsideOf, EveryExpDividedByTheSumIsTheWeight) {
  for_each_head([](const Inside& inside, const HeadMaps&, const LayerTrace&, const Snapshot&) {
    if (inside.row.allowed == 0) {
      EXPECT_EQ(inside.row.weights, RowVector::Zero(inside.keys()));
      return;
    }
    EXPECT_EQ(inside.row.weights, RowVector(inside.row.exps / inside.row.sum));
    const float share = inside.row.sink ? inside.row.sink->share : 0;
    EXPECT_NEAR(inside.row.weights.sum() + share, 1, 1e-6);
  });
}

TEST_P(InsideOf, TheLastOfARunningSumIsTheScore) {
  for_each_head([](const Inside& inside, const HeadMaps&, const LayerTrace&, const Snapshot&) {
    const bool is_exact = inside.score == ScoreKind::dot;
    for (Index key = 0; key < inside.keys(); ++key) {
      const float sum = inside.sums_of_terms(key)[inside.d_head() - 1] + (inside.rest.size() > 0 ? inside.rest[key] : 0);
      EXPECT_NEAR(sum, inside.row.scores[key], is_exact ? 0 : 4e-6 * (1 + std::abs(sum)));
    }
    EXPECT_EQ(inside.rest.size() > 0, inside.score == ScoreKind::relative);
  });
}

TEST_P(InsideOf, QueriesAndKeysBeforePositionsBecomeThoseOfTheTraceOnceTurned) {
  for_each_head([](const Inside& inside, const HeadMaps&, const LayerTrace& layer, const Snapshot& snapshot) {
    Matrix copy;
    const int head = inside.head.head;
    EXPECT_EQ(inside.asking.q, head_columns(layer.q, layer.heads, head, copy).row(inside.query));
    EXPECT_EQ(inside.k, head_columns(layer.k, layer.kv_heads, inside.kv_head, copy));
    Matrix q = inside.asking.normed.size() > 0 ? inside.asking.normed : inside.asking.plain;
    Matrix k = inside.plain_keys;
    EXPECT_EQ(inside.turning.is_empty(), snapshot.model->config.positions.kind != PositionKind::rotary);
    if (!inside.turning.is_empty()) {
      const RotarySettings& rotary = snapshot.model->config.rotary_of(inside.head.layer);
      rotate_positions(q, 1, rotary, inside.query);
      EXPECT_NE(k, inside.k) << "positions turn them";
      rotate_positions(k, 1, rotary);
    }
    EXPECT_EQ(RowVector(q.row(0)), inside.asking.q);
    EXPECT_EQ(k, inside.k);
  });
}

TEST_P(InsideOf, TheSumsOfXAndWqAreTheQuery) {
  for_each_head([](const Inside& inside, const HeadMaps&, const LayerTrace&, const Snapshot&) {
    for (Index place = 0; place < inside.d_head(); ++place) {
      const RowVector sums = inside.asking.sums(place);
      const float bias = inside.asking.b_q.size() > 0 ? inside.asking.b_q[place] : 0;
      EXPECT_EQ(sums[sums.size() - 1] + bias, inside.asking.plain[place]);
    }
  });
}

TEST_P(InsideOf, TheMixedValuesAreTheHeadsZ) {
  for_each_head([](const Inside& inside, const HeadMaps&, const LayerTrace& layer, const Snapshot&) {
    EXPECT_EQ(inside.z, RowVector(inside.output.z.segment(inside.head.head * inside.d_value(), inside.d_value())));
    EXPECT_EQ(inside.output.z, RowVector(layer.z.middle_rows(inside.query, 1)));
    EXPECT_EQ(inside.sums_of_values(inside.keys()), inside.z);
    EXPECT_NEAR((inside.weighted.colwise().sum() - inside.z).cwiseAbs().maxCoeff(), 0, 1e-5);
  });
}

TEST_P(InsideOf, TheStreamGetsTheOutput) {
  for_each_head([](const Inside& inside, const HeadMaps&, const LayerTrace& layer, const Snapshot&) {
    const InsideOutput& output = inside.output;
    RowVector sum = output.output;
    if (output.stream.size() > 0) {
      EXPECT_EQ(output.stream, RowVector(layer.resid_pre.middle_rows(inside.query, 1)));
      sum += output.stream;
    }
    EXPECT_EQ(output.sum, sum);
  });
}

TEST(Inside, AHeadThatIsSwitchedOffMixesValuesThatTheOutputNeverSees) {
  Query query = sandbox(kText);
  query.switched_off = {{1, 2}};
  const std::shared_ptr<const Snapshot> snapshot = run(query);
  ThreadPool pool(1);
  const Inside inside = look_inside(*snapshot, {1, 2}, 4, pool);
  EXPECT_TRUE(inside.is_switched_off);
  EXPECT_GT(inside.z.cwiseAbs().maxCoeff(), 0);
  EXPECT_EQ(inside.output.own_part, RowVector::Zero(32));
}

TEST(Inside, AnEditThatSwitchesAHeadOffIsSaidLikeASwitch) {
  Query query = sandbox(kText);
  query.interventions = {parse_intervention("1.0=resample:a b"), parse_intervention("1=off"), parse_intervention("1.1=resample:a b"),
                         parse_intervention("1.2=uniform")};
  const std::shared_ptr<const Snapshot> snapshot = run(query);
  ThreadPool pool(1);
  for (const HeadId head : {HeadId{1, 0}, HeadId{1, 3}}) {
    const Inside inside = look_inside(*snapshot, head, 4, pool);
    EXPECT_TRUE(inside.is_switched_off) << head.head;
    EXPECT_GT(inside.z.cwiseAbs().maxCoeff(), 0);
    EXPECT_EQ(inside.output.own_part, RowVector::Zero(32));
  }
  EXPECT_FALSE(look_inside(*snapshot, {0, 1}, 4, pool).is_switched_off);
  const auto refused = [&](HeadId head) { return testing::error_of([&] { look_inside(*snapshot, head, 4, pool); }).message(); };
  EXPECT_THAT(refused({1, 1}), ::testing::HasSubstr("an edit puts other numbers")) << "the later edit gives it a z again";
  EXPECT_THAT(refused({1, 2}), ::testing::HasSubstr("even map"));
}

TEST(Inside, GroupedHeadsSayWhoSharesTheirKeys) {
  Query query = sandbox(kText);
  query.model.sandbox.kv_heads = 2;
  const std::shared_ptr<const Snapshot> snapshot = run(query);
  ThreadPool pool(1);
  const Inside inside = look_inside(*snapshot, {0, 3}, 1, pool);
  EXPECT_EQ(inside.kv_head, 1);
  EXPECT_EQ(sharing_heads(inside).begin, 2);
  EXPECT_EQ(sharing_heads(inside).end, 4);
}

TEST(Inside, KeysAreOrderedByTheirWeight) {
  const std::shared_ptr<const Snapshot> snapshot = run(sandbox(kText));
  ThreadPool pool(1);
  const Inside inside = look_inside(*snapshot, {0, 0}, 5, pool);
  ASSERT_EQ(inside.by_weight.size(), 6U) << "causal: itself and the five before";
  for (std::size_t i = 1; i < inside.by_weight.size(); ++i) {
    EXPECT_GE(inside.row.weights[inside.by_weight[i - 1]], inside.row.weights[inside.by_weight[i]]);
  }
}

TEST(Inside, WhatIsNotThereIsRefused) {
  const std::shared_ptr<const Snapshot> snapshot = run(sandbox(kText));
  ThreadPool pool(1);
  EXPECT_EQ(testing::error_of([&] { look_inside(*snapshot, {5, 0}, 0, pool); }).detail().kind, ErrorKind::usage);
  EXPECT_EQ(testing::error_of([&] { look_inside(*snapshot, {0, 0}, 99, pool); }).detail().kind, ErrorKind::usage);
}

}  // namespace
}  // namespace headlight
