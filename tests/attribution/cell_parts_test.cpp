// Shares of a score add up to it, whatever the model and whatever makes its scores.
#include "engine/attribution/cell_parts.h"

#include <gtest/gtest.h>

#include "tests/attribution/attributed.h"

namespace headlight {
namespace {

using testing::NamedQuery;
using testing::run_nano_gpt;
using testing::run_query;

/// Rounding grows with what is added up, which may cancel.
void expect_adds_up(const Snapshot& run, HeadId head, Index query, Index key) {
  ThreadPool pool(1);
  const CellParts cell = explain_cell(run, head, query, key, pool);
  const double bound = 1e-4 * std::max(1.0, cell.table.cwiseAbs().maxCoeff());
  EXPECT_NEAR(cell.sum, cell.score, bound) << head.layer << "." << head.head << ", " << query << ", " << key;
  EXPECT_NEAR(cell.by_query().sum(), cell.sum, 1e-9 * std::max(1.0, cell.table.cwiseAbs().sum()));
  EXPECT_NEAR(cell.by_key().sum(), cell.sum, 1e-9 * std::max(1.0, cell.table.cwiseAbs().sum()));
  const HeadMaps maps = run.maps(head);
  EXPECT_EQ(cell.score, maps.scores(query, key));
  EXPECT_EQ(cell.final_score, maps.final_score(query, key));
  EXPECT_EQ(cell.weight, maps.weights(query, key));
}

void expect_all_add_up(const Snapshot& run) {
  for (const HeadId head : run.all_heads()) {
    expect_adds_up(run, head, run.queries(head.layer) - 1, 1);
    expect_adds_up(run, head, 1, 0);
  }
}

class CellOfRecordedModel : public ::testing::TestWithParam<NamedQuery> {};

TEST_P(CellOfRecordedModel, PartsOfBothSidesAddUpToTheScore) {
  expect_all_add_up(*run_query(GetParam().query));
}

INSTANTIATE_TEST_SUITE_P(Every, CellOfRecordedModel, ::testing::ValuesIn(testing::recorded_models()),
                         [](const auto& each) { return each.param.name; });

Query sandbox() {
  Query query;
  query.text = "the horse that the sailors follow is tired";
  query.model.sandbox = {.layers = 3, .d_model = 32, .heads = 4};
  return query;
}

TEST(CellParts, AddUpInTheSandboxInEveryForm) {
  const auto with = [](const auto& change) {
    Query query = sandbox();
    change(query);
    expect_all_add_up(*run_query(query));
  };
  with([](Query&) {});
  with([](Query& query) { query.model.sandbox.positions = PositionKind::rotary; });
  with([](Query& query) {
    query.model.sandbox.positions = PositionKind::rotary;
    query.model.sandbox.rotary.is_interleaved = true;
    query.model.sandbox.kv_heads = 2;
  });
  with([](Query& query) { query.model.sandbox.positions = PositionKind::alibi; });
  with([](Query& query) { query.score.kind = ScoreKind::cosine; });
  with([](Query& query) { query.score.softcap = 2.0F; });
  with([](Query& query) { query.kv_heads = 2; });
  with([](Query& query) { query.heads = 2; });
  with([](Query& query) { query.model.sandbox.biases = SandboxBiases::random; });
  with([](Query& query) {
    query.model.sandbox.biases = SandboxBiases::random;
    query.block.has_biases = false;
  });
  with([](Query& query) { query.block.has_output_projection = false; });
  with([](Query& query) { query.block.has_attention_skip = false; });
  with([](Query& query) {
    query.model.sandbox.norm_place = NormPlace::after;
    query.model.sandbox.norm = NormKind::rms_norm;
  });
  with([](Query& query) { query.switched_off = {{0, 1}}; });
  with([](Query& query) {
    query.model.sandbox.kind = SandboxKind::encoder_decoder;
    query.decoder_text = "le cheval";
  });
}

TEST(CellParts, OfTheFirstLayerAreTokenAndPosition) {
  const auto run = run_query(sandbox());
  ThreadPool pool(1);
  const CellParts cell = explain_cell(*run, {0, 1}, 5, 2, pool);
  const std::vector<PartId> expected = {{PartKind::token}, {PartKind::position}};
  EXPECT_EQ(cell.query_parts, expected);
  EXPECT_EQ(cell.key_parts, expected);
}

TEST(CellParts, OfTheEarlierWordDoNotDependOnWhatComesAfterIt) {
  Query query = sandbox();
  const auto run = run_query(query);
  query.text += " and hungry";
  const auto longer = run_query(query);
  ThreadPool pool(1);
  EXPECT_EQ(explain_cell(*run, {2, 1}, 5, 2, pool).table, explain_cell(*longer, {2, 1}, 5, 2, pool).table);
}

// In the model whose heads were set by hand, the induction head matches the token that the previous-token head brought to the key.
TEST(CellParts, FindThePreviousTokenHeadBehindAnInductionHead) {
  Query query;
  query.model.name = "induction-by-hand";
  query.text = "a b c a";
  const auto run = run_query(query);
  ThreadPool pool(1);
  const Index query_at = run->tokens() - 1;
  Index key = 0;
  HeadId head;
  float most = 0;
  for (const HeadId each : run->heads_of_layer(run->layers() - 1)) {
    Index at = 0;
    const float weight = run->maps(each).weights.row(query_at).maxCoeff(&at);
    if (at > 0 && at < query_at && weight > most) {
      most = weight;
      head = each;
      key = at;
    }
  }
  ASSERT_GT(most, 0.5F);
  const CellParts cell = explain_cell(*run, head, query_at, key, pool);
  Index largest = 0;
  cell.by_key().maxCoeff(&largest);
  EXPECT_EQ(cell.key_parts[static_cast<std::size_t>(largest)].kind, PartKind::head);
  EXPECT_EQ(cell.key_parts[static_cast<std::size_t>(largest)].layer, 0);
}

TEST(CellParts, AreRefusedWithASentenceWhereScoresAreNoProducts) {
  ThreadPool pool(1);
  for (const ScoreKind kind : {ScoreKind::additive, ScoreKind::relative}) {
    Query query = sandbox();
    query.score.kind = kind;
    const auto run = run_query(query);
    EXPECT_NE(why_no_cell_parts(*run, {0, 0}), "");
    EXPECT_EQ(testing::error_of([&] { explain_cell(*run, {0, 0}, 1, 0, pool); }).kind(), ErrorKind::usage);
  }
  const auto run = run_query(sandbox());
  EXPECT_EQ(testing::error_of([&] { explain_cell(*run, {9, 0}, 1, 0, pool); }).kind(), ErrorKind::usage);
  EXPECT_EQ(testing::error_of([&] { explain_cell(*run, {0, 0}, 99, 0, pool); }).kind(), ErrorKind::usage);
  EXPECT_EQ(testing::error_of([&] { explain_cell(*run, {0, 0}, 1, -1, pool); }).kind(), ErrorKind::usage);
}

}  // namespace
}  // namespace headlight
