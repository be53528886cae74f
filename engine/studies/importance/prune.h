// Heads switched off one after another, least important first, over some texts (metrics 6.5; Michel et al. 2019, arXiv 1905.10650; Voita et
// al. 2019, arXiv 1905.09418).
#pragma once

#include <vector>

#include "engine/studies/importance/effect_study.h"
#include "engine/studies/importance/ranking.h"

namespace headlight {

struct PruneSettings {
  EffectMethod by = EffectMethod::zero;  ///< what importance is; one that needs no other texts
  bool is_exact = false;                 ///< importance is found anew after each step; else once
  int kept_per_layer = 1;
};

struct PrunedHeads {
  double whole = 0;                ///< the target with all heads, mean over the texts
  std::vector<PruningStep> curve;  ///< its mean after each step
};

/// Importance of a head: the mean over the texts of what the method gives; of a loss as it is, so that a head which does harm goes first, of other
/// targets by its size. Same input, same bits, for any number of threads. Throws Error: usage for a method that needs other texts, input where
/// no text has a value of the target; Cancelled.
PrunedHeads prune_heads(const std::shared_ptr<const Model>& model, const Query& query, const Target& target, const PruneSettings& settings,
                        const std::vector<TokenStage>& texts, ThreadPool& pool, Progress& progress);

}  // namespace headlight
