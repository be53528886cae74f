#include "engine/labs/layer_walk.h"

#include "engine/forward/block.h"
#include "engine/forward/finish_layer.h"

namespace headlight {
namespace {

Matrix row_of(const SharedRows& rows, Index row) {
  return rows.middle_rows(row, 1);
}

}  // namespace

LayerWalk walk_layer(const Model& model, const Trace& trace, int layer, const BlockSwitches& block, Index token, ThreadPool& pool) {
  const LayerParameters& parameters = model.parameters.layer(layer);
  const ModelConfig& config = model.config;
  const bool is_norm_before = config.norm.place == NormPlace::before;
  const Matrix before = row_of(trace.layer(layer).resid_pre, token), z = row_of(trace.layer(layer).z, token);
  BlockSwitches alone = block;
  alone.has_attention_skip = false;
  Matrix middle = finish_attention(parameters, block, before, z, pool);
  if (!is_norm_before) middle = normalise(middle, parameters.norm_1);
  LayerWalk walk;
  walk.before = before.row(0);
  walk.attention = finish_attention(parameters, alone, before, z, pool).row(0);
  walk.after_attention = middle.row(0);
  LayerRequest request;
  request.block = block;
  walk.after = finish_layer(model, layer, request, before, z, pool).row(0);
  if (parameters.ff_in.weight.size() == 0) return walk;
  const Matrix& source = config.feed_forward.is_parallel ? before : middle;
  const Matrix read = is_norm_before ? normalise(source, parameters.norm_2) : source;
  const bool is_gated = parameters.ff_gate.weight.size() > 0;
  walk.inner = apply_linear(read, is_gated ? parameters.ff_gate : parameters.ff_in, pool).row(0);
  const Matrix added = feed_forward(parameters, config.feed_forward.activation, read, nullptr, pool);
  walk.feed_forward = normalise(added, parameters.branch_norm_2).row(0);
  return walk;
}

}  // namespace headlight
