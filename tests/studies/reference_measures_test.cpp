// Measures of models and maps that others recorded: the tables of metrics, 10.1 and 10.3. The folders are not part of this tree.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/measures/pair_measure.h"
#include "engine/model/files/load_model.h"
#include "engine/pipeline/pipeline.h"
#include "engine/studies/text_measures.h"
#include "tests/testing.h"

namespace headlight {
namespace {

/// Mean over the prompts by request and head.
class Gpt2Anchors : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const auto& reference : testing::reference_folders()) {
      if (!std::filesystem::is_directory(reference / "gpt2-attention")) continue;
      for (const std::string name : {"ex0", "ex1", "ex2", "ex3", "ex4"}) {
        Query query;
        query.model.name = (reference / "gpt2-attention" / (name + ".safetensors")).string();
        SilentProgress progress;
        runs.push_back(Pipeline(1).run(query, progress));
      }
      return;
    }
    testing::say_not_found("reference/gpt2-attention");
  }

  std::vector<double> means(const std::string& id) const {
    std::vector<double> sums(144, 0.0);
    SilentProgress progress;
    for (const auto& run : runs) {
      const auto heads = measure_snapshot(*run, measure_requests(id, "test"), false, progress);
      for (std::size_t head = 0; head < heads.size(); ++head) sums[head] += heads[head].values.front() / static_cast<double>(runs.size());
    }
    return sums;
  }
  struct Row {
    std::string id;
    double least, tenth, median, ninth, most;
    std::size_t highest;
  };
  std::vector<std::shared_ptr<const Snapshot>> runs;
};

TEST_F(Gpt2Anchors, QuantilesOfTheHeads) {
  if (runs.empty()) return;
  for (const Row& row : {Row{"entropy", .002, .160, .622, 1.024, 1.241, 11},
                         {"normalised-entropy", .001, .124, .430, .712, .923, 11},
                         {"effective-tokens", 1.002, 1.182, 1.977, 3.117, 3.730, 11},
                         {"k-coverage", 1.000, 1.040, 2.167, 3.107, 3.913, 11},
                         {"confidence", .455, .574, .802, .965, 1.000, 59},
                         {"previous-token", .003, .194, .243, .379, 1.000, 59},
                         {"self-token", .000, .016, .060, .178, .967, 1},
                         {"first-token", .000, .431, .783, .957, .998, 61},
                         {"mean-distance", .118, 1.682, 2.543, 3.002, 3.092, 61}}) {
    std::vector<double> values = means(row.id);
    EXPECT_EQ(static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin()), row.highest) << row.id;
    std::sort(values.begin(), values.end());
    const std::vector<double> found = {values[0], values[14], values[71], values[128], values[143]};
    const std::vector<double> told = {row.least, row.tenth, row.median, row.ninth, row.most};
    for (std::size_t at = 0; at < told.size(); ++at) EXPECT_NEAR(found[at], told[at], 5.1e-4) << row.id << " " << at;
  }
}

TEST_F(Gpt2Anchors, TheHighestHeadsInTheirOrder) {
  if (runs.empty()) return;
  const std::vector<std::pair<std::string, std::vector<std::pair<int, double>>>> all = {
      {"entropy", {{11, 1.241}, {132, 1.187}}},          {"normalised-entropy", {{11, .923}, {10, .880}, {15, .878}}},
      {"confidence", {{59, 1.000}, {61, .998}}},         {"previous-token", {{59, 1.000}, {26, .630}, {38, .527}}},
      {"self-token", {{1, .967}, {5, .880}, {3, .797}}}, {"first-token", {{61, .998}, {86, .993}, {81, .992}}},
      {"mean-distance", {{61, 3.092}, {81, 3.081}}}};
  for (const auto& [id, heads] : all) {
    std::vector<double> values = means(id);
    for (const auto& [head, told] : heads) {
      const auto highest = std::max_element(values.begin(), values.end());
      EXPECT_EQ(highest - values.begin(), head) << id;
      EXPECT_NEAR(*highest, told, 5.1e-4) << id;
      *highest = -1;
    }
  }
}

