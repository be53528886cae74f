// What a head does by its matrices alone (engine/circuits), all of it together: for a command, and for a page of the labs.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "engine/circuits/composition.h"
#include "engine/circuits/token_circuits.h"
#include "engine/forward/query.h"

namespace headlight {

struct CircuitsQuestion {
  HeadId head;
  std::optional<Query> text = {};  ///< that the copying score is computed on; none: there is no such score
  int most = 10;                   ///< pairs of tokens, and heads, that are listed
  int distance = 0;                ///< of query and key
  NormGain gain = NormGain::folded;
  bool compares_tokens = true;  ///< all with all: QK and OV, and the copying score, which cost the vocabulary's square
};

/// What does not apply is replaced by the reason.
struct FoundCircuits {
  std::string why_no_qk = {}, why_no_ov = {}, why_no_composition = {};
  TokenCircuit qk = {}, ov = {};                   ///< without pairs where tokens were not compared
  double copying = std::nan("");                   ///< by eigenvalues
  double copying_score = std::nan("");             ///< on the text
  Eigen::VectorXd qk_values = {}, ov_values = {};  ///< singular values
  std::vector<Composition> compositions = {};
  double baseline = 0;  ///< of compositions
};

/// Throws Error, Cancelled.
FoundCircuits find_circuits(const Model& model, const CircuitsQuestion& question, ThreadPool& pool, Progress& progress);

/// The strongest of the three ways in which one head reads from another.
double strongest_of(const Composition& composition);
/// The heads that this one reads from, or those that read from it, the strongest first.
std::vector<Composition> strongest_compositions(const FoundCircuits& found, HeadId head, bool reads);

}  // namespace headlight
