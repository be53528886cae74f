// Score functions: how well a query and a key go together, before scale and mask. One row of a table per function.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "engine/core/matrix.h"
#include "engine/core/progress.h"
#include "engine/model/config.h"

namespace headlight {

/// What some score functions are trained with besides q and k; a part that is empty counts as zero. Distances are ordered as a map's
/// diagonals: entry key − query + queries − 1, from the last query and first key to the first query and last key.
struct ScoreParameters {
  RowVector additive;       ///< w_v [d_head]
  Matrix distance_keys;     ///< R [queries + keys − 1, d_head]
  RowVector key_bias;       ///< v [d_head]
  RowVector distance_bias;  ///< S [queries + keys − 1]
};

struct ScoreFunction {
  ScoreKind kind;
  std::string_view name;     ///< as people and files write it
  std::string_view formula;  ///< score of query i and key j
  std::string_view source;
  bool is_scaled;       ///< whether ÷ √d_head belongs to it: where a score is a sum over d_head products
  bool has_parameters;  ///< of its own, besides q and k
  /// q [queries, d_head], k [keys, d_head] → scores [queries, keys], of the right size already.
  void (*compute)(const MatrixView& q, const MatrixView& k, const ScoreParameters& parameters, MatrixBlock scores, const Watch& watch);
  /// What the score of one query [1, d_head] and each key [keys, d_head] is the sum of, number by number → terms [keys, d_head]. A score
  /// may have more, of distances.
  void (*terms)(const MatrixView& q, const MatrixView& k, const ScoreParameters& parameters, MatrixBlock terms);
};

std::span<const ScoreFunction> score_functions();
const ScoreFunction& score_function(ScoreKind kind);

/// Throws Error (usage) that lists the names.
ScoreKind score_kind_of(std::string_view name);

/// Numbers added to the scaled scores: by distance (ALiBi, T5), or one per cell. −∞ forbids a pair. Empty: nothing is added.
struct ScoreBias {
  std::shared_ptr<const RowVector> by_distance;  ///< [queries + keys − 1], in the order of ScoreParameters
  std::shared_ptr<const Matrix> by_cell;         ///< [queries, keys]
  bool is_empty() const { return !by_distance && !by_cell; }
};

void add_bias(MatrixBlock scores, const ScoreBias& bias, const Watch& watch = {});

/// c · tanh(score / c): scores stay within ±c (Gemma Team 2024, arXiv 2408.00118, section 2). c = 0 leaves them alone.
void cap_scores(MatrixBlock scores, float softcap, const Watch& watch = {});

}  // namespace headlight
