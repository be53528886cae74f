// How many parameters attention has, how many operations it takes and what its cache of keys and values holds, by formula (seeds S1-2, S2-11;
// Vaswani et al. 2017, section 3.2.2). For heads of width d_model / heads the parameters are 4·d_model², with biases + 4·d_model, whatever
// the number of heads; for heads of a fixed width they grow with it.
#pragma once

#include <cstdint>

namespace headlight {

/// Widths up to 2^20, heads up to 2^16: then every count below fits.
struct AttentionWidths {
  std::int64_t d_model = 0;
  std::int64_t heads = 0;
  std::int64_t d_head = 0;
  std::int64_t kv_heads = 0;  ///< 0: each head has keys and values of its own (groups: Ainslie et al. 2023, arXiv 2305.13245)
  bool has_bias = true;       ///< of q, k, v and o together
  bool operator==(const AttentionWidths&) const = default;
};

struct AttentionParameters {
  std::int64_t q = 0, k = 0, v = 0, o = 0;
  std::int64_t total() const { return q + k + v + o; }
};
/// Throws Error (usage) for a size out of range, or heads that kv_heads does not divide.
AttentionParameters count_parameters(const AttentionWidths& sizes);

/// With the feed-forward part (d_model → d_ff → d_model, biases as in attention) and two LayerNorms of 2·d_model each.
std::int64_t count_layer_parameters(const AttentionWidths& sizes, std::int64_t d_ff);

/// What another head costs, the two ways to choose its width side by side.
struct HeadCountCost {
  AttentionWidths shared_width;  ///< d_head = d_model / heads
  AttentionWidths fixed_width;
};
/// Throws Error (usage) when heads do not divide d_model.
HeadCountCost cost_of_heads(std::int64_t d_model, std::int64_t heads, std::int64_t fixed_d_head, bool has_bias);

/// Floating-point operations, a multiplication and an addition counted as two. Biases, masks and the softmax are left out: per score they
/// cost a constant, the products d_head. As double: exact below 2^53.
struct AttentionFlops {
  double projections = 0;  ///< q, k and v
  double scores = 0;       ///< q·kᵀ
  double mix = 0;          ///< weights·v
  double output = 0;       ///< z·W_O
  double total() const { return projections + scores + mix + output; }
};
AttentionFlops count_flops(const AttentionWidths& sizes, std::int64_t queries, std::int64_t keys);
double count_layer_flops(const AttentionWidths& sizes, std::int64_t d_ff, std::int64_t tokens);

/// Bytes of one layer's keys and values for `tokens` tokens.
double count_cache_bytes(const AttentionWidths& sizes, std::int64_t tokens, int bytes_per_number);

}  // namespace headlight
