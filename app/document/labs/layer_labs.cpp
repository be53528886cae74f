// Labs of a whole layer: what heads cost, a toy run, the concatenation.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "app/document/labs/lab_runs.h"
#include "engine/attend/tensor_attention.h"
#include "engine/core/random.h"
#include "engine/forward/layer_parts.h"

namespace headlight {
namespace {

constexpr std::size_t kMostHeadCounts = 16;

/// Which of q, k, v and o have a bias.
struct AttentionBiases {
  bool q = true, k = true, v = true, o = true;
};

std::int64_t count_biases(const AttentionWidths& sizes, const AttentionBiases& biases) {
  const std::int64_t q_width = sizes.heads * sizes.d_head, kv_width = sizes.kv_heads * sizes.d_head;
  return (biases.q ? q_width : 0) + (biases.k ? kv_width : 0) + (biases.v ? kv_width : 0) + (biases.o ? sizes.d_model : 0);
}

CostFound::Own own_costs(const Snapshot& snapshot, int layer) {
  const LayerTrace& trace = snapshot.trace.layer(layer);
  const LayerParameters& parameters = snapshot.model->parameters.layer(layer);
  CostFound::Own own{.d_model = snapshot.model->config.d_model, .heads = trace.heads, .kv_heads = trace.kv_heads};
  own.d_head = static_cast<int>(head_width(snapshot, layer));
  if (own.kv_heads < own.heads) own.heads_per_kv_head = own.kv_heads == 1 ? 0 : own.heads / own.kv_heads;
  for (const Linear* linear : {&parameters.q, &parameters.k, &parameters.v, &parameters.o}) {
    own.parameters += linear->weight.rows() * linear->weight.cols() + linear->bias.size();
    own.bias_parameters += linear->bias.size();
  }
  return own;
}

/// Those that divide d_model, and the layer's own.
std::vector<int> listed_head_counts(const CostFound::Own& own) {
  std::vector<int> counts;
  for (int heads = 1; heads <= own.d_model && counts.size() < kMostHeadCounts; ++heads) {
    if (own.d_model % heads == 0) counts.push_back(heads);
  }
  if (std::find(counts.begin(), counts.end(), own.heads) == counts.end()) counts.push_back(own.heads);
  std::sort(counts.begin(), counts.end());
  return counts;
}

FloatTensor toy_tensor(std::vector<std::int64_t> shape, std::string_view name, float factor) {
  std::size_t count = 1;
  for (const std::int64_t side : shape) count *= static_cast<std::size_t>(side);
  FloatTensor tensor{std::move(shape), {}};
  RandomStream stream(1, name);
  tensor.values.resize(count);
  for (float& value : tensor.values) value = stream.next_normal() * factor;
  return tensor;
}

AttentionTensors toy_tensors(const LabSettings& settings) {
  constexpr float kSpread = 0.1F;  // 1 / √width
  AttentionTensors tensors;
  tensors.query = toy_tensor({kToyItems, kToyQueries, kToyWidth}, "toy.query", 1);
  tensors.key = toy_tensor({kToyItems, kToyKeys, kToyWidth}, "toy.key", 1);
  if (!settings.is_toy_random) {
    std::fill(tensors.query->values.begin(), tensors.query->values.end(), 1.0F);
    std::fill(tensors.key->values.begin(), tensors.key->values.end(), 1.0F);
  }
  tensors.value = tensors.key;
  tensors.q_weight = toy_tensor({kToyWidth, kToyWidth}, "toy.q", kSpread);
  tensors.k_weight = toy_tensor({kToyWidth, kToyWidth}, "toy.k", kSpread);
  tensors.v_weight = toy_tensor({kToyWidth, kToyWidth}, "toy.v", kSpread);
  tensors.o_weight = toy_tensor({kToyWidth, kToyWidth}, "toy.o", kSpread);
  tensors.valid_lens = FloatTensor{{kToyItems}, {static_cast<float>(settings.toy_lengths[0]), static_cast<float>(settings.toy_lengths[1])}};
  return tensors;
}

ConcatenationFound::Strip make_strip(std::string name, std::string title, const Matrix& values, int blocks, std::vector<std::string> rows,
                                     bool has_key_rows) {
  ConcatenationFound::Strip strip{std::move(name), std::move(title), {}, blocks, std::move(rows), {}, has_key_rows, 0};
  const Matrix shown = values.topRows(std::min(kStripTokens, values.rows()));
  const Index width = values.cols() / blocks;
  for (Index column = 0; column < values.cols(); ++column) {
    strip.columns.push_back(blocks == 1 ? std::to_string(column) : fmt::format("head {}, {}", column / width, column % width));
  }
  strip.largest = shown.size() > 0 ? shown.cwiseAbs().maxCoeff() : 0;
  strip.values = signed_picture_of(shown, nullptr);
  return strip;
}

/// "Q = X_Q W_Q + b_Q, normalised, rotated by position": everything that makes one of q, k and v.
std::string projection_title(const Snapshot& snapshot, int layer, std::string_view name, const Linear& linear, bool is_value) {
  const ModelConfig& config = snapshot.model->config;
  std::string title = fmt::format("{0} = X_{0} W_{0}", name);
  if (linear.bias.size() > 0 && snapshot.query.block.has_biases) title += fmt::format(" + b_{}", name);
  if (is_value) return title;
  if (config.scores.query_key_norm != QueryKeyNorm::none) title += ", normalised";
  if (config.positions.kind == PositionKind::rotary && config.place(layer).stack != Stack::cross) title += ", rotated by position";
  return title;
}

}  // namespace

CostFound run_costs(const LabRequest& request) {
  constexpr int kFloatBytes = 4;
  const Snapshot& snapshot = *request.snapshot;
  const int layer = request.head.layer;
  CostFound found;
  found.own = own_costs(snapshot, layer);
  found.queries = snapshot.queries(layer);
  found.keys = snapshot.keys(layer);
  found.has_bias = request.settings.has_bias.value_or(found.own.bias_parameters > 0);
  found.heads_per_kv_head = request.settings.heads_per_kv_head.value_or(found.own.heads_per_kv_head);
  AttentionBiases biases;
  if (found.own.bias_parameters > 0) {
    const LayerParameters& own = snapshot.model->parameters.layer(layer);
    biases = {own.q.bias.size() > 0, own.k.bias.size() > 0, own.v.bias.size() > 0, own.o.bias.size() > 0};
  }
  const auto cost_of = [&](int heads, int d_head, int kv_heads) {
    const AttentionWidths sizes{.d_model = found.own.d_model, .heads = heads, .d_head = d_head, .kv_heads = kv_heads, .has_bias = false};
    return CostFound::Cost{sizes, count_parameters(sizes).total() + (found.has_bias ? count_biases(sizes, biases) : 0),
                           count_flops(sizes, found.queries, found.keys).total(), count_cache_bytes(sizes, found.keys, kFloatBytes)};
  };
  for (const int heads : listed_head_counts(found.own)) {
    CostFound::Row row{.heads = heads, .shared = {}, .fixed = {}};
    const int group = found.heads_per_kv_head == 0 ? heads : found.heads_per_kv_head;
    if (heads % group == 0) {
      if (found.own.d_model % heads == 0) row.shared = cost_of(heads, found.own.d_model / heads, heads / group);
      row.fixed = cost_of(heads, found.own.d_head, heads / group);
    }
    found.rows.push_back(row);
  }
  return found;
}

ToyFound run_toy(const LabRequest& request, Progress& progress) {
  ThreadPool pool(1);
  const TensorAttention run = attend_tensors(toy_tensors(request.settings), {.heads = kToyHeads}, pool, progress);
  ToyFound found;
  found.output_shape = run.output.shape;
  found.parameters = run.parameters;
  constexpr Index kMapSize = kToyQueries * kToyKeys;
  for (std::size_t item = 0; item < kToyItems; ++item) {
    auto mask = std::make_shared<Mask>(kToyQueries, kToyKeys, false);
    for (Index query = 0; query < kToyQueries; ++query) {
      for (Index key = 0; key < request.settings.toy_lengths[item]; ++key) mask->set(query, key, true);
    }
    for (std::size_t head = 0; head < kToyHeads; ++head) {
      const float* first = run.attention.values.data() + (item * kToyHeads + head) * kMapSize;
      found.maps[item][head] = picture_of(Eigen::Map<const Matrix>(first, kToyQueries, kToyKeys), mask);
      found.first_rows[item][head].assign(first, first + kToyKeys);
    }
  }
  const Eigen::Map<const Matrix> rows(run.output.values.data(), kToyItems * kToyQueries, kToyWidth);
  found.widest_output_gap = static_cast<double>((rows.colwise().maxCoeff() - rows.colwise().minCoeff()).maxCoeff());
  return found;
}

ConcatenationFound run_concatenation(const LabRequest& request) {
  const Snapshot& snapshot = *request.snapshot;
  const int layer = request.head.layer;
  const LayerTrace& trace = snapshot.trace.layer(layer);
  const BlockSwitches& block = snapshot.query.block;
  ThreadPool pool(1);
  const LayerParameters& parameters = snapshot.model->parameters.layer(layer);
  const bool adds_bias = block.has_biases && parameters.o.bias.size() > 0;
  const char* output_title = !block.has_output_projection ? "Z, without W_O" : adds_bias ? "Z W_O + b_O" : "Z W_O";
  const LayerParts parts = parts_of_layer(*snapshot.model, snapshot.trace, layer, block, pool);
  ConcatenationFound found;
  found.is_one_tensor = parts.is_one_tensor;
  found.heads = trace.heads;
  found.kv_heads = trace.kv_heads;
  found.joined_width = trace.z.cols();
  found.head_width = trace.z.cols() / trace.heads;
  found.output_width = parts.output.cols();
  found.tokens = std::max(parts.query.rows(), parts.key.rows());
  const std::vector<std::string> queries = labels_of(snapshot, snapshot.query_tokens(layer), kStripTokens);
  const std::vector<std::string> keys = labels_of(snapshot, snapshot.key_tokens(layer), kStripTokens);
  const auto add = [&](const char* name, std::string title, const Matrix& values, int blocks, bool has_key_rows) {
    found.strips.push_back(make_strip(name, std::move(title), values, blocks, has_key_rows ? keys : queries, has_key_rows));
  };
  switch (request.settings.step) {
    case LayerStep::inputs:
      add("query input", "X_Q, times W_Q: queries", parts.query, 1, false);
      add("key input", "X_K, times W_K: keys", parts.key, 1, true);
      add("value input", "X_V, times W_V: values", parts.value, 1, true);
      break;
    case LayerStep::projections:
      add("q", projection_title(snapshot, layer, "Q", parameters.q, false), *trace.q.whole(), trace.heads, false);
      add("k", projection_title(snapshot, layer, "K", parameters.k, false), *trace.k.whole(), trace.kv_heads, true);
      add("v", projection_title(snapshot, layer, "V", parameters.v, true), *trace.v.whole(), trace.kv_heads, true);
      break;
    case LayerStep::joined:
      add("z", fmt::format("Z = concat(z_0 … z_({}))", trace.heads - 1), *trace.z.whole(), trace.heads, false);
      add("output", output_title, parts.output, 1, false);
      break;
  }
  return found;
}

}  // namespace headlight
