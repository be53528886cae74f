// The formulations of the seed documents on recorded random numbers, through the attention room directly.
#include <fmt/core.h>

#include <cstdio>

#include "engine/attention/multi_head.h"
#include "engine/attention/tensor_attention.h"
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

/// Seeds S0-4, S0-6, S0-8, S0-9: separate inputs, 8 heads, a mask [batch, 1, key] for all heads and queries. Every key of the second
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

/// Runs raw tensors and holds the weights [batch, heads, query, key] and the output to what was recorded.
void expect_recorded(const std::string& title, const AttentionTensors& tensors, const TensorAttentionOptions& options,
                     const FloatTensor& weights, const std::optional<FloatTensor>& output) {
  ThreadPool pool(2);
  SilentProgress silent;
  const TensorAttention result = attend_tensors(tensors, options, pool, silent);
  Difference weights_error, output_error;
  ASSERT_EQ(result.attention.shape, weights.shape);
  for (std::size_t at = 0; at < weights.values.size(); ++at) weights_error.add(weights.values[at], result.attention.values[at]);
  if (output) {
    ASSERT_EQ(result.output.shape, output->shape);
    for (std::size_t at = 0; at < output->values.size(); ++at) output_error.add(output->values[at], result.output.values[at]);
  }
  std::printf("%s: attention %.1e", title.c_str(), weights_error.largest());
  output ? std::printf(" output %.1e\n", output_error.largest()) : std::printf(", no output recorded\n");
  EXPECT_LE(weights_error.largest(), kBound);
  EXPECT_LE(output_error.largest(), kBound);
}

/// Seeds S2-2, S2-5 to S2-9, S2-11: queries and key-value pairs of different number, lengths per item and per query, no bias; dot products
/// and additive scores.
void run_valid_lens(const Recorded& recorded, const Json& facts, const std::string& title) {
  AttentionTensors tensors;
  tensors.query = recorded.tensor("queries");
  tensors.key = tensors.value = recorded.tensor("keys_values");
  tensors.q_weight = recorded.tensor("W_q");
  tensors.k_weight = recorded.tensor("W_k");
  tensors.v_weight = recorded.tensor("W_v");
  tensors.o_weight = recorded.tensor("W_o");
  tensors.valid_lens = recorded.tensor("valid_lens");
  TensorAttentionOptions options{.heads = facts.at("num_heads").get<int>()};
  expect_recorded(title, tensors, options, recorded.tensor("attention"), recorded.tensor("output"));

  options.score = ScoreKind::additive;
  tensors.additive_vector = recorded.tensor("additive.w_v");
  tensors.additive_query = recorded.tensor("additive.W_q");
  tensors.additive_key = recorded.tensor("additive.W_k");
  expect_recorded(title + " additive", tensors, options, recorded.tensor("additive.attention"), recorded.tensor("additive.output"));

  options.score = ScoreKind::dot;
  tensors.valid_lens = recorded.tensor("valid_lens_2d");
  expect_recorded(title + " per query", tensors, options, recorded.tensor("attention_2d"), recorded.tensor("output_2d"));
}

/// [query, key, batch, heads] as [batch, heads, query, key].
FloatTensor batch_first(const FloatTensor& maps) {
  const Index pairs = maps.shape.at(0) * maps.shape.at(1), items = maps.shape.at(2) * maps.shape.at(3);
  FloatTensor result = make_tensor({maps.shape[2], maps.shape[3], maps.shape[0], maps.shape[1]});
  Eigen::Map<Matrix>(result.values.data(), items, pairs) = Eigen::Map<const Matrix>(maps.values.data(), pairs, items).transpose();
  return result;
}

/// Seeds S3-1, S3-3, S3-6, S3-7, S3-12: sequence first, masks [query, key, batch] that broadcast, biases by distance.
void run_sequence_first(const Recorded& recorded, const Json&, const std::string& title) {
  AttentionTensors tensors;
  for (const AttentionTensorName& row : attention_tensor_names()) {
    if (row.name == "x" || row.name.ends_with(".weight") || row.name.ends_with(".bias"))
      tensors.*row.part = recorded.tensor(std::string(row.name));
  }
  const FloatTensor weights = recorded.tensor("attention");
  const TensorAttentionOptions options{.heads = static_cast<int>(weights.shape.at(3)), .layout = TensorLayout::sequence_first};
  tensors.mask = recorded.tensor("mask");
  expect_recorded(title, tensors, options, batch_first(weights), recorded.tensor("output"));
  tensors.mask = recorded.tensor("causal_mask");
  expect_recorded(title + " causal", tensors, options, batch_first(recorded.tensor("attention_causal")), recorded.tensor("output_causal"));
  tensors.mask.reset();
  tensors.relative_bias = recorded.tensor("relative_bias");
  expect_recorded(title + " relative", tensors, options, batch_first(recorded.tensor("attention_relative")), {});
}

/// Which recorded case shows which formulation.
struct SeedCase {
  std::string_view name;
  void (*run)(const Recorded& recorded, const Json& facts, const std::string& title);
};
constexpr SeedCase kSeedCases[] = {
    {"haiku_mha", run_haiku},
    {"d2l_valid_lens", run_valid_lens},
    {"labml_seq_first", run_sequence_first},
};

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
