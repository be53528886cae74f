// Effects of all heads over many texts, as the study of measures walks through a corpus: the same shards, the same sums, the same files.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/forward/head_outputs.h"
#include "engine/studies/corpus.h"
#include "engine/studies/importance/text_effects.h"
#include "engine/studies/text_measures.h"
#include "engine/targets/effect.h"

namespace headlight {

/// Another text that z is taken from.
struct Donor {
  std::vector<std::int64_t> ids;
  HeadOutputs outputs;
};

/// What effects take from other texts; shared by all texts of a study.
struct OtherTexts {
  MeanOutputs mean;
  std::vector<Donor> donors = {};
  std::uint64_t seed = 1;  ///< which donor a text gets is decided by its tokens and this

  /// A donor of other tokens; null: there is none.
  const Donor* donor_for(const TokenStage& tokens) const;
};

inline constexpr std::size_t kMostDonors = 16;

/// Runs all texts of a corpus once, for the mean, and keeps the first kMostDonors different ones as donors. Texts that cannot be run are passed
/// over: the study lists them. `longest`: tokens. Same corpus, same bits, for any number of threads and any shard.
OtherTexts read_other_texts(const EffectPlan& plan, const Query& query, CorpusReader& corpus, Index longest, std::uint64_t seed,
                            ThreadPool& pool, Progress& progress);

/// Rows of `other` where it has some, and of `own` below: a text that is longer than the other keeps its own z there.
Matrix rows_of_other(const Matrix& own, const Matrix& other);

/// One value for each method, of every head, in the order of heads_of. Where the target has no value the text is refused: Error (input) with
/// the reason. `others` may be null where no method needs it.
std::vector<HeadValues> measure_effects(const EffectPlan& plan, const std::vector<EffectMethod>& methods, const OtherTexts* others,
                                        const TokenStage& tokens, ThreadPool& pool, const Watch& watch = {},
                                        std::optional<std::int64_t> next = {});

}  // namespace headlight
