// A model ready to run: sizes, trained (or random) parameters, tokenizer. Immutable and shared.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/matrix.h"
#include "engine/core/progress.h"
#include "engine/kernels/weights.h"
#include "engine/model/config.h"
#include "engine/text/tokenizer.h"

namespace headlight {

/// Y = X·weight + bias; weight is [in, out] whatever the file had, bias is empty where there is none.
struct Linear {
  Weights weight;
  RowVector bias;
};

/// A LayerNorm or an RMSNorm; gain empty where a model has no norm, bias where it has none.
struct Norm {
  RowVector gain = {};
  RowVector bias = {};
  NormKind kind = NormKind::layer_norm;
  float epsilon = 1e-5F;
};

/// One block: attention, then (where it has one) a feed-forward part, each with its norm and its skip connection.
struct LayerParameters {
  Norm norm_1;
  Linear q;              ///< [d_model, heads · d_head]
  Linear k, v;           ///< [d_model, kv_heads · d_head]
  Norm q_norm, k_norm;   ///< QueryKeyNorm; gain of one head, or of all heads side by side
  Linear o;              ///< [heads · d_head, d_model]
  Norm branch_norm_1;    ///< of what attention adds to the stream, after W_O; empty: none
  RowVector sinks;       ///< one score per head (ScoreKind, HeadRule::sink); empty: none
  RowVector additive;    ///< w_v of additive scores [heads · d_head]; empty: the model has none
  Matrix distance_keys;  ///< R of relative scores [2 · farthest + 1, heads · d_head], from key − query = −farthest on; empty: none
  RowVector distance_query;  ///< v of relative scores [heads · d_head]
  Norm norm_2;
  Norm branch_norm_2;    ///< of what the feed-forward part adds
  Linear ff_in, ff_out;  ///< empty: no feed-forward part (the self-attention of a decoder with cross-attention)
  Linear ff_gate;        ///< gated feed-forward (Shazeer 2020, arXiv 2002.05202): activation(x·gate) ⊙ (x·in); empty: none
};

/// Token vectors made from the token's own name: row = RandomStream(seed, "embedding." + id), unit variance.
struct HashedEmbedding {
  std::uint64_t seed = 0;
};

/// From tokens to the first layer: table row (+ type) (+ position), norm, projection; parts that a model does not have are empty.
struct EmbeddingParameters {
  std::variant<StoredMatrix, HashedEmbedding> tokens;  ///< table [vocabulary, d_embedding], or names hashed
  Matrix types;                                        ///< of first and second sentence [types, d_embedding]
  Matrix positions;                                    ///< learned [max_positions, d_embedding], or d_model wide (OPT)
  Norm norm;
  Linear projection;  ///< [d_embedding, d_model]: after the norm where there is one, else of the token vectors alone
};

/// From the last hidden state to logits: dense layer, activation, norm (masked language models), table, bias.
struct PredictionParameters {
  Linear dense;
  Norm norm;
  StoredMatrix table;  ///< [vocabulary, d_model]; empty: tied to the embedding table, or no language-model head
  RowVector bias;      ///< [vocabulary]
};

struct Parameters {
  EmbeddingParameters embedding;
  std::optional<EmbeddingParameters> decoder_embedding;  ///< where a decoder has its own
  std::vector<LayerParameters> layers;
  Matrix distance_buckets;          ///< T5: bias by bucket [buckets, heads], shared by all layers of a stack; empty otherwise
  Matrix decoder_distance_buckets;  ///< of the decoder's self-attention; empty: as above
  Norm encoder_norm;                ///< after the encoder's last layer, in encoder–decoder models
  Norm final_norm;
  Linear final_projection;  ///< from the final norm to the last hidden state, where that is as narrow as the table (OPT); empty: none
  PredictionParameters prediction;

