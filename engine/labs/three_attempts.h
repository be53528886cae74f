// One head in the three attempts of the blog seed, and several of them side by side (seeds S4-1 to S4-10). With the rows v_i of the input,
// d the width of the embedded space and "self" left out of the sum unless asked for:
//
//     vanilla      o_i = Σ_j≠i w_j v_j          w_j ∝ exp(v_i · v_j / √d)
//     attempt 1    o_i = Σ_j≠i w_j v_j          w_j ∝ exp((W v_i) · (W v_j) / √d)
//     attempt 2    o_i = Σ_j≠i w_j v_j          w_j ∝ exp((W_Q v_i) · (W_K v_j) / √d)
//     final        o_i = Σ_j≠i w_j (W_V v_j)    w_j ∝ exp((W_Q v_i) · (W_K v_j) / √d)
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/attention/head.h"

namespace headlight {

enum class Attempt : std::uint8_t { vanilla, shared, asymmetric, final };

/// The trained matrices of a head of any attempt, [in, out] as everywhere: an attempt reads only those it names.
struct AttemptMatrices {
  Matrix shared;  ///< W [D, d]
  Matrix q, k;    ///< W_Q and W_K [D, d]
  Matrix v;       ///< W_V [D, d_value]
};

enum class OutputSpace : std::uint8_t { input, value };

/// One row per attempt. A null matrix stands for the identity.
struct AttemptForm {
  Attempt attempt;
  std::string_view name;
  std::string_view weights_formula;
  std::string_view summand;  ///< of the output, o_i = Σ summand
  Matrix AttemptMatrices::*q;
  Matrix AttemptMatrices::*k;
  Matrix AttemptMatrices::*v;
  OutputSpace space;  ///< where the output lives: width D in the input space, d_value in the value space
};

/// "o_i = Σ_(j≠i) w_j v_j", or the sum over every j.
std::string output_formula(const AttemptForm& form, bool includes_self);

std::span<const AttemptForm> attempt_forms();
const AttemptForm& attempt_form(Attempt attempt);

/// How far a map is from its mirror image. The scores of attempt 1 are symmetric; its weights, normalised row by row, are not.
struct Asymmetry {
  float scores = 0;           ///< max |S − Sᵀ|
  float weights = 0;          ///< max |A − Aᵀ|
  float relative_scores = 0;  ///< ‖S − Sᵀ‖ / ‖S‖ (Frobenius); 0 where S is 0
};
/// Both maps square.
Asymmetry measure_asymmetry(const Matrix& scores, const Matrix& weights);

struct AttemptResult {
  HeadMaps maps;  ///< factor 1/√d. A single token has no other one to attend to: its row is zeros, flagged
  Matrix output;  ///< [tokens, D or d_value]
  OutputSpace space = OutputSpace::input;
  Asymmetry asymmetry = {};
};

/// vectors [tokens, D]. Throws Error (usage) naming both sizes when a matrix does not fit.
AttemptResult run_attempt(Attempt attempt, const Matrix& vectors, const AttemptMatrices& matrices, bool includes_self = false);

struct ConcatenatedHeads {
  std::vector<AttemptResult> heads;
  Matrix output;  ///< the heads' outputs side by side, [tokens, Σ their widths]; no output projection follows
};
/// Every head with matrices of its own, on the same vectors.
ConcatenatedHeads run_attempt_heads(Attempt attempt, const Matrix& vectors, std::span<const AttemptMatrices> heads,
                                    bool includes_self = false);

}  // namespace headlight
