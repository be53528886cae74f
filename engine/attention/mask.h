// Which (query, key) pairs may be attended to: the text form, the brush's strokes, and the mask of one head that they result in.
//
// Convention (design, "Conventions"): true = may attend. A row in which nothing may be attended to becomes all zeros and is flagged.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/matrix.h"
#include "engine/core/progress.h"
#include "engine/model/config.h"

namespace headlight {

struct HeadId {
  int layer = 0;
  int head = 0;
  auto operator<=>(const HeadId&) const = default;
};

/// What an edit applies to. A stack is that of an encoder–decoder model: a mask of its encoder means nothing to its cross-attention.
struct Scope {
  enum class Kind : std::uint8_t { all, stack, layer, head };  ///< from the widest to the narrowest
  Kind kind = Kind::all;
  HeadId where;               ///< layer counts for Kind::layer and Kind::head, head for Kind::head
  Stack stack = Stack::only;  ///< for Kind::stack: encoder, decoder or cross; no head of a model with one stack is in it
  /// `of`: the stack that the head's layer belongs to.
  bool contains(HeadId head, Stack of) const;
  bool operator==(const Scope&) const = default;
};

/// A half-open rectangle of cells set to one value: a painted cell, row, column or rectangle. Parts outside the map are ignored.
struct CellBlock {
  int query_begin = 0, query_end = 0;
  int key_begin = 0, key_end = 0;
  bool is_allowed = false;
  bool operator==(const CellBlock&) const = default;
};

/// The edits of one scope: a mask text that replaces the model's own mask (empty: keep it), then strokes in order.
struct MaskRule {
  Scope scope;
  std::string text;
  std::vector<CellBlock> strokes;
  bool operator==(const MaskRule&) const = default;
};

/// All edits of a query. For one head: the text of the most specific rule that has one (head, layer, stack, all; the last where several
/// are alike), else the model's own mask; then the strokes of every rule that contains the head, in the order all, stack, layer, head.
struct MaskEdits {
  std::vector<MaskRule> rules;
  bool operator==(const MaskEdits&) const = default;
};

/// Cells of one map, immutable once shared. Where a cell follows from key − query alone, as under a causal mask, every row is a part of one
/// line, which the next row begins one cell earlier: 4,096 tokens take 8 kB instead of 17 MB.
class Mask {
 public:
  Mask(Index queries, Index keys, bool is_allowed, const Watch& watch = {});
  /// `line` [queries + keys − 1]: the cells of key − query = 1 − queries … keys − 1.
  static Mask of_differences(Index queries, Index keys, std::vector<std::uint8_t> line);
  Index queries() const { return queries_; }
  Index keys() const { return keys_; }
  bool allows(Index query, Index key) const { return row(query)[key] != 0; }
  void set(Index query, Index key, bool is_allowed) { row(query)[key] = is_allowed ? 1 : 0; }
  /// [keys], 1 where the query may attend.
  const std::uint8_t* row(Index query) const { return cells_.data() + first_row_ + query * to_next_row_; }
  std::uint8_t* row(Index query);  ///< to be written: each row has its own cells from now on
  Index allowed_in_row(Index query) const { return allowed_in_row(query, keys_); }
  /// Among the first `keys`.
  Index allowed_in_row(Index query, Index keys) const;
  std::size_t bytes() const { return cells_.size(); }
  bool operator==(const Mask& other) const;  ///< of the same cells, however they are kept

 private:
  Index queries_, keys_;
  Index first_row_ = 0, to_next_row_ = keys_;
  std::vector<std::uint8_t> cells_;
};

/// One past the last key that any of these queries may attend to.
Index reach_of(const Mask& mask, Index first_query, Index rows);

/// What a mask text can ask about: q and k are the cell's query and key, n is the number of keys.
struct MaskContext {
  Index queries = 0;
  Index keys = 0;
  std::vector<int> sentences;  ///< 0 or 1 for each token, for `pair`; empty: one sentence
  Index first_query = 0;       ///< the first query's position among the keys: q counts from it
};

/// A parsed mask text. Grammar (contracts, "Mask text"): terms joined by `+`, every term must allow a cell:
/// none | causal | window:N | left:N | right:N | prefix:N | padding:N | blocks:N | pair | no-self | a comparison of q, k, n (keys), each
/// perhaps less a number (q - 2), and numbers with && || !.
/// Throws Error (usage) that names the text, the position (counted in characters from 1) and what was expected there.
class MaskText {
 public:
  explicit MaskText(std::string_view text);
  ~MaskText();
  MaskText(MaskText&&) noexcept;
  MaskText& operator=(MaskText&&) noexcept;
  bool allows(Index query, Index key, const MaskContext& context) const;
  Mask cells(const MaskContext& context, const Watch& watch = {}) const;

 private:
  struct Node;
  struct Parser;
  std::string text_;
  std::vector<std::unique_ptr<Node>> terms_;
};

/// The masks of one layer's heads, one per head; heads with equal edits share one Mask. edits: in normal form, or of a model with
/// one stack. own_mask: the model's, as a mask text.
using LayerMasks = std::vector<std::shared_ptr<const Mask>>;
LayerMasks layer_masks(const MaskEdits& edits, int layer, int heads, std::string_view own_mask, const MaskContext& context,
                       const Watch& watch = {});

/// The same where the layer's masks are known as cells, one per head, and not as a text.
LayerMasks layer_masks(const MaskEdits& edits, int layer, const LayerMasks& own_masks, const MaskContext& context, const Watch& watch = {});

/// Only what concerns one layer, in normal form (at most one rule for all heads and one per head, as of layer 0): two layers with
/// equal parts get equal masks. The parts of a normal form for layer 0 are that form itself. `stack`: that the layer belongs to.
MaskEdits edits_of_layer(const MaskEdits& edits, int layer, Stack stack = Stack::only);

/// "Q:K,Q:K-K,…" of --deny and --allow: cells, and ranges with both ends included, `*` for all. Throws Error (usage) with the position.
std::vector<CellBlock> parse_cells(std::string_view text, bool is_allowed);

}  // namespace headlight
