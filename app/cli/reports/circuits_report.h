// What a head does by its matrices alone (engine/circuits), as text and as JSON.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/circuits/composition.h"
#include "engine/circuits/token_circuits.h"

namespace headlight {

struct CircuitsQuestion {
  std::string model;  ///< as -m names it
  HeadId head;
  std::string text;  ///< that the copying score is computed on; empty: none is
  int most = 10;     ///< pairs of tokens, and heads, that are listed
  int distance = 0;  ///< of query and key
  NormGain gain = NormGain::folded;
};

/// What does not apply is replaced by the reason.
struct FoundCircuits {
  std::string why_no_qk = {}, why_no_ov = {}, why_no_composition = {};
  TokenCircuit qk = {}, ov = {};
  double copying = std::nan("");                   ///< by eigenvalues
  double copying_score = std::nan("");             ///< on the text
  Eigen::VectorXd qk_values = {}, ov_values = {};  ///< singular values
  std::vector<Composition> compositions = {};
  double baseline = 0;  ///< of compositions
};

/// Throws Error, Cancelled.
FoundCircuits find_circuits(const Model& model, const CircuitsQuestion& question, ThreadPool& pool, Progress& progress);

std::string circuits_text(const FoundCircuits& found, const CircuitsQuestion& question, const Model& model);
nlohmann::ordered_json circuits_json(const FoundCircuits& found, const CircuitsQuestion& question, const Model& model);

}  // namespace headlight
