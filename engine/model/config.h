// The sizes and switches of one model, whatever file or form they came from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

enum class PositionKind : std::uint8_t { none, learned, sinusoidal, rotary, alibi, t5_buckets };
enum class ScoreKind : std::uint8_t { dot, cosine, additive, relative };
enum class Activation : std::uint8_t { gelu_tanh, gelu_erf, relu, silu, gelu_quick };
enum class NormKind : std::uint8_t { layer_norm, rms_norm, none };
/// before: x + f(norm(x)); after: norm(x + f(x)), as in Vaswani et al. 2017.
enum class NormPlace : std::uint8_t { before, after };

/// The norms of a model.
struct NormSettings {
  NormKind kind = NormKind::layer_norm;
  NormPlace place = NormPlace::before;
  float epsilon = 1e-5F;
  bool operator==(const NormSettings&) const = default;
};

/// From the last hidden state to the logits.
struct LogitSettings {
  std::optional<Activation> activation = {};  ///< of the layer before the logits, where there is one
  float scale = 1;                            ///< the last hidden state is multiplied by it
  float softcap = 0;                          ///< of the logits; 0: none
  bool operator==(const LogitSettings&) const = default;
};

/// Norms of q and k before they are compared: of each head alone, or of all heads as one vector.
enum class QueryKeyNorm : std::uint8_t { none, each_head, all_heads };

/// How rotary frequencies are stretched for texts longer than those of training.
struct RotaryScaling {
  enum class Kind : std::uint8_t { none, linear, llama3, yarn, longrope, dynamic };
  Kind kind = Kind::none;
  double factor = 1;
  double low_frequency_factor = 1, high_frequency_factor = 4;  ///< llama3
  double original_positions = 8192;                            ///< llama3, yarn, longrope, dynamic: what the model was trained with
  double beta_fast = 32, beta_slow = 1;                        ///< yarn
  bool has_whole_ramp = true;                                  ///< yarn: the ramp begins and ends at whole pairs
  double attention_factor = 0;  ///< yarn, longrope: cos and sin are multiplied by it; 0: made from the factor (rotary_amplitude)
  std::vector<double> short_factors = {},
                      long_factors = {};  ///< longrope: every frequency is divided by its own; long: beyond original_positions
  bool operator==(const RotaryScaling&) const = default;
};

struct RotarySettings {
  double theta = 10000;
  int dimensions = 0;           ///< of every head, from its first; 0: all. Others are left as they are
  bool is_interleaved = false;  ///< pairs (0, 1), (2, 3), …; else (0, half), (1, half + 1), …
  RotaryScaling scaling = {};
  bool operator==(const RotarySettings&) const = default;
};

struct T5Buckets {
  int buckets = 32;
  int farthest = 128;  ///< distances from here on share the last bucket
  bool operator==(const T5Buckets&) const = default;
};

/// Which attention of a model a layer is. An encoder–decoder model is run as one list of layers: its encoder's, then for each layer of
/// the decoder its self-attention and its cross-attention (with the feed-forward part).
enum class Stack : std::uint8_t { only, encoder, decoder, cross };
std::string_view name_of(Stack stack);  ///< "layer", "encoder", "decoder", "cross"
struct LayerPlace {
  Stack stack = Stack::only;
  int number = 0;  ///< within its stack
  bool operator==(const LayerPlace&) const = default;
};

/// The stacks that the layers belong to.
struct StackSettings {
  int encoder_layers = 0;               ///< above 0: an encoder–decoder model
  int decoder_heads = 0;                ///< of its decoder and cross-attention, on the same width; 0: as many as the encoder
  std::int64_t decoder_start = -1;      ///< the id that the decoder's text begins with; −1: none
  std::vector<LayerPlace> places = {};  ///< of maps from a file, whose numbers may have gaps; empty: counted from 0, stack by stack
  bool operator==(const StackSettings&) const = default;
};

struct HeadShape {
  int count = 0;
  int kv_count = 0;  ///< heads share key/value heads in groups (Ainslie et al. 2023, arXiv 2305.13245); equal to count: no sharing
  int d_head = 0;    ///< width of one head's q, k and v
  std::vector<int> counts = {};  ///< by layer, of maps from a file whose layers differ; else empty
  bool operator==(const HeadShape&) const = default;
};

