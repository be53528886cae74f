// What a head does to the model's own tokens, without a text: which token's query asks for which token's key, and which tokens become
// likelier where a token is attended to (the full QK and OV circuits of Elhage et al. 2021).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/circuits/head_factors.h"
#include "engine/core/parallel.h"
#include "engine/core/progress.h"

namespace headlight {

struct TokenPair {
  std::int64_t from = 0;  ///< QK: the query's token; OV: the token that is attended to
  std::int64_t to = 0;    ///< QK: the key's token; OV: the token whose logit is raised
  float score = 0;
  bool operator==(const TokenPair&) const = default;
};

struct TokenCircuit {
  std::vector<TokenPair> largest;  ///< from the largest down; equal ones by their ids
  double own_share = 0;            ///< of the tokens, those whose largest score is with themselves
  std::int64_t tokens = 0;
};

/// The vectors of tokens as the head's layer reads them where nothing but the token is in the stream: embedded without position and type,
/// through the layer's norm.
///
/// QK: the scaled score of each pair, biases and all. `distance`: how many positions the query comes after the key, which matters where
/// positions turn q and k. Throws Error (usage) with why_no_qk; Cancelled.
TokenCircuit qk_circuit(const Model& model, HeadId head, Index distance, int most, ThreadPool& pool, const Watch& watch = {});
/// OV: what the head writes of a token, W_OV and biases of V, read by the table of logits with the final norm's gain: up to that norm's
/// scale. Throws Error (usage) with why_no_ov; Cancelled.
TokenCircuit ov_circuit(const Model& model, HeadId head, int most, ThreadPool& pool, const Watch& watch = {});

/// Re Σ λ / Σ |λ| of the eigenvalues of W_E W_OV W_U, from −1 to 1: 1 copies every token, −1 lowers what it attends to. Gains of norms as
/// asked; biases left out.
double copying_by_eigenvalues(const Model& model, HeadId head, NormGain gain, const Watch& watch = {});
/// The same of one matrix, whose eigenvalues other than 0 are those of right · left.
double eigenvalue_share(const Eigen::MatrixXd& matrix);

/// Why there is no such circuit, as a sentence; empty: there is.
std::string why_no_qk(const Model& model, HeadId head);
std::string why_no_ov(const Model& model, HeadId head);

}  // namespace headlight
