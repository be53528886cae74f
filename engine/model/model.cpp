#include "engine/model/model.h"

#include <set>

namespace headlight {
namespace {

std::int64_t count(const Linear& linear) {
  return linear.weight.size() + linear.bias.size();
}
std::int64_t count(const Norm& norm) {
  return norm.gain.size() + norm.bias.size();
}
/// Without its table, which several may share.
std::int64_t count(const EmbeddingParameters& embedding) {
  return embedding.types.size() + embedding.positions.size() + count(embedding.norm) + count(embedding.projection);
}

/// Tables that are counted once, however many share them.
class Tables {
 public:
  std::int64_t count(const StoredMatrix& table) { return seen_.insert(table.memory()).second ? table.size() : 0; }
  std::int64_t count(const EmbeddingParameters& embedding) {
    const StoredMatrix* table = std::get_if<StoredMatrix>(&embedding.tokens);
    return table ? count(*table) : 0;
  }

 private:
  std::set<const void*> seen_;
};

std::int64_t count(const LayerParameters& layer) {
  std::int64_t total = layer.sinks.size();
  for (const Linear* linear : {&layer.q, &layer.k, &layer.v, &layer.o, &layer.ff_in, &layer.ff_out, &layer.ff_gate}) {
    total += count(*linear);
  }
  for (const Norm* norm : {&layer.norm_1, &layer.q_norm, &layer.k_norm, &layer.branch_norm_1, &layer.norm_2, &layer.branch_norm_2}) {
    total += count(*norm);
  }
  return total;
}

}  // namespace

std::int64_t parameter_count(const Parameters& parameters) {
  Tables tables;
  std::int64_t total = tables.count(parameters.embedding) + count(parameters.embedding);
  if (parameters.decoder_embedding) total += tables.count(*parameters.decoder_embedding) + count(*parameters.decoder_embedding);
  std::set<const void*> layers;  // ALBERT's share one
  for (const LayerParameters& layer : parameters.layers) {
    if (layers.insert(layer.q.weight.stored().memory()).second) total += count(layer);
  }
  const PredictionParameters& prediction = parameters.prediction;
  total += count(prediction.dense) + count(prediction.norm) + tables.count(prediction.table) + prediction.bias.size();
  return total + parameters.distance_buckets.size() + parameters.decoder_distance_buckets.size() + count(parameters.encoder_norm) +
         count(parameters.final_norm);
}

}  // namespace headlight
