// Measures a corpus text by text, with as much memory for a million as for ten.
#pragma once

#include <functional>

#include "engine/studies/null_values.h"

namespace headlight {

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
};

/// The heads that a model has, by layer.
std::vector<HeadId> heads_of(const PassingRun& run);

/// Goes on with `study` from study.part.next on, up to the end or a stop. Several texts at once, one thread each; results do not depend on how
/// many. A text that cannot be measured is listed and does not stop the others. Throws Cancelled; what
/// is in the study then is of no use.
void run_study(const StudyRun& run, CorpusReader& corpus, CorpusStudy& study, Progress& progress);

/// One text, as run_study measures it; with all threads of the pool.
MeasuredCorpusText measure_corpus_text(const StudyRun& run, const std::vector<OutputNorms>& norms, const NullRuns& nulls, CorpusText text,
                                       ThreadPool& pool, const Watch& watch);

}  // namespace headlight
