#include "app/work/corpora/corpus_studies.h"

#include <fmt/core.h>

#include "app/work/corpora/corpus_manifest.h"
#include "engine/studies/importance/patch_report.h"

namespace headlight {
namespace {

/// One run from its first step to its last: each request has a copy of its own.
class RunSteps {
 public:
  explicit RunSteps(std::shared_ptr<const std::atomic<bool>> is_ending) : is_ending_(std::move(is_ending)) {}
  StudyStep<MeasuredCorpus> operator()(const CorpusRequest& request, const std::shared_ptr<const MeasuredCorpus>& so_far,
                                       StepContext& context) {
    if (!run_) run_ = std::make_shared<CorpusRun>(request, is_ending_);
    try {
      return run_->step(context);
    } catch (const Error& error) {  // said where the corpus is shown, beside what was found
      MeasuredCorpus refused = so_far ? *so_far : MeasuredCorpus();
      refused.problem = error.message();
      refused.is_refused_for_file = run_->is_refused_for_file();
      return {std::make_shared<const MeasuredCorpus>(std::move(refused))};
    }
  }

 private:
  std::shared_ptr<const std::atomic<bool>> is_ending_;
  std::shared_ptr<CorpusRun> run_;
};

/// The texts of a study, where they lie beside its file; empty: they do not.
std::filesystem::path texts_beside(const std::filesystem::path& study, const StudyManifest& manifest) {
  const std::filesystem::path texts = study.parent_path() / manifest.corpus;
  std::error_code ignored;
  return !manifest.corpus.empty() && std::filesystem::is_regular_file(texts, ignored) ? texts : std::filesystem::path();
}

}  // namespace

CorpusStudies::CorpusStudies(Worker& worker)
    : run_(worker.desk(), Study<CorpusRequest, MeasuredCorpus>::Work(RunSteps(is_ending_))),
      opened_(worker.desk(),
              [](const OpenRequest& request, StepContext&) {
                MeasuredCorpus corpus;
                try {
                  corpus.stored = std::make_shared<const StoredStudy>(read_study(request.file));
                  corpus.edits = measured_edits(corpus.stored->manifest);
                  corpus.file = request.file;
                  corpus.texts_file = texts_beside(request.file, corpus.stored->manifest);
                } catch (const Error& error) {
                  corpus.problem = error.message();
                }
                return corpus;
              }),
      kept_(worker.desk(), [](const SaveRequest& request, StepContext&) { return write(request); }),
      saved_(worker.desk(), [](const SaveRequest& request, StepContext&) { return write(request); }) {}

CorpusStudies::~CorpusStudies() {
  *is_ending_ = true;
  if (kept_.status().state == StudyState::waiting) write(*kept_.asked());  // the desk would not come to it any more
}

CorpusStudies::Saved CorpusStudies::write(const SaveRequest& request) {
  Saved saved{request.stored, request.file, !request.is_table, {}};
  try {
    if (request.is_table) {
      write_found(request.file, *request.stored, {request.has_details});
      saved.is_study = request.file.extension() == ".study";
    } else {
      write_study(request.file, request.stored->manifest, request.stored->study);
    }
  } catch (const Error& error) {
    saved.problem = error.message();
  }
  return saved;
}

void CorpusStudies::start(CorpusRequest request) {
  stop();
  run_.let_go();
  opened_.let_go();
  is_opening_ = false;
  if (!request.begun) shown_.reset();
  request_ = std::move(request);
  state_ = CorpusState::waiting;
  run_.start(*request_);
}

void CorpusStudies::start_replacing() {
  if (!request_) return;
  CorpusRequest request = *request_;
  request.replaces = true;
  request.begun.reset();
  start(std::move(request));
}

void CorpusStudies::pause() {
  if (state_ != CorpusState::waiting && state_ != CorpusState::running) return;
  run_.pause();
  update_run();
  keep_in_file();
}

void CorpusStudies::go_on() {
  if (state_ == CorpusState::paused) return run_.resume();
  if (!can_go_on()) return;
  CorpusRequest request = *request_;
  if (shown_) request.begun = shown_->stored;
  start(std::move(request));
}

void CorpusStudies::stop() {
  if (!is_under_way()) return;
  update_run();
  if (!is_under_way()) return;
  run_.cancel();
  state_ = CorpusState::stopped;
  keep_in_file();
}

void CorpusStudies::open(const std::filesystem::path& file) {
  is_opening_ = true;
  opened_.start({file});
}

void CorpusStudies::save(std::shared_ptr<const StoredStudy> stored, const std::filesystem::path& file, bool has_details) {
  if (stored) saved_.start({std::move(stored), file, true, has_details});
}

void CorpusStudies::close() {
  stop();
  run_.let_go();
  opened_.let_go();
  is_opening_ = false;
  request_.reset();
  shown_.reset();
  state_ = CorpusState::none;
}

/// What was found stays on the disk when a run is paused or stopped, however the program ends.
void CorpusStudies::keep_in_file() {
  if (!request_ || request_->file.empty() || !shown_ || !shown_->stored) return;
  kept_.start({shown_->stored, request_->file});
}

void CorpusStudies::update() {
  if (is_under_way()) update_run();
  if (is_opening_) update_opened();
  update_saved();
}

void CorpusStudies::update_run() {
  const StudyStatus status = run_.status();  // before what it has found: once it rests, all of that is there
  const std::shared_ptr<const MeasuredCorpus> result = run_.result(), partial = run_.partial();
  if (const auto& newest = result ? result : partial; newest && (newest->stored || !newest->problem.empty())) shown_ = newest;
  switch (status.state) {
    case StudyState::waiting:
      state_ = CorpusState::waiting;
      return;
    case StudyState::running:
      state_ = CorpusState::running;
      return;
    case StudyState::paused:
      state_ = CorpusState::paused;
      return;
    case StudyState::resting:
      break;
  }
  if (result) {
    state_ = result->problem.empty() ? CorpusState::finished : CorpusState::refused;
  } else if (status.error) {
    MeasuredCorpus refused = shown_ ? *shown_ : MeasuredCorpus();
    refused.problem = status.error_message;
    shown_ = std::make_shared<const MeasuredCorpus>(std::move(refused));
    state_ = CorpusState::refused;
  } else {  // everything on the desk was cancelled
    state_ = CorpusState::stopped;
    keep_in_file();
  }
}

void CorpusStudies::update_opened() {
  const bool has_ended = opened_.status().state == StudyState::resting;
  if (!has_ended) return;
  is_opening_ = false;
  std::shared_ptr<const MeasuredCorpus> found = opened_.result();
  if (!found) return;  // cancelled
  opened_.let_go();
  if (!found->problem.empty()) {
    problem_ = found->problem;
    return;
  }
  stop();
  run_.let_go();
  request_.reset();
  state_ = found->stored->study.part.is_complete ? CorpusState::finished : CorpusState::stopped;
  shown_ = std::move(found);
  ++times_opened_;
}

void CorpusStudies::update_saved() {
  const std::shared_ptr<const Saved> kept = kept_.result(), saved = saved_.result();
  for (const auto& [written, told] : {std::pair(kept, told_kept_), std::pair(saved, told_saved_)}) {
    if (written && written != told && !written->problem.empty()) problem_ = written->problem;
  }
  if (saved && saved != told_saved_ && saved->problem.empty()) done_ = fmt::format("Saved as {}", saved->file.string());
  for (const auto& [written, told] : {std::pair(kept, told_kept_), std::pair(saved, told_saved_)}) {
    const bool holds_shown = written && written != told && written->problem.empty() && shown_ && shown_->stored == written->stored;
    if (!holds_shown || !written->is_study) continue;
    MeasuredCorpus with_file = *shown_;
    with_file.file = written->file;
    shown_ = std::make_shared<const MeasuredCorpus>(std::move(with_file));
  }
  told_kept_ = kept;
  told_saved_ = saved;
}

}  // namespace headlight
