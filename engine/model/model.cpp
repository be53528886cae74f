#include "engine/model/model.h"

namespace headlight {
namespace {

std::int64_t count(const Linear& linear) {
  return linear.weight.size() + linear.bias.size();
}
std::int64_t count(const Norm& norm) {
  return norm.gain.size() + norm.bias.size();
}

}  // namespace

std::int64_t parameter_count(const Parameters& parameters) {
  const Matrix* table = std::get_if<Matrix>(&parameters.embedding);
  std::int64_t total = (table ? table->size() : 0) + parameters.positions.size() + parameters.unembedding.size();
  for (const LayerParameters& layer : parameters.layers) {
    for (const Linear* linear : {&layer.q, &layer.k, &layer.v, &layer.o, &layer.ff_in, &layer.ff_out, &layer.ff_gate}) {
      total += count(*linear);
    }
    total += count(layer.norm_1) + count(layer.norm_2) + layer.sinks.size();
  }
  return total + parameters.distance_buckets.size() + count(parameters.encoder_norm) + count(parameters.final_norm);
}

}  // namespace headlight
