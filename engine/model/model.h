// A model ready to run: sizes, trained (or random) parameters, tokenizer. Immutable and shared.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/matrix.h"
#include "engine/core/progress.h"
#include "engine/model/config.h"
#include "engine/text/tokenizer.h"

namespace headlight {

/// Y = X·weight + bias; weight is [in, out] whatever the file had, bias is empty where there is none.
struct Linear {
  Matrix weight;
  RowVector bias;
};

struct LayerNorm {
  RowVector gain;
  RowVector bias;
};

/// One pre-LayerNorm block: x + o(attention(norm_1(x))), then x + ff_out(activation(ff_in(norm_2(x)))).
struct LayerParameters {
  LayerNorm norm_1;
  Linear q, k, v, o;  ///< [d_model, heads · d_head], o: [heads · d_head, d_model]
  LayerNorm norm_2;
  Linear ff_in, ff_out;
};

/// Token vectors made from the token's own name: row = RandomStream(seed, "embedding." + id), unit variance.
struct HashedEmbedding {
  std::uint64_t seed = 0;
};

struct Parameters {
  std::variant<Matrix, HashedEmbedding> embedding;  ///< table [vocabulary, d_model], or names hashed
  Matrix positions;                                 ///< learned [max_positions, d_model]; empty otherwise
  std::vector<LayerParameters> layers;
  LayerNorm final_norm;
  Matrix unembedding;  ///< [vocabulary, d_model]; empty: tied to the embedding table, or no language-model head
};

/// How many numbers the parameters hold (hashed embeddings hold none).
std::int64_t parameter_count(const Parameters& parameters);

struct Model {
  std::string name;    ///< "sandbox", or the folder's name
  std::string source;  ///< where it came from, for the model card: a path, or "random weights, seed 1"
  bool is_random = false;
  ModelConfig config;
  Parameters parameters;
  std::shared_ptr<const Tokenizer> tokenizer;
  std::vector<std::string> notices;  ///< warnings of the load: unused tensors, NaN, …
};

/// Sizes of the sandbox model, chosen by the user.
struct SandboxSpec {
  int layers = 4;
  int d_model = 64;
  int heads = 8;
  PositionKind positions = PositionKind::sinusoidal;
  bool is_causal = true;
  SandboxUnit unit = SandboxUnit::words;
  std::uint64_t seed = 1;
  bool operator==(const SandboxSpec&) const = default;
};

/// Which model a query asks for. `name` is "sandbox" or a folder in Hugging Face layout; the spec counts for the sandbox only.
struct ModelChoice {
  std::string name = "sandbox";
  SandboxSpec sandbox;
  bool operator==(const ModelChoice&) const = default;
};

/// Random weights from a seed (engine/core/random.h): same spec, same bits on any machine. Head count plays no part in the numbers, so
/// another head count re-splits the same matrices. q and k are scaled so that scaled scores have a standard deviation of about 2: maps
/// are visibly uneven. Throws Error (usage) for illegal sizes, naming the numbers.
std::shared_ptr<const Model> make_sandbox(const SandboxSpec& spec);

/// Opens what a choice names. Throws Error (input) for a folder that cannot be used: nothing half loaded is ever returned.
std::shared_ptr<const Model> load_model(const ModelChoice& choice, Progress& progress);

/// What `headlight inspect` and the model card say of a folder.
struct ModelFacts {
  ModelConfig config = {};
  std::int64_t parameters = 0;
  std::uint64_t bytes = 0;     ///< of the weight files
  std::string dtype = {};      ///< as stored: "F32", or "mixed"
  std::string tokenizer = {};  ///< Tokenizer::description
  std::vector<std::string> warnings = {};
};
/// Checks a folder as load_model does. Reads every tensor once, one at a time, to count NaN and ∞; keeps none. Throws Error (input).
ModelFacts inspect_model(const std::filesystem::path& folder);

}  // namespace headlight