  /// Throws std::out_of_range where there is no such layer.
  const LayerParameters& layer(int number) const { return layers.at(static_cast<std::size_t>(number)); }
  /// The table that tied logits are made with.
  const EmbeddingParameters& last_embedding() const { return decoder_embedding ? *decoder_embedding : embedding; }
};

/// Gives every norm the kind and the epsilon that the model's norms have.
void set_norms(Parameters& parameters, const NormSettings& settings);

/// The size of all parameters; tables and layers that are shared count once, and hashed embeddings hold no numbers.
struct ParameterTally {
  std::int64_t numbers = 0;
  std::uint64_t bytes = 0;  ///< in memory
  std::set<DType> types{};  ///< that matrices are stored in
};
ParameterTally tally_parameters(const Parameters& parameters);

struct Model {
  std::string name;    ///< "sandbox", or the folder's name
  std::string source;  ///< where it came from, for the model card: a path, or "random weights, seed 1"
  bool is_random = false;
  std::int64_t stored_parameters = 0;  ///< numbers in the tensors of its files; 0: it has none
  ModelConfig config;
  Parameters parameters;
  std::shared_ptr<const Tokenizer> tokenizer;
  std::vector<std::string> notices;  ///< warnings of the load: unused tensors, NaN, …
};

/// Numbers of one parameter set by hand: a cell, a row, or any rectangle of a tensor.
struct ParameterEdit {
  std::string tensor;  ///< "layer.0.q.weight": parameter_names
  int row = 0, column = 0;
  int rows = 1, columns = 1;
  std::vector<float> values;  ///< rows · columns, row by row
  bool operator==(const ParameterEdit&) const = default;
};

enum class SandboxKind : std::uint8_t { causal, bidirectional, encoder_decoder };
enum class WeightDistribution : std::uint8_t { normal, uniform };
/// Biases of q, k, v and o in every layer: none, zeros (to be edited), or random.
enum class SandboxBiases : std::uint8_t { none, zero, random };

/// What the sandbox is built from, chosen by the user.
struct SandboxSpec {
  int layers = 4;  ///< of an encoder–decoder: as many in each
  int d_model = 64;
  int heads = 8;
  int kv_heads = 0;  ///< 0: one for every head
  int d_ff = 0;      ///< 0: 4 · d_model
  SandboxKind kind = SandboxKind::causal;
  PositionKind positions = PositionKind::sinusoidal;
  RotarySettings rotary = {};
  NormKind norm = NormKind::layer_norm;
  NormPlace norm_place = NormPlace::before;
  Activation activation = Activation::gelu_tanh;
  SandboxUnit unit = SandboxUnit::words;
  WeightDistribution distribution = WeightDistribution::normal;
  float gain = 1;  ///< q and k are multiplied by it: above 1 sharper maps, below 1 flatter ones
  SandboxBiases biases = SandboxBiases::none;
  std::uint64_t seed = 1;
  std::vector<ParameterEdit> edits = {};
  bool operator==(const SandboxSpec&) const = default;
};

/// The tensors that can be edited: name, rows, columns; for one layer, in the order of the computation.
struct ParameterShape {
  std::string name;
  Index rows = 0, columns = 0;
};
std::vector<ParameterShape> parameter_shapes(const Model& model, int layer);
/// One tensor's numbers. Throws Error (usage) for a name that the model does not have.
Matrix parameter_values(const Model& model, const std::string& name);
/// Whether q, k, v or o of any layer has a bias.
bool has_attention_biases(const Parameters& parameters);
/// Throws Error (usage) naming tensor, place and shape for an edit outside its tensor, or of numbers that are not finite.
void apply_edit(Parameters& parameters, const ParameterEdit& edit);

/// Which model a query asks for. What `name` may be: model_places.h; the spec counts for the sandbox only.
struct ModelChoice {
  std::string name = "sandbox";
  SandboxSpec sandbox;
  int version = 0;  ///< of a built-in model: which training of it is meant (engine/model/files/model_places.h); 0: whichever is there
  bool operator==(const ModelChoice&) const = default;
};

/// The sizes and switches that a spec results in. Throws Error (usage) for parts that do not fit together, naming the numbers.
ModelConfig sandbox_config(const SandboxSpec& spec);

/// Random weights from a seed (engine/core/random.h): same spec, same bits on any machine. The head count plays no part in the numbers, so
/// another head count re-splits the same matrices. q and k are scaled so that scaled scores have a standard deviation of about 2: maps
/// are visibly uneven. Throws Error (usage) for illegal sizes, naming the numbers.
std::shared_ptr<const Model> make_sandbox(const SandboxSpec& spec);

}  // namespace headlight
