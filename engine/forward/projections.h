// From what a layer's attention reads to its q and k, in the steps that a reader may want to see apart: projected, normalised, turned by
// their positions. A forward pass takes them one after the other; the trace keeps only what comes out, and of long texts not even q.
#pragma once

#include <memory>

#include "engine/attention/multi_head.h"
#include "engine/attention/positions.h"
#include "engine/forward/surgery.h"

namespace headlight {

/// The layer's own norms of q and k (QueryKeyNorm), by the heads that its projections were trained with.
void normalise_queries_and_keys(const Model& model, int layer, Projected& projected, ThreadPool& pool, const Watch& watch = {});

/// Whether positions turn a layer's q and k (rotary positions). Those of cross-attention are not turned: its two sides are different texts.
bool turns_queries_and_keys(const ModelConfig& config, int layer);
/// Turns q and k, which are these rows of a text; leaves them as they are where turns_queries_and_keys says no.
void turn_queries_and_keys(const Model& model, int layer, const HeadCounts& counts, const TurnedRows& rows, Projected& projected,
                           ThreadPool& pool, const Watch& watch = {});

/// Texts of more tokens do not keep q.
inline constexpr Index kMostTokensWithQueries = 2048;

/// What q is projected from.
struct QuerySource {
  std::shared_ptr<const Model> model;
  int layer = 0;
  HeadCounts counts;
  bool has_biases = true;
  SharedRows resid_pre;  ///< [tokens, d_model]
};

/// q of a layer [tokens, heads · d_head], after positions: kept, or in long texts projected again from what the layer read. It is the
/// cheapest to make anew of what a trace holds: a head's q takes 1/heads of one product, where its z takes its whole map; kept, it would be
/// a fifth of a run. Immutable; copies share the memory. What is projected again has the bits of what is kept, because every number of a
/// product is a sum of its own in one order (engine/kernels/product.h).
class QueryRows {
 public:
  QueryRows() = default;
  QueryRows(SharedRows kept) : rows_(kept.rows()), columns_(kept.cols()), kept_(std::move(kept)) {}  // NOLINT(google-explicit-constructor)
  explicit QueryRows(QuerySource source);

  Index rows() const { return rows_; }
  Index cols() const { return columns_; }
  Index size() const { return rows_ * columns_; }
  bool is_kept() const { return source_ == nullptr; }

  /// As those of SharedRows. Each may cost a product of its rows with W_Q, which without a pool is computed by this thread alone.
  SharedRows::SharedMatrix whole() const { return from_row(0); }
  SharedRows::SharedMatrix from_row(Index first) const;
  Matrix middle_rows(Index first, Index count) const;
  Matrix middle_rows(Index first, Index count, ThreadPool& pool, const Watch& watch) const;
  /// Columns of one head [tokens, d_head]; `copy` holds them where they do not lie in one matrix.
  MatrixView head(int number, int heads, Matrix& copy) const;
  /// The first `count` rows of these, and `rest` below them, to be kept.
  SharedRows continued(Index count, Matrix rest, ThreadPool& pool, const Watch& watch) const;
  /// Calls use(matrix) for every matrix in memory that holds some of the rows.
  template <typename Use>
  void for_each_owner(const Use& use) const {
    kept_.for_each_owner(use);
  }

 private:
  Index rows_ = 0, columns_ = 0;
  SharedRows kept_;                            ///< empty where it is projected again, from
  std::shared_ptr<const QuerySource> source_;  ///< this; null where it is kept
};

MatrixView head_columns(const QueryRows& joined, int heads, int head, Matrix& copy);

}  // namespace headlight
