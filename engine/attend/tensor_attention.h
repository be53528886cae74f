// Multi-head attention on raw tensors, as other code calls it: batches, either order of axes, masks as tensors, a key/value cache.
//
//     tokens → projections (each optional) → heads → scores · scale → soft-cap → + biases → mask → softmax → · V → joined → W_O (optional)
//
// One item is attend_heads (multi_head.h); this file checks, unpacks and packs.
#pragma once

#include "engine/attend/attention_tensors.h"
#include "engine/core/parallel.h"
#include "engine/core/progress.h"

namespace headlight {

struct TensorAttention {
  AttentionSizes sizes;
  Index kv_heads = 0, d_head = 0, d_value = 0;
  float scale = 1;
  std::int64_t parameters = 0;           ///< numbers in the projections that were used
  FloatTensor attention;                 ///< [batch, heads, query, key], whatever the layout of the inputs
  FloatTensor output;                    ///< [batch, query, width], or in the inputs' layout
  FloatTensor mask;                      ///< [batch, heads or 1, query, key], 1 = may attend; empty where nothing is forbidden
  FloatTensor scores;                    ///< as attention; empty unless a stage was asked for
  FloatTensor q, k, v;                   ///< [batch, heads or kv_heads, tokens, width]; k and v start with the past; empty unless kept
  FloatTensor z;                         ///< as output, before the output projection; empty unless kept
  std::vector<std::string> masked_rows;  ///< the first few rows without an allowed key, as "[batch, head, query]"
  std::int64_t masked_row_count = 0;
  NonFinite overflow;              ///< NaN and ∞ among weights and output: scores beyond float32
  std::vector<std::string> notes;  ///< readings and conversions
};

/// Checks everything first. Throws Error: input for tensors that do not fit (tensor, found, expected), usage for options, limit when the
/// maps would need more than allowed_memory (core).
TensorAttention attend_tensors(const AttentionTensors& tensors, const TensorAttentionOptions& options, ThreadPool& pool,
                               Progress& progress);

struct NamedTensor {
  std::string name;  ///< for messages
  const FloatTensor& tensor;
};
struct ProjectionTensors {
  std::string name;           ///< "q": for messages about q.weight and q.bias
  const FloatTensor& weight;  ///< [out, in]
  const FloatTensor* bias;    ///< [out], or null
};

/// The projection step alone (seeds S3-1, S3-2): x [..., in] · weightᵀ + bias, split into heads: [..., heads, out / heads]. The leading axes,
/// one or more, stay as they are. Throws Error as attend_tensors does.
FloatTensor project_heads(const NamedTensor& x, const ProjectionTensors& projection, int heads, ThreadPool& pool);

}  // namespace headlight
