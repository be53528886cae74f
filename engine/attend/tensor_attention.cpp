#include "engine/attend/tensor_attention.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/attend/tensor_plan.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr std::int64_t kListedRows = 4;

/// One batch item on its way through the heads.
struct Item {
  Projected projected;  ///< q, k, v of all heads; k and v start with the past
  Projected compared;   ///< what the score function takes: q and k, or what additive scores make of them
  MultiHeadSettings settings;
};

Matrix with_past(const std::optional<TokenTensor>& past, Index batch, Matrix present) {
  if (!past) return present;
  Matrix all(past->tokens() + present.rows(), present.cols());
  all << past->item(batch), present;
  return all;
}

/// Every head's columns through one small matrix.
Matrix apply_per_head(const Matrix& joined, Index heads, const Linear& linear, ThreadPool& pool) {
  Matrix result(joined.rows(), heads * linear.weight.cols());
  for (Index head = 0; head < heads; ++head) {
    const Matrix part = head_columns(joined, static_cast<int>(heads), static_cast<int>(head));
    result.middleCols(head * linear.weight.cols(), linear.weight.cols()) = apply_linear(part, linear, pool);
  }
  return result;
}

RowVector row_of(const FloatTensor& tensor, Index head) {
  const Index width = tensor.shape.back();
  return Eigen::Map<const RowVector>(tensor.values.data() + head * width, width);
}

std::shared_ptr<const ScoreParameters> score_parameters(const AttentionTensors& tensors, ScoreKind score, Index head) {
  if (score != ScoreKind::additive && score != ScoreKind::relative) return nullptr;
  auto parameters = std::make_shared<ScoreParameters>();
  if (score == ScoreKind::additive) {
    parameters->additive = row_of(*tensors.additive_vector, 0);
    return parameters;
  }
  if (tensors.distance_keys) {
    const Index rows = tensors.distance_keys->shape[1], columns = tensors.distance_keys->shape[2];
    parameters->distance_keys = Eigen::Map<const Matrix>(tensors.distance_keys->values.data() + head * rows * columns, rows, columns);
  }
  if (tensors.key_bias) parameters->key_bias = row_of(*tensors.key_bias, head);
  if (tensors.distance_bias) parameters->distance_bias = row_of(*tensors.distance_bias, head);
  return parameters;
}

MultiHeadSettings settings_of(const AttentionTensors& tensors, const TensorAttentionOptions& options, const TensorPlan& plan, Index batch) {
  MultiHeadSettings settings{.kv_heads = static_cast<int>(plan.kv_heads)};
  const std::vector<HeadMask> masks = plan.masks.of_item(batch);
  for (Index head = 0; head < plan.sizes.heads; ++head) {
    const HeadMask& mask = masks[static_cast<std::size_t>(head)];
    HeadRule rule{.score = options.score,
                  .parameters = score_parameters(tensors, options.score, head),
                  .factor = plan.scale,
                  .softcap = options.softcap,
                  .softmax_precision = options.softmax_precision,
                  .mask = mask.mask};
    rule.bias.by_cell = mask.bias;
    rule.sink = options.sink;
    if (!options.sink && tensors.sinks) rule.sink = tensors.sinks->values[static_cast<std::size_t>(head)];
    if (tensors.relative_bias) rule.bias.by_distance = std::make_shared<const RowVector>(row_of(*tensors.relative_bias, head));
    settings.rules.push_back(std::move(rule));
  }
  return settings;
}

Item prepare_item(const AttentionTensors& tensors, const TensorAttentionOptions& options, const TensorPlan& plan, Index batch,
                  ThreadPool& pool) {
  Item item;
  item.projected.q = plan.q.apply(plan.query.item(batch), pool);
  item.projected.k = with_past(plan.past_key, batch, plan.k.apply(plan.key.item(batch), pool));
  item.projected.v = with_past(plan.past_value, batch, plan.v.apply(plan.value.item(batch), pool));
  item.compared = item.projected;
  if (plan.additive_query) item.compared.q = apply_per_head(item.projected.q, plan.sizes.heads, *plan.additive_query, pool);
  if (plan.additive_key) item.compared.k = apply_per_head(item.projected.k, plan.kv_heads, *plan.additive_key, pool);
  item.settings = settings_of(tensors, options, plan, batch);
  return item;
}

