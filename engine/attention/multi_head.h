// Multi-head attention: project, let every head attend, concatenate, project again (Vaswani et al. 2017, section 3.2.2).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/attention/head_rows.h"
#include "engine/attention/shared_rows.h"
#include "engine/core/parallel.h"
#include "engine/kernels/product.h"
#include "engine/model/model.h"

namespace headlight {

/// y = x·weight + bias: the same bits for any number of threads.
Matrix apply_linear(const MatrixView& x, const Linear& linear, ThreadPool& pool, bool has_bias = true, const Watch& watch = {});
/// finish(x·weight + bias); the bias in `finish` is set here.
Matrix apply_linear(const MatrixView& x, const Linear& linear, ProductFinish finish, ThreadPool& pool, bool has_bias = true,
                    const Watch& watch = {});

struct MultiHeadParameters {
  const Linear& q;
  const Linear& k;
  const Linear& v;
  const Linear& o;
  bool has_biases = true;  ///< false: those of all four are left out
};

struct MultiHeadSettings {
  std::vector<HeadRule> rules = {};  ///< one per head
  int kv_heads = 0;  ///< groups of heads share one of them (Ainslie et al. 2023, arXiv 2305.13245); 0: each head has its own
  std::vector<bool> is_switched_off = {};  ///< one per head, or empty: z set to zero
};

/// Called for every block of rows of every head: for one head from top to bottom, for several heads from several threads at once.
using HeadObserver = std::function<void(int head, const HeadRows& rows)>;

/// q, k and v of all heads side by side: head h owns columns [h·d_head, (h+1)·d_head) of q, its key/value head those of k and v.
struct Projected {
  Matrix q;  ///< [queries, heads · d_head]
  Matrix k;  ///< [keys, kv_heads · d_head]
  Matrix v;  ///< [keys, kv_heads · d_value]
};

/// query [queries, d_model], key and value [keys, d_model]; self-attention passes the same matrix three times.
Projected project(const Matrix& query, const Matrix& key, const Matrix& value, const MultiHeadParameters& parameters, ThreadPool& pool,
                  const Watch& watch = {});

/// What heads attend with: q may begin at a later query than the map, whose rows above it are known.
struct AttendingRows {
  const Matrix& q;  ///< [queries − first_query, heads · d_head]
  const SharedRows& k;
  const SharedRows& v;
  Index first_query = 0;
};

/// Lets every head attend: z [queries − first_query, heads · d_value], concatenated, before the output projection.
Matrix attend_heads(const AttendingRows& rows, const MultiHeadSettings& settings, ThreadPool& pool, const HeadObserver& observer,
                    const Watch& watch = {});
Matrix attend_heads(const Projected& projected, const MultiHeadSettings& settings, ThreadPool& pool, const HeadObserver& observer,
                    const Watch& watch = {});

struct MultiHeadResult {
  Projected projected;
  Matrix z;
  Matrix output;  ///< z·W_O + b_O
};

/// project, attend_heads and the output projection in one call.
MultiHeadResult attend(const Matrix& query, const Matrix& key, const Matrix& value, const MultiHeadParameters& parameters,
                       const MultiHeadSettings& settings, ThreadPool& pool, const HeadObserver& observer);

/// Which key/value head a head reads: heads stand in groups of heads / kv_heads.
int kv_head_of(int head, int heads, int kv_heads);

/// The columns of one head.
MatrixView head_columns(const Matrix& joined, int heads, int head);
/// `copy` holds them where the rows do not lie in one matrix.
MatrixView head_columns(const SharedRows& joined, int heads, int head, Matrix& copy);

}  // namespace headlight
