// One head's W_Q and W_K moved by gradient steps towards a map that a person wants (seeds S4-12).
//
// Loss: the mean over the wanted rows of the cross-entropy −Σ wanted · ln(weight). With A = softmax(S) its derivative with respect to the
// scaled scores is (A − wanted) / rows; to q it is that times factor · k, to W_Q xᵀ times that, and the same for k (rotary positions are
// rotated back first). Steps are plain gradient descent; each is shortened until the loss falls.
#pragma once

#include <span>
#include <vector>

#include "engine/forward/trace.h"

namespace headlight {

/// What a person painted: wanted weights, 0 … 1. Rows of zeros are not trained; others are scaled to sum to 1 over the allowed keys.
struct TargetMap {
  HeadId head;
  Matrix wanted;  ///< [queries, keys]
};

struct HeadFit {
  std::vector<double> losses;  ///< before the first step, then after each: never rising
  ParameterEdit q, k;          ///< the head's columns of W_Q and W_K after the last step
  Matrix weights;              ///< the head's map after it, on the same input
};

/// Takes at most `steps` steps; fewer where no step lowers the loss any more. Throws Error (usage) for a map of another size, a drawn map
/// without a row that its mask allows, a score function other than the dot product, cross-attention, or repeated or averaged key/value
/// heads; Cancelled by `progress`.
HeadFit fit_head(const Model& model, const LayerTrace& layer, const TargetMap& target, int steps, Progress& progress);
/// The same training, looked at after each of `counts` of steps, which do not fall: each is what fit_head gives for that count, to the bit.
std::vector<HeadFit> fit_head_at(const Model& model, const LayerTrace& layer, const TargetMap& target, std::span<const int> counts,
                                 Progress& progress);

}  // namespace headlight
