// How attention knows where tokens stand. One row of a table per kind, which says where it acts.
#pragma once

#include <span>
#include <string_view>

#include "engine/core/matrix.h"
#include "engine/core/parallel.h"
#include "engine/core/progress.h"
#include "engine/model/config.h"

namespace headlight {

enum class PositionPlace : std::uint8_t { nowhere, embedding, queries_and_keys, scores };

struct PositionMethod {
  PositionKind kind;
  std::string_view name;  ///< as people and files write it
  PositionPlace place;    ///< what it changes
  std::string_view formula;
  std::string_view source;
};

std::span<const PositionMethod> position_methods();
const PositionMethod& position_method(PositionKind kind);

/// Adds sin and cos of position / 10000^(2i/d_model) to x [tokens, d_model]: in turn, or split, all sines before all cosines.
void add_sinusoids(Matrix& x, bool is_split = false, const Watch& watch = {}, Index first_position = 0);

/// The angle per position of every pair of a head's numbers, [dimensions / 2], after scaling for long texts. tokens: how long the text
/// is, which longrope and dynamic ask for.
Eigen::VectorXf rotary_frequencies(const RotarySettings& rotary, int d_head, Index tokens = 0);

/// What scaling for long texts multiplies cos and sin by: 1, or the factor of yarn or longrope.
double rotary_amplitude(const RotaryScaling& scaling);

/// Rows of a text that are turned. Some frequencies are stretched by how long the whole text is (RotaryScaling).
struct TurnedRows {
  Index first = 0, count = 0;  ///< the first one's position, and how many
  Index tokens = 0;            ///< of the whole text
};

/// The turns of a text's tokens: pair i of a token at a position is turned by position · frequency i. Made once for queries and keys.
class Rotations {
 public:
  /// is_back: by the opposite angles.
  Rotations(const RotarySettings& rotary, Index d_head, const TurnedRows& rows, bool is_back, ThreadPool& pool, const Watch& watch = {});
  /// Every head of x [tokens, heads · d_head], in place. Lengths stay (but for yarn's factor), and q · k depends on the distance only.
  void turn(Matrix& x, int heads, ThreadPool& pool, const Watch& watch = {}) const;

 private:
  bool is_interleaved_ = false;
  Matrix cosines_, sines_;  ///< [tokens, pairs]
};

/// The same in one call; the first row of x is at `first_position`.
void rotate_positions(Matrix& x, int heads, const RotarySettings& rotary, Index first_position = 0, bool is_back = false,
                      const Watch& watch = {});

/// The slope of every head: 2^(−8h/n) for a power of two n of heads; else those of the power below, and every second one of the next.
RowVector alibi_slopes(int heads);

/// −slope · |query − key| by distance, in the order of ScoreBias: [queries + keys − 1].
RowVector alibi_by_distance(float slope, Index queries, Index keys);

/// Which bucket a distance key − query falls into: half of them (of each direction's) are single distances, the others grow with the
/// logarithm up to `farthest`. Bidirectional attention splits the buckets between past and future.
int t5_bucket(Index distance, bool is_bidirectional, const T5Buckets& settings);

/// The bias of one head by distance, from its column of the table [buckets, heads].
RowVector t5_by_distance(const Matrix& table, int head, bool is_bidirectional, const T5Buckets& settings, Index queries, Index keys);

}  // namespace headlight
