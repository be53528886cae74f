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
#include "engine/targets/head_effects.h"

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

/// The same of texts that are kept: all of a set.
OtherTexts read_other_texts(const EffectPlan& plan, const Query& query, const TextSet& set, Index longest, std::uint64_t seed,
                            ThreadPool& pool, Progress& progress);

/// The same, a few texts a step: for who has something else to do between them. What it is given outlives it.
/// Thread contract: one thread at a time.
class OtherTextsReader {
 public:
  OtherTextsReader(const EffectPlan& plan, Query query, CorpusReader& corpus, Index longest, std::uint64_t seed);
  /// Runs the next texts. False: these were the last. Throws Cancelled within a text; then the next call goes on there.
  bool advance(ThreadPool& pool, Progress& progress);
  /// 0…1 of the file.
  double done() const;
  OtherTexts take() { return std::move(others_); }

 private:
  const EffectPlan& plan_;
  const Query query_;
  CorpusReader& corpus_;
  const Index longest_;
  OtherTexts others_;
  std::vector<CorpusText> block_;  // read and not yet run
  bool has_more_ = true;           // in the file
};

/// Rows of `other` where it has some, and of `own` below: a text that is longer than the other keeps its own z there.
Matrix rows_of_other(const Matrix& own, const Matrix& other);

/// One head under one method, in a layer of so many heads. NaN where it does not apply. `others` and `donor` may be null where the method needs
/// none; resample without a donor is NaN.
double effect_of(EffectMethod method, HeadId head, TextEffects& text, const OtherTexts* others, const Donor* donor, int heads);

/// One value for each method, of every head, in the order of heads_of. Where the target has no value the text is refused: Error (input) with
/// the reason. `others` may be null where no method needs it.
std::vector<HeadValues> measure_effects(const EffectPlan& plan, const std::vector<EffectMethod>& methods, const OtherTexts* others,
                                        const TokenStage& tokens, ThreadPool& pool, const Watch& watch = {},
                                        std::optional<std::int64_t> next = {});

/// One method, of every head of a text: the numbers of `measure_effects` to the bit. Where the target has no
/// value there are no heads, and the problem says why. `others`: null where the method needs none. Throws Error (usage) for a method that
/// needs other texts, and has none but this; Cancelled.
HeadEffects effects_of_heads(const EffectPlan& plan, EffectMethod method, const TokenStage& tokens, ThreadPool& pool, Progress& progress,
                             const OtherTexts* others = nullptr);

}  // namespace headlight
