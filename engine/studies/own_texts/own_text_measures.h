// Measures that are not made of the rows of one map of one text: of random tokens that are repeated, and content dependence, which compares
// texts. As a study (study_run.h), so that they have errors, quantiles, examples, chance and shards as every other measure of a corpus.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/analysis/content_dependence.h"
#include "engine/studies/null_values.h"
#include "engine/studies/own_texts/repeated_tokens.h"

namespace headlight {

/// On which texts measures are made together: those of one that needs texts of its own, where there is one. nothing: those that are given.
/// Throws Error (usage) naming `option` where two need different texts.
MeasureNeed texts_need(const std::vector<MeasureRequest>& requests, const std::string& option);
/// nullopt: the texts are given.
std::optional<Repetition> repetition_of(MeasureNeed need);

/// Measures one text of a study: StudyRun::measure. Thread contract: read_mean first and alone; `measure` from several threads at once.
class OwnTextMeasurer {
 public:
  /// `settings`: its requests all go with the same texts (texts_need); numbers of chance follow theirs. Throws Error (input) for a model that reads both
  /// ways, has too few positions or words, or predicts nothing where that is asked; (limit) where mean maps would be too large.
  OwnTextMeasurer(std::shared_ptr<const Model> model, const Query& query, const StudySettings& settings);

  /// Content dependence is how far each text is from the mean map of all of them, whichever shard measures it.
  bool needs_means() const { return need_ == MeasureNeed::several_texts; }
  /// Reads the next text, until the last: then it returns false. Throws Cancelled between texts, and the next call goes on there; Error
  /// (input) where fewer than two have N tokens. `file`: they come from it.
  bool read_mean(TextSource& texts, const std::string& file, ThreadPool& pool, Progress& progress);

  /// Throws Error (input) for a text of fewer than N tokens.
  std::vector<HeadValues> measure(const TokenStage& tokens, ThreadPool& pool, const Watch& watch) const;

 private:
  using Means = std::map<HeadId, std::vector<MeanMap>>;  ///< of every request
  struct Measured {
    PassingRun run;
    std::vector<OutputNorms> norms = {};
    Means means = {};
  };
  class KeysTakenOut;
  void prepare(Measured& measured) const;
  Measured measured_by(std::shared_ptr<const Model> model) const;
  bool asks_for(std::string_view id) const;
  void check_repetition() const;
  void check_memory() const;
  Index most_positions() const;
  void add_to_means(Measured& measured, const TokenStage& tokens, ThreadPool& pool) const;
  void finish_means(const std::string& file);
  std::vector<HeadValues> values_of(const Measured& measured, const TokenStage& tokens, ThreadPool& pool, const Watch& watch) const;
  void add_copying(const PassingRun& run, const TokenStage& tokens, const KeysTakenOut& out, std::vector<HeadValues>& values,
                   ThreadPool& pool, const Watch& watch) const;
  void add_loss(const PassingRun& run, const TokenStage& tokens, const SharedRows& stream, std::vector<HeadValues>& values,
                ThreadPool& pool, const Watch& watch) const;

  Query query_;
  std::vector<MeasureRequest> requests_;
  std::vector<MeasureRequest> of_rows_;  ///< measures of any text, and the induction that prefix matching is on these tokens
  std::vector<std::size_t> row_places_;  ///< whose places in requests_
  std::vector<NullKind> nulls_;
  MeasureNeed need_;
  Index longest_;
  Measured own_;
  std::optional<Measured> shuffled_;  // these hold mean maps of chance
  std::vector<Measured> random_;
  Index texts_read_ = 0, texts_of_mean_ = 0;
};

}  // namespace headlight
