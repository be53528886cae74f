// What a measure is worth where there is nothing to find: on a model whose weights are random, or on a text whose tokens were shuffled.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/studies/study.h"

namespace headlight {

/// How many draws of each kind stand beside one text, of the seeds from 1 on, which are enough for a deviation: in the window and in
/// `headlight heads -t` alike, so that both say the same.
inline constexpr int kDrawsBesideChance = 20;

/// The same model with the weights of its layers shuffled.
std::shared_ptr<const Model> with_random_weights(const Model& model, std::uint64_t seed);
/// The tokens of each text in another order; those that the tokenizer added, and the kinds and sentences of positions, stay.
TokenStage with_shuffled_tokens(TokenStage tokens, std::uint64_t seed);

/// What decides the draw of a text: its tokens, wherever in a corpus they are.
std::uint64_t draw_of_text(const TokenStage& tokens);
/// Appends numbers to those of every head.
void append_drawn(std::vector<HeadValues>& heads, const std::vector<HeadValues>& drawn);
/// How many models of random weights the texts of a corpus are measured by, each text by one of them.
inline constexpr int kRandomModels = 4;

/// Runs that have nothing to show, to measure beside those that may. Immutable; thread contract: as measure_text_heads.
class NullRuns {
 public:
  /// `random_models` models of random weights, of the seeds from `seed` on. Throws Error (limit) where they need more memory than there is.
  NullRuns(std::shared_ptr<const Model> model, const Query& query, const StudySettings& settings, int random_models = kRandomModels,
           std::uint64_t seed = 1);

  /// Puts what each kind of chance gives behind the values of every head (StudySettings::columns): one draw each, decided by `draw`.
  void append(const TokenStage& tokens, std::uint64_t draw, std::vector<HeadValues>& heads, ThreadPool& pool, const Watch& watch) const;

 private:
  struct Measured {
    PassingRun run;
    std::vector<OutputNorms> norms;
  };
  const Measured& run_of(NullKind kind, std::uint64_t draw) const;

  std::vector<MeasureRequest> requests_;
  std::vector<NullKind> kinds_;
  std::vector<Measured> own_, random_;  ///< empty where they are not asked for; own_: of the model as it is
};

}  // namespace headlight