TEST_F(Gpt2Anchors, OverAllRowsTheQuantilesAreOthers) {
  if (runs.empty()) return;
  // The first row has entropy 0 and distance 0, so the mean over all rows of a prompt of n tokens is (n − 1) / n of ours.
  const std::vector<std::pair<std::string, std::vector<double>>> all = {{"entropy", {.001, .134, .521, .858, 1.041}},
                                                                        {"mean-distance", {.099, 1.410, 2.133, 2.517, 2.593}}};
  SilentProgress progress;
  for (const auto& [id, told] : all) {
    std::vector<double> every(144, 0.0);
    for (const auto& run : runs) {
      const auto tokens = static_cast<double>(run->tokens());
      const auto heads = measure_snapshot(*run, measure_requests(id, "test"), false, progress);
      for (std::size_t head = 0; head < 144; ++head) {
        ASSERT_EQ(heads[head].rows.front(), run->tokens() - 1) << "the first row does not count";
        every[head] += heads[head].values.front() * (tokens - 1) / tokens / static_cast<double>(runs.size());
      }
    }
    std::vector<double> ours = means(id);
    std::sort(every.begin(), every.end());
    std::sort(ours.begin(), ours.end());
    const std::vector<std::size_t> places = {0, 14, 71, 128, 143};
    for (std::size_t at = 0; at < places.size(); ++at) {
      EXPECT_NEAR(every[places[at]], told[at], 5.1e-4) << id << " " << at;
      if (at > 0) {
        EXPECT_GT(ours[places[at]] - told[at], 5.1e-4) << id << " " << at;
      }
    }
  }
}

TEST_F(Gpt2Anchors, APerfectHeadLosesARowByTheLibrarysScore) {
  if (runs.empty()) return;
  EXPECT_NEAR(means("previous-mul")[59], .838, 5.1e-4);
  EXPECT_NEAR(means("previous-token")[59], 1.0, 5.1e-4);
}

TEST_F(Gpt2Anchors, FirstTokensAndSinks) {
  if (runs.empty()) return;
  const std::vector<double> first = means("first-token");
  EXPECT_EQ(std::count_if(first.begin(), first.end(), [](double value) { return value > 0.5; }), 121);
  EXPECT_EQ(std::count_if(first.begin(), first.end(), [](double value) { return value > 0.9; }), 39);
  const std::vector<double> layers = {.350, .556, .599, .664, .689, .815, .810, .873, .807, .869, .886, .749};
  for (std::size_t layer = 0; layer < 12; ++layer) {
    const auto begin = first.begin() + static_cast<std::ptrdiff_t>(12 * layer);
    EXPECT_NEAR(std::accumulate(begin, begin + 12, 0.0) / 12, layers[layer], 5.1e-4);
  }
  SilentProgress progress;
  int first_sinks = 0, second_sinks = 0;
  for (const auto& run : runs) {
    for (const HeadValues& head : measure_snapshot(*run, measure_requests("sink:0,sink:1", "test"), false, progress)) {
      first_sinks += head.values[0] > 0.3 ? 1 : 0;
      second_sinks += head.values[1] > 0.3 ? 1 : 0;
    }
  }
  EXPECT_NEAR(100.0 * first_sinks / 720, 96.11, 5e-3);
  EXPECT_NEAR(100.0 * second_sinks / 720, 3.19, 5e-3);
}

/// How alike all pairs of the 144 heads are, the mean of some prompts.
struct Likeness {
  double same_layer = 0, other_layers = 0;
  std::size_t closest = 1, farthest = 1;  ///< 144 a + b
  std::vector<double> values = std::vector<double>(144U * 144U, 0.0);
  static std::size_t pair(std::size_t a, std::size_t b) { return a * 144 + b; }
};

