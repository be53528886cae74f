// The four matrices of one head, apart from texts: W_QK = W_Q W_Kᵀ says which vectors of the stream look at which, W_OV = W_V W_O what is
// written of those that are looked at (Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"). Both are d_model wide on
// either side and have the rank of the head, so they are kept as factors and never multiplied out.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "engine/attention/mask.h"
#include "engine/model/model.h"

namespace headlight {

/// left · right: left [width, rank], right [rank, width].
struct FactoredMatrix {
  Eigen::MatrixXd left, right;

  FactoredMatrix transposed() const { return {right.transpose(), left.transpose()}; }
};

/// ‖left · right‖, the root of the sum of all squares.
double frobenius_norm(const FactoredMatrix& matrix);
/// From the largest down, [rank].
Eigen::VectorXd singular_values(const FactoredMatrix& matrix);

/// Whether the gain of the norm that a head reads through is multiplied into what reads: what the head does to the stream, up to the norm's
/// scale. Without it the matrices are those of the file.
enum class NormGain : std::uint8_t { left_out, folded };

struct HeadFactors {
  FactoredMatrix qk;  ///< x_query · W_QK · x_keyᵀ, without biases, positions and scale
  FactoredMatrix ov;  ///< x_key · W_OV
};
/// Grouped heads share the K and V that they read.
HeadFactors head_factors(const Model& model, HeadId head, NormGain gain);
/// Of all heads of a layer, by head: reads its matrices once.
std::vector<HeadFactors> layer_factors(const Model& model, int layer, NormGain gain);

}  // namespace headlight
