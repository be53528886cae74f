#include "engine/inside/inside.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/attention/positions.h"
#include "engine/core/error.h"
#include "engine/forward/block.h"
#include "engine/forward/forward.h"
#include "engine/forward/layer_edits.h"
#include "engine/forward/layer_parts.h"
#include "engine/forward/projections.h"
#include "engine/inside/inside_row.h"

namespace headlight {
namespace {

/// W_O is kept whole up to so many numbers; beyond, the rows of the one head.
constexpr Index kLargestProjection = Index{1} << 22U;

void check(const Snapshot& snapshot, HeadId head, Index query) {
  const auto refuse = [](std::string problem, std::string found) {
    throw Error({.kind = ErrorKind::usage, .field = "inside", .problem = std::move(problem), .found = std::move(found)});
  };
  if (!snapshot.contains(head)) refuse("no such head", fmt::format("{}.{}", head.layer, head.head));
  if (snapshot.is_dump()) refuse("maps from a file hold weights alone: there is nothing inside", "");
  if (const std::string edit = edit_inside(snapshot.query, head, query); !edit.empty())
    refuse("an edit puts other numbers in the place of what this head computes, so its steps do not lead to them", edit);
  if (query < 0 || query >= snapshot.queries(head.layer)) refuse("no such query", std::to_string(query));
}

/// q and k of the whole layer before positions turn them; of q the one row, at its place among zeros.
struct Unturned {
  Projected plain, normed;
};

Unturned project_layer(const Snapshot& snapshot, int layer, const LayerParts& parts, Index query, ThreadPool& pool, const Watch& watch) {
  const Model& model = *snapshot.model;
  const LayerParameters& parameters = model.parameters.layer(layer);
  const bool has_biases = snapshot.query.block.has_biases;
  Matrix row = parts.query.row(query);
  Unturned unturned;
  Projected& plain = unturned.plain;
  const Matrix q = apply_linear(row, parameters.q, pool, has_biases, watch);
  plain.q = Matrix::Zero(parts.query.rows(), q.cols());
  plain.q.row(query) = q.row(0);
  plain.k = apply_linear(parts.key, parameters.k, pool, has_biases, watch);
  unturned.normed = plain;
  normalise_queries_and_keys(model, layer, unturned.normed, pool, watch);
  return unturned;
}

Turning turning_of(const ModelConfig& config, int layer, int d_head, Index tokens) {
  if (!turns_queries_and_keys(config, layer)) return {};
  const RotarySettings& rotary = config.rotary_of(layer);
  return {rotary_frequencies(rotary, d_head, tokens).transpose(), rotary.is_interleaved};
}

InsideQuery asking_of(const Snapshot& snapshot, const Inside& inside, const LayerParts& parts, const Unturned& unturned) {
  const LayerParameters& parameters = snapshot.model->parameters.layer(inside.head.layer);
  const Index d_head = inside.d_head(), begin = inside.head.head * d_head;
  InsideQuery asking;
  asking.x = parts.query.row(inside.query);
  asking.w_q = parameters.q.weight.to_matrix().middleCols(begin, d_head);
  if (snapshot.query.block.has_biases && parameters.q.bias.size() > 0) asking.b_q = parameters.q.bias.segment(begin, d_head);
  asking.plain = unturned.plain.q.row(inside.query).segment(begin, d_head);
  if (snapshot.model->config.scores.query_key_norm != QueryKeyNorm::none)
    asking.normed = unturned.normed.q.row(inside.query).segment(begin, d_head);
  const LayerTrace& layer = snapshot.trace.layer(inside.head.layer);
  asking.q = layer.q.middle_rows(inside.query, 1).row(0).segment(begin, d_head);
  return asking;
}

InsideOutput output_of(const Snapshot& snapshot, const Inside& inside, ThreadPool& pool, const Watch& watch) {
  const int number = inside.head.layer;
  const LayerTrace& layer = snapshot.trace.layer(number);
  const LayerParameters& parameters = snapshot.model->parameters.layer(number);
  const BlockSwitches& block = snapshot.query.block;
  const Index d_value = inside.d_value(), begin = inside.head.head * d_value;
  InsideOutput output;
  const Matrix z = layer.z.middle_rows(inside.query, 1), stream = layer.resid_pre.middle_rows(inside.query, 1);
  output.z = z.row(0);
  output.output =
      block.has_output_projection ? RowVector(apply_linear(z, parameters.o, pool, block.has_biases, watch).row(0)) : RowVector(z.row(0));
  if (block.has_output_projection) {
    output.w_o = parameters.o.weight.to_matrix();
    Matrix part(1, output.w_o.cols());
    multiply(z.middleCols(begin, d_value), output.w_o.middleRows(begin, d_value), part, watch);
    output.own_part = part.row(0);
    if (output.w_o.size() > kLargestProjection) output.w_o = Matrix(output.w_o.middleRows(begin, d_value));
    if (block.has_biases && parameters.o.bias.size() > 0) output.b_o = parameters.o.bias;
  } else {
    output.own_part = RowVector::Zero(z.cols());
    output.own_part.segment(begin, d_value) = z.row(0).segment(begin, d_value);
  }
  if (block.has_attention_skip) output.stream = stream.row(0);
  output.sum = finish_attention(parameters, block, stream, z, pool, watch).row(0);
  output.has_norm_between = !is_identity(parameters.branch_norm_1);
  output.is_normed_after = snapshot.model->config.norm.place == NormPlace::after;
  return output;
}

/// Keys with some weight, largest first; of equal ones the first.
std::vector<Index> order_by_weight(const RowVector& weights) {
  std::vector<Index> keys;
  for (Index key = 0; key < weights.size(); ++key) {
    if (weights[key] > 0) keys.push_back(key);
  }
  std::stable_sort(keys.begin(), keys.end(), [&](Index a, Index b) { return weights[a] > weights[b]; });
  return keys;
}

void take_scores(const HeadRule& rule, Inside& inside, const Watch& watch) {
  const HeadRule own = rule_of_rows(rule, inside.query, 1);
  const Matrix q = inside.asking.q;
  inside.row = row_of(compute_maps(q, inside.k, own, watch), own);
  inside.terms.resize(inside.k.rows(), inside.k.cols());
  const ScoreParameters none;
  score_function(rule.score).terms(q, inside.k, own.parameters ? *own.parameters : none, inside.terms);
  if (rule.score != ScoreKind::relative) return;
  inside.rest.resize(inside.keys());
  for (Index key = 0; key < inside.keys(); ++key)
    inside.rest[key] = inside.row.scores[key] - inside.sums_of_terms(key)[inside.d_head() - 1];
}

void take_values(Inside& inside, const Watch& watch) {
  inside.weighted.resize(inside.v.rows(), inside.v.cols());
  for (Index key = 0; key < inside.keys(); ++key) {
    const float weight = inside.row.weights[key];
    // As in mix_values: a key of weight 0 is left out, whatever its value holds.
    inside.weighted.row(key) = weight == 0 ? RowVector::Zero(inside.d_value()) : RowVector(inside.v.row(key) * weight);
  }
  const Matrix weights = inside.row.weights;
  Matrix z(1, inside.d_value());
  mix_values(weights, inside.v, z, watch);
  inside.z = z.row(0);
}

}  // namespace

std::optional<Index> Turning::partner(Index place) const {
  const Index pairs = frequencies.size();
  if (place >= 2 * pairs) return {};
  if (is_interleaved) return place ^ 1;
  return place < pairs ? place + pairs : place - pairs;
}

Index Turning::pair(Index place) const {
  return is_interleaved ? place / 2 : place % frequencies.size();
}

RowVector InsideQuery::sums(Index place) const {
  RowVector sums(x.size());
  float sum = 0;
  for (Index at = 0; at < x.size(); ++at) sums[at] = sum = std::fma(x[at], w_q(at, place), sum);
  return sums;
}

RowVector Inside::sums_of_terms(Index key) const {
  RowVector sums(d_head());
  const bool is_product = score == ScoreKind::dot || score == ScoreKind::relative;
  float sum = 0;
  for (Index at = 0; at < sums.size(); ++at) {
    sum = is_product ? std::fma(asking.q[at], k(key, at), sum) : sum + terms(key, at);
    sums[at] = sum;
  }
  return sums;
}

RowVector Inside::sums_of_values(Index count) const {
  RowVector sums = RowVector::Zero(d_value());
  for (Index key = 0; key < std::min(count, keys()); ++key) {
    const float weight = row.weights[key];
    if (weight == 0) continue;
    for (Index at = 0; at < sums.size(); ++at) sums[at] = std::fma(weight, v(key, at), sums[at]);
  }
  return sums;
}

HeadRange sharing_heads(const Inside& inside) {
  const int group = inside.heads / std::max(1, inside.kv_heads);
  return {inside.kv_head * group, (inside.kv_head + 1) * group};
}

std::string edit_inside(const Query& query, HeadId head, Index position) {
  const bool is_off = is_switched_off(query, head);  // its own z does not reach the output, and no other does
  const auto acts = [&](const Intervention& each) {
    return replaces(each, ReplacedPart::weights, head, position) || (!is_off && replaces(each, ReplacedPart::z, head, position));
  };
  const auto edit = std::find_if(query.interventions.begin(), query.interventions.end(), acts);
  return edit == query.interventions.end() ? std::string() : describe_intervention(*edit);
}

Inside look_inside(const Snapshot& snapshot, HeadId head, Index query, ThreadPool& pool, const Watch& watch) {
  check(snapshot, head, query);
  const LayerTrace& layer = snapshot.trace.layer(head.layer);
  const HeadRule& rule = layer.rule(head.head);
  const LayerRequest request = request_of_layer(snapshot.query, *snapshot.model, head.layer);
  Inside inside{.head = head,
                .query = query,
                .heads = layer.heads,
                .kv_heads = layer.kv_heads,
                .kv_head = kv_head_of(head.head, layer.heads, layer.kv_heads),
                .factor = rule.factor,
                .softcap = rule.softcap,
                .score = rule.score,
                .is_cross = snapshot.model->config.place(head.layer).stack == Stack::cross,
                .is_switched_off = is_switched_off(snapshot.query, head),
                .is_edit_on_map = request.mask_reach == MaskReach::this_head && !request.mask.rules.empty()};
  Matrix copy;
  inside.k = head_columns(layer.k, layer.kv_heads, inside.kv_head, copy);
  inside.v = head_columns(layer.v, layer.kv_heads, inside.kv_head, copy);
  const LayerParts parts = read_by_layer(*snapshot.model, snapshot.trace, head.layer, pool);
  const Unturned unturned = project_layer(snapshot, head.layer, parts, query, pool, watch);
  inside.asking = asking_of(snapshot, inside, parts, unturned);
  const Matrix unturned_keys = regroup(unturned.normed.k, request.counts);
  inside.plain_keys = head_columns(unturned_keys, layer.kv_heads, inside.kv_head);
  inside.turning = turning_of(snapshot.model->config, head.layer, request.counts.d_head, snapshot.keys(head.layer));
  take_scores(rule, inside, watch);
  take_values(inside, watch);
  inside.output = output_of(snapshot, inside, pool, watch);
  inside.by_weight = order_by_weight(inside.row.weights);
  return inside;
}

}  // namespace headlight
