// A mask, or lengths, given as tensors: which axes they have, and the mask they result in for each batch item and head.
//
// Convention: 1 (true) = may attend (seeds D2). Tensors in another convention are converted, and a note says so.
//
// | axes of `mask`                                   | read as                                                                   |
// |--------------------------------------------------|---------------------------------------------------------------------------|
// | [keys]                                           | keys, for all items, heads and queries                                    |
// | two                                              | [queries, keys], [batch, keys] or [heads, keys]: the only one that fits   |
// | three, batch first                               | [batch, queries, keys]; each may be 1 and counts for all                  |
// | three, sequence first                            | [queries, keys, batch]; the first and the last may be 1 (seeds S3-6)      |
// | four                                             | [batch, heads, queries, keys]; each may be 1                              |
//
// Beside nonpad_kv_seqlen a mask may have fewer keys than there are: the last keys are then forbidden (ONNX Attention-24: "padded to
// total_sequence_length with negative infinity").
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/attend/token_tensor.h"
#include "engine/attention/mask.h"

namespace headlight {

/// What the numbers of a mask tensor mean.
enum class MaskMeaning : std::uint8_t {
  automatic,  ///< tensors of truth values and of whole numbers: allow; of floats: additive
  allow,      ///< 1 = may attend, 0 = may not
  forbid,     ///< 1 = may not attend, as PyTorch's key_padding_mask
  additive,   ///< added to the scaled scores, after the soft-cap; −∞ forbids
};

/// The sizes of the maps: [batch, heads, queries, keys].
struct AttentionSizes {
  Index batch = 0, heads = 0, queries = 0, keys = 0;
};

/// Everything that can decide who may attend to whom. A pair is allowed when all of them allow it.
struct MaskSources {
  std::string text = {};                     ///< mask text (mask.h); q counts from `first_position`. Empty: none
  std::optional<Index> first_position = {};  ///< the first query's place among the keys; without it 0, or nonpad length − queries
  std::optional<FloatTensor> mask = {};      ///< axes as above
  bool is_float = false;                     ///< stored as floats, so that `automatic` means additive
  MaskMeaning meaning = MaskMeaning::automatic;
  std::optional<FloatTensor> valid_lens = {};        ///< [batch] or [batch, queries]: keys 0 … length − 1 count (d2l)
  std::optional<FloatTensor> nonpad_kv_seqlen = {};  ///< [batch]: the same, and where a causal text's queries end (ONNX Attention-24)
};

/// What one head of one batch item uses.
struct HeadMask {
  std::shared_ptr<const Mask> mask;
  std::shared_ptr<const Matrix> bias;  ///< added to the scores, [queries, keys]; null: nothing
};

/// The checked sources of one attention. Thread contract: const calls from any thread.
class TensorMasks {
 public:
  /// Checks every way in which a shape or a number can be wrong. Throws Error: input for tensors, with name, shape and what would fit;
  /// usage for the text.
  TensorMasks(MaskSources sources, TensorLayout layout, const AttentionSizes& sizes);

  /// One per head; heads with equal masks share one.
  std::vector<HeadMask> of_item(Index batch) const;
  /// Whether heads of one item have masks of their own.
  bool is_per_head() const { return strides_[1] != 0; }
  /// How the tensors were read, and what was converted.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  /// From [batch, head, query, key] to an element of `mask`; 0 where an axis counts for all.
  using Strides = std::array<Index, 4>;
  void pad_keys(TensorLayout layout);
  void read_mask(TensorLayout layout);
  void convert_mask();
  HeadMask head_mask(Index batch, Index head) const;
  bool is_in_length(Index batch, Index query, Index key) const;

  MaskSources sources_;
  AttentionSizes sizes_;
  std::optional<MaskText> text_;
  Strides strides_ = {};
  std::vector<std::uint8_t> is_allowed_;  ///< one per element of `mask`
  bool has_bias_ = false;                 ///< the numbers of `mask` are added to the scores
  std::vector<std::string> notes_;
};

}  // namespace headlight
