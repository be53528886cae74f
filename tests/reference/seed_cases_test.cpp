// The formulations of the seed documents on recorded random numbers, through the attention room directly.
#include <fmt/core.h>

#include <cstdio>

#include "engine/attention/multi_head.h"
#include "engine/attention/three_attempts.h"
#include "tests/reference/recorded.h"

namespace headlight {
namespace {

using testing::Difference;

constexpr double kBound = 1e-5;

/// The tensors of one case by name.
class Recorded {
 public:
  explicit Recorded(const std::filesystem::path& path) : file_(path) {}

  FloatTensor tensor(const std::string& name) const { return file_.read_floats(info(name)); }
  std::vector<std::int64_t> integers(const std::string& name) const { return file_.read_integers(info(name)); }
  /// One batch item of a tensor [batch, rows, columns].
  Matrix item(const std::string& name, Index batch) const {
    const FloatTensor all = tensor(name);
    const Index rows = all.shape.at(1), columns = all.shape.at(2);
    return Eigen::Map<const Matrix>(all.values.data() + batch * rows * columns, rows, columns);
  }
  Matrix matrix(const std::string& name) const {
    const FloatTensor all = tensor(name);
    return Eigen::Map<const Matrix>(all.values.data(), all.shape.at(0), all.shape.at(1));
  }
  /// Stored as [out, in].
  Linear linear(const std::string& name) const {
    const FloatTensor weight = tensor(name + ".weight"), bias = tensor(name + ".bias");
    return {Eigen::Map<const Matrix>(weight.values.data(), weight.shape.at(0), weight.shape.at(1)).transpose(),
            Eigen::Map<const RowVector>(bias.values.data(), std::ssize(bias.values))};
  }

