// Rollout of models and maps that others recorded: metrics, 5.6 and 10.2. The folders are not part of this tree.
#include <gtest/gtest.h>

#include "engine/analysis/flow.h"
#include "engine/pipeline/pipeline.h"
#include "tests/testing.h"

namespace headlight {
namespace {

std::string found_folder(const char* name) {
  for (const auto& reference : testing::reference_folders()) {
    if (std::filesystem::is_directory(reference / name)) return (reference / name).string();
  }
  testing::say_not_found(std::string("reference/") + name);
  return {};
}

FlowMap rolled(const Snapshot& run, const FlowSettings& settings) {
  std::vector<HeadId> heads;
  for (int layer = 0; layer < run.layers(); ++layer) {
    for (int head = 0; head < run.heads(layer); ++head) heads.push_back({layer, head});
  }
  SilentProgress progress;
  return make_flow(run.trace, heads, settings, progress);
}

TEST(RolloutReference, OfNanoGptIsTheProductFromTheLeft) {
  Query query;
  query.model.name = found_folder("nano-gpt");
  if (query.model.name.empty()) return;
  query.ids = std::vector<std::int64_t>{2, 1, 0, 1, 1, 2, 0, 1, 1, 1, 2};
  SilentProgress progress;
  const auto run = Pipeline(1).run(query, progress);
  const Matrix values = rolled(*run, {.reduction = Reduction::rollout}).values;
  const std::vector<double> told = {.262453, .117152, .088124, .073520, .060495, .099259, .026596, .032568, .031831, .033397, .174605};
  for (std::size_t key = 0; key < told.size(); ++key) EXPECT_NEAR(values(10, static_cast<Index>(key)), told[key], 1e-5) << key;
  // Multiplied from the right it is another map.
  Matrix reversed = Matrix::Identity(11, 11);
  for (int layer = 0; layer < run->layers(); ++layer) {
    Matrix step = 0.5F * Matrix::Identity(11, 11);
    for (int head = 0; head < run->heads(layer); ++head)
      step += 0.5F / static_cast<float>(run->heads(layer)) * run->maps({layer, head}).weights;
    reversed = (reversed * step).eval();
  }
  EXPECT_NEAR(reversed(10, 0), .341306, 1e-5);
  EXPECT_NEAR(reversed(10, 1), .088843, 1e-5);
  std::vector<HeadId> last;
  for (int head = 0; head < run->heads(2); ++head) last.push_back({2, head});
  const Matrix mean = make_flow(run->trace, last, {}, progress).values;
  const std::vector<double> raw = {.144627, .088638, .071513};
  for (std::size_t key = 0; key < raw.size(); ++key) EXPECT_NEAR(mean(10, static_cast<Index>(key)), raw[key], 1e-5) << key;
}

TEST(RolloutReference, OfTwelveLayersOfGpt2EndsOnTheFirstToken) {
  const std::string folder = found_folder("gpt2-attention");
  if (folder.empty()) return;
  const std::vector<std::pair<const char*, double>> means{{"ex0", .651}, {"ex1", .713}, {"ex2", .670}, {"ex3", .718}, {"ex4", .673}};
  for (const auto& [name, mean] : means) {
    Query query;
    query.model.name = folder + "/" + name + ".safetensors";
    SilentProgress progress;
    const auto run = Pipeline(1).run(query, progress);
    const Matrix values = rolled(*run, {.reduction = Reduction::rollout}).values;
    const float last = values(values.rows() - 1, 0);
    EXPECT_GE(last, .99345F) << name;
    EXPECT_LE(last, .99475F) << name;
    std::vector<HeadId> heads;
    for (int head = 0; head < 12; ++head) heads.push_back({11, head});
    const Matrix plain = make_flow(run->trace, heads, {}, progress).values;
    EXPECT_NEAR(plain(plain.rows() - 1, 0), mean, 5.1e-4) << "the last layer's mean alone says less: " << name;
  }
}

}  // namespace
}  // namespace headlight
