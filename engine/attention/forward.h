// The forward pass in steps that can be kept: embed, one layer at a time, final norm, logits.
#pragma once

#include "engine/attention/trace.h"

namespace headlight {

/// Token vectors plus positions, [tokens, d_model]. Throws Error (input) for an id outside the table, or a token past the last position.
Matrix embed(const Model& model, const std::vector<Token>& tokens);

/// What of a query concerns one layer. Equal parts on equal inputs give equal results, so a kept layer may stand for a new one.
struct LayerRequest {
  int heads = 0;
  ScoreSettings score;
  MaskEdits mask;             ///< edits_of_layer
  std::vector<int> silenced;  ///< heads of this layer
  bool operator==(const LayerRequest&) const = default;
};
/// Throws Error (usage) for a head count that does not divide d_model or a temperature that is not above 0.
LayerRequest request_of_layer(const Query& query, const ModelConfig& config, int layer);

/// Runs layer `layer` on the residual stream `resid_pre`, with the masks of its heads (layer_masks of request.mask; layers with equal
/// masks may share them). Same input, same bits, for any number of threads.
std::shared_ptr<const LayerTrace> run_layer(const Model& model, int layer, const LayerRequest& request, const LayerMasks& masks,
                                            const Matrix& resid_pre, ThreadPool& pool, const HeadObserver& observer);

Matrix apply_final_norm(const Model& model, const Matrix& resid_post);

/// [tokens, vocabulary]. Only for models with a language-model head.
Matrix compute_logits(const Model& model, const Matrix& final_hidden, ThreadPool& pool);

/// y = gain · (x − mean) / √(variance + epsilon) + bias, row by row (Ba et al. 2016, arXiv 1607.06450).
Matrix layer_norm(const Matrix& x, const LayerNorm& norm, float epsilon);

}  // namespace headlight
