// Patches of every text of a file from a partner of its own: what each place does to the target, as a mean with its standard error.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/studies/corpus.h"
#include "engine/studies/exact_sum.h"
#include "engine/studies/importance/patch_sweep.h"

namespace headlight {

struct PatchedPlace {
  int layer = 0;
  int head = -1;        ///< as in PatchValue
  Index position = -1;  ///< likewise; a shorter text does not reach all of them
  ExactSum change;      ///< over texts: the target with the patch, less the target
  ExactSum difference;  ///< over the same texts: the target of the partner, less the target
  /// The mean change over the mean difference: 0 as if nothing were patched, 1 as in the partners. NaN where they give the same.
  double recovered() const;
};

struct PatchStudy {
  ExactSum unpatched, other;         ///< of both runs as they are
  std::vector<PatchedPlace> places;  ///< by layer, then by position or head
  struct Skipped {
    std::uint64_t line = 0;
    std::string problem;
  };
  std::vector<Skipped> skipped;  ///< in the order of the file
};

/// `texts` and `partners` read the same file: a text and its partner are of one record. What one of them lacks, or what sweep_patches refuses,
/// skips the record. `query`: what all texts have in common. Same file, same bits, for any number of threads. Throws Error (usage) where no
/// record can be patched, with the reason of the first; Cancelled.
PatchStudy study_patches(const EffectPlan& plan, const Query& query, CorpusReader& texts, CorpusReader& partners, PatchedPart part,
                         ThreadPool& pool, Progress& progress);

}  // namespace headlight
