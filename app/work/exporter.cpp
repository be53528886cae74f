#include "app/work/exporter.h"

#include <deque>
#include <exception>
#include <thread>
#include <utility>

#include "app/document/files/mask_files.h"
#include "app/recipe/recipe.h"
#include "engine/core/error.h"
#include "engine/core/guarded.h"
#include "engine/core/parallel.h"
#include "engine/formats/file_reader.h"

namespace headlight {

struct Exporter::State {
  explicit State(std::function<void()> changed) : on_change(std::move(changed)) {}

  struct Job {
    std::filesystem::path path;
    std::function<std::vector<std::string>()> work;  ///< returns notes to add to the path
    bool is_reading = false;
  };

  const std::function<void()> on_change;
  mutable Mutex mutex;
  Condition work_arrived;
  std::deque<Job> jobs HEADLIGHT_GUARDED_BY(mutex);
  bool is_stopping HEADLIGHT_GUARDED_BY(mutex) = false;
  ExportStatus status HEADLIGHT_GUARDED_BY(mutex);
  std::optional<ReadMask> read HEADLIGHT_GUARDED_BY(mutex);
  std::optional<ReadDocument> read_document HEADLIGHT_GUARDED_BY(mutex);
  std::optional<SavedDocument> saved_document HEADLIGHT_GUARDED_BY(mutex);
  std::optional<MadeText> text HEADLIGHT_GUARDED_BY(mutex);
  std::thread thread;  // last: started when everything above is ready

  void add(Job job) {
    {
      const Lock lock(mutex);
      jobs.push_back(std::move(job));
      status.is_busy = true;
    }
    work_arrived.notify_all();
  }

  struct Outcome {
    std::string message;
    bool is_failure = true;
  };
  static Outcome outcome_of(const Job& job) {
    try {
      const std::vector<std::string> notes = job.work();
      std::string message = (job.is_reading ? "Read: " : "Written: ") + printable(job.path.string());
      for (const std::string& note : notes) message += ". " + note;
      return {std::move(message), false};
    } catch (const Error& error) {
      return {error.message()};
    } catch (const std::exception& fault) {
      return {printable(job.path.string()) + (job.is_reading ? ": not read: " : ": not written: ") + printable(fault.what())};
    }
  }

  void run() {
    const Lock lock(mutex);
    while (true) {
      while (!is_stopping && jobs.empty()) work_arrived.wait(mutex);
      if (jobs.empty()) return;
      Outcome outcome = run_next();
      ++status.finished;
      status.message = std::move(outcome.message);
      status.is_failure = outcome.is_failure;
      status.is_busy = !jobs.empty();
      const Unlocked unlocked(mutex);
      if (on_change) on_change();
    }
  }

  /// The job and what it holds are freed before the mutex is taken again.
  Outcome run_next() HEADLIGHT_REQUIRES(mutex) {
    std::optional<Job> job = std::move(jobs.front());
    jobs.pop_front();
    const Unlocked unlocked(mutex);
    Outcome outcome = outcome_of(*job);
    job.reset();
    return outcome;
  }
};

Exporter::Exporter(std::function<void()> on_change) : state_(std::make_unique<State>(std::move(on_change))) {
  state_->thread = start_thread([state = state_.get()] { state->run(); });
}

Exporter::~Exporter() {
  {
    const Lock lock(state_->mutex);
    state_->is_stopping = true;
  }
  state_->work_arrived.notify_all();
  state_->thread.join();
}

void Exporter::start(std::shared_ptr<const Snapshot> snapshot, FigureRequest request, std::filesystem::path path, FigureOutput output) {
  state_->add({path, [snapshot = std::move(snapshot), request = std::move(request), path, output = std::move(output), digests = digests_] {
                 SilentProgress silent;
                 write_recorded_figure(*snapshot, request, path, output, digests, silent);
                 return std::vector<std::string>{};
               }});
}

void Exporter::save(Document document, Json unknown, std::filesystem::path path) {
  const auto write = [state = state_.get(), document = std::move(document), unknown = std::move(unknown), path] {
    const auto note = [&](std::string problem) {
      const Lock lock(state->mutex);
      state->saved_document = SavedDocument{path, document, std::move(problem)};
    };
    try {
      save_document(document, path, unknown);
    } catch (const Error& error) {
      note(error.message());
      throw;
    }
    note({});
    return std::vector<std::string>{};
  };
  state_->add({path, write});
}

std::optional<SavedDocument> Exporter::take_saved() {
  const Lock lock(state_->mutex);
  return std::exchange(state_->saved_document, std::nullopt);
}

void Exporter::write_mask(std::shared_ptr<const Mask> mask, std::filesystem::path path) {
  state_->add({path, [mask = std::move(mask), path] {
                 headlight::write_mask(*mask, path);
                 return std::vector<std::string>{};
               }});
}

void Exporter::read_mask(Scope scope, Index queries, Index keys, std::filesystem::path path) {
  const auto read = [state = state_.get(), scope, queries, keys, path] {
    MaskFile file = headlight::read_mask(path, queries, keys);
    std::vector<CellBlock> strokes = strokes_of(file.mask);
    const Lock lock(state->mutex);
    state->read = ReadMask{scope, std::move(strokes)};
    return file.notes;
  };
  state_->add({path, read, true});
}

std::optional<ReadMask> Exporter::take_mask() {
  const Lock lock(state_->mutex);
  return std::exchange(state_->read, std::nullopt);
}

void Exporter::read_document(std::filesystem::path path) {
  const auto read = [state = state_.get(), path] {
    ReadDocument result{path, {}, Json::object(), {}};
    try {
      result.document = load_document(path, &result.unknown);
    } catch (const Error& error) {
      result.problem = error.message();
    }
    const Lock lock(state->mutex);
    state->read_document = std::move(result);
    return std::vector<std::string>{};
  };
  state_->add({path, read, true});
}

std::optional<ReadDocument> Exporter::take_document() {
  const Lock lock(state_->mutex);
  return std::exchange(state_->read_document, std::nullopt);
}

void Exporter::write_text(std::string text, std::filesystem::path path) {
  state_->add({path, [text = std::move(text), path] {
                 write_file(path, text);
                 return std::vector<std::string>{};
               }});
}

void Exporter::make_text(std::function<MadeText()> make) {
  state_->add({"clipboard", [state = state_.get(), make = std::move(make)] {
                 MadeText made = make();
                 const Lock lock(state->mutex);
                 state->text = std::move(made);
                 return std::vector<std::string>{};
               }});
}

std::optional<MadeText> Exporter::take_text() {
  const Lock lock(state_->mutex);
  return std::exchange(state_->text, std::nullopt);
}

ExportStatus Exporter::status() const {
  const Lock lock(state_->mutex);
  return state_->status;
}

}  // namespace headlight
