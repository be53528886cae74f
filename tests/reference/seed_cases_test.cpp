// The formulations of the seed documents on recorded random numbers, through the attention room directly.
#include <fmt/core.h>

#include <cstdio>

#include "engine/attend/tensor_attention.h"
#include "engine/attention/multi_head.h"
#include "engine/forward/forward.h"
#include "engine/labs/three_attempts.h"
#include "tests/attention/collect_maps.h"
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
    return {Matrix(Eigen::Map<const Matrix>(weight.values.data(), weight.shape.at(0), weight.shape.at(1)).transpose()),
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
      std::vector<Matrix> weights;
      const MultiHeadResult result = attend(recorded.item("query", batch), recorded.item("key", batch), recorded.item("value", batch),
                                            {q, k, v, o}, settings, pool, testing::collect_maps(weights, heads, tokens, tokens));
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

/// The matrices of separate heads, [out, in] each, side by side as one projection.
Linear joined_heads(const Recorded& recorded, std::string_view part, int heads) {
  Matrix weight;
  RowVector bias;
  for (int head = 0; head < heads; ++head) {
    const Linear own = recorded.linear(fmt::format("heads.{}.{}", head, part));
    const Index width = own.weight.cols(), begin = weight.cols();
    weight.conservativeResize(own.weight.rows(), begin + width);
    weight.rightCols(width) = own.weight.to_matrix();
    bias.conservativeResize(begin + width);
    bias.tail(width) = own.bias;
  }
  return {std::move(weight), std::move(bias)};
}

/// One bidirectional block before whose parts a LayerNorm stands, as the forward pass of any model runs it.
Model encoder_layer(const Recorded& recorded, const Json& facts) {
  const int heads = facts.at("heads").get<int>();
  Model model;
  model.config.layers = 1;
  model.config.d_model = facts.at("hidden_size").get<int>();
  model.config.heads.count = model.config.heads.kv_count = heads;
  model.config.heads.d_head = model.config.d_model / heads;
  model.config.feed_forward.d_ff = facts.at("intermediate_size").get<int>();
  model.config.mask.is_causal = false;
  model.config.feed_forward.activation = Activation::gelu_erf;
  model.config.norm.epsilon = facts.at("layer_norm_eps").get<float>();
  const auto norm = [&](const std::string& name) {
    const FloatTensor gain = recorded.tensor(name + ".weight"), bias = recorded.tensor(name + ".bias");
    return Norm{Eigen::Map<const RowVector>(gain.values.data(), std::ssize(gain.values)),
                Eigen::Map<const RowVector>(bias.values.data(), std::ssize(bias.values))};
  };
  LayerParameters layer;
  layer.norm_1 = norm("layer_norm_1");
  layer.q = joined_heads(recorded, "q", heads);
  layer.k = joined_heads(recorded, "k", heads);
  layer.v = joined_heads(recorded, "v", heads);
  layer.o = recorded.linear("output_linear");
  layer.norm_2 = norm("layer_norm_2");
  layer.ff_in = recorded.linear("linear_1");
  layer.ff_out = recorded.linear("linear_2");
  model.parameters.layers.push_back(std::move(layer));
  set_norms(model.parameters, model.config.norm);
  return model;
}

// Seeds S1-1, S1-3, S1-5, S1-6, S1-7: heads as a list, GELU (erf) feed-forward, LayerNorm before each part, both skips.
void run_encoder_layer(const Recorded& recorded, const Json& facts, const std::string& title) {
  const Model model = encoder_layer(recorded, facts);
  const Matrix x = recorded.item("input", 0);
  ThreadPool pool(2);
  const LayerRequest request = request_of_layer({}, model, 0);
  const LayerInput input{x, nullptr, layer_masks({}, 0, request.counts.heads, "none", {x.rows(), x.rows(), {}})};
  const auto trace = run_layer(model, 0, request, input, pool, {});
  Query attention_only;  // without the skip around it the feed-forward part is what is left to take away
  attention_only.block.has_feed_forward_skip = false;
  const auto branch = run_layer(model, 0, request_of_layer(attention_only, model, 0), input, pool, {});

  Difference weights_error, middle_error, output_error;
  const FloatTensor attention = recorded.tensor("attention");
  for (int head = 0; head < request.counts.heads; ++head) {
    const Matrix weights = rebuild_head(*trace, head).weights;
    weights_error.add(attention, static_cast<std::size_t>(head * weights.size()), weights);
  }
  middle_error.add(recorded.tensor("after_attention"), 0, *trace->resid_post.whole() - *branch->resid_post.whole());
  output_error.add(recorded.tensor("output"), 0, *trace->resid_post.whole());
  std::printf("%s: attention %.1e after attention %.1e output %.1e\n", title.c_str(), weights_error.largest(), middle_error.largest(),
              output_error.largest());
  EXPECT_LE(weights_error.largest(), kBound);
  EXPECT_LE(middle_error.largest(), kBound);
  EXPECT_LE(output_error.largest(), kBound);
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
    {"blog_three_attempts", run_three_attempts},
    {"encoder_layer", run_encoder_layer},
};

class RecordedSeedCase : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(RecordedSeedCase, GivesTheRecordedNumbers) {
  const std::filesystem::path& path = GetParam();
  const auto* known =
      std::find_if(std::begin(kSeedCases), std::end(kSeedCases), [&](const SeedCase& row) { return path.stem() == row.name; });
  if (known == std::end(kSeedCases)) {
    ADD_FAILURE() << path << ": no formulation of this name";
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