/// The steps of attend_head up to `stage`, which comes before the softmax.
Matrix scores_at(const MatrixView& q, const MatrixView& k, const HeadRule& rule, ScoreStage stage) {
  Matrix scores;
  compute_scores(q, k, rule, scores);
  scale_scores(scores, rule.factor);
  if (stage == ScoreStage::scaled) return scores;
  cap_scores(scores, rule.softcap);
  if (stage == ScoreStage::capped) return scores;
  add_bias(scores, rule.bias);
  mask_scores(scores, *rule.mask);
  return scores;
}

void put_map(FloatTensor& maps, const AttentionSizes& sizes, Index batch, Index head, const Matrix& map) {
  std::copy_n(map.data(), map.size(), maps.values.data() + (batch * sizes.heads + head) * map.size());
}

/// Behind their reach the tensor is 0 already.
void put_rows(FloatTensor& maps, const AttentionSizes& sizes, Index batch, Index head, const HeadRows& rows) {
  Eigen::Map<Matrix> map(maps.values.data() + (batch * sizes.heads + head) * sizes.queries * sizes.keys, sizes.queries, sizes.keys);
  map.block(rows.first_query, 0, rows.weights.rows(), rows.weights.cols()) = rows.weights;
}

void put_scores(TensorAttention& result, const Item& item, ScoreStage stage, Index batch, ThreadPool& pool) {
  const int heads = static_cast<int>(result.sizes.heads), kv_heads = item.settings.kv_heads;
  pool.for_each(heads, [&](Index number) {
    const int head = static_cast<int>(number);
    const Matrix scores =
        scores_at(head_columns(item.compared.q, heads, head), head_columns(item.compared.k, kv_heads, kv_head_of(head, heads, kv_heads)),
                  item.settings.rules[static_cast<std::size_t>(head)], stage);
    put_map(result.scores, result.sizes, batch, head, scores);
  });
}

void count_masked_rows(TensorAttention& result, const MultiHeadSettings& settings, Index batch) {
  for (std::size_t head = 0; head < settings.rules.size(); ++head) {
    const Mask& mask = *settings.rules[head].mask;
    for (Index query = 0; query < mask.queries(); ++query) {
      if (mask.allowed_in_row(query) > 0) continue;
      if (result.masked_row_count++ < kListedRows) result.masked_rows.push_back(shape_text({batch, static_cast<Index>(head), query}));
    }
  }
}

/// The masks of one item beside those of the others; the tensor is made at the first cell that is forbidden.
void keep_masks(TensorAttention& result, const MultiHeadSettings& settings, bool is_per_head, Index batch) {
  const AttentionSizes& sizes = result.sizes;
  const Index heads = is_per_head ? sizes.heads : 1, size = sizes.queries * sizes.keys;
  for (Index head = 0; head < heads; ++head) {
    const Mask& mask = *settings.rules[static_cast<std::size_t>(head)].mask;
    for (Index query = 0, cell = 0; query < sizes.queries; ++query) {
      const std::uint8_t* const row = mask.row(query);
      for (Index key = 0; key < sizes.keys; ++key, ++cell) {
        if (row[key] != 0) continue;
        if (result.mask.values.empty()) {
          result.mask = make_tensor({sizes.batch, heads, sizes.queries, sizes.keys});
          std::fill(result.mask.values.begin(), result.mask.values.end(), 1.0F);
        }
        result.mask.values[static_cast<std::size_t>((batch * heads + head) * size + cell)] = 0;
      }
    }
  }
}

