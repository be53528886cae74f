#include "engine/attention/trace.h"

#include <set>

namespace headlight {

HeadMaps rebuild_head(const LayerTrace& layer, int head) {
  HeadMaps maps;
  maps.factor = layer.factor;
  maps.mask = layer.masks[static_cast<std::size_t>(head)];
  compute_scores(head_columns(layer.q, layer.heads, head), head_columns(layer.k, layer.heads, head), maps.scores);
  maps.weights = maps.scores;
  scale_scores(maps.weights, maps.factor);
  softmax_rows(maps.weights, *maps.mask);
  for (Index query = 0; query < maps.mask->queries(); ++query) maps.is_row_masked.push_back(maps.mask->allowed_in_row(query) == 0);
  return maps;
}

std::size_t bytes_of(const Trace& trace) {
  Index numbers = trace.embedded.size() + trace.final_hidden.size();
  std::set<std::shared_ptr<const Mask>> masks;
  for (const auto& layer : trace.layers) {
    for (const Matrix* matrix : {&layer->resid_pre, &layer->q, &layer->k, &layer->v, &layer->z, &layer->resid_post}) {
      numbers += matrix->size();
    }
    masks.insert(layer->masks.begin(), layer->masks.end());
  }
  auto bytes = static_cast<std::size_t>(numbers) * sizeof(float);
  for (const auto& mask : masks) bytes += static_cast<std::size_t>(mask->queries() * mask->keys());
  return bytes;
}

}  // namespace headlight
