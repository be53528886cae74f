#include "app/work/corpora/corpus_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "app/document/amounts.h"
#include "app/work/corpora/corpus_manifest.h"
#include "app/work/corpora/empty_corpus.h"
#include "engine/core/memory_limit.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kTokensAtOnce = 512;             // a block ends soon, so that what else waits on the desk has its turn
constexpr std::uint64_t kMostCounted = 256ULL << 20U;  // bytes: the texts of a larger file are not counted first
constexpr std::chrono::seconds kKeptEvery{10};
constexpr double kLeastStep = 0.1, kMostStep = 2, kCopies = 20;  // seconds; a step lasts so many times as long as copying what it found

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

/// The study on its way. It is held here and copied for the window.
struct CorpusRun::Measuring {
  Measuring(const CorpusRequest& request, CorpusStudy begun, ThreadPool& pool, Progress& progress)
      : query(without_texts(request.query)),
        passing(request.model, query, runs, pool, progress),
        study(std::move(begun)),
        numbers(request.model, query, request.settings, request.effects, request.texts, pool, progress),
        texts(numbers.open_texts()),
        walk({.run = passing, .settings = request.settings, .query = query, .pool = pool, .measure = numbers.measure()}, *texts, study,
             kTokensAtOnce) {}

  const Query query;
  OtherRuns runs;  // of texts that edits take from
  const PassingRun passing;
  CorpusStudy study;
  TextNumbers numbers;
  const std::unique_ptr<TextSource> texts;
  StudyWalk walk;
  double begun_at = -1;                    // share of the corpus that was there before
  double seconds = 0;                      // of measuring the rest so far
  double copying = 0;                      // seconds that the last copy took
  Clock::time_point shown = Clock::now();  // when the last copy was made
};

CorpusRun::CorpusRun(CorpusRequest request, std::shared_ptr<const std::atomic<bool>> is_ending)
    : request_(std::move(request)), is_ending_(std::move(is_ending)), kept_(Clock::now()) {
  manifest_ = study_manifest(request_.query, request_.settings, request_.model_digest);
  if (request_.effects) manifest_.target = request_.effects->target_text();
  edits_ = measured_edits(manifest_);
}

CorpusRun::~CorpusRun() {
  try {
    keep_at_the_end();
  } catch (const std::exception&) {  // nobody is left to be told; the file holds what it held
  }
}

void CorpusRun::keep_at_the_end() {
  if (!is_ending_ || !*is_ending_ || !is_made_ || request_.file.empty()) return;
  const CorpusStudy& study = measuring_->study;
  if (study.part.next > kept_until_) write_study(request_.file, manifest_, study);
}

/// What an earlier run left, if it is of the same study.
std::optional<CorpusStudy> CorpusRun::earlier_study() {
  std::error_code ignored;
  const bool has_file = !request_.file.empty() && fs::exists(request_.file, ignored);
  if (request_.replaces || (!request_.begun && !has_file)) return std::nullopt;
  is_refused_for_file_ = true;
  StoredStudy found = request_.begun ? *request_.begun : read_study(request_.file);
  std::string difference = manifest_.difference(found.manifest);
  if (found.study.part.count != 1) difference = "the shards";
  if (!difference.empty()) {
    throw Error({.kind = ErrorKind::usage,
                 .file = request_.file.string(),
                 .problem = fmt::format("this file holds another study: {} differ", difference),
                 .hint = "Replace it, or keep the new study in another file"});
  }
  is_refused_for_file_ = false;
  return std::move(found.study);
}

/// Digests and the number of texts: read once, before the first text is measured.
void CorpusRun::prepare(StepContext& context) {
  if (manifest_.model_digest.empty()) {
    PartProgress part(context.progress, 0, 0);
    manifest_.model_digest = digest_of_model(request_.query.model, part);
  }
  if (manifest_.corpus_digest.empty()) {
    PartProgress part(context.progress, 0, 0);
    name_texts(manifest_, request_.settings, request_.texts, part);
  }
  if (is_counted_) return;
  std::error_code ignored;
  if (request_.texts.draws > 0) {
    texts_in_all_ = request_.texts.draws;
  } else if (fs::file_size(request_.texts.file, ignored) <= kMostCounted) {
    PartProgress part(context.progress, 0, 0);
    texts_in_all_ = count_texts(request_.texts.file, request_.texts.format, part);
  }
  is_counted_ = true;
}

void CorpusRun::begin(StepContext& context) {
  prepare(context);
  if (measuring_) return;
  std::optional<CorpusStudy> earlier = earlier_study();
  measuring_ = std::make_unique<Measuring>(request_, earlier ? std::move(*earlier) : CorpusStudy(), context.pool, context.progress);
}

