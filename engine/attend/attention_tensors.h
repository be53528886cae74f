// What an attention on raw tensors reads, and how: the tensors' names, shapes and choices.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/attend/mask_tensor.h"
#include "engine/attend/token_tensor.h"
#include "engine/attention/head.h"

namespace headlight {

/// What an attention reads. Absent tensors are empty; `attention_tensor_names` gives each its name in files and messages.
struct AttentionTensors {
  using Part = std::optional<FloatTensor>;
  Part x;                                       ///< [batch, tokens, width]: query, key and value in one
  Part query, key, value;                       ///< [batch, tokens, width], or split into heads as q, k, v are
  Part q, k, v;                                 ///< projected already: [batch, heads, tokens, width]
  Part q_weight, k_weight, v_weight, o_weight;  ///< [out, in]
  Part q_bias, k_bias, v_bias, o_bias;          ///< [out]
  Part past_key, past_value;                    ///< [batch, kv_heads, tokens, width]: projected, before those of this call
  Part additive_vector;                         ///< w_v [hidden], for additive scores
  Part additive_query, additive_key;            ///< [hidden, d_head], the same for all heads; without them hidden = d_head
  Part relative_bias;                       ///< [heads, queries + keys − 1]: added after the scaling; entry key − query + queries − 1
  Part distance_keys;                       ///< R [heads, queries + keys − 1, d_head], for relative scores (score.h), as the next two
  Part key_bias;                            ///< v [heads, d_head]
  Part distance_bias;                       ///< S [heads, queries + keys − 1]
  Part sinks;                               ///< [heads]: a score without a key for each head (HeadRule::sink)
  Part mask, valid_lens, nonpad_kv_seqlen;  ///< mask_tensor.h
  bool is_mask_float = false;
};

struct AttentionTensorName {
  std::string_view name;
  AttentionTensors::Part AttentionTensors::*part;
  std::string_view meaning;
};
std::span<const AttentionTensorName> attention_tensor_names();

/// At which step the scores are taken.
enum class ScoreStage : std::uint8_t {
  scaled,   ///< score · scale
  capped,   ///< after the soft-cap
  masked,   ///< after biases and mask: −∞ where forbidden
  weights,  ///< after the softmax
};

struct TensorAttentionOptions {
  std::optional<int> heads = {};     ///< required unless the tensors are split into heads
  std::optional<int> kv_heads = {};  ///< without it: the split tensors', or as many as heads
  ScoreKind score = ScoreKind::dot;
  std::optional<float> scale = {};  ///< factor of the scores; without it 1/√d_head for dot and relative, 1 for cosine and additive
  float softcap = 0;
  std::optional<float> sink = {};  ///< the same for every head, instead of the tensor `sinks`
  SoftmaxPrecision softmax_precision = SoftmaxPrecision::float32;
  TensorLayout layout = TensorLayout::batch_first;
  std::string mask_text = {};  ///< mask.h; `causal` counts from the past's length, or so that the queries end at nonpad_kv_seqlen
  std::optional<Index> first_position = {};  ///< of the queries among the keys, for mask_text
  MaskMeaning mask_meaning = MaskMeaning::automatic;
  bool has_bias = true;                  ///< off: q.bias … o.bias are left out together (seeds S2-11)
  bool has_output_projection = true;     ///< off: the output is the joined heads (seeds S4-10)
  std::optional<ScoreStage> stage = {};  ///< keep these scores
  bool keeps_parts = false;              ///< keep q, k, v and z
};

}  // namespace headlight