void allocate(TensorAttention& result, const TensorAttentionOptions& options, const TensorPlan& plan) {
  const AttentionSizes& sizes = plan.sizes;
  const auto tokens = [&](Index width) {
    const bool is_batch_first = options.layout == TensorLayout::batch_first;
    return make_tensor(is_batch_first ? std::vector<std::int64_t>{sizes.batch, sizes.queries, width}
                                      : std::vector<std::int64_t>{sizes.queries, sizes.batch, width});
  };
  const Index joined = sizes.heads * plan.d_value;
  result.attention = make_tensor({sizes.batch, sizes.heads, sizes.queries, sizes.keys});
  result.output = tokens(plan.o.width_for(joined));
  if (options.stage) result.scores = make_tensor(result.attention.shape);
  if (!options.keeps_parts) return;
  result.q = make_tensor({sizes.batch, sizes.heads, sizes.queries, plan.d_head});
  result.k = make_tensor({sizes.batch, plan.kv_heads, sizes.keys, plan.d_key});
  result.v = make_tensor({sizes.batch, plan.kv_heads, sizes.keys, plan.d_value});
  result.z = tokens(joined);
}

void run_item(TensorAttention& result, const Item& item, const TensorPlan& plan, const TensorAttentionOptions& options, Index batch,
              ThreadPool& pool) {
  const HeadObserver keep = [&](int head, const HeadRows& rows) { put_rows(result.attention, result.sizes, batch, head, rows); };
  const Matrix z = attend_heads(item.compared, item.settings, pool, keep);
  put_item(result.output, options.layout, batch, plan.o.apply(z, pool));
  if (options.stage && *options.stage != ScoreStage::weights) put_scores(result, item, *options.stage, batch, pool);
  count_masked_rows(result, item.settings, batch);
  keep_masks(result, item.settings, plan.masks.is_per_head(), batch);
  if (!options.keeps_parts) return;
  put_split_item(result.q, batch, item.projected.q);
  put_split_item(result.k, batch, item.projected.k);
  put_split_item(result.v, batch, item.projected.v);
  put_item(result.z, options.layout, batch, z);
}

}  // namespace

TensorAttention attend_tensors(const AttentionTensors& tensors, const TensorAttentionOptions& options, ThreadPool& pool,
                               Progress& progress) {
  const TensorPlan plan = plan_attention(tensors, options);
  TensorAttention result;
  result.sizes = plan.sizes;
  result.kv_heads = plan.kv_heads;
  result.d_head = plan.d_head;
  result.d_value = plan.d_value;
  result.scale = plan.scale;
  result.parameters = plan.q.parameters() + plan.k.parameters() + plan.v.parameters() + plan.o.parameters();
  result.notes = plan.notes;
  allocate(result, options, plan);
  for (Index batch = 0; batch < plan.sizes.batch; ++batch) {
    progress.step(static_cast<double>(batch) / static_cast<double>(plan.sizes.batch), "attending");
    run_item(result, prepare_item(tensors, options, plan, batch, pool), plan, options, batch, pool);
  }
  if (options.stage == ScoreStage::weights) result.scores = result.attention;
  for (const FloatTensor* checked : {&result.attention, &result.output}) {
    const NonFinite found = count_non_finite(checked->values);
    result.overflow.nan += found.nan;
    result.overflow.infinite += found.infinite;
  }
  return result;
}

FloatTensor project_heads(const NamedTensor& x, const ProjectionTensors& projection, int heads, ThreadPool& pool) {
  const FloatTensor& tensor = x.tensor;
  if (tensor.shape.size() < 2 || tensor.values.empty()) {
    throw Error({.kind = ErrorKind::input,
                 .field = "tensor " + x.name,
                 .problem = "nothing to project",
                 .found = shape_text(tensor.shape),
                 .expected = "[..., width] without an axis of size 0"});
  }
  check_finite(x.name, tensor);
  check_finite(projection.name + ".weight", projection.weight);
  if (projection.bias) check_finite(projection.name + ".bias", *projection.bias);
  const Index width = tensor.shape.back(), rows = std::ssize(tensor.values) / width;
  const Projection checked =
      make_projection(projection.name, projection.weight, projection.bias ? std::optional(*projection.bias) : std::nullopt, width,
                      fmt::format("{} is {} wide", x.name, width));
  const Index d_head = width_per_head(checked.width_for(width), heads, "heads", fmt::format("rows of {}.weight", projection.name));
  const Matrix projected = checked.apply(Eigen::Map<const Matrix>(tensor.values.data(), rows, width), pool);
  FloatTensor result{tensor.shape, {projected.data(), projected.data() + projected.size()}};
  result.shape.back() = heads;
  result.shape.push_back(d_head);
  return result;
}

}  // namespace headlight
