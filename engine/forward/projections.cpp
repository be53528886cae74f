#include "engine/forward/projections.h"

#include "engine/attention/positions.h"
#include "engine/forward/block.h"

namespace headlight {

void normalise_queries_and_keys(const Model& model, int layer, Projected& projected, ThreadPool& pool, const Watch& watch) {
  const ModelConfig& config = model.config;
  const LayerParameters& parameters = model.parameters.layer(layer);
  if (config.scores.query_key_norm == QueryKeyNorm::none) return;
  const auto norm = [&](const Matrix& x, const Norm& own, int heads) {
    if (config.scores.query_key_norm == QueryKeyNorm::all_heads) return normalise(x, own, pool, watch);
    return normalise_heads(x, heads, own, pool, watch);
  };
  // By the model's own heads: their gains have no meaning for other widths.
  projected.q = norm(projected.q, parameters.q_norm, config.heads_of(layer));
  projected.k = norm(projected.k, parameters.k_norm, static_cast<int>(projected.k.cols() / config.heads.d_head));
}

bool turns_queries_and_keys(const ModelConfig& config, int layer) {
  return config.positions.kind == PositionKind::rotary && config.place(layer).stack != Stack::cross;
}

void turn_queries_and_keys(const Model& model, int layer, const HeadCounts& counts, Index first, Projected& projected, ThreadPool& pool,
                           const Watch& watch) {
  if (!turns_queries_and_keys(model.config, layer)) return;
  const Rotations rotations(model.config.rotary_of(layer), counts.d_head, first, projected.q.rows(), false, pool, watch);
  rotations.turn(projected.q, counts.heads, pool, watch);
  rotations.turn(projected.k, counts.stored_kv_heads, pool, watch);
}

}  // namespace headlight
