#include "app/work/exporter.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "app/document/files/mask_files.h"
#include "engine/core/error.h"
#include "engine/core/parallel.h"

namespace headlight {

struct Exporter::State {
  explicit State(std::function<void()> changed) : on_change(std::move(changed)) {}

  struct Job {
    std::filesystem::path path;
    std::function<std::vector<std::string>()> work;  ///< returns what there is to say besides the path
    bool is_reading = false;
  };

  const std::function<void()> on_change;
  mutable std::mutex mutex;
  std::condition_variable work_arrived;
  // Guarded by mutex.
  std::deque<Job> jobs;
  bool is_stopping = false;
  ExportStatus status;
  std::optional<ReadMask> read;
  std::optional<ReadDocument> read_document;
  std::thread thread;  // last: started when everything above is ready

  void add(Job job) {
    {
      const std::lock_guard lock(mutex);
      jobs.push_back(std::move(job));
      status.is_busy = true;
    }
    work_arrived.notify_all();
  }

  void run() {
    std::unique_lock lock(mutex);
    while (true) {
      work_arrived.wait(lock, [&] { return is_stopping || !jobs.empty(); });
      if (jobs.empty()) return;
      std::string message;
      bool is_failure = true;
      {
        const Job job = std::move(jobs.front());
        jobs.pop_front();
        lock.unlock();
        try {
          const std::vector<std::string> notes = job.work();
          message = (job.is_reading ? "Read: " : "Written: ") + printable(job.path.string());
          for (const std::string& note : notes) message += ". " + note;
          is_failure = false;
        } catch (const Error& error) {
          message = error.message();
        } catch (const std::exception& fault) {
          message = printable(job.path.string()) + (job.is_reading ? ": not read: " : ": not written: ") + printable(fault.what());
        }
      }
      lock.lock();
      ++status.finished;
      status.message = std::move(message);
      status.is_failure = is_failure;
      status.is_busy = !jobs.empty();
      lock.unlock();
      if (on_change) on_change();
      lock.lock();
    }
  }
};

Exporter::Exporter(std::function<void()> on_change) : state_(std::make_unique<State>(std::move(on_change))) {
  state_->thread = start_thread([state = state_.get()] { state->run(); });
}

Exporter::~Exporter() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->is_stopping = true;
  }
  state_->work_arrived.notify_all();
  state_->thread.join();
}

void Exporter::start(std::shared_ptr<const Snapshot> snapshot, FigureRequest request, std::filesystem::path path) {
  state_->add({path, [snapshot = std::move(snapshot), request = std::move(request), path] {
                 write_figure(*snapshot, request, path);
                 return std::vector<std::string>{};
               }});
}

void Exporter::save(Document document, Json unknown, std::filesystem::path path) {
  state_->add({path, [document = std::move(document), unknown = std::move(unknown), path] {
                 save_document(document, path, unknown);
                 return std::vector<std::string>{};
               }});
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
    const std::lock_guard lock(state->mutex);
    state->read = ReadMask{scope, std::move(strokes)};
    return file.notes;
  };
  state_->add({path, read, true});
}

std::optional<ReadMask> Exporter::take_mask() {
  const std::lock_guard lock(state_->mutex);
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
    const std::lock_guard lock(state->mutex);
    state->read_document = std::move(result);
    return std::vector<std::string>{};
  };
  state_->add({path, read, true});
}

std::optional<ReadDocument> Exporter::take_document() {
  const std::lock_guard lock(state_->mutex);
  return std::exchange(state_->read_document, std::nullopt);
}

ExportStatus Exporter::status() const {
  const std::lock_guard lock(state_->mutex);
  return state_->status;
}

}  // namespace headlight
