#include "engine/model/model.h"

#include <set>
#include <vector>

namespace headlight {
namespace {

/// Sums up, each table and each layer once, however many share them.
class Tally {
 public:
  template <typename Numbers>  // StoredMatrix or Weights
  void add_matrix(const Numbers& matrix) {
    if (matrix.size() == 0) return;
    sum_.numbers += matrix.size();
    sum_.bytes += matrix.bytes();
    sum_.types.insert(matrix.type());
  }
  void add(const Linear& linear) {
    add_matrix(linear.weight);
    add_floats(linear.bias.size());
  }
  void add(const Norm& norm) { add_floats(norm.gain.size() + norm.bias.size()); }
  void add(const EmbeddingParameters& embedding) {
    if (const auto* table = std::get_if<StoredMatrix>(&embedding.tokens)) add_table(*table);
    add_floats(embedding.types.size() + embedding.positions.size());
    add(embedding.norm);
    add(embedding.projection);
  }
  void add(const LayerParameters& layer) {
    if (!layers_.insert(layer.q.weight.memory()).second) return;  // ALBERT's share one
    for (const Linear* linear : {&layer.q, &layer.k, &layer.v, &layer.o, &layer.ff_in, &layer.ff_out, &layer.ff_gate}) add(*linear);
    for (const Norm* norm : {&layer.norm_1, &layer.q_norm, &layer.k_norm, &layer.branch_norm_1, &layer.norm_2, &layer.branch_norm_2}) {
      add(*norm);
    }
    add_floats(layer.sinks.size());
  }
  void add_table(const StoredMatrix& table) {
    if (tables_.insert(table.memory()).second) add_matrix(table);
  }
  /// Small tensors are kept as float32, whatever their file had.
  void add_floats(Index numbers) {
    sum_.numbers += numbers;
    sum_.bytes += static_cast<std::uint64_t>(numbers) * sizeof(float);
  }
  const ParameterTally& sum() const { return sum_; }

 private:
  std::set<const void*> tables_, layers_;
  ParameterTally sum_;
};

}  // namespace

void set_norms(Parameters& parameters, const NormSettings& settings) {
  std::vector<Norm*> norms = {&parameters.embedding.norm, &parameters.prediction.norm, &parameters.encoder_norm, &parameters.final_norm};
  if (parameters.decoder_embedding) norms.push_back(&parameters.decoder_embedding->norm);
  for (LayerParameters& layer : parameters.layers) {
    norms.insert(norms.end(), {&layer.norm_1, &layer.q_norm, &layer.k_norm, &layer.branch_norm_1, &layer.norm_2, &layer.branch_norm_2});
  }
  for (Norm* norm : norms) {
    norm->kind = settings.kind;
    norm->epsilon = settings.epsilon;
  }
}

ParameterTally tally_parameters(const Parameters& parameters) {
  Tally tally;
  tally.add(parameters.embedding);
  if (parameters.decoder_embedding) tally.add(*parameters.decoder_embedding);
  for (const LayerParameters& layer : parameters.layers) tally.add(layer);
  const PredictionParameters& prediction = parameters.prediction;
  tally.add(prediction.dense);
  tally.add(prediction.norm);
  tally.add_table(prediction.table);
  tally.add_floats(prediction.bias.size() + parameters.distance_buckets.size() + parameters.decoder_distance_buckets.size());
  tally.add(parameters.encoder_norm);
  tally.add(parameters.final_norm);
  tally.add(parameters.final_projection);
  return tally.sum();
}

}  // namespace headlight
