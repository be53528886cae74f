// Measures a corpus text by text, with as much memory for a million as for ten.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/studies/null_values.h"

namespace headlight {

/// What is found of one text. From several threads at once; an Error lists the text as bad.
using TextMeasurer =
    std::function<std::vector<HeadValues>(const CorpusText& text, const TokenStage& tokens, ThreadPool& pool, const Watch& watch)>;

/// What a study is made with. All of it outlives the run.
struct StudyRun {
  const PassingRun& run;
  const StudySettings& settings;
  const Query& query;  ///< what all texts have in common: the sandbox, edits, whether special text is read
  ThreadPool& pool;
  /// Asked before every text, from several threads at once: true ends the run there, and it can go on later.
  std::function<bool()> should_stop = {};
  /// After blocks of texts, a few times a minute: the study can be saved as it is.
  std::function<void(const CorpusStudy&)> keep = {};
  TextMeasurer measure = {};  ///< empty: the measures of the settings
};

/// How many tokens a model was made for, where its positions go on and a text, or that of its decoder, has more of them; 0: it has not.
Index outgrown_positions(const ModelConfig& config, const Encoding& text, const Encoding* decoder);

/// The heads that a model has, by layer.
std::vector<HeadId> heads_of(const PassingRun& run);

/// Texts that are measured together have about so many tokens: enough for all threads.
inline constexpr std::size_t kBlockTokens = 8192;

/// A study on its way through a corpus, a block of texts at a time. What it is given outlives it.
/// Thread contract: one thread at a time.
class StudyWalk {
 public:
  /// Goes on with `study` from study.part.next on. `block_tokens`: fewer, where a block should end soon; results do not depend on it.
  StudyWalk(const StudyRun& run, TextSource& corpus, CorpusStudy& study, std::size_t block_tokens = kBlockTokens);

  /// Measures the next texts, several at once, one thread each; what is found does not depend on how many. A text that cannot be measured
  /// is listed and does not stop the others. Returns false at the end of the corpus (study.part.is_complete), or after a stop. Throws
  /// Cancelled within a text. After a stop or a cancel the study holds all texts before the first that was not measured, and `advance` goes
  /// on there.
  bool advance(Progress& progress);
  /// 0…1 of the corpus, by what was read of it.
  double done() const;

 private:
  void read_block(Progress& progress);
  bool has_room(std::size_t tokens) const;
  void take(std::vector<std::optional<MeasuredCorpusText>> measured);

  const StudyRun run_;
  TextSource& corpus_;
  CorpusStudy& study_;
  const std::size_t block_tokens_;
  std::vector<OutputNorms> norms_;
  NullRuns nulls_;
  std::vector<CorpusText> block_;  // read and not yet measured
  std::uint64_t read_ = 0;         // the first index that was not read
};

/// Goes on with `study` up to the end of the corpus or a stop. Throws Cancelled as StudyWalk::advance.
void run_study(const StudyRun& run, TextSource& corpus, CorpusStudy& study, Progress& progress);

}  // namespace headlight