Likeness likeness_of(const std::vector<std::shared_ptr<const Snapshot>>& runs, const PairMeasure& measure) {
  Likeness found;
  for (const auto& run : runs) {
    std::vector<Matrix> maps;
    for (int head = 0; head < 144; ++head) maps.push_back(run->maps({head / 12, head % 12}).weights);
    const Mask& mask = run->trace.layer(0).mask(0);
    for (std::size_t a = 0; a < 144; ++a) {
      for (std::size_t b = a + 1; b < 144; ++b)
        found.values[Likeness::pair(a, b)] += compare_maps(measure, mask, maps[a], maps[b]) / static_cast<double>(runs.size());
    }
  }
  for (std::size_t a = 0; a < 144; ++a) {
    for (std::size_t b = a + 1; b < 144; ++b) {
      const std::size_t at = Likeness::pair(a, b);
      (a / 12 == b / 12 ? found.same_layer : found.other_layers) += found.values[at];
      if (found.values[at] < found.values[found.closest]) found.closest = at;
      if (found.values[at] > found.values[found.farthest]) found.farthest = at;
    }
  }
  found.same_layer /= 12 * 66;
  found.other_layers /= 144 * 143 / 2 - 12 * 66;
  return found;
}

TEST_F(Gpt2Anchors, HowAlikeHeadsAre) {
  if (runs.empty()) return;
  const Likeness found = likeness_of(runs, pair_measure_of("jensen-shannon"));
  EXPECT_NEAR(found.same_layer, .0920, 5.1e-5);
  EXPECT_NEAR(found.other_layers, .1225, 5.1e-5);
  EXPECT_EQ(found.closest, Likeness::pair(5 * 12 + 1, 7 * 12 + 2)) << "5.1 and 7.2";
  EXPECT_NEAR(found.values[found.closest], .0010, 5.1e-5);
  EXPECT_EQ(found.farthest, Likeness::pair(5 * 12 + 1, 11 * 12 + 8)) << "5.1 and 11.8";
  EXPECT_NEAR(found.values[found.farthest], .6848, 5.1e-5);
}

TEST_F(Gpt2Anchors, HowAlikeTheyAreByClarksSmoothing) {
  if (runs.empty()) return;
  const Likeness found = likeness_of({runs[0], runs[1]}, pair_measure_of("jensen-shannon-smoothed"));
  EXPECT_NEAR(found.same_layer, .0755, 5.1e-5);
  EXPECT_NEAR(found.other_layers, .1021, 5.1e-5);
  EXPECT_EQ(found.closest, Likeness::pair(5 * 12 + 1, 6 * 12 + 9)) << "5.1 and 6.9";
  EXPECT_NEAR(found.values[found.closest], .0004, 5.1e-5);
  EXPECT_EQ(found.farthest, Likeness::pair(1, 4 * 12 + 11)) << "0.1 and 4.11";
  EXPECT_NEAR(found.values[found.farthest], .5677, 5.1e-5);
}

TEST_F(Gpt2Anchors, OneNaturalPromptIsNoEvidence) {
  if (runs.empty()) return;
  const Matrix induction = runs[2]->maps({9, 8}).weights, early = runs[2]->maps({0, 6}).weights;
  EXPECT_NEAR(induction(5, 2), .676, 5.1e-4);
  EXPECT_NEAR(early(5, 2), .589, 5.1e-4) << "a layer-0 head cannot compose with an earlier one";
  EXPECT_NEAR(runs[2]->maps({0, 1}).weights(5, 1), .536, 5.1e-4);
  EXPECT_NEAR(runs[2]->maps({0, 5}).weights(5, 1), .517, 5.1e-4);
  EXPECT_NEAR(runs[2]->maps({0, 10}).weights(5, 1), .322, 5.1e-4);
}

