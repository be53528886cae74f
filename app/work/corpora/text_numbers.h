// What a study is of, and what finds the numbers of its texts where these are not measures of their maps: effects of heads, and measures that
// need texts of their own. The same for the window and the command line.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "engine/studies/importance/effect_job.h"
#include "engine/studies/own_texts/own_text_measures.h"
#include "engine/studies/study_run.h"

namespace headlight {

/// A file of texts, or draws of random tokens where the measures are of those (repetition_of).
struct StudyTexts {
  std::filesystem::path file;
  CorpusFormat format = {};
  int draws = 0;
};

/// Thread contract: one thread until everything is read; then the measure may be asked from several at once.
class TextNumbers {
 public:
  /// Throws Error as EffectMeasurer and OwnTextMeasurer.
  TextNumbers(std::shared_ptr<const Model> model, Query query, StudySettings settings, const std::optional<EffectJob>& effects,
              StudyTexts texts, ThreadPool& pool, Progress& progress);

  /// The texts that are measured, from the first on. Throws Error as CorpusReader.
  std::unique_ptr<TextSource> open_texts() const;
  /// Reads some more of the texts that have to be known before the first is measured: for means, z of other texts, and how
  /// long they are. False: no more are
  /// left. Throws Cancelled between texts; then the next call goes on there.
  bool read_more(ThreadPool& pool, Progress& progress);
  /// What the study is of, once everything is read: the heads of the run; of patches by position, layers and positions.
  std::vector<HeadId> places(const PassingRun& run) const;
  /// StudyRun::measure, which this outlives; empty: the measures of the settings.
  TextMeasurer measure() const;

 private:
  std::shared_ptr<const Model> model_;
  Query query_;
  StudySettings settings_;
  StudyTexts texts_;
  std::optional<EffectMeasurer> effects_;
  std::optional<OwnTextMeasurer> own_;
  std::optional<CorpusReader> others_;  // until they are read
  std::optional<OtherTextsReader> other_z_;
  std::optional<PatchedPositions> positions_;
};

}  // namespace headlight
