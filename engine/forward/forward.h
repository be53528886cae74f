// The forward pass in steps that can be kept: embed, one layer at a time, final norm, logits.
#pragma once

#include "engine/forward/embedding.h"
#include "engine/forward/layer_edits.h"
#include "engine/forward/surgery.h"
#include "engine/forward/trace.h"

namespace headlight {

/// What of a query concerns one layer. Equal parts on equal inputs give equal results, so a kept layer may stand for a new one.
struct LayerRequest {
  HeadCounts counts;
  ScoreSettings score;  ///< with nothing left open: kind and softcap are given
  MaskEdits mask;       ///< edits_of_layer
  MaskReach mask_reach = MaskReach::whole_model;
  BlockSwitches block;
  std::vector<int> switched_off;  ///< heads of this layer
  std::vector<LayerEdit> edits;   ///< interventions in this layer, in their order
  bool operator==(const LayerRequest&) const = default;
};
/// Throws Error (usage) for head counts that the projections cannot be split into, a score function that the model has no parameters
/// for, a temperature that is not above 0, a sum without its output projection whose widths differ, or interventions that the model or
/// the query has no place for (edits_of_layer_heads).
LayerRequest request_of_layer(const Query& query, const Model& model, int layer);
/// Of all layers. Throws as request_of_layer.
std::vector<LayerRequest> requests_of_layers(const Query& query, const Model& model);

struct LayerInput {
  SharedRows resid_pre;            ///< [queries, d_model]; the trace holds it too
  const Matrix* memory = nullptr;  ///< what cross-attention reads: the encoder's output [keys, d_model]
  LayerMasks masks;                ///< one per head: layer_masks of request.mask; layers with equal masks may share them
  LayerMasks own_masks = {};       ///< the model's own, where edits reach no further than the map (MaskReach::this_head); else empty
  /// A run of the same layer whose first `known_rows` rows this one would repeat: they are shared, and only those below are computed.
  /// Of cross-attention: all its keys and values too. null: none. own_masks are empty then.
  const LayerTrace* before = nullptr;
  Index known_rows = 0;
  Index first_map_row = 0;  ///< the row that maps are computed and observed from; at most known_rows
  /// The model, where the trace shall not keep q but what it is projected from (QueryRows). null: q is kept.
  std::shared_ptr<const Model> projects_queries_again = {};
  /// The finished layers below, for maps that are taken from them. Empty: there are none to take from.
  LayersBelow below = {};
};

/// Runs layer `layer` on the residual stream, with what the request's edits put in place; those of the stream are in `resid_pre` already
/// (stream_after_edits). With edits no rows are known and no masks stay on their map. Same input, same bits, for any number of threads.
std::shared_ptr<const LayerTrace> run_layer(const Model& model, int layer, const LayerRequest& request, const LayerInput& input,
                                            ThreadPool& pool, const HeadObserver& observer, const Watch& watch = {});

/// How every head of a layer scores: factor, parameters, biases by distance. masks: one per head.
std::vector<HeadRule> rules_of_layer(const Model& model, int layer, const LayerRequest& request, const LayerMasks& masks);

/// What attention makes of the stream: resid_pre plus z·W_O + b_O, with the norm that a few models have between them; as `block` switches
/// these off. z [tokens, heads · d_value]: what the heads give.
Matrix finish_attention(const LayerParameters& parameters, const BlockSwitches& block, const Matrix& resid_pre, const MatrixView& z,
                        ThreadPool& pool, const Watch& watch = {});

/// Encoder–decoder models: what cross-attention reads, from the encoder's last layer.
Matrix make_memory(const Model& model, const Matrix& resid_post, ThreadPool& pool, const Watch& watch = {});

/// The last hidden state: the last layer's output after the final norm, and after the projection that a few models have there. [tokens, d_model],
/// or as wide as the table of tokens. Each row alone.
Matrix apply_final_norm(const Model& model, const Matrix& resid_post, ThreadPool& pool, const Watch& watch = {});

/// What the table of tokens is multiplied with: the last hidden state, after the layer that masked language models have before it.
Matrix read_by_table(const Model& model, const Matrix& final_hidden, ThreadPool& pool, const Watch& watch = {});
/// [vocabulary, width]: a row for each token, its logit before bias and soft-cap is that row times read_by_table.
const StoredMatrix& logit_table(const Model& model);
/// [tokens, vocabulary]. Only for models with a language-model head.
Matrix compute_logits(const Model& model, const Matrix& final_hidden, ThreadPool& pool, const Watch& watch = {});

}  // namespace headlight