class NanoGpt : public ::testing::Test {
 protected:
  static constexpr int kInputs = 729;
  void SetUp() override {
    query.model.name.clear();
    for (const auto& reference : testing::reference_folders()) {
      if (std::filesystem::is_directory(reference / "nano-gpt")) query.model.name = (reference / "nano-gpt").string();
    }
    if (query.model.name.empty()) testing::say_not_found("reference/nano-gpt");
  }
  bool is_there() const { return !query.model.name.empty(); }
  /// Six letters and the first five of them sorted.
  static std::vector<std::int64_t> ids_of(int input) {
    std::vector<std::int64_t> letters;
    for (int rest = input, at = 0; at < 6; ++at, rest /= 3) letters.push_back(rest % 3);
    std::vector<std::int64_t> ids = letters;
    std::sort(letters.begin(), letters.end());
    ids.insert(ids.end(), letters.begin(), letters.begin() + 5);
    return ids;
  }
  Query query;
};

TEST_F(NanoGpt, MeasuresOfAllItsInputs) {
  if (!is_there()) return;
  SilentProgress progress;
  const PassingRun passing(load_model(query.model, progress), query);
  ThreadPool pool(1);
  const auto requests = measure_requests("normalised-entropy,confidence,previous-token,self-token,first-token,mean-distance", "test");
  std::vector<std::vector<double>> sums(9, std::vector<double>(6, 0.0));
  for (int input = 0; input < kInputs; ++input) {
    query.ids = ids_of(input);
    const auto heads = measure_text_heads(passing, passing.tokens_of(query), requests, {}, false, pool);
    for (std::size_t head = 0; head < 9; ++head) {
      for (std::size_t request = 0; request < 6; ++request) sums[head][request] += heads[head].values[request] / kInputs;
    }
  }
  const std::vector<std::vector<double>> told = {{.9176, .3271, .1664, .2187, .1919, 3.0158}, {.9096, .3363, .1658, .2355, .1877, 2.9508},
                                                 {.7907, .4145, .1498, .2297, .1796, 3.0889}, {.9901, .2376, .2138, .1839, .2095, 2.7517},
                                                 {.9391, .3016, .2165, .1817, .2151, 2.8044}, {.9910, .2360, .2116, .1824, .2097, 2.7669},
                                                 {.9759, .2597, .2102, .2143, .1966, 2.6270}, {.9328, .3071, .2539, .2223, .2042, 2.4016},
                                                 {.9925, .2353, .1956, .1877, .2083, 2.8306}};
  for (std::size_t head = 0; head < 9; ++head) {
    for (std::size_t request = 0; request < 6; ++request)
      EXPECT_NEAR(sums[head][request], told[head][request], 6e-5) << head << " " << request;
  }
}

TEST_F(NanoGpt, HowAlikeItsHeadsAre) {
  if (!is_there()) return;
  SilentProgress progress;
  Pipeline pipeline(1);
  const PairMeasure& divergence = pair_measure_of("jensen-shannon");
  std::vector<std::pair<double, std::string>> pairs;
  for (int a = 0; a < 9; ++a) {
    for (int b = a + 1; b < 9; ++b) pairs.emplace_back(0, std::to_string(a) + " " + std::to_string(b));
  }
  for (int input = 0; input < kInputs; ++input) {
    query.ids = ids_of(input);
    const auto run = pipeline.run(query, progress);
    std::vector<Matrix> maps;
    for (int head = 0; head < 9; ++head) maps.push_back(run->maps({head / 3, head % 3}).weights);
    const Mask& mask = run->trace.layer(0).mask(0);
    auto pair = pairs.begin();
    for (std::size_t a = 0; a < 9; ++a) {
      for (std::size_t b = a + 1; b < 9; ++b, ++pair) pair->first += compare_maps(divergence, mask, maps[a], maps[b]) / kInputs;
    }
  }
  const auto [closest, farthest] = std::minmax_element(pairs.begin(), pairs.end());
  EXPECT_EQ(closest->second, "3 5") << "1.0 and 1.2";
  EXPECT_NEAR(closest->first, .0003, 5.1e-5);
  EXPECT_EQ(farthest->second, "2 7") << "0.2 and 2.1";
  EXPECT_NEAR(farthest->first, .1214, 5.1e-5);
}

}  // namespace
}  // namespace headlight
