// What a model does with tokens that mean nothing together, repeated: induction where nothing but the repetition can be used.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/attention/head_rows.h"
#include "engine/measures/measured_row.h"
#include "engine/pipeline/passing_run.h"
#include "engine/studies/null_values.h"
#include "engine/studies/study.h"

namespace headlight {

/// How many different tokens, and how often each of them comes.
struct Repetition {
  Index distinct = 0, times = 0;
};
/// Of prefix matching and the copying score (Olsson et al. 2022), and of induction by offset and its loss (TransformerLens).
inline constexpr Repetition kFourTimes{25, 4}, kTwice{50, 2};
/// How many draws a mean is of unless more are asked for; beside what chance gives there are more (kDrawsBesideChance).
inline constexpr int kUsualDraws = 4;
inline int usual_draws(const StudySettings& settings) {
  return settings.nulls.empty() ? kUsualDraws : kDrawsBesideChance;
}

/// Token ids: the model's first token where its tokenizer puts one before a text, then `distinct` random ones, `times` times over.
struct RepeatedTokens {
  std::vector<std::int64_t> ids;
  Index first = 0;  ///< 1 where there is such a token
  Repetition repetition;
  /// Where the second repeat begins.
  Index second() const { return first + repetition.distinct; }
};

/// Of the vocabulary without special tokens and without 4 % at either end, where ids stand for frequency: the input of Olsson et al. 2022 in
/// the code of amazon-science/llm-interpret (25 distinct, 4 times). Throws Error (input) where a vocabulary is too small.
RepeatedTokens repeated_tokens(const Model& model, Repetition repetition, std::uint64_t seed);

/// Draws of repeated tokens as the texts of a corpus: seeds 1, 2, … as its lines.
class DrawnTexts final : public TextSource {
 public:
  DrawnTexts(std::shared_ptr<const Model> model, Repetition repetition, int draws)
      : model_(std::move(model)), repetition_(repetition), draws_(static_cast<std::uint64_t>(draws)) {}
  bool next(CorpusText& text) override;
  std::uint64_t position() const override { return drawn_; }
  std::uint64_t size() const override { return draws_; }

 private:
  std::shared_ptr<const Model> model_;
  Repetition repetition_;
  std::uint64_t draws_, drawn_ = 0;
};
/// "25 random tokens, four times over"
std::string words_of(Repetition repetition);

/// Mean of a[query − (S − 1)] over the rows of the second half of S tokens, twice, of one map whose rows pass by.
class OffsetMean {
 public:
  /// `hidden`: keys that are taken out of the rows, which then share out 1 again; null: none. It outlives this.
  OffsetMean(Index second, Index distinct, const HiddenKeys* hidden) : second_(second), back_(distinct - 1), hidden_(hidden) {}
  /// Rows whose key the mask forbids do not count.
  void add(const HeadRows& rows, const Mask& mask);
  double value() const { return sum_.mean(); }
  const BestCell& best() const { return best_; }

 private:
  Index second_, back_;
  const HiddenKeys* hidden_;
  MeasureSum sum_;
  BestCell best_;
};

/// Mean −ln p of the tokens of the second repeat whose predecessor was read before, in nats. logits: [tokens, vocabulary].
/// second: where it begins; ids: of all tokens. The cell is the token that surprised most, and what came before it.
struct InductionLoss {
  double value = 0;
  BestCell worst;
};
InductionLoss induction_loss(const Matrix& logits, std::span<const Token> tokens, Index second);

/// Of one row: relu(score of the strongest key's token) / Σ relu over the allowed keys, scores less their mean. NaN where all are equal.
double copied_share(const std::vector<double>& scores, std::size_t strongest);
/// A head's score, and the cell that gave most.
struct CopyingScore {
  double value = 0;
  BestCell best;
};
/// Copying score of one head: of its map, and the logits [tokens, vocabulary] of what it writes at each query alone. `hidden`: keys that do
/// not count; null: none.
CopyingScore copying_score(const std::vector<Token>& tokens, const Mask& mask, const Matrix& weights, const Matrix& logits,
                           const HiddenKeys* hidden = nullptr);
/// Scores of one head, for each of `hidden`.
struct HeadCopying {
  HeadId head;
  std::vector<CopyingScore> scores;
};
/// Of every head of a layer of a model with one stack: each alone reads the embeddings, under the query's mask, and what it writes becomes
/// probabilities of tokens (softmax of z W_O W_U). Mean over informative rows. `head`: that one alone. Throws Error (input) without logits.
std::vector<HeadCopying> copying_scores(const Model& model, const Query& query, int layer, const std::vector<Token>& tokens,
                                        const std::vector<const HiddenKeys*>& hidden, ThreadPool& pool, const Watch& watch = {},
                                        std::optional<int> head = {});

/// Throws Error (input) for a model that predicts no tokens.
void require_logits(const Model& model);

}  // namespace headlight
