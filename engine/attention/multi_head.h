// Multi-head attention: project, let every head attend, concatenate, project again (Vaswani et al. 2017, section 3.2.2).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/attention/head.h"
#include "engine/core/parallel.h"
#include "engine/model/model.h"

namespace headlight {

/// y = x·weight + bias, split into fixed blocks of columns for the pool: the same bits for any number of threads.
Matrix apply_linear(const Matrix& x, const Linear& linear, ThreadPool& pool);

struct MultiHeadParameters {
  const Linear& q;
  const Linear& k;
  const Linear& v;
  const Linear& o;
};

struct MultiHeadSettings {
  int heads = 1;
  float factor = 1;               ///< scores are multiplied by it
  LayerMasks masks;               ///< one per head
  std::vector<bool> is_silenced;  ///< one per head, or empty: z set to zero
};

/// Called for every head when its weights are ready, from any thread of the pool, one call per head.
using HeadObserver = std::function<void(int head, const Matrix& weights, const Mask& mask)>;

/// All heads side by side: head h owns columns [h·d_head, (h+1)·d_head) of q, k, v and z.
struct MultiHeadResult {
  Matrix q, k, v;  ///< projected inputs, [tokens, heads · d_head]
  Matrix z;        ///< concatenated head outputs
  Matrix output;   ///< z·W_O + b_O
};

/// query [queries, d_model], key and value [keys, d_model]; self-attention passes the same matrix three times.
MultiHeadResult attend(const Matrix& query, const Matrix& key, const Matrix& value, const MultiHeadParameters& parameters,
                       const MultiHeadSettings& settings, ThreadPool& pool, const HeadObserver& observer);

/// The columns of one head.
MatrixView head_columns(const Matrix& joined, int heads, int head);

}  // namespace headlight