 private:
  const TensorInfo& info(const std::string& name) const {
    const TensorInfo* found = file_.find(name);
    if (!found) throw Error({.file = file_.name(), .field = name, .problem = "the recording lacks this tensor"});
    return *found;
  }
  SafetensorsFile file_;
};

// Seeds S0-4, S0-6, S0-8, S0-9: separate inputs, 8 heads, a mask [batch, 1, key] for all heads and queries. Every key of the second
/// item is masked: its rows are zeros (D1).
void run_haiku(const Recorded& recorded, const Json& facts, const std::string& title) {
  const int heads = facts.at("heads").get<int>();
  const auto tokens = facts.at("seq").get<Index>();
  const Linear q = recorded.linear("q"), k = recorded.linear("k"), v = recorded.linear("v"), o = recorded.linear("o");
  const std::vector<std::int64_t> is_allowed = recorded.integers("mask");
  ThreadPool pool(2);
  for (const bool has_mask : {true, false}) {
    const std::string suffix = has_mask ? "" : "_unmasked";
    const FloatTensor attention = recorded.tensor("attention" + suffix), output = recorded.tensor("output" + suffix);
    Difference weights_error, output_error;
    for (Index batch = 0; batch < facts.at("batch").get<Index>(); ++batch) {
      Mask mask(tokens, tokens, true);
      for (Index query = 0; has_mask && query < tokens; ++query) {
        for (Index key = 0; key < tokens; ++key) mask.set(query, key, is_allowed.at(static_cast<std::size_t>(batch * tokens + key)) != 0);
      }
      const HeadRule rule{.factor = 1.0F / std::sqrt(static_cast<float>(q.weight.cols()) / static_cast<float>(heads)),
                          .mask = std::make_shared<const Mask>(mask)};
      const MultiHeadSettings settings{.rules = std::vector<HeadRule>(static_cast<std::size_t>(heads), rule)};
      std::vector<Matrix> weights(static_cast<std::size_t>(heads));
      const MultiHeadResult result =
          attend(recorded.item("query", batch), recorded.item("key", batch), recorded.item("value", batch), {q, k, v, o}, settings, pool,
                 [&](int head, const Matrix& map, const Mask&) { weights[static_cast<std::size_t>(head)] = map; });
      for (int head = 0; head < heads; ++head) {
        const Index begin = (batch * heads + head) * tokens * tokens;
        weights_error.add(attention, static_cast<std::size_t>(begin), weights[static_cast<std::size_t>(head)]);
      }
      output_error.add(output, static_cast<std::size_t>(batch * result.output.size()), result.output);
    }
    std::printf("%s%s: attention %.1e output %.1e\n", title.c_str(), suffix.c_str(), weights_error.largest(), output_error.largest());
    EXPECT_LE(weights_error.largest(), kBound);
    EXPECT_LE(output_error.largest(), kBound);
  }
}

// Seeds S4-1, S4-3, S4-4, S4-6 to S4-10: the three attempts and four heads of the final one; matrices stored as [d, D].
void run_three_attempts(const Recorded& recorded, const Json& /*facts*/, const std::string& title) {
  const Matrix vectors = recorded.matrix("v");
  std::vector<AttemptMatrices> heads;
  for (Index head = 0; head < 4; ++head) {
    heads.push_back({.shared = recorded.matrix("attempt1_W").transpose(),
                     .q = recorded.item("W_Q", head).transpose(),
                     .k = recorded.item("W_K", head).transpose(),
                     .v = recorded.item("W_V", head).transpose()});
  }
  const auto check = [&](const std::string& name, std::size_t begin, const Matrix& found) {
    Difference error;
    error.add(recorded.tensor(name), begin, found);
    std::printf("%s: %s %.1e\n", title.c_str(), name.c_str(), error.largest());
    EXPECT_LE(error.largest(), kBound) << name;
  };
  for (const auto& [attempt, name] :
       {std::pair(Attempt::shared, "attempt1"), {Attempt::asymmetric, "attempt2"}, {Attempt::final, "final"}}) {
    const AttemptResult result = run_attempt(attempt, vectors, heads[0]);
    check(std::string(name) + "_attention", 0, result.maps.weights);
    check(std::string(name) + "_output", 0, result.output);
  }
  const ConcatenatedHeads all = run_attempt_heads(Attempt::final, vectors, heads);
  for (std::size_t head = 0; head < heads.size(); ++head) {
    const Matrix& weights = all.heads[head].maps.weights;
    check("heads_attention", head * static_cast<std::size_t>(weights.size()), weights);
  }
  check("heads_output", 0, all.output);
}

/// Which recorded case shows which formulation.
struct SeedCase {
  std::string_view name;
  void (*run)(const Recorded& recorded, const Json& facts, const std::string& title);
};
constexpr SeedCase kSeedCases[] = {{"haiku_mha", run_haiku}, {"blog_three_attempts", run_three_attempts}};

class RecordedSeedCase : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(RecordedSeedCase, GivesTheRecordedNumbers) {
  const std::filesystem::path& path = GetParam();
  const auto* known =
      std::find_if(std::begin(kSeedCases), std::end(kSeedCases), [&](const SeedCase& row) { return path.stem() == row.name; });
  if (known == std::end(kSeedCases)) {
    std::printf("%s: formulation not supported yet\n", path.c_str());
    return;
  }
  std::filesystem::path facts = path;
  known->run(Recorded(path), testing::read_json(facts.replace_extension(".json")), path.stem().string());
}

std::vector<std::filesystem::path> seed_cases() {
  auto cases = testing::recorded_cases("seed-cases", [](const auto& path) { return path.extension() == ".safetensors"; });
  if (cases.empty()) testing::say_not_found("recorded seed cases");
  return cases;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RecordedSeedCase);
INSTANTIATE_TEST_SUITE_P(Found, RecordedSeedCase, ::testing::ValuesIn(seed_cases()),
                         [](const auto& found) { return fmt::format("{}_{}", testing::case_name(found.param), found.index); });

}  // namespace
}  // namespace headlight
