// One attention on raw tensors, checked and ready: every mismatch is found here, before anything is computed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/attend/attention_tensors.h"
#include "engine/attention/multi_head.h"
#include "engine/core/parallel.h"

namespace headlight {

/// A projection that may lack its weight (then it keeps the width), its bias, or both.
struct Projection {
  std::string name;  ///< "q": its tensors are q.weight and q.bias
  bool has_weight = false;
  Linear linear = {};

  Index width_for(Index in) const { return has_weight ? linear.weight.cols() : in; }
  std::int64_t parameters() const { return linear.weight.size() + linear.bias.size(); }
  Matrix apply(Matrix x, ThreadPool& pool) const;
};

/// `weight` [out, in] and `bias` [out] for inputs of width `in`; `of_input` says in a message where that width comes from.
/// Throws Error (input).
Projection make_projection(const std::string& name, const AttentionTensors::Part& weight, const AttentionTensors::Part& bias, Index in,
                           const std::string& of_input);

/// Throws Error (usage) naming both numbers when `heads` do not divide `width` (seeds S0-1, D4). `what` has that width.
Index width_per_head(Index width, Index heads, const std::string& option, const std::string& what);

/// Refers to the tensors it was made from.
struct TensorPlan {
  TokenTensor query, key, value;
  std::optional<TokenTensor> past_key, past_value;
  Projection q, k, v, o;
  std::optional<Linear> additive_query, additive_key;  ///< from one head's q and k to what additive scores compare
  AttentionSizes sizes;
  Index kv_heads = 0, d_head = 0, d_key = 0, d_value = 0;  ///< d_key = d_head unless the scores are additive
  float scale = 1;
  TensorMasks masks;
  std::vector<std::string> notes;
};

/// Throws Error: input for tensors, usage for options, limit for results that need more than allowed_memory (core).
TensorPlan plan_attention(const AttentionTensors& tensors, const TensorAttentionOptions& options);

}  // namespace headlight
