#include "app/session/labs.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/attention/dropout.h"
#include "engine/attention/layer_parts.h"
#include "engine/attention/tensor_attention.h"
#include "engine/core/random.h"

namespace headlight {
namespace {

constexpr const char* kSideKey = "lab";
constexpr std::size_t kMostHeadCounts = 16;

Matrix random_matrix(Index rows, Index columns, std::uint64_t seed, std::string_view name, float factor) {
  RandomStream stream(seed, name);
  Matrix matrix(rows, columns);
  for (float& value : matrix.reshaped<Eigen::RowMajor>()) value = stream.next_normal() * factor;
  return matrix;
}

std::vector<std::string> labels_of(const Snapshot& snapshot, const Encoding& encoding, Index most) {
  std::vector<std::string> labels;
  for (const Token& token : encoding.tokens) {
    if (static_cast<Index>(labels.size()) == most) break;
    labels.push_back(axis_label(snapshot.model->tokenizer->label(token)));
  }
  return labels;
}

/// Of a head's queries, as the layer was split.
Index head_width(const Snapshot& snapshot, int layer) {
  const LayerTrace& trace = *snapshot.trace.layers.at(static_cast<std::size_t>(layer));
  return std::max(Index{1}, trace.q.cols() / std::max(1, trace.heads));
}

std::shared_ptr<const MapPicture> picture_of(Matrix values, std::shared_ptr<const Mask> mask) {
  const Index rows = values.rows();
  const Index columns = values.cols();
  return std::make_shared<const MapPicture>(std::move(values), 1, rows, columns, std::move(mask), false);
}

/// Zero-centred: of a pixel's cells the one farthest from zero is shown.
std::shared_ptr<const MapPicture> signed_picture_of(Matrix values, std::shared_ptr<const Mask> mask) {
  const Index rows = values.rows();
  const Index columns = values.cols();
  return std::make_shared<const MapPicture>(std::move(values), 1, rows, columns, std::move(mask), true);
}

/// Matrices that keep the size of what they embed: numbers of variance 1 / D.
std::vector<AttemptMatrices> attempt_matrices(const AttemptsFound& sizes, int heads, std::uint64_t seed) {
  const auto factor = static_cast<float>(1.0 / std::sqrt(static_cast<double>(sizes.d_model)));
  std::vector<AttemptMatrices> matrices;
  for (int head = 0; head < heads; ++head) {
    const auto draw = [&](std::string_view name, Index columns) {
      return random_matrix(sizes.d_model, columns, seed, fmt::format("attempt.{}.{}", head, name), factor);
    };
    matrices.push_back({draw("w", sizes.d_head), draw("q", sizes.d_head), draw("k", sizes.d_head), draw("v", sizes.d_value)});
  }
  return matrices;
}

/// The embedded vectors of the first of the text's own tokens, each brought to length √D.
Matrix take_own_tokens(const Snapshot& snapshot, AttemptsFound& found) {
  const Matrix& embedded = snapshot.trace.embedded;
  const auto root = static_cast<float>(std::sqrt(static_cast<double>(embedded.cols())));
  Matrix vectors(std::min(kAttemptTokens, embedded.rows()), embedded.cols());
  for (Index position = 0; position < embedded.rows(); ++position) {
    const Token& token = snapshot.encoding->tokens[static_cast<std::size_t>(position)];
    if (token.is_special) {
      ++found.added_tokens;
      continue;
    }
    if (found.all_tokens++ >= kAttemptTokens) continue;
    const float length = embedded.row(position).stableNorm();
    vectors.row(found.tokens++) = embedded.row(position) * (length > 0.0F ? root / length : 0.0F);
    found.labels.push_back(axis_label(snapshot.model->tokenizer->label(token)));
  }
  return vectors.topRows(found.tokens);
}

AttemptsFound run_attempts(const LabRequest& request, Progress& progress) {
  const Snapshot& snapshot = *request.snapshot;
  AttemptsFound found;
  const Matrix vectors = take_own_tokens(snapshot, found);
  found.d_model = snapshot.trace.embedded.cols();
  found.d_head = found.d_value = head_width(snapshot, 0);
  if (found.tokens == 0) return found;
  const std::vector<AttemptMatrices> matrices = attempt_matrices(found, request.settings.attempt_heads, snapshot.query.model.sandbox.seed);
  for (const AttemptForm& form : attempt_forms()) {
    progress.step(static_cast<double>(found.columns.size()) / 4, form.name);
    ConcatenatedHeads run = run_attempt_heads(form.attempt, vectors, matrices, request.settings.includes_self);
    AttemptsFound::Column column{.attempt = form.attempt, .heads = {}};
    column.concatenated_width = run.output.cols();
    column.scale_width = form.q == nullptr ? found.d_model : found.d_head;
    for (AttemptResult& head : run.heads) {
      column.output_width = head.output.cols();
      scale_scores(head.maps.scores, head.maps.factor);
      column.heads.push_back({signed_picture_of(std::move(head.maps.scores), head.maps.mask),
                              picture_of(std::move(head.maps.weights), head.maps.mask), head.asymmetry});
    }
    found.columns.push_back(std::move(column));
  }
  return found;
}

/// The row of the head being looked at: the pinned query's, else the middle one, of which a causal mask leaves out a half.
void take_row(const LabRequest& request, FillsFound& found) {
  const Snapshot& snapshot = *request.snapshot;
  const HeadMaps maps = snapshot.maps(request.head);
  const Index last = maps.weights.rows() - 1;
  const Index query = std::clamp(request.query.value_or(last / 2), Index{0}, last);
  found.keys = labels_of(snapshot, snapshot.key_tokens(request.head.layer), maps.weights.cols());
  found.query = labels_of(snapshot, snapshot.query_tokens(request.head.layer), query + 1).back();
  for (Index key = 0; key < maps.weights.cols(); ++key) {
    found.scores.push_back(static_cast<double>(maps.final_score(query, key)));
    found.is_allowed.push_back(maps.mask->allows(query, key));
  }
  found.sink = snapshot.trace.layers.at(static_cast<std::size_t>(request.head.layer))->rule(request.head.head).sink;
}

bool is_near(const FillsFound::Row& row, const FillsFound::Row& ours) {
  for (std::size_t precision = 0; precision < ours.weights.size(); ++precision) {
    for (std::size_t key = 0; key < ours.weights[precision].size(); ++key) {
      const double distance = std::abs(row.weights[precision][key] - ours.weights[precision][key]);
      if (!(distance <= kFillRounding)) return false;  // NaN is near to nothing
    }
  }
  return true;
}

FillsFound run_fills(const LabRequest& request) {
  FillsFound found;
  if (request.settings.is_all_masked) {
    found.keys = {"1", "2", "3"};
    found.scores = {1, 2, 3};
    found.is_allowed = {false, false, false};
  } else {
    take_row(request, found);
  }
  for (const FillConvention& convention : fill_conventions()) {
    FillsFound::Row row{convention, {}};
    for (const Precision precision : {Precision::float16, Precision::float32, Precision::float64}) {
      row.weights[static_cast<std::size_t>(precision)] = fill_weights(convention, found.scores, found.is_allowed, precision, found.sink);
    }
    found.rows.push_back(std::move(row));
  }
  for (const FillsFound::Row& row : found.rows) found.all_agree = found.all_agree && is_near(row, found.rows.back());
  return found;
}

/// Variance of the allowed pairs' scores, and the mean Jacobian norm of the rows that may attend to something.
ScoreSpread spread_of_head(Matrix scores, const Mask& mask) {
  double sum = 0;
  double squares = 0;
  double count = 0;
  for (Index query = 0; query < scores.rows(); ++query) {
    for (Index key = 0; key < scores.cols(); ++key) {
      if (!mask.allows(query, key)) continue;
      const auto score = static_cast<double>(scores(query, key));
      sum += score;
      squares += score * score;
      ++count;
    }
  }
  if (count == 0) return {std::nan(""), std::nan("")};
  const double mean = sum / count;
  ScoreSpread spread{.variance = squares / count - mean * mean};
  softmax_rows(scores, mask);
  double rows = 0;
  for (Index query = 0; query < scores.rows(); ++query) {
    if (mask.allowed_in_row(query) == 0) continue;
    spread.jacobian_norm += softmax_jacobian_norm(scores.row(query));
    ++rows;
  }
  spread.jacobian_norm /= rows;
  return spread;
}

/// The mean of many small samples: with few keys the softmax has something to lose.
ScaleSample mean_sample(Index d_head, std::uint64_t seed) {
  ScaleSample mean;
  const auto add = [](ScoreSpread& to, const ScoreSpread& each) {
    to.variance += each.variance / kScaleDraws;
    to.jacobian_norm += each.jacobian_norm / kScaleDraws;
  };
  for (int draw = 0; draw < kScaleDraws; ++draw) {
    const ScaleSample sample = sample_scale(d_head, kScaleTokens, seed + static_cast<std::uint64_t>(draw));
    add(mean.unscaled, sample.unscaled);
    add(mean.scaled, sample.scaled);
  }
  return mean;
}

/// What a head does to its scores besides multiplying q and k.
std::vector<std::string> beside_products(const HeadRule& rule) {
  std::vector<std::string> parts;
  if (rule.score != ScoreKind::dot) parts.push_back(fmt::format("{} scores", score_function(rule.score).name));
  if (rule.softcap > 0) parts.push_back(fmt::format("soft-cap {:g}", rule.softcap));
  if (!rule.bias.is_empty()) parts.emplace_back("what positions add");
  if (rule.sink) parts.push_back(fmt::format("sink {:g}", *rule.sink));
  return parts;
}

ScalingFound run_scaling(const LabRequest& request, Progress& progress) {
  const Snapshot& snapshot = *request.snapshot;
  ScalingFound found;
  for (const Index d_head : {4, 16, 64, 256}) {
    progress.step(static_cast<double>(found.rows.size()) / 5, "random scores");
    found.rows.push_back({d_head, mean_sample(d_head, snapshot.query.model.sandbox.seed)});
  }
  const LayerTrace& layer = *snapshot.trace.layers.at(static_cast<std::size_t>(request.head.layer));
  const HeadRule& rule = layer.rule(request.head.head);
  found.own.d_head = head_width(snapshot, request.head.layer);
  found.left_out = beside_products(rule);
  const MatrixView q = head_columns(layer.q, layer.heads, request.head.head);
  const MatrixView k = head_columns(layer.k, layer.kv_heads, kv_head_of(request.head.head, layer.heads, layer.kv_heads));
  Matrix products;
  compute_scores(q, k, {}, products);
  found.own.sample.unscaled = spread_of_head(products, *rule.mask);
  scale_scores(products, static_cast<float>(1.0 / std::sqrt(static_cast<double>(found.own.d_head))));
  found.own.sample.scaled = spread_of_head(std::move(products), *rule.mask);
  return found;
}

/// Weights that were not zero before.
Index count_dropped(const DroppedWeights& sample) {
  return ((sample.before.array() != 0.0F) && (sample.after.array() == 0.0F)).count();
}

DropoutFound run_dropout(const LabRequest& request, Progress& progress) {
  const Snapshot& snapshot = *request.snapshot;
  const HeadMaps maps = snapshot.maps(request.head);
  const auto sample = [&](int number) {
    const DropoutSettings settings{request.settings.dropout, true, static_cast<std::uint64_t>(number)};
    return drop_weights(maps.weights, settings, fmt::format("lab.dropout.{}.{}", request.head.layer, request.head.head));
  };
  Matrix mean = Matrix::Zero(maps.weights.rows(), maps.weights.cols());
  for (int number = 1; number <= kDropoutSamples; ++number) {
    progress.step(static_cast<double>(number) / kDropoutSamples, "samples of dropout");
    mean += sample(number).after / static_cast<float>(kDropoutSamples);
  }
  DroppedWeights dropped = sample(request.settings.dropout_seed);
  DropoutFound found;
  found.weights = (dropped.before.array() != 0.0F).count();
  found.dropped = count_dropped(dropped);
  for (const Matrix* each : std::initializer_list<const Matrix*>{&dropped.before, &dropped.after, &mean}) {
    if (each->size() > 0) found.largest = std::max(found.largest, each->maxCoeff());
  }
  const Eigen::VectorXd sums = mean.cast<double>().rowwise().sum();
  found.sums_mean.assign(sums.begin(), sums.end());
  found.before = picture_of(std::move(dropped.before), maps.mask);
  found.after = picture_of(std::move(dropped.after), maps.mask);
  found.mean = picture_of(std::move(mean), maps.mask);
  found.sums_before = std::move(dropped.row_sums_before);
  found.sums_after = std::move(dropped.row_sums_after);
  found.queries = labels_of(snapshot, snapshot.query_tokens(request.head.layer), maps.weights.rows());
  found.keys = labels_of(snapshot, snapshot.key_tokens(request.head.layer), maps.weights.cols());
  found.titles = axis_titles(snapshot, request.head.layer);
  return found;
}

/// Which of q, k, v and o have a bias.
struct AttentionBiases {
  bool q = true, k = true, v = true, o = true;
};

std::int64_t count_biases(const AttentionWidths& sizes, const AttentionBiases& biases) {
  const std::int64_t q_width = sizes.heads * sizes.d_head, kv_width = sizes.kv_heads * sizes.d_head;
  return (biases.q ? q_width : 0) + (biases.k ? kv_width : 0) + (biases.v ? kv_width : 0) + (biases.o ? sizes.d_model : 0);
}

CostFound::Own own_costs(const Snapshot& snapshot, int layer) {
  const LayerTrace& trace = *snapshot.trace.layers.at(static_cast<std::size_t>(layer));
  const LayerParameters& parameters = snapshot.model->parameters.layers.at(static_cast<std::size_t>(layer));
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
    const LayerParameters& own = snapshot.model->parameters.layers.at(static_cast<std::size_t>(layer));
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

ConcatenationFound::Strip make_strip(std::string name, std::string title, const Matrix& values, int blocks, std::vector<std::string> rows) {
  ConcatenationFound::Strip strip{std::move(name), std::move(title), {}, blocks, std::move(rows), {}, 0};
  const Matrix shown = values.topRows(std::min(kStripTokens, values.rows()));
  const Index width = values.cols() / blocks;
  for (Index column = 0; column < values.cols(); ++column) {
    strip.columns.push_back(blocks == 1 ? std::to_string(column) : fmt::format("head {}, {}", column / width, column % width));
  }
  strip.largest = shown.size() > 0 ? shown.cwiseAbs().maxCoeff() : 0;
  strip.values = signed_picture_of(shown, nullptr);
  return strip;
}

/// "Q = X_Q W_Q + b_Q, normalised, turned by position": all that makes one of q, k and v.
std::string projection_title(const Snapshot& snapshot, int layer, std::string_view name, const Linear& linear, bool is_value) {
  const ModelConfig& config = snapshot.model->config;
  std::string title = fmt::format("{0} = X_{0} W_{0}", name);
  if (linear.bias.size() > 0 && snapshot.query.block.has_biases) title += fmt::format(" + b_{}", name);
  if (is_value) return title;
  if (config.query_key_norm != QueryKeyNorm::none) title += ", normalised";
  if (config.positions == PositionKind::rotary && config.place(layer).stack != Stack::cross) title += ", turned by position";
  return title;
}

ConcatenationFound run_concatenation(const LabRequest& request) {
  const Snapshot& snapshot = *request.snapshot;
  const int layer = request.head.layer;
  const LayerTrace& trace = *snapshot.trace.layers.at(static_cast<std::size_t>(layer));
  const BlockSwitches& block = snapshot.query.block;
  ThreadPool pool(1);
  const LayerParameters& parameters = snapshot.model->parameters.layers.at(static_cast<std::size_t>(layer));
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
  const auto add = [&](const char* name, std::string title, const Matrix& values, int blocks, const std::vector<std::string>& rows) {
    found.strips.push_back(make_strip(name, std::move(title), values, blocks, rows));
  };
  switch (request.settings.step) {
    case LayerStep::inputs:
      add("query input", "X_Q, times W_Q: queries", parts.query, 1, queries);
      add("key input", "X_K, times W_K: keys", parts.key, 1, keys);
      add("value input", "X_V, times W_V: values", parts.value, 1, keys);
      break;
    case LayerStep::projections:
      add("q", projection_title(snapshot, layer, "Q", parameters.q, false), trace.q, trace.heads, queries);
      add("k", projection_title(snapshot, layer, "K", parameters.k, false), trace.k, trace.kv_heads, keys);
      add("v", projection_title(snapshot, layer, "V", parameters.v, true), trace.v, trace.kv_heads, keys);
      break;
    case LayerStep::joined:
      add("z", fmt::format("Z = concat(z_0 … z_({}))", trace.heads - 1), trace.z, trace.heads, queries);
      add("output", output_title, parts.output, 1, queries);
      break;
  }
  return found;
}

}  // namespace

LabResult run_lab(const LabRequest& request, Progress& progress) {
  progress.step(0, "lab");
  switch (request.settings.lab) {
    case Lab::attempts:
      return {request, run_attempts(request, progress)};
    case Lab::mask_fills:
      return {request, run_fills(request)};
    case Lab::scaling:
      return {request, run_scaling(request, progress)};
    case Lab::dropout:
      return {request, run_dropout(request, progress)};
    case Lab::head_cost:
      return {request, run_costs(request)};
    case Lab::toy_run:
      return {request, run_toy(request, progress)};
    case Lab::concatenation:
      break;
  }
  return {request, run_concatenation(request)};
}

std::shared_ptr<const LabResult> Labs::ask(const LabRequest& request) {
  if (asked_ != request) {
    asked_ = request;
    worker_.request_side(kSideKey, [request](Progress& progress) { return std::make_shared<const LabResult>(run_lab(request, progress)); });
  }
  return std::static_pointer_cast<const LabResult>(worker_.side(kSideKey));
}

void Labs::rest() {
  if (!asked_) return;
  asked_.reset();
  worker_.drop_side(kSideKey);
}

}  // namespace headlight
