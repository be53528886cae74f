// Two labs of one head (app/document/labs/labs.h): what it does by its matrices alone, and what of its weights its values can pass on.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/document/labs/found_circuits.h"
#include "app/document/labs/labs.h"
#include "engine/labs/effective_attention.h"

namespace headlight {

/// Up to this many tokens, all are compared with all without being asked: larger vocabularies take seconds for each head.
inline constexpr std::int64_t kQuickVocabulary = 16384;
inline constexpr int kListedCircuits = 8;       ///< pairs of tokens, and heads
inline constexpr Index kEffectiveTokens = 512;  ///< each row is decomposed by itself, which costs the cube of their number

struct CircuitsFound {
  using Pair = std::pair<std::string, std::string>;  ///< labels of two tokens
  FoundCircuits circuits;
  std::vector<Pair> qk, ov;     ///< those of the largest pairs
  std::int64_t vocabulary = 0;  ///< tokens that the model tells apart
  bool has_pairs = false;       ///< tokens were compared
  bool is_turned = false;       ///< positions turn q and k, so that QK depends on the distance
};

struct EffectiveFound {
  std::string problem;  ///< why it cannot be computed, as a sentence; empty: it was
  std::shared_ptr<const MapPicture> weights, effective;
  float largest = 0, farthest = 0;         ///< of the weights; of the effective ones from zero
  std::vector<EffectiveRow> rows;          ///< one a query
  Index width = 0;                         ///< of a value: the largest possible rank
  double largest_gap = 0;                  ///< between the outputs of both, relative to the largest number of the output
  std::vector<std::string> queries, keys;  ///< labels
  AxisTitles titles;
  /// Queries for which other weights give the same output.
  Index free_queries() const;
};

CircuitsFound run_circuits_lab(const LabRequest& request, Progress& progress);
EffectiveFound run_effective(const LabRequest& request, Progress& progress);

Sheet circuits_sheet(const LabRequest& request, const CircuitsFound& found);
Sheet effective_sheet(const LabRequest& request, const EffectiveFound& found);

inline constexpr Lab kCircuitsLab{"circuits", lab_run<run_circuits_lab>, lab_sheet<CircuitsFound, circuits_sheet>};
inline constexpr Lab kEffectiveLab{"effective", lab_run<run_effective>, lab_sheet<EffectiveFound, effective_sheet>};

}  // namespace headlight
