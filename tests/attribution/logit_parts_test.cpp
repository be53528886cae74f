// Shares of a logit add up to it, whatever the model.
#include "engine/attribution/logit_parts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "engine/attribution/logit_bars.h"
#include "engine/forward/forward.h"
#include "tests/attribution/attributed.h"

namespace headlight {
namespace {

using testing::NamedQuery;
using testing::run_nano_gpt;
using testing::run_query;

/// The model's own, all of it in single precision.
double own_logit(const Snapshot& run, const LogitQuestion& question) {
  ThreadPool pool(1);
  const Matrix logits = compute_logits(*run.model, run.trace.final_hidden.middle_rows(question.position, 1), pool);
  const auto uncapped = [&](std::int64_t id) {
    const double cap = run.model->config.logits.softcap, logit = logits(0, id);
    return cap > 0 ? cap * std::atanh(logit / cap) : logit;
  };
  return uncapped(question.token) - (question.against ? uncapped(*question.against) : 0);
}

void expect_adds_up(const Snapshot& run, const LogitQuestion& question) {
  ThreadPool pool(1);
  const LogitParts found = attribute_logit(run, question, pool);
  const double bound = 1e-4 * std::max(1.0, std::abs(found.logit));
  EXPECT_NEAR(found.sum, found.logit, bound);
  EXPECT_NEAR(found.logit, own_logit(run, question), bound);
  for (const LogitPart& part : found.parts) {
    if (part.id.kind != PartKind::head) continue;
    const HeadId head{part.id.layer, part.id.head};
    const SourceParts sources = attribute_sources(run, question, head, pool);
    EXPECT_EQ(std::ssize(sources.adds), run.keys(head.layer));
    EXPECT_NEAR(std::accumulate(sources.adds.begin(), sources.adds.end(), 0.0), part.value, 1e-4) << head.layer << "." << head.head;
    const RowVector row = run.maps(head).weights.row(question.position);
    EXPECT_EQ(sources.weights, std::vector<float>(row.begin(), row.end())) << "the row alone is that of the whole map, bit for bit";
  }
}

class OfRecordedModel : public ::testing::TestWithParam<NamedQuery> {};

TEST_P(OfRecordedModel, PartsAddUpToTheLogitAndSourcesToTheirHead) {
  const auto run = run_query(GetParam().query);
  if (!run->model->config.has_logits) {
    EXPECT_NE(why_no_logit_parts(*run), "");
    return;
  }
  expect_adds_up(*run, {.position = 5, .token = 4});
  expect_adds_up(*run, {.position = 2, .token = 4, .against = 11});
}

INSTANTIATE_TEST_SUITE_P(Every, OfRecordedModel, ::testing::ValuesIn(testing::recorded_models()),
                         [](const auto& each) { return each.param.name; });

Query story(const std::string& text = "The girl that the sailors saw was tired.", const char* name = "story-gpt") {
  Query query;
  query.model.name = name;
  query.text = text;
  return query;
}

TEST(LogitParts, AddUpUnderEveryEditThatTheRunKnows) {
  Query query = story();
  query.switched_off = {{1, 2}};
  query.score.temperature = 0.5F;
  query.mask.rules.push_back({{}, "causal + no-self", {}});
  expect_adds_up(*run_query(query), {.position = 6, .token = 20, .against = 30});
  query.block.has_feed_forward_skip = false;
  query.block.has_biases = false;
  expect_adds_up(*run_query(query), {.position = 6, .token = 20, .against = 30});
  query.block.has_attention_skip = false;
  expect_adds_up(*run_query(query), {.position = 6, .token = 20, .against = 30});
}

TEST(LogitParts, OfAHeadThatIsSwitchedOffAreZero) {
  Query query = story();
  query.switched_off = {{1, 2}};
  const auto run = run_query(query);
  ThreadPool pool(1);
  const LogitQuestion question{.position = 6, .token = 20};
  EXPECT_EQ(attribute_logit(*run, question, pool).value({PartKind::head, 1, 2}), 0);
  for (const double value : attribute_sources(*run, question, {1, 2}, pool).adds) EXPECT_EQ(value, 0);
}

TEST(LogitParts, OfAMaskedModelHoldItsActivationAndSaySo) {
  const auto run = run_query(story("The girl that the sailors saw [MASK] tired.", "story-bert"));
  expect_adds_up(*run, {.position = 7, .token = 40, .against = 50});
  ThreadPool pool(1);
  const LogitParts found = attribute_logit(*run, {.position = 7, .token = 40}, pool);
  EXPECT_EQ(found.notes.size(), run->model->config.logits.activation ? 2U : 1U);
}

TEST(LogitParts, OfNanoGptAreTheRecordedOnes) {
  const auto run = run_nano_gpt();
  if (!run) return;
  ThreadPool pool(1);
  const LogitQuestion question{.position = 10, .token = 2, .against = 1};
  const LogitParts found = attribute_logit(*run, question, pool);
  EXPECT_NEAR(found.sum, 10.573374, 2e-5);
  EXPECT_NEAR(found.logit, 10.573374, 2e-5);
  const auto expect = [&](PartId id, double value) {
    EXPECT_NEAR(found.value(id), value, 5e-6) << row_of(id.kind).name << " " << id.layer << "." << id.head;
  };
  EXPECT_NEAR(found.value({PartKind::token}) + found.value({PartKind::position}), .478213, 5e-6);
  const std::vector<std::vector<double>> heads = {{.092756, .073937, .066282}, {.014579, -.013443, .005708}, {-.138849, .020686, -.109173}};
  const std::vector<double> biases = {-.028279, -.052880, -.028781}, feed_forward = {.380273, 3.675061, 6.338848};
  for (int layer = 0; layer < 3; ++layer) {
    const auto at = static_cast<std::size_t>(layer);
    for (int head = 0; head < 3; ++head) expect({PartKind::head, layer, head}, heads[at][static_cast<std::size_t>(head)]);
    expect({PartKind::output_bias, layer}, biases[at]);
    expect({PartKind::feed_forward, layer}, feed_forward[at]);
  }
  expect({PartKind::norm_bias}, -.201564);
  const std::vector<double> recorded = {.000699,  -.022066, -.059187, -.050402, -.047972, -.006482,
                                        -.010795, .051386,  .064278,  -.030282, -.028025};
  const std::vector<double> sources = attribute_sources(*run, question, {2, 0}, pool).adds;
  ASSERT_EQ(sources.size(), recorded.size());
  for (std::size_t key = 0; key < recorded.size(); ++key) EXPECT_NEAR(sources[key], recorded[key], 5e-6) << key;
}

TEST(LogitParts, AreRefusedWithASentenceWhereThereAreNone) {
  ThreadPool pool(1);
  Query sandbox;
  sandbox.text = "the cat sat";
  const auto without_head = run_query(sandbox);
  EXPECT_EQ(testing::error_of([&] { attribute_logit(*without_head, {}, pool); }).kind(), ErrorKind::usage);
  EXPECT_NE(why_no_logit_parts(*without_head).find("no language-model head"), std::string::npos);
  const auto run = run_query(story());
  EXPECT_EQ(why_no_logit_parts(*run), "");
  for (const LogitQuestion& question : {LogitQuestion{-1, 0, {}}, LogitQuestion{run->tokens(), 0, {}}, LogitQuestion{0, -1, {}},
                                        LogitQuestion{0, 1 << 30, {}}, LogitQuestion{0, 0, -3}})
    EXPECT_EQ(testing::error_of([&] { attribute_logit(*run, question, pool); }).kind(), ErrorKind::usage);
  EXPECT_EQ(testing::error_of([&] { attribute_sources(*run, {}, {99, 0}, pool); }).kind(), ErrorKind::usage);
  Query on_map = story();
  on_map.mask_reach = MaskReach::this_head;
  on_map.mask.rules.push_back({{}, "causal + no-self", {}});
  EXPECT_NE(why_no_logit_parts(*run_query(on_map)).find("on its map only"), std::string::npos);
}

TEST(LogitBars, AddUpToTheLogitHoweverFewAreListed) {
  const auto run = run_query(story());
  ThreadPool pool(1);
  const LogitParts parts = attribute_logit(*run, {.position = 5, .token = 4}, pool);
  for (const std::size_t listed : {std::size_t{0}, std::size_t{3}, std::size_t{100}}) {
    double sum = 0;
    std::size_t of_heads = 0;
    for (const LogitBar& bar : logit_bars(*run, parts, listed)) {
      sum += bar.value;
      of_heads += bar.head ? 1 : 0;
      if (!bar.head) continue;
      EXPECT_EQ(bar.value, parts.value({PartKind::head, bar.head->layer, bar.head->head}));
    }
    EXPECT_NEAR(sum, parts.sum, 1e-9) << listed;
    EXPECT_LE(of_heads, listed);
  }
  const HeadId largest = *largest_head(parts);
  for (const LogitPart& part : parts.parts) {
    if (part.id.kind != PartKind::head) continue;
    EXPECT_LE(std::abs(part.value), std::abs(parts.value({PartKind::head, largest.layer, largest.head})));
  }
}

TEST(SourceShares, JoinWhatIsSmallAndKeepTheSum) {
  const std::vector<SourceShare> shares = source_shares({0.1, -3, 2, 0.2}, {0.1F, 0.2F, 0.3F, 0.4F}, 2);
  ASSERT_EQ(shares.size(), 3U);
  EXPECT_EQ(shares[0].token, 1);
  EXPECT_EQ(shares[1].token, 2);
  EXPECT_EQ(shares[2].token, -1);
  EXPECT_EQ(shares[2].joined, 2U);
  EXPECT_NEAR(shares[2].adds, 0.3, 1e-12);
  EXPECT_NEAR(shares[2].weight, 0.5, 1e-6);
  EXPECT_EQ(source_shares({1, 2}, {0.5F, 0.5F}, 9).size(), 2U);
}

}  // namespace
}  // namespace headlight
