// A corpus measured by the window: the work of the desk's thread, a step at a time, between the pictures.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/work/compute/desk.h"
#include "app/work/corpora/text_numbers.h"
#include "engine/studies/study_file.h"
#include "engine/studies/study_run.h"

namespace headlight {

/// What a person asks for. The numbers are those of `headlight heads`, of `headlight importance` or of `headlight patch`, on the same file with the same options, to the bit.
struct CorpusRequest {
  Query query;  ///< model and edits; its texts do not matter
  std::shared_ptr<const Model> model;
  std::string model_digest = {};  ///< empty: it is computed
  StudyTexts texts = {};
  StudySettings settings = {};
  std::filesystem::path file = {};  ///< where the study is kept while it runs and when it has ended; empty: nowhere
  bool replaces = false;            ///< whatever `file` holds; else a study of the same is gone on with, and anything else refused
  std::shared_ptr<const StoredStudy> begun = {};  ///< to go on with this, and not with what `file` holds
  std::optional<EffectJob> effects = {};          ///< in place of measures; `settings` are those of the job
};

/// What is known of a corpus: while it is measured, when that has ended, or from a file.
struct MeasuredCorpus {
  std::shared_ptr<const StoredStudy> stored;      ///< null: nothing yet
  std::optional<std::int64_t> texts_in_all = {};  ///< with those that cannot be measured; none: they were not counted
  std::filesystem::path texts_file = {};          ///< of one from a file: its texts, if they lay beside it when it was read
  std::string edits = {};                         ///< of the model, in words (measured_edits); empty: none
  std::filesystem::path file = {};                ///< that holds `stored`, or what it was some seconds ago; empty: none
  std::string problem = {};                       ///< why it is not measured or cannot be read; empty: it is
  std::string file_problem = {};                  ///< why it could not be written
  bool is_refused_for_file = false;               ///< CorpusRequest::replaces would begin anew
};

/// Thread contract: one thread at a time.
class CorpusRun {
 public:
  /// `is_ending`: the program ends. What is found by then is kept, too; null: it is not.
  explicit CorpusRun(CorpusRequest request, std::shared_ptr<const std::atomic<bool>> is_ending = nullptr);
  ~CorpusRun();  ///< writes the file where the program ends and it holds less than was found
  CorpusRun(const CorpusRun&) = delete;
  CorpusRun& operator=(const CorpusRun&) = delete;

  /// Goes on for a tenth of a second or so, and gives back a copy of what is found. The first steps read weights and texts. Throws Error;
  /// or Cancelled: what was done until then is done, and the next call goes on there.
  StudyStep<MeasuredCorpus> step(StepContext& context);
  /// The file holds something else: why `step` threw.
  bool is_refused_for_file() const { return is_refused_for_file_; }

 private:
  struct Measuring;
  void prepare(StepContext& context);
  void begin(StepContext& context);
  void make_study();
  bool read_others(StepContext& context);
  bool measure(StepContext& context);
  std::optional<CorpusStudy> earlier_study();
  void keep(MeasuredCorpus& found);
  void keep_at_the_end();
  std::string words_of_progress() const;

  const CorpusRequest request_;
  const std::shared_ptr<const std::atomic<bool>> is_ending_;
  StudyManifest manifest_;
  std::string edits_;  // of the model, in words
  std::optional<std::int64_t> texts_in_all_;
  bool is_counted_ = false, is_refused_for_file_ = false;
  bool is_made_ = false;                  // it is known what the study is of
  std::unique_ptr<Measuring> measuring_;  // once everything is read that has to be read first
  std::filesystem::path file_;            // once it was written
  std::chrono::steady_clock::time_point kept_;
  std::uint64_t kept_until_ = 0;  // the text up to which the file holds them
};

}  // namespace headlight
