#include "engine/forward/layer_parts.h"

#include "engine/forward/block.h"
#include "engine/forward/forward.h"

namespace headlight {

LayerParts read_by_layer(const Model& model, const Trace& trace, int layer, ThreadPool& pool) {
  const ModelConfig& config = model.config;
  const LayerTrace& run = trace.layer(layer);
  const Norm& norm = model.parameters.layer(layer).norm_1;
  LayerParts parts;
  parts.query = config.norm.place == NormPlace::before ? normalise(*run.resid_pre.whole(), norm) : *run.resid_pre.whole();
  parts.is_one_tensor = config.place(layer).stack != Stack::cross;
  parts.key =
      parts.is_one_tensor ? parts.query : make_memory(model, *trace.layer(config.stacks.encoder_layers - 1).resid_post.whole(), pool);
  parts.value = parts.key;
  return parts;
}

LayerParts parts_of_layer(const Model& model, const Trace& trace, int layer, const BlockSwitches& block, ThreadPool& pool) {
  const LayerTrace& run = trace.layer(layer);
  LayerParts parts = read_by_layer(model, trace, layer, pool);
  const Linear& projection = model.parameters.layer(layer).o;
  parts.output = block.has_output_projection ? apply_linear(*run.z.whole(), projection, pool, block.has_biases) : *run.z.whole();
  return parts;
}

}  // namespace headlight
