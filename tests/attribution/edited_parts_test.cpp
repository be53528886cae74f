// Shares under edits of heads: they add up to what the edited run computes, or say why there are none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "engine/attribution/cell_parts.h"
#include "engine/attribution/logit_parts.h"
#include "engine/inside/inside.h"
#include "tests/attribution/attributed.h"

namespace headlight {
namespace {

using testing::error_of;
using ::testing::HasSubstr;
using testing::run_query;

constexpr LogitQuestion kQuestion{.position = 5, .token = 4, .against = 11};

Query edited_query(const std::string& edit) {
  Query query;
  query.model.name = std::string(HEADLIGHT_TESTS_DIR) + "/reference/models/gpt2";
  query.text = "the quick brown fox jumps over";
  query.interventions = {parse_intervention(edit)};
  return query;
}

const char* const kOther = "\"a lazy dog was there again\"";

Index tokens_of(const std::string& text) {
  Query query;
  query.model.name = std::string(HEADLIGHT_TESTS_DIR) + "/reference/models/gpt2";
  query.text = text;
  return run_query(query)->tokens();
}

TEST(EditedParts, AddUpToTheLogitOfTheEditedRun) {
  ThreadPool pool(1);
  const std::string positions =
      "@0-" + std::to_string(std::min(tokens_of("the quick brown fox jumps over"), tokens_of("a lazy dog was there again")) - 1);
  for (const std::string& edit : {std::string("1=off"), std::string("0=uniform"), std::string("1.0=map:0.1"), std::string("0.1=first"),
                                  std::string("1.1=patch:") + kOther + positions, std::string("1=stream:") + kOther + positions,
                                  std::string("1=stream:") + kOther + "@5", std::string("0=resample:") + kOther}) {
    const auto run = run_query(edited_query(edit));
    const LogitParts parts = attribute_logit(*run, kQuestion, pool);
    EXPECT_NEAR(parts.sum, parts.logit, 1e-4 * std::max(1.0, std::abs(parts.logit))) << edit;
  }
}

TEST(EditedParts, APatchedStreamIsOnePartAndWhatLiesBelowItHasNone) {
  ThreadPool pool(1);
  const auto run = run_query(edited_query(std::string("1=stream:") + kOther + "@5"));
  const LogitParts parts = attribute_logit(*run, kQuestion, pool);
  EXPECT_NE(parts.value({PartKind::patched_stream, 1}), 0);
  EXPECT_EQ(parts.value({PartKind::token}), 0);
  EXPECT_EQ(parts.value({PartKind::head, 0, 1}), 0);
  const std::vector<double> below = attribute_sources(*run, kQuestion, {0, 1}, pool).adds;
  EXPECT_EQ(std::accumulate(below.begin(), below.end(), 0.0), 0);
  const LogitParts before = attribute_logit(*run, {.position = 4, .token = 4}, pool);
  EXPECT_EQ(before.value({PartKind::patched_stream, 1}), 0) << "another position is not patched";
  EXPECT_NE(before.value({PartKind::head, 0, 1}), 0);
  const CellParts cell = explain_cell(*run, {1, 0}, 5, 2, pool);
  EXPECT_NEAR(cell.sum, static_cast<double>(cell.score), 1e-4 * std::max(1.0F, std::abs(cell.score)));
}

TEST(EditedParts, SourcesOfAMapThatIsPutInAreWhatItReads) {
  ThreadPool pool(1);
  for (const char* edit : {"1.0=uniform", "1.0=previous", "1.0=map:0.1"}) {
    const auto run = run_query(edited_query(edit));
    const LogitParts parts = attribute_logit(*run, kQuestion, pool);
    const std::vector<double> sources = attribute_sources(*run, kQuestion, {1, 0}, pool).adds;
    EXPECT_NEAR(std::accumulate(sources.begin(), sources.end(), 0.0), parts.value({PartKind::head, 1, 0}), 1e-4) << edit;
    if (std::string(edit) != "1.0=previous") continue;
    for (std::size_t key = 0; key < sources.size(); ++key) EXPECT_EQ(sources[key] != 0, key == 4) << key;
  }
}

TEST(EditedParts, AnOutputThatIsPutInHasNoSourcesHereAndSaysSo) {
  ThreadPool pool(1);
  const auto run = run_query(edited_query(std::string("1.0=patch:") + kOther + "@5"));
  EXPECT_THAT(error_of([&] { attribute_sources(*run, kQuestion, {1, 0}, pool); }).message(), HasSubstr("an edit puts in"));
  EXPECT_NO_THROW(attribute_sources(*run, {.position = 4, .token = 4}, {1, 0}, pool)) << "at another position it reads as it does";
  EXPECT_NO_THROW(attribute_sources(*run, kQuestion, {1, 1}, pool));
  for (const double value : attribute_sources(*run_query(edited_query("1=off")), kQuestion, {1, 0}, pool).adds) EXPECT_EQ(value, 0);
}

TEST(EditedParts, InsideAnEditedHeadTheStepsAreRefusedWithTheEdit) {
  ThreadPool pool(1);
  const auto run = run_query(edited_query("1.0=uniform"));
  EXPECT_THAT(error_of([&] { look_inside(*run, {1, 0}, 3, pool); }).message(), HasSubstr("head 1.0: even map"));
  EXPECT_NO_THROW(look_inside(*run, {1, 1}, 3, pool));
}

}  // namespace
}  // namespace headlight
