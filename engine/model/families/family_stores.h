// Where a family's tensors go, by the kinds of places there are.
#pragma once

#include <numeric>

#include "engine/model/families/families.h"

namespace headlight::store {

using L = LayerParameters;

inline RowVector vector_of(const StoredMatrix& tensor) {
  return tensor.to_matrix().row(0);
}

/// PyTorch's Linear: [out, in].
template <Linear L::*linear>
void weight(Parameters& parameters, Spot spot, const StoredMatrix& tensor, const FileConfig&) {
  (parameters.layers[spot.layer].*linear).weight = Weights(tensor, Weights::Layout::out_in);
}
/// GPT-2's Conv1D: [in, out].
template <Linear L::*linear>
void conv1d(Parameters& parameters, Spot spot, const StoredMatrix& tensor, const FileConfig& file) {
  (parameters.layers[spot.layer].*linear).weight = Weights(tensor, file.conv1d);
}
template <Linear L::*linear>
void bias(Parameters& parameters, Spot spot, const StoredMatrix& tensor, const FileConfig&) {
  (parameters.layers[spot.layer].*linear).bias = vector_of(tensor);
}

template <Norm L::*norm>
void gain(Parameters& parameters, Spot spot, const StoredMatrix& tensor, const FileConfig&) {
  (parameters.layers[spot.layer].*norm).gain = vector_of(tensor);
}
template <Norm L::*norm>
void shift(Parameters& parameters, Spot spot, const StoredMatrix& tensor, const FileConfig&) {
  (parameters.layers[spot.layer].*norm).bias = vector_of(tensor);
}
/// Gemma stores how far a gain is from 1.
template <Norm L::*norm>
void gain_from_one(Parameters& parameters, Spot spot, const StoredMatrix& tensor, const FileConfig&) {
  (parameters.layers[spot.layer].*norm).gain = vector_of(tensor).array() + 1.0F;
}
/// One norm before attention and feed-forward.
inline void gain_of_both(Parameters& parameters, Spot spot, const StoredMatrix& tensor, const FileConfig&) {
  L& layer = parameters.layers[spot.layer];
  layer.norm_1.gain = layer.norm_2.gain = vector_of(tensor);
}
inline void shift_of_both(Parameters& parameters, Spot spot, const StoredMatrix& tensor, const FileConfig&) {
  L& layer = parameters.layers[spot.layer];
  layer.norm_1.bias = layer.norm_2.bias = vector_of(tensor);
}
/// A gain for every head, one tensor each: put side by side.
template <Norm L::*norm>
void gain_of_head(Parameters& parameters, Spot spot, const StoredMatrix& tensor, const FileConfig&) {
  RowVector& joined = (parameters.layers[spot.layer].*norm).gain;
  joined.conservativeResize(joined.size() + tensor.cols());
  joined.tail(tensor.cols()) = vector_of(tensor);
}

template <Norm Parameters::*norm>
void gain(Parameters& parameters, Spot, const StoredMatrix& tensor, const FileConfig&) {
  (parameters.*norm).gain = vector_of(tensor);
}
template <Norm Parameters::*norm>
void shift(Parameters& parameters, Spot, const StoredMatrix& tensor, const FileConfig&) {
  (parameters.*norm).bias = vector_of(tensor);
}
template <Norm Parameters::*norm>
void gain_from_one(Parameters& parameters, Spot, const StoredMatrix& tensor, const FileConfig&) {
  (parameters.*norm).gain = vector_of(tensor).array() + 1.0F;
}

/// The embedding of an encoder, or the only one; the decoder's own.
inline EmbeddingParameters& first(Parameters& parameters) {
  return parameters.embedding;
}
inline EmbeddingParameters& decoder(Parameters& parameters) {
  if (!parameters.decoder_embedding) parameters.decoder_embedding.emplace();
  return *parameters.decoder_embedding;
}
using EmbeddingOf = EmbeddingParameters& (*)(Parameters&);

template <EmbeddingOf of = first>
void table(Parameters& parameters, Spot, const StoredMatrix& tensor, const FileConfig&) {
  of(parameters).tokens = tensor;
}
inline void table_of_both(Parameters& parameters, Spot, const StoredMatrix& tensor, const FileConfig&) {
  parameters.embedding.tokens = tensor;
  decoder(parameters).tokens = tensor;
}
/// The encoder's own table beside the shared one, which stays with the decoder and the output head.
inline void own_table(Parameters& parameters, Spot, const StoredMatrix& tensor, const FileConfig&) {
  if (!parameters.decoder_embedding) decoder(parameters).tokens = parameters.embedding.tokens;
  parameters.embedding.tokens = tensor;
}
/// The decoder's own table; the shared one stays with the encoder and the output head.
inline void own_decoder_table(Parameters& parameters, Spot, const StoredMatrix& tensor, const FileConfig&) {
  const auto* shared = std::get_if<StoredMatrix>(&parameters.last_embedding().tokens);
  if (parameters.prediction.table.size() == 0 && shared) parameters.prediction.table = *shared;
  decoder(parameters).tokens = tensor;
}
inline void types(Parameters& parameters, Spot, const StoredMatrix& tensor, const FileConfig&) {
  parameters.embedding.types = tensor.to_matrix();
}
template <EmbeddingOf of = first>
void positions(Parameters& parameters, Spot, const StoredMatrix& tensor, const FileConfig& file) {
  of(parameters).positions = tensor.middle_rows(file.position_offset, tensor.rows() - file.position_offset).to_matrix();
}
template <EmbeddingOf of = first>
void embedding_gain(Parameters& parameters, Spot, const StoredMatrix& tensor, const FileConfig&) {
  of(parameters).norm.gain = vector_of(tensor);
}
template <EmbeddingOf of = first>
void embedding_shift(Parameters& parameters, Spot, const StoredMatrix& tensor, const FileConfig&) {
  of(parameters).norm.bias = vector_of(tensor);
}
inline void embedding_projection(Parameters& parameters, Spot, const StoredMatrix& tensor, const FileConfig&) {
  parameters.embedding.projection.weight = Weights(tensor, Weights::Layout::out_in);
}
inline void embedding_projection_bias(Parameters& parameters, Spot, const StoredMatrix& tensor, const FileConfig&) {
  parameters.embedding.projection.bias = vector_of(tensor);
}

inline void final_projection(Parameters& parameters, Spot, const StoredMatrix& tensor, const FileConfig&) {
  parameters.final_projection.weight = Weights(tensor, Weights::Layout::out_in);
}
inline void prediction_table(Parameters& parameters, Spot, const StoredMatrix& tensor, const FileConfig&) {
  parameters.prediction.table = tensor;
}
inline void prediction_bias(Parameters& parameters, Spot, const StoredMatrix& tensor, const FileConfig&) {
  parameters.prediction.bias = vector_of(tensor);
}
inline void prediction_dense(Parameters& parameters, Spot, const StoredMatrix& tensor, const FileConfig&) {
  parameters.prediction.dense.weight = Weights(tensor, Weights::Layout::out_in);
}
inline void prediction_dense_bias(Parameters& parameters, Spot, const StoredMatrix& tensor, const FileConfig&) {
  parameters.prediction.dense.bias = vector_of(tensor);
}
inline void prediction_gain(Parameters& parameters, Spot, const StoredMatrix& tensor, const FileConfig&) {
  parameters.prediction.norm.gain = vector_of(tensor);
}
inline void prediction_shift(Parameters& parameters, Spot, const StoredMatrix& tensor, const FileConfig&) {
  parameters.prediction.norm.bias = vector_of(tensor);
}

/// Bias by bucket, for a whole stack though it is stored in the stack's first layer.
inline void buckets(Parameters& parameters, Spot, const StoredMatrix& tensor, const FileConfig&) {
  parameters.distance_buckets = tensor.to_matrix();
}
inline void decoder_buckets(Parameters& parameters, Spot, const StoredMatrix& tensor, const FileConfig&) {
  parameters.decoder_distance_buckets = tensor.to_matrix();
}

/// q, k and v in one tensor.
struct Joined {
  Index q = 0, kv = 0;  ///< their widths
  explicit Joined(const FileConfig& file)
      : q(Index{file.sizes.heads.count} * file.sizes.heads.d_head), kv(Index{file.sizes.heads.kv_count} * file.sizes.heads.d_head) {}
};
inline void joined(Parameters& parameters, Spot spot, const StoredMatrix& tensor, const FileConfig& file, Weights::Layout layout) {
  const Joined width(file);
  const auto part = [&](Index begin, Index count) {
    const bool has_columns = layout == Weights::Layout::in_out;
    return Weights(has_columns ? tensor.middle_columns(begin, count) : tensor.middle_rows(begin, count), layout);
  };
  L& layer = parameters.layers[spot.layer];
  layer.q.weight = part(0, width.q);
  layer.k.weight = part(width.q, width.kv);
  layer.v.weight = part(width.q + width.kv, width.kv);
}
/// [in, q + k + v] (GPT-2).
inline void joined_conv1d(Parameters& parameters, Spot spot, const StoredMatrix& tensor, const FileConfig& file) {
  joined(parameters, spot, tensor, file, file.conv1d);
}
/// [q + k + v, in] (Phi-3).
inline void joined_rows(Parameters& parameters, Spot spot, const StoredMatrix& tensor, const FileConfig& file) {
  joined(parameters, spot, tensor, file, Weights::Layout::out_in);
}
inline void joined_bias(Parameters& parameters, Spot spot, const StoredMatrix& tensor, const FileConfig& file) {
  const Joined width(file);
  const RowVector bias = vector_of(tensor);
  L& layer = parameters.layers[spot.layer];
  layer.q.bias = bias.head(width.q);
  layer.k.bias = bias.segment(width.q, width.kv);
  layer.v.bias = bias.tail(width.kv);
}
/// [heads · (q, k, v), in] (GPT-NeoX): part 0, 1 or 2 of every head.
inline std::vector<Index> rows_of_part(const ModelConfig& sizes, int part) {
  std::vector<Index> rows;
  for (Index head = 0; head < sizes.heads.count; ++head) {
    for (Index row = 0; row < sizes.heads.d_head; ++row) rows.push_back((3 * head + part) * sizes.heads.d_head + row);
  }
  return rows;
}
inline void joined_by_head(Parameters& parameters, Spot spot, const StoredMatrix& tensor, const FileConfig& file) {
  L& layer = parameters.layers[spot.layer];
  int part = 0;
  for (Linear* linear : {&layer.q, &layer.k, &layer.v}) {
    linear->weight = Weights(tensor.gather_rows(rows_of_part(file.sizes, part++)), Weights::Layout::out_in);
  }
}
inline void joined_bias_by_head(Parameters& parameters, Spot spot, const StoredMatrix& tensor, const FileConfig& file) {
  const RowVector joined = vector_of(tensor);
  L& layer = parameters.layers[spot.layer];
  int part = 0;
  for (Linear* linear : {&layer.q, &layer.k, &layer.v}) linear->bias = joined(rows_of_part(file.sizes, part++));
}
/// Gate above, inner projection below (Phi-3).
inline void gate_and_up(Parameters& parameters, Spot spot, const StoredMatrix& tensor, const FileConfig&) {
  const Index inner = tensor.rows() / 2;
  L& layer = parameters.layers[spot.layer];
  layer.ff_gate.weight = Weights(tensor.middle_rows(0, inner), Weights::Layout::out_in);
  layer.ff_in.weight = Weights(tensor.middle_rows(inner, inner), Weights::Layout::out_in);
}

}  // namespace headlight::store
