// The request: everything that decides what a run computes, and nothing that does not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/attention/mask.h"
#include "engine/interventions/intervention.h"
#include "engine/model/model.h"

namespace headlight {

/// How scores are made from q and k. What is not given is the model's own.
struct ScoreSettings {
  bool is_scaled = true;     ///< ÷ √d_head
  float temperature = 1.0F;  ///< scores are divided by it before the softmax; above 0
  std::optional<ScoreKind> kind = {};
  std::optional<float> softcap = {};  ///< 0: none
  std::optional<float> sink = {};     ///< one score for every head (HeadRule::sink)
  bool operator==(const ScoreSettings&) const = default;
};

/// Parts of a block that can be left out, to see what they do.
struct BlockSwitches {
  bool has_attention_skip = true;     ///< x + attention(x); else attention(x) alone
  bool has_feed_forward_skip = true;  ///< likewise
  bool has_output_projection = true;  ///< W_O and its bias; else the heads' outputs side by side
  bool has_biases = true;             ///< of q, k, v and o
  bool operator==(const BlockSwitches&) const = default;
};

/// How far an edited mask reaches: into everything that follows, or no further than the map it is painted on.
enum class MaskReach : std::uint8_t { whole_model, this_head };

struct Query {
  ModelChoice model;
  std::string text;
  std::optional<std::string> text_pair;
  std::optional<std::string> decoder_text;  ///< encoder–decoder models: what the decoder reads; not given: text_pair, or the text
  bool reads_special_text = true;           ///< "[MASK]" or "<s>" in a text is that token (EncodeOptions); off: text like any other
  std::optional<int> item;                  ///< of a file of maps that holds a batch: which text, from 0
  std::vector<std::int64_t> ids;            ///< instead of the text, where not empty
  std::optional<int> heads;                 ///< re-split every layer's projections into this many heads
  std::optional<int> kv_heads;              ///< repeat key/value heads for smaller groups of heads, or average them for larger ones
  MaskEdits mask;
  MaskReach mask_reach = MaskReach::whole_model;
  ScoreSettings score;
  BlockSwitches block;
  std::vector<HeadId> switched_off;  ///< heads whose z is set to zero; sorted
  /// What is put in the place of what heads do, besides. Of one head the later replaces the earlier, where both replace the same.
  std::vector<Intervention> interventions;
  bool operator==(const Query&) const = default;
};

}  // namespace headlight
