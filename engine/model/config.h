// The sizes and switches of one model, whatever file or form they came from.
#pragma once

#include <cstdint>
#include <string>

namespace headlight {

enum class PositionKind : std::uint8_t { none, learned, sinusoidal };
enum class ScoreKind : std::uint8_t { dot, cosine, additive, relative };
enum class Activation : std::uint8_t { gelu_tanh, gelu_erf, relu };

/// Checked on construction by whoever fills it (check_config): every size is at least 1 and heads · d_head = d_model.
struct ModelConfig {
  std::string family;  ///< kind of architecture, as people call it: "GPT-2", "sandbox"
  int layers = 0;
  int d_model = 0;  ///< width of the residual stream
  int heads = 0;
  int d_head = 0;         ///< width of one head's q, k and v
  int d_ff = 0;           ///< inner width of the feed-forward part
  int vocabulary = 0;     ///< 0: no table (the sandbox embeds whatever is typed)
  int max_positions = 0;  ///< 0: no limit
  bool is_causal = true;
  bool has_logits = false;  ///< whether there is a language-model head
  PositionKind positions = PositionKind::learned;
  Activation activation = Activation::gelu_tanh;
  float norm_epsilon = 1e-5F;
  bool scales_scores = true;             ///< ÷ √d_head
  bool scales_by_inverse_layer = false;  ///< further ÷ (layer + 1), a switch of GPT-2 configs

  bool operator==(const ModelConfig&) const = default;
};

/// Throws Error (usage) naming both numbers when heads do not divide d_model, or the size that is out of range.
void check_head_count(int d_model, int heads);
void check_config(const ModelConfig& config);

}  // namespace headlight