/// Once it is known what the study is of.
void CorpusRun::make_study() {
  CorpusStudy& study = measuring_->study;
  if (study.heads().empty()) study = CorpusStudy(measuring_->numbers.places(measuring_->passing), request_.settings);
  const std::size_t cells = study.lengths() * study.heads().size() * request_.settings.columns();
  require_memory(2.0 * static_cast<double>(cells) * sizeof(StudyCell), allowed_memory(),  // what is shown, and what is shown next
                 {.problem = "the study would be too large to be watched",
                  .found = fmt::format("{} numbers of {} heads", request_.settings.columns(), study.heads().size()),
                  .hint = "Choose fewer measures, or use `headlight heads`"});
  is_made_ = true;
  kept_until_ = study.part.next;
}

/// Texts that have to be known before the first is measured. Whether some are left.
bool CorpusRun::read_others(StepContext& context) {
  if (is_made_) return false;
  PartProgress part(context.progress, 0, 0);
  const Clock::time_point start = Clock::now();
  bool has_more = !measuring_->study.part.is_complete;
  while (has_more && seconds_since(start) < kLeastStep) has_more = measuring_->numbers.read_more(context.pool, part);
  if (!has_more) make_study();
  return has_more;
}

/// Whether texts are left.
bool CorpusRun::measure(StepContext& context) {
  Measuring& now = *measuring_;
  if (now.study.part.is_complete) return false;
  const double least = std::clamp(kCopies * now.copying, kLeastStep, kMostStep);
  while (true) {
    const Clock::time_point start = Clock::now();
    const auto count_time = [&] { now.seconds += seconds_since(start); };
    bool has_more = false;
    try {
      has_more = now.walk.advance(context.progress);
    } catch (const Cancelled&) {
      count_time();
      throw;
    }
    count_time();
    if (now.begun_at < 0) {  // the time until here went into texts that were measured before, and into the first block
      now.begun_at = now.walk.done();
      now.seconds = 0;
      return has_more;  // so that the desk hears of both at once
    }
    context.progress.step(has_more ? std::min(now.walk.done(), 0.999) : 1, words_of_progress());
    if (!has_more || seconds_since(now.shown) > least) return has_more;
  }
}

std::string CorpusRun::words_of_progress() const {
  const std::int64_t done = measuring_->study.texts() + measuring_->study.counts.bad;
  const std::string all = texts_in_all_ ? fmt::format(" of {}", grouped(*texts_in_all_)) : std::string();
  if (request_.texts.draws > 0) return fmt::format("{}{} draws of random tokens", grouped(done), all);
  return fmt::format("{}{} texts of {}", grouped(done), all, printable(request_.texts.file.filename().string(), 40));
}

/// Writes the study every few seconds, and when it has ended.
void CorpusRun::keep(MeasuredCorpus& found) {
  found.file = file_;
  if (request_.file.empty()) return;
  const bool has_ended = found.stored->study.part.is_complete;
  if (!has_ended && Clock::now() - kept_ < kKeptEvery) return;
  kept_ = Clock::now();
  try {
    write_study(request_.file, manifest_, found.stored->study);
    found.file = file_ = request_.file;
    kept_until_ = found.stored->study.part.next;
  } catch (const Error& error) {  // what was measured is not lost for that
    found.file_problem = error.message();
  }
}

StudyStep<MeasuredCorpus> CorpusRun::step(StepContext& context) {
  begin(context);
  if (read_others(context)) {
    MeasuredCorpus reading;
    reading.texts_in_all = texts_in_all_;
    return {std::make_shared<const MeasuredCorpus>(std::move(reading)), 0};
  }
  const bool has_more = measure(context);
  Measuring& now = *measuring_;
  if (!has_more && now.study.texts() == 0 && now.study.counts.bad == 0)
    refuse_no_texts(request_.texts.file);  // and there is no study to keep
  const Clock::time_point start = Clock::now();
  MeasuredCorpus found;
  found.stored = std::make_shared<const StoredStudy>(StoredStudy{manifest_, now.study});
  now.copying = seconds_since(start);
  now.shown = Clock::now();
  found.edits = edits_;
  found.texts_in_all = texts_in_all_;
  keep(found);
  const double done = has_more ? std::min(now.walk.done(), 0.999) : 1;
  return {std::make_shared<const MeasuredCorpus>(std::move(found)), done, std::max(0.0, now.begun_at), now.seconds};
}

}  // namespace headlight
