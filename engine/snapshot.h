// What one run found: immutable, shared between threads, complete in itself. A picture and its caption come from the same snapshot.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "engine/analysis/head_summary.h"
#include "engine/attention/trace.h"

namespace headlight {

struct RunCost {
  double milliseconds = 0;
  std::size_t bytes = 0;  ///< of the trace and the summaries
  int layers_computed = 0;
  int layers_reused = 0;
};

struct Snapshot {
  Query query;
  std::shared_ptr<const Model> model;
  std::shared_ptr<const Encoding> encoding;          ///< the tokens that were run (cut to the model's limit)
  std::shared_ptr<const Encoding> decoder_encoding;  ///< those of the decoder; null for models of one stack
  Trace trace;
  std::vector<std::shared_ptr<const std::vector<HeadSummary>>> summaries;  ///< [layer][head]
  std::vector<std::string> notices;                                        ///< repaired text, cut text, all heads uniform, …
  RunCost cost;

  int layers() const { return static_cast<int>(trace.layers.size()); }
  int heads() const { return trace.layers.empty() ? 0 : trace.layers.front()->heads; }
  Index tokens() const { return static_cast<Index>(encoding->tokens.size()); }
  bool contains(HeadId head) const;
  const HeadSummary& summary(HeadId head) const;
  HeadMaps maps(HeadId head) const;  ///< rebuilt; costs a product of n × n × d_head
  TokenLabel label(Index token) const;
  /// The tokens along the two axes of a layer's maps. They differ in cross-attention only.
  const Encoding& query_tokens(int layer) const;
  const Encoding& key_tokens(int layer) const;
  /// "layer 3", or in encoder–decoder models "encoder 3", "decoder 0", "cross 0".
  std::string layer_name(int layer) const;
};

}  // namespace headlight
