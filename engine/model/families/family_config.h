// What config readers of all families share: sizes by the keys of config.json, in their old and new spellings.
#pragma once

#include <optional>
#include <string>

#include "engine/model/families/families.h"

namespace headlight {

// Limits on what config.json may say, so that products of two of them stay far from overflow.
inline constexpr std::int64_t kMostLayers = 10'000;
inline constexpr std::int64_t kWidest = 1 << 20;
inline constexpr std::int64_t kWidestInner = 1 << 24;
inline constexpr std::int64_t kMostRows = 1 << 28;

int read_size(const JsonFields& fields, std::string_view key, std::int64_t highest);
int read_size_or(const JsonFields& fields, std::string_view key, int fallback, std::int64_t highest);
/// Not there at all: a key whose value is null is not absent.
bool is_absent(const JsonFields& fields, const std::string& key);
Activation read_activation(const JsonFields& fields, const std::string& key, const std::string& fallback);
float read_epsilon(const JsonFields& fields, const std::string& key, double fallback, std::vector<std::string>& notices);
/// Throws Error (input) naming both keys.
void check_heads_divide(const JsonFields& fields, std::string_view heads_key, int heads, std::string_view width_key, int width);

/// Whether the checkpoint says that it has a language-model head. Bare models ("GPT2Model") and those with other heads have none;
/// those that do not say are taken to have one.
bool claims_language_head(const JsonFields& fields);

/// Decoders with `"is_causal": false` see both sides, as embedding models made from decoders do. null counts as false there.
bool read_is_causal(const JsonFields& fields);

/// The key, or its other spelling where only that is in the file.
std::string_view spelling_of(const JsonFields& fields, const ConfigKeys& keys, std::string_view key);

/// Layers, widths, heads, vocabulary, positions, epsilon, activation; everything else is as ModelConfig's defaults. The result has the keys
/// as the file spells them.
FileConfig read_sizes(const JsonFields& fields, const ConfigKeys& keys, std::string_view activation);

/// How families differ where config.json leaves rotary settings open, and under which names it states them.
struct RotaryKeys {
  double theta = 10000;
  double share = 1;  ///< of every head's dimensions that is rotated
  std::string_view theta_key = "rope_theta";
  std::string_view share_key = {};      ///< beside rope_parameters; empty: the family rotates whole heads, whatever the file says
  std::string_view kind = {};           ///< "full_attention" and the like, for configs that have settings by kind of layer
  double usual_original_positions = 0;  ///< original_max_position_embeddings where the config has none; 0: as scaling has it
  bool is_yarn_longrope = false;        ///< "yarn" is another name of longrope
};
/// Rotary settings from rope_parameters (transformers 5) or rope_theta and rope_scaling (before; it wins where both are there).
RotarySettings read_rotary(const JsonFields& fields, const ModelConfig& sizes, const RotaryKeys& keys);

// Names under which read_gguf_model states what config.json of the family has no field for.
inline constexpr std::string_view kGgufTurned = "rope.dimension_count";
inline constexpr std::string_view kGgufOutputBias = "attn_output.bias";

/// One window for each layer from "layer_types"; nothing where the config has none.
std::optional<std::vector<int>> read_layer_types(const JsonFields& fields, int layers, int window);
/// Sets these windows, as one number where all are equal. In a decoder without a causal mask they reach one token further, as in
/// transformers: sizes.mask.is_causal must be settled before.
void set_windows(ModelConfig& sizes, std::vector<int> windows);

}  // namespace headlight
