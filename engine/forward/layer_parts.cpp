#include "engine/forward/layer_parts.h"

#include "engine/forward/block.h"
#include "engine/forward/forward.h"

namespace headlight {

LayerParts parts_of_layer(const Model& model, const Trace& trace, int layer, const BlockSwitches& block, ThreadPool& pool) {
  const ModelConfig& config = model.config;
  const LayerTrace& run = trace.layer(layer);
  const LayerParameters& parameters = model.parameters.layer(layer);
  LayerParts parts;
  parts.query = config.norm.place == NormPlace::before ? normalise(*run.resid_pre.whole(), parameters.norm_1) : *run.resid_pre.whole();
  parts.is_one_tensor = config.place(layer).stack != Stack::cross;
  parts.key =
      parts.is_one_tensor ? parts.query : make_memory(model, *trace.layer(config.stacks.encoder_layers - 1).resid_post.whole(), pool);
  parts.value = parts.key;
  parts.output = block.has_output_projection ? apply_linear(*run.z.whole(), parameters.o, pool, block.has_biases) : *run.z.whole();
  return parts;
}

}  // namespace headlight
