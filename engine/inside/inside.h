// The computation of one query of one head, every number of it: what a forward pass used, rebuilt for this one row by the functions that the
// pass used, and bit for bit the same (Vaswani et al. 2017, arXiv 1706.03762, section 3.2). Nothing here is kept with a trace: a row costs
// little, and is made when somebody looks inside.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/snapshot.h"

namespace headlight {

/// How rotary positions turn pairs of a head's numbers.
struct Turning {
  RowVector frequencies;  ///< the angle of each pair at position 1
  bool is_interleaved = false;
  bool is_empty() const { return frequencies.size() == 0; }
  /// Which number turns with number `place`; none for those that are left as they are.
  std::optional<Index> partner(Index place) const;
  Index pair(Index place) const;
};

/// What becomes of the query's token before it meets a key.
struct InsideQuery {
  RowVector x;       ///< [d_model]: the stream at its place, normalised where the norm comes first
  Matrix w_q;        ///< [d_model, d_head], the head's columns
  RowVector b_q;     ///< [d_head]; empty: none
  RowVector plain;   ///< x·W_Q + b
  RowVector normed;  ///< after the norm that some models have for q; empty: none
  RowVector q;       ///< after positions: what the scores are made of
  /// Σ x·w of number `place`, without the bias, up to each number of x. The chain of the product: its last is plain − bias.
  RowVector sums(Index place) const;
};

/// The sink's part in the softmax.
struct InsideSink {
  float score = 0, exp = 0, share = 0;
};

/// One number for each key.
struct InsideRow {
  RowVector scores;  ///< by the score function
  RowVector scaled;  ///< score · factor
  RowVector capped;  ///< c · tanh(scaled / c); empty: no soft-cap
  RowVector bias;    ///< what positions add; empty: nothing
  RowVector finals;  ///< what goes into the softmax, before the mask
  std::vector<bool> is_allowed;
  RowVector differences;  ///< final − largest; −∞ where it is not allowed
  RowVector exps;         ///< exp(difference); 0 where it is not allowed
  RowVector weights;
  float largest = 0;  ///< of the allowed keys and the sink; −∞: none is allowed
  float sum = 0;      ///< of exps, with the sink's
  std::optional<InsideSink> sink;
  Index allowed = 0;  ///< how many keys
  /// A score or the largest of them is not a finite number: the softmax took its rare way, and exps say nothing.
  bool is_unusual = false;
};

/// From z to the stream.
struct InsideOutput {
  RowVector z;                    ///< of all heads side by side, as the layer's trace has it: zeros where a head is switched off
  Matrix w_o;                     ///< [heads · d_value, d_model]; empty: no output projection
  RowVector b_o;                  ///< [d_model]; empty: none
  RowVector output;               ///< z·W_O + b_O; z where the model has no output projection
  RowVector own_part;             ///< what this head alone gives: its z times its rows of W_O
  RowVector stream;               ///< what it is added to; empty: nothing (the skip is switched off)
  RowVector sum;                  ///< after the addition, with the norm that a few models have before it
  bool has_norm_between = false;  ///< such a norm
  bool is_normed_after = false;   ///< a norm follows the sum (post-norm models); `sum` is before it
};

struct Inside {
  HeadId head;
  Index query = 0;
  int heads = 0, kv_heads = 0, kv_head = 0;
  float factor = 1;
  float softcap = 0;
  ScoreKind score = ScoreKind::dot;
  bool is_cross = false;         ///< keys and values are those of another text
  bool is_switched_off = false;  ///< the head's z does not reach the output
  bool is_edit_on_map = false;   ///< an edited mask stays on the map: the layer passes on another z than this row's
  Turning turning = {};          ///< empty: positions turn nothing

  InsideQuery asking = {};
  Matrix plain_keys = {};  ///< [keys, d_head]: x·W_K + b with its norm, before positions
  Matrix k = {};           ///< [keys, d_head]
  Matrix terms = {};       ///< [keys, d_head]: what a score is the sum of: products, or the score function's own terms
  RowVector rest = {};     ///< [keys]: what the score has besides its terms; empty: nothing
  InsideRow row = {};
  Matrix v = {};         ///< [keys, d_value]
  Matrix weighted = {};  ///< [keys, d_value]: weight · v
  RowVector z = {};      ///< [d_value]
  InsideOutput output = {};
  std::vector<Index> by_weight = {};  ///< the keys that get some weight, largest first

  Index keys() const { return k.rows(); }
  Index d_head() const { return k.cols(); }
  Index d_value() const { return v.cols(); }
  /// The terms of a key summed from the left: the chain of the product, whose last number is the score of dot products.
  RowVector sums_of_terms(Index key) const;
  /// Σ weight · v of the keys 0 … count − 1, in their order.
  RowVector sums_of_values(Index count) const;
};

/// The heads that read the same k and v as this one: first and one past the last.
struct HeadRange {
  int begin = 0, end = 0;
};
HeadRange sharing_heads(const Inside& inside);

/// The edit that replaces what a head computes for a query, in words; empty if none does, and its steps lead to its z.
std::string edit_inside(const Query& query, HeadId head, Index position);

/// Throws Error (usage): the snapshot has no such head or query, holds maps from a file, which have nothing inside, or edit_inside names an
/// edit.
Inside look_inside(const Snapshot& snapshot, HeadId head, Index query, ThreadPool& pool, const Watch& watch = {});

}  // namespace headlight
