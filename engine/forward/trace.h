// What a forward pass leaves behind. Q and K are kept (Q of long texts as what it is made of), not the maps: a head's scores and weights are
// rebuilt on demand by the same functions that the forward pass used, so what is shown is what was used.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/attention/multi_head.h"
#include "engine/forward/projections.h"
#include "engine/forward/query.h"

namespace headlight {

/// What the rows of a given map sum to.
struct GivenSums {
  int odd_rows = 0;                  ///< that do not sum to 1 within sum_tolerance (dump_sums.h), rows of zeros left out
  double lowest = 1, highest = 1;    ///< sums of those
  int nan_rows = 0;                  ///< that hold NaN
  int infinite_rows = 0;             ///< that hold infinities, and no NaN
  int negative_rows = 0;             ///< that sum to 1 with numbers below 0
  int zero_rows = 0;                 ///< of zeros alone, as fully masked rows are
  std::int64_t forbidden_cells = 0;  ///< that hold weight though the mask forbids them: map and mask do not belong together

  /// Measures of attention are defined: every row shares out 1 among the keys that the mask allows, or is one of zeros.
  bool are_weights() const { return odd_rows + nan_rows + infinite_rows + negative_rows == 0 && forbidden_cells == 0; }
  /// Those of several maps together.
  void add(const GivenSums& other);
};
/// "not normalised: 3 rows sum to 0.87 … 3, 1 row holds NaN"; empty where every row sums to 1.
std::string sums_text(const GivenSums& sums);

/// A map that was read from a file, not computed here.
struct GivenMap {
  std::shared_ptr<const Matrix> cells;  ///< [queries, keys]; shared by snapshots that differ in the mask alone
  GivenSums sums;
  const Matrix& weights() const { return *cells; }
};

/// What is known of the mask under maps from a file.
struct GivenMask {
  enum class Origin : std::uint8_t {
    unknown,  ///< nothing says: every key counts as allowed
    text,     ///< a mask text of the file
    cells,    ///< a tensor `mask` of the file
    assumed,  ///< causal, because every weight above the diagonal is exactly 0
    edited,   ///< a mask text that the query gives instead
  };
  Origin origin = Origin::unknown;
  std::string text = "none";  ///< the mask text; of cells what to call them
  Index first_query = 0;      ///< the first query's position among the keys, where queries are a text's last tokens
};

/// One layer of one run, immutable. Shapes: [tokens, d_model] unless said otherwise.
struct LayerTrace {
  SharedRows resid_pre;  ///< shares its memory with resid_post of the layer below, or with Trace::embedded
  QueryRows q;           ///< [tokens, heads · d_head], after positions
  SharedRows k, v;       ///< [tokens, kv_heads · d_head]; k after positions
  SharedRows z;          ///< heads concatenated, before the output projection; heads that are switched off are zero
  SharedRows resid_post;
  int heads = 0;
  int kv_heads = 0;
  std::vector<HeadRule> rules;  ///< one per head
  std::vector<GivenMap> given;  ///< one per head where the maps were read from a file (attention_dump.h): all matrices above are empty
  GivenMask given_mask;         ///< of these maps; the cells are in `rules`

  const HeadRule& rule(int head) const { return rules[static_cast<std::size_t>(head)]; }
  const Mask& mask(int head) const { return *rule(head).mask; }
};

LayerMasks masks_of(const LayerTrace& layer);

struct Trace {
  SharedRows embedded;  ///< token vectors plus positions
  std::vector<std::shared_ptr<const LayerTrace>> layers;
  SharedRows final_hidden;  ///< after the final norm

  /// Throws std::out_of_range where there is no such layer.
  const LayerTrace& layer(int number) const { return *layers.at(static_cast<std::size_t>(number)); }
};

/// Every stage of one head, rebuilt. Bit for bit what the forward pass used. A given map has weights alone: no scores.
HeadMaps rebuild_head(const LayerTrace& layer, int head, const Watch& watch = {});

/// The weights of one head a block of rows at a time, from top to bottom, and no map in memory: bit for bit those of rebuild_head. A given
/// map is one block.
void pass_head(const LayerTrace& layer, int head, const UseRows& use, const Watch& watch = {});

/// Memory of one kind of matrices, or of masks.
struct MemoryPart {
  std::string kind;  ///< "queries, keys and values"
  std::size_t bytes = 0;
};
/// Memory of all matrices and masks by their kind, those of none left out; what several heads, layers or kinds share counts once.
std::vector<MemoryPart> memory_of(const Trace& trace);
std::size_t bytes_of(const Trace& trace);

}  // namespace headlight