/// How tokens are told where they are in the text.
struct PositionSettings {
  PositionKind kind = PositionKind::learned;
  int most = 0;  ///< learned: the most that fit; else what the model was made for; 0: not known
  RotarySettings rotary = {};
  std::optional<RotarySettings> window_rotary = {};  ///< of layers with a window, where it differs (Gemma 3)
  bool has_split_sinusoids = false;                  ///< sinusoidal: all sines, then all cosines (Marian); else alternating
  T5Buckets t5 = {};
  bool operator==(const PositionSettings&) const = default;
};

/// What the model itself lets its queries see.
struct OwnMask {
  bool is_causal = true;  ///< of an encoder–decoder model: the decoder's self-attention
  int window = 0;         ///< a query sees itself and the window − 1 tokens before it, and after it where nothing is causal; 0: all
  std::vector<int> windows = {};  ///< the same by layer, where layers differ; else empty
  bool operator==(const OwnMask&) const = default;
};

/// How the model itself scores a query with a key.
struct OwnScores {
  ScoreKind kind = ScoreKind::dot;
  QueryKeyNorm query_key_norm = QueryKeyNorm::none;
  bool is_scaled = true;            ///< ÷ √d_head
  double divisor = 0;               ///< instead of √d_head; 0: √d_head
  bool is_scaled_by_layer = false;  ///< further ÷ (layer + 1), a switch of GPT-2 configs
  float softcap = 0;                ///< 0: none
  bool operator==(const OwnScores&) const = default;
};

struct FeedForwardSettings {
  int d_ff = 0;  ///< inner width
  Activation activation = Activation::gelu_tanh;
  bool is_parallel = false;  ///< attention and feed-forward read the same input: x + attention(norm_1(x)) + ff(norm_2(x))
  bool operator==(const FeedForwardSettings&) const = default;
};

/// Whoever fills it checks it (check_config): every size is at least 1, heads are a multiple of key/value heads.
struct ModelConfig {
  std::string family;  ///< kind of architecture, as people call it: "GPT-2", "sandbox"
  int layers = 0;      ///< of attention, all stacks together
  int d_model = 0;     ///< width of the residual stream
  int vocabulary = 0;  ///< 0: no table (the sandbox embeds whatever is typed)
  StackSettings stacks = {};
  HeadShape heads = {};
  PositionSettings positions = {};
  OwnMask mask = {};
  OwnScores scores = {};
  NormSettings norm = {};
  FeedForwardSettings feed_forward = {};
  float embedding_scale = 1;  ///< token vectors are multiplied by it
  bool has_logits = false;    ///< whether there is a language-model head
  LogitSettings logits = {};

  bool is_encoder_decoder() const { return stacks.encoder_layers > 0; }
  int decoder_layers() const { return is_encoder_decoder() ? (layers - stacks.encoder_layers) / 2 : 0; }  ///< each has two attentions
  LayerPlace place(int layer) const;
  /// Whether a decoder's layers attend to their own text: the keys of its self-attention are not the text that cross-attention reads.
  bool has_decoder_keys() const;
  /// Every token reads those before it and itself alone.
  bool reads_one_way() const { return mask.is_causal && !is_encoder_decoder(); }
  /// The layer at a place; nothing where the model has no such place.
  std::optional<int> layer_at(LayerPlace wanted) const;
  /// "4 layers", or by stack: "3 decoder + 3 cross layers".
  std::string layers_text() const;
  /// The window of a layer; 0: none.
  int window_of(int layer) const;
  /// Heads of a layer; in a model the width of all heads together is the same everywhere.
  int heads_of(int layer) const;
  const RotarySettings& rotary_of(int layer) const;
  /// The model's own mask of a layer, as a mask text.
  std::string own_mask(int layer) const;
  bool operator==(const ModelConfig&) const = default;
};

/// Throws Error (usage) naming both numbers when heads do not divide d_model, or the size that is out of range.
void check_head_count(int d_model, int heads);
/// Throws Error (usage) naming both numbers when heads are not a multiple of kv_heads.
void check_kv_heads(int heads, int kv_heads);
/// Throws Error (usage) where rotary positions cannot rotate the heads: an odd width, more dimensions than a head has, a factor below 1.
void check_rotary(const ModelConfig& config);
void check_config(const ModelConfig& config);

}  // namespace headlight
