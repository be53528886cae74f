// A head without its map in memory: a block of rows at a time, each used and then written over by the next. A map of 20,000 tokens takes
// 1.6 GB, a block stays in the cache. FlashAttention (Dao et al. 2022, arXiv 2205.14135) also cuts the keys into blocks, and with them every
// row's sum; here rows stay whole, so that each has the bits of attend_head (head.h), the text that this follows.
#pragma once

#include <functional>

#include "engine/attention/head.h"

namespace headlight {

/// Some rows of a head's map.
struct HeadRows {
  Index first_query = 0;  ///< of the whole map
  /// [rows, reach]: the keys up to the last that any of these queries may attend to. All weights behind them are 0.
  MatrixView weights;
};
using UseRows = std::function<void(const HeadRows& rows)>;

/// The rule of some rows alone, as if they were the whole map: what positions and masks say of each stays.
HeadRule rule_of_rows(const HeadRule& rule, Index first_query, Index rows);

/// Scores of some rows and their first keys become weights, in place. The rule is that of the whole map.
void weigh_rows(MatrixBlock scores, const HeadRule& rule, Index first_query, const Watch& watch = {});

/// attend_head for the queries from `first_query` on: q [queries − first_query, d_head], k [keys, d_head], v [keys, d_value] → z [as q, d_value].
/// The rule is that of the whole map. `use` is called for every block of rows, from top to bottom; may be empty.
void attend_rows(const MatrixView& q, const MatrixView& k, const MatrixView& v, const HeadRule& rule, Index first_query, MatrixBlock z,
                 const UseRows& use, const Watch& watch = {});

/// The weights of a whole head alone, with the bits of attend_rows: q [queries, d_head], k [keys, d_head].
void weigh_head_rows(const MatrixView& q, const MatrixView& k, const HeadRule& rule, const UseRows& use, const Watch& watch = {});

}  // namespace headlight
