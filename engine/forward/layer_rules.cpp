#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/attention/positions.h"
#include "engine/core/error.h"
#include "engine/forward/forward.h"

namespace headlight {
namespace {

[[noreturn]] void refuse_score(ScoreKind kind) {
  throw Error({.kind = ErrorKind::usage,
               .field = "score",
               .problem = fmt::format("this model was not made with parameters for {} scores", score_function(kind).name),
               .expected = "dot or cosine",
               .hint = "The sandbox has parameters for every score function."});
}

void check_numbers(const ScoreSettings& score) {
  if (!(score.temperature > 0.0F) || !std::isfinite(score.temperature)) {
    throw Error({.kind = ErrorKind::usage,
                 .field = "temperature",
                 .problem = "scores cannot be divided by it",
                 .found = fmt::format("{}", score.temperature),
                 .expected = "a number above 0"});
  }
  if (!(*score.softcap >= 0.0F) || !std::isfinite(*score.softcap)) {
    throw Error({.kind = ErrorKind::usage,
                 .field = "softcap",
                 .problem = "scores cannot be capped at it",
                 .found = fmt::format("{}", *score.softcap),
                 .expected = "a number above 0, or 0 for none"});
  }
  if (score.sink && !std::isfinite(*score.sink)) {
    throw Error({.kind = ErrorKind::usage, .field = "sink", .problem = "a sink's score must be a finite number"});
  }
}

ScoreSettings settle_score(const ScoreSettings& wanted, const ModelConfig& config, const LayerParameters& parameters) {
  ScoreSettings score = wanted;
  score.kind = wanted.kind.value_or(config.scores.kind);
  score.softcap = wanted.softcap.value_or(config.scores.softcap);
  score.is_scaled = wanted.is_scaled && config.scores.is_scaled;
  check_numbers(score);
  if (*score.kind == ScoreKind::additive && parameters.additive.size() == 0) refuse_score(*score.kind);
  if (*score.kind == ScoreKind::relative && parameters.distance_keys.size() == 0) refuse_score(*score.kind);
  return score;
}

float score_factor(const ModelConfig& config, int layer, const LayerRequest& request) {
  double divisor = request.score.temperature;
  const double own = config.scores.divisor > 0 ? config.scores.divisor : std::sqrt(request.counts.d_head);
  if (request.score.is_scaled && score_function(*request.score.kind).is_scaled) divisor *= own;
  if (config.scores.is_scaled_by_layer) divisor *= layer + 1;
  return static_cast<float>(1.0 / divisor);
}

/// The vectors of far distances are those of the farthest one that the model has.
Matrix rows_by_distance(const Matrix& table, Index first_column, Index width, Index queries, Index keys) {
  const Index farthest = table.rows() / 2;
  Matrix rows(std::max<Index>(queries + keys - 1, 0), width);
  for (Index at = 0; at < rows.rows(); ++at) {
    const Index distance = std::clamp<Index>(at - (queries - 1), -farthest, farthest);
    rows.row(at) = table.row(distance + farthest).segment(first_column, width);
  }
  return rows;
}

std::shared_ptr<const ScoreParameters> score_parameters(const LayerParameters& layer, ScoreKind kind, int head, int d_head,
                                                        const Mask& mask) {
  const Index begin = Index{head} * d_head;
  auto parameters = std::make_shared<ScoreParameters>();
  if (kind == ScoreKind::additive) parameters->additive = layer.additive.segment(begin, d_head);
  if (kind == ScoreKind::relative) {
    parameters->distance_keys = rows_by_distance(layer.distance_keys, begin, d_head, mask.queries(), mask.keys());
    parameters->key_bias = layer.distance_query.segment(begin, d_head);
  }
  return parameters;
}

/// What positions add to the scores of one head, by distance.
ScoreBias position_bias(const Model& model, LayerPlace place, const LayerRequest& request, int head, const Mask& mask) {
  const ModelConfig& config = model.config;
  if (place.stack == Stack::cross || mask.queries() == 0 || mask.keys() == 0) return {};
  const auto by_distance = [](RowVector numbers) { return ScoreBias{std::make_shared<const RowVector>(std::move(numbers)), {}}; };
  if (config.positions.kind == PositionKind::alibi) {
    return by_distance(alibi_by_distance(alibi_slopes(request.counts.heads)[head], mask.queries(), mask.keys()));
  }
  if (config.positions.kind == PositionKind::t5_buckets) {
    const int own_heads =
        place.stack == Stack::decoder && config.stacks.decoder_heads > 0 ? config.stacks.decoder_heads : config.heads.count;
    const int column = head * own_heads / request.counts.heads;  // after re-splitting: that of the head its numbers come from
    const bool is_bidirectional = place.stack == Stack::encoder || (place.stack == Stack::only && !config.mask.is_causal);
    const Parameters& parameters = model.parameters;
    const bool has_own = place.stack == Stack::decoder && parameters.decoder_distance_buckets.size() > 0;
    const Matrix& table = has_own ? parameters.decoder_distance_buckets : parameters.distance_buckets;
    return by_distance(t5_by_distance(table, column, is_bidirectional, config.positions.t5, mask.queries(), mask.keys()));
  }
  return {};
}

}  // namespace

LayerRequest request_of_layer(const Query& query, const Model& model, int layer) {
  const ModelConfig& config = model.config;
  LayerRequest request;
  request.counts = resolve_head_counts(config, query.heads.value_or(config.heads_of(layer)), query.kv_heads);
  request.score = settle_score(query.score, config, model.parameters.layer(layer));
  request.mask = edits_of_layer(query.mask, layer, config.place(layer).stack);
  request.mask_reach = query.mask_reach;
  request.block = query.block;
  if (!query.block.has_output_projection && config.heads.count * config.heads.d_head != config.d_model) {
    throw Error({.kind = ErrorKind::usage,
                 .field = "output projection",
                 .problem = "without it the heads' outputs cannot be added to the residual stream",
                 .found = fmt::format("{} heads of width {}", config.heads.count, config.heads.d_head),
                 .expected = fmt::format("d_model {} together", config.d_model)});
  }
  for (const HeadId& head : query.switched_off) {
    if (head.layer == layer && head.head >= 0 && head.head < request.counts.heads) request.switched_off.push_back(head.head);
  }
  request.edits = edits_of_layer_heads(query, config, layer, request.counts.heads);
  return request;
}

std::vector<LayerRequest> requests_of_layers(const Query& query, const Model& model) {
  std::vector<LayerRequest> requests;
  requests.reserve(static_cast<std::size_t>(model.config.layers));
  for (int layer = 0; layer < model.config.layers; ++layer) requests.push_back(request_of_layer(query, model, layer));
  return requests;
}

std::vector<HeadRule> rules_of_layer(const Model& model, int layer, const LayerRequest& request, const LayerMasks& masks) {
  const LayerParameters& parameters = model.parameters.layer(layer);
  const LayerPlace place = model.config.place(layer);
  std::vector<HeadRule> rules;
  for (int head = 0; head < request.counts.heads; ++head) {
    const std::shared_ptr<const Mask>& mask = masks[static_cast<std::size_t>(head)];
    HeadRule rule{.score = *request.score.kind,
                  .factor = score_factor(model.config, layer, request),
                  .softcap = *request.score.softcap,
                  .bias = position_bias(model, place, request, head, *mask),
                  .sink = request.score.sink,
                  .mask = mask};
    if (score_function(rule.score).has_parameters)
      rule.parameters = score_parameters(parameters, rule.score, head, request.counts.d_head, *mask);
    if (!rule.sink && head < parameters.sinks.size()) rule.sink = parameters.sinks[head];
    rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace headlight
