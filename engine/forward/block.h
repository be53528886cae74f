// The parts of a transformer block around its attention: norms, activation, feed-forward.
#pragma once

#include "engine/core/parallel.h"
#include "engine/model/model.h"

namespace headlight {

/// By the norm's kind, row by row, without a bias where it has none. layer_norm: gain · (x − mean) / √(variance + epsilon) + bias (Ba et al. 2016, arXiv 1607.06450).
/// rms_norm: gain · x / √(mean of x² + epsilon) (Zhang and Sennrich 2019, arXiv 1910.07467). none, and a norm
/// without a gain, which the model does not have: x.
Matrix normalise(const Matrix& x, const Norm& norm, ThreadPool& pool, const Watch& watch = {});
Matrix normalise(const Matrix& x, const Norm& norm, const Watch& watch = {});
/// Whether x stays as it is.
bool is_identity(const Norm& norm);

/// The same for every head's part of x [tokens, heads · d_head] alone. The gain is one head's, for all, or all heads' side by side.
Matrix normalise_heads(const Matrix& x, int heads, const Norm& norm, ThreadPool& pool, const Watch& watch = {});

/// gelu_erf: x · Φ(x) (Hendrycks and Gimpel 2016, arXiv 1606.08415); gelu_tanh: its approximation by tanh, same paper;
/// relu: max(x, 0); silu: x · σ(x) (same paper, section 3.2); gelu_quick: x · σ(1.702 x), same paper.
void apply_activation(Activation activation, Eigen::Ref<RowVector> row);

/// ff_out(activation(ff_in(x))), or gated: ff_out(activation(ff_gate(x)) ⊙ ff_in(x)). Each token alone. stream: what it is added to; null:
/// nothing.
Matrix feed_forward(const LayerParameters& parameters, Activation activation, const Matrix& x, const Matrix* stream, ThreadPool& pool,
                    const Watch& watch = {});

}  // namespace headlight
