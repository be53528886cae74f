// What a model does with tokens that mean nothing together, repeated: induction where nothing but the repetition can be used.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/measures/head_label.h"
#include "engine/pipeline/passing_run.h"
#include "engine/pipeline/pipeline.h"
#include "engine/studies/text_measures.h"

namespace headlight {

/// Of prefix matching and the copying score, and how many draws their means are of unless more are asked for.
inline constexpr Index kMatchedTokens = 25, kMatchedTimes = 4;
inline constexpr int kUsualDraws = 4;

/// Token ids: the model's first token where its tokenizer puts one before a text, then `distinct` random ones, `times` times over.
struct RepeatedTokens {
  std::vector<std::int64_t> ids;
  Index first = 0;  ///< 1 where there is such a token
  Index distinct = 0;
  Index times = 0;
};

/// Of the vocabulary without special tokens and without 4 % at either end, where ids stand for frequency: the input of Olsson et al. 2022 in
/// the code of amazon-science/llm-interpret (25 distinct, 4 times). Throws Error (input) where a vocabulary is too small.
RepeatedTokens repeated_tokens(const Model& model, Index distinct, Index times, std::uint64_t seed);

/// A model's run on the ids of a query, with all its layers: for models that no name leads to (with_random_weights). Throws Error (input)
/// where it has fewer positions.
Snapshot run_on_ids(const std::shared_ptr<const Model>& model, const Query& query, ThreadPool& pool, const Watch& watch = {});

/// Every head's number by layer and head.
struct HeadScore {
  HeadId head;
  double value = 0;  ///< NaN: undefined
};

/// Numbers of every head over draws: of random tokens (prefix matching and the like, by command line and window), or of random weights.
class DrawnScores {
 public:
  /// A draw's numbers; one that is undefined does not count.
  void add(const std::vector<HeadScore>& scores);
  /// By layer and head; NaN where no draw has a number.
  std::vector<HeadScore> means() const;
  /// (value − mean) / deviation of a head's draws, n − 1 in the deviation; NaN without one.
  double z(HeadId head, double value) const;

 private:
  std::map<HeadId, std::vector<double>> draws_;  // few: kept, so that deviations of small numbers keep their digits
};

/// "induction: 0.62 (threshold 0.4, 4 draws of random tokens)": texts of the label are draws.
std::string text_of_drawn(const HeadLabel& label);
/// "4 draws of random tokens"
std::string draws_text(std::int64_t draws);

/// Prefix matching: the measure "induction" on these tokens (four times 25, say).
std::vector<HeadScore> prefix_matching(const Snapshot& run, Progress& progress);
/// Mean of a[query − (S − 1)] over the rows of the second half of S tokens, twice: of one map [tokens, tokens], and of every head.
double induction_by_offset(const Matrix& weights, const RepeatedTokens& tokens);
std::vector<HeadScore> induction_by_offset(const Snapshot& run, const RepeatedTokens& tokens, Progress& progress);
/// Mean −ln p of the tokens of the second repeat whose predecessor was read before, in nats. logits: [tokens, vocabulary].
double induction_loss(const Matrix& logits, const RepeatedTokens& tokens);
/// Throws Error (input) without logits.
double induction_loss(const Snapshot& run, const RepeatedTokens& tokens, ThreadPool& pool);

/// Of one row: relu(score of the strongest key's token) / Σ relu over the allowed keys, scores less their mean. NaN where none is above it.
double copied_share(const std::vector<double>& scores, std::size_t strongest);
/// Copying score of one head: of its map, and the logits [tokens, vocabulary] of what it writes at each query alone.
double copying_score(const std::vector<Token>& tokens, const Mask& mask, const Matrix& weights, const Matrix& logits);
/// Of every head: each alone reads the embeddings, and what it writes becomes probabilities of tokens (softmax of z W_O W_U).
/// Mean over informative rows. Throws Error (input) without logits.
std::vector<HeadScore> copying_scores(const Model& model, const Query& query, ThreadPool& pool, const Watch& watch = {});

}  // namespace headlight
