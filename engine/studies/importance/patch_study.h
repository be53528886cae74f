// Patches of every text of a file from a partner of its own: what each place does to the target, as a mean with its standard error.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/studies/corpus.h"
#include "engine/studies/importance/patch_sweep.h"
#include "engine/studies/study_file.h"

namespace headlight {

/// Finds how many positions a study by position has: as many as its longest pair of equally many tokens.
class PatchedPositions {
 public:
  /// `query`: what all texts have in common. `longest`: tokens; pairs of more do not count.
  PatchedPositions(Query query, std::unique_ptr<TextSource> pairs, Index longest)
      : query_(std::move(query)), pairs_(std::move(pairs)), longest_(longest) {}
  /// Looks at some more pairs. False: these were the last. Throws Cancelled between pairs; then the next call goes on there.
  bool advance(const PassingRun& run, Progress& progress);
  Index most() const { return most_; }

 private:
  const Query query_;
  std::unique_ptr<TextSource> pairs_;
  const Index longest_;
  Index most_ = 0;
};

/// The places of a study: heads, or layers and positions, which are then in the place of heads.
std::vector<HeadId> patched_places(const EffectPlan& plan, PatchedPart part, Index positions);

/// Three numbers of every place (patch_measures); none beyond the text's end. Throws as sweep_patches.
std::vector<HeadValues> measure_patches(const EffectPlan& plan, PatchedPart part, Index positions, const TokenStage& tokens,
                                        const TokenStage& partner, ThreadPool& pool, const Watch& watch);

struct PatchedPlace {
  int layer = 0;
  int head = -1;                ///< as in PatchValue
  Index position = -1;          ///< likewise; a shorter text does not reach all of them
  ExactSum change;              ///< over texts: the target with the patch, less the target
  ExactSum unpatched, partner;  ///< over the same texts: the target as it is, and that of the partner
  /// The mean change over the mean difference: 0 as if nothing were patched, 1 as in the partners. NaN where they give the same.
  double recovered() const;
};

/// The patches in a study file.
struct PatchStudy {
  PatchedPart part = PatchedPart::stream;
  std::int64_t texts = 0;
  ExactSum unpatched, other;         ///< of both runs as they are
  std::vector<PatchedPlace> places;  ///< by layer, then by position or head; those that a text reaches
  std::vector<BadLine> skipped;      ///< in the order of the file
};

/// What a study patches; nullopt: it is not of patches.
std::optional<PatchedPart> patched_part_of(const StudyManifest& manifest);
/// nullopt: the study is not of patches.
std::optional<PatchStudy> patch_study_of(const StoredStudy& stored);
/// Whether the places of a study are layers and positions.
bool is_by_position(const StudyManifest& manifest);

}  // namespace headlight
