#include "engine/attention/trace.h"

#include <set>

namespace headlight {

HeadMaps rebuild_head(const LayerTrace& layer, int head) {
  if (!layer.given.empty()) {
    HeadMaps maps;
    maps.weights = layer.given[static_cast<std::size_t>(head)].weights;
    maps.mask = layer.rule(head).mask;
    maps.is_row_masked.assign(static_cast<std::size_t>(maps.weights.rows()), false);
    return maps;
  }
  const int kv_head = kv_head_of(head, layer.heads, layer.kv_heads);
  return compute_maps(head_columns(layer.q, layer.heads, head), head_columns(layer.k, layer.kv_heads, kv_head), layer.rule(head));
}

LayerMasks masks_of(const LayerTrace& layer) {
  LayerMasks masks;
  for (const HeadRule& rule : layer.rules) masks.push_back(rule.mask);
  return masks;
}

std::size_t bytes_of(const Trace& trace) {
  Index numbers = trace.embedded.size() + trace.final_hidden.size();
  std::set<std::shared_ptr<const Mask>> masks;
  for (const auto& layer : trace.layers) {
    for (const Matrix* matrix : {&layer->resid_pre, &layer->q, &layer->k, &layer->v, &layer->z, &layer->resid_post}) {
      numbers += matrix->size();
    }
    for (const GivenMap& map : layer->given) numbers += map.weights.size();
    for (const HeadRule& rule : layer->rules) masks.insert(rule.mask);
  }
  auto bytes = static_cast<std::size_t>(numbers) * sizeof(float);
  for (const auto& mask : masks) bytes += static_cast<std::size_t>(mask->queries() * mask->keys());
  return bytes;
}

}  // namespace headlight
