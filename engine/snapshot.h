// What one run found: immutable, shared between threads, complete in itself. A picture and its caption come from the same snapshot.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "engine/analysis/head_summary.h"
#include "engine/forward/dump_axes.h"
#include "engine/forward/trace.h"

namespace headlight {

/// What a run spent on one of its stages.
struct StageTime {
  std::string stage;  ///< "model", "tokens", "embedding", "layer 3 of 12"
  double milliseconds = 0;
};

struct RunCost {
  double milliseconds = 0;
  std::vector<StageTime> stages;        ///< in their order, without those that were known from the run before
  std::size_t bytes = 0;                ///< of the trace and the summaries
  std::vector<MemoryPart> memory = {};  ///< of the trace, by kind
  int layers_computed = 0;
  int layers_reused = 0;
  Index rows_computed = 0;  ///< tokens that were run through the computed layers; the others were known from the run before

  void add_memory(const Trace& trace);
};

struct Snapshot {
  Query query;
  std::shared_ptr<const Model> model;
  std::shared_ptr<const Encoding> encoding;          ///< the tokens that were run (cut to the model's limit)
  std::shared_ptr<const Encoding> decoder_encoding;  ///< those of the decoder, or of a dump's queries; null where there is one text
  Trace trace;
  std::vector<std::shared_ptr<const std::vector<HeadSummary>>> summaries;  ///< [layer][head]
  std::vector<std::string> notices;                                        ///< repaired text, cut text, all heads uniform, …
  RunCost cost;
  DumpAxes axes;  ///< of maps from a file

  /// The maps were read from a file (attention_dump.h): there are no scores, no hidden states, no logits, and nothing can be edited.
  bool is_dump() const { return !trace.layers.empty() && !trace.layers.front()->given.empty(); }
  int layers() const { return static_cast<int>(trace.layers.size()); }
  int heads() const;           ///< the most that a layer has: in a few encoder–decoder models the decoder has more than the encoder
  int heads(int layer) const;  ///< 0 for a layer that is not there
  /// Of the text, in encoder–decoder models of the encoder's.
  Index tokens() const { return static_cast<Index>(encoding->tokens.size()); }
  /// Some maps have no cells: the text, or the decoder's, has no tokens.
  bool is_empty() const { return encoding->tokens.empty() || (decoder_encoding && decoder_encoding->tokens.empty()); }
  bool contains(HeadId head) const;
  std::vector<HeadId> heads_of_layer(int layer) const;  ///< in their order; none of a layer that is not there
  std::vector<HeadId> all_heads() const;                ///< by layer and head
  const HeadSummary& summary(HeadId head) const;
  HeadMaps maps(HeadId head, const Watch& watch = {}) const;  ///< rebuilt; costs a product of queries × keys × d_head
  Matrix weights(HeadId head) const;                          ///< only the weights [queries, keys]: scores would need as much again
  TokenLabel label(const Token& token) const;                 ///< by itself
  TokenLabel label(const Encoding& encoding, const Token& token) const;  ///< in its text: bytes of a character name the character
  /// The tokens along the two axes of a layer's maps. They differ in cross-attention, and in dumps whose queries are another text.
  const Encoding& query_tokens(int layer) const;
  const Encoding& key_tokens(int layer) const;
  Index queries(int layer) const { return static_cast<Index>(query_tokens(layer).tokens.size()); }
  Index keys(int layer) const { return static_cast<Index>(key_tokens(layer).tokens.size()); }
  /// "layer 3", or in encoder–decoder models "encoder 3", "decoder 0", "cross 0".
  std::string layer_name(int layer) const;
  /// The mask text of a layer before edits: the model's own, or what is known of the mask under maps from a file.
  std::string own_mask(int layer) const;
};

}  // namespace headlight
