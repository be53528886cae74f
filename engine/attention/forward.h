// The forward pass in steps that can be kept: embed, one layer at a time, final norm, logits.
#pragma once

#include "engine/attention/trace.h"

namespace headlight {

/// Token vectors plus positions, [tokens, d_model]. Throws Error (input) for an id outside the table.
Matrix embed(const Model& model, const std::vector<Token>& tokens);

/// What of a query concerns one layer. Equal parts on equal inputs give equal results, so a kept layer may stand for a new one.
struct LayerRequest {
  int heads = 0;
  ScoreSettings score;
  MaskEdits mask;             ///< edits_of_layer
  std::vector<int> silenced;  ///< heads of this layer
  bool operator==(const LayerRequest&) const = default;
};
LayerRequest request_of_layer(const Query& query, const ModelConfig& config, int layer);

/// Runs layer `layer` on the residual stream `resid_pre`. Same input, same bits, for any number of threads.
std::shared_ptr<const LayerTrace> run_layer(const Model& model, int layer, const LayerRequest& request, Matrix resid_pre,
                                            const MaskContext& context, ThreadPool& pool, const HeadObserver& observer);

Matrix apply_final_norm(const Model& model, const Matrix& resid_post);

/// [tokens, vocabulary]. Only for models with a language-model head.
Matrix compute_logits(const Model& model, const Matrix& final_hidden, ThreadPool& pool);

/// y = gain · (x − mean) / √(variance + epsilon) + bias, row by row (Ba et al. 2016, arXiv 1607.06450).
Matrix layer_norm(const Matrix& x, const LayerNorm& norm, float epsilon);

}  // namespace headlight
