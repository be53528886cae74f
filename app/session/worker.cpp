#include "app/session/worker.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "app/session/map_cache.h"

namespace headlight {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kNotifyInterval = std::chrono::milliseconds(50);  // of progress; results are told at once

/// What to tell of the exception being handled; nullopt for a cancel.
std::optional<ErrorDetail> current_refusal() {
  try {
    throw;
  } catch (const Cancelled&) {
    return std::nullopt;
  } catch (const Error& error) {
    return error.detail();
  } catch (const std::bad_alloc&) {
    return ErrorDetail{.kind = ErrorKind::limit,
                       .problem = "there is not enough free memory for this",
                       .hint = "Shorten the text or choose a smaller model"};
  } catch (const std::exception& fault) {
    return ErrorDetail{.kind = ErrorKind::internal, .problem = "a fault in Headlight: " + printable(fault.what())};
  }
}

}  // namespace

struct Worker::State final : Progress {
  State(int threads, std::function<void()> changed) : pipeline(threads), on_change(std::move(changed)) {}

  struct Job {
    std::uint64_t generation;
    Query query;
  };
  struct WantedMaps {
    std::shared_ptr<const Snapshot> snapshot;
    HeadId head;
    bool operator==(const WantedMaps&) const = default;
  };

  struct WantedLesson {
    std::shared_ptr<const Snapshot> snapshot;
    Wish wish;
    int steps = 0;
  };

  Pipeline pipeline;                        // the compute thread's own
  std::shared_ptr<const Snapshot> retired;  // likewise: the snapshot before the last, freed outside the lock
  const std::function<void()> on_change;
  std::atomic<bool> is_cancelled = false;  // written under mutex, read by every thread of the pool

  mutable std::mutex mutex;
  std::condition_variable work_arrived;
  // Guarded by mutex.
  std::optional<Job> slot;
  bool is_running = false;
  bool is_stopping = false;
  Clock::time_point started, last_notified;
  std::shared_ptr<const Snapshot> snapshot;
  WorkerStatus status;
  MapCache cache{kMapCacheBytes};
  std::deque<WantedMaps> wanted;  // maps still to be made
  std::optional<WantedMaps> making;
  std::optional<WantedLesson> lesson;  // waits
  bool is_teaching = false;
  std::shared_ptr<const Taught> taught;
  std::set<HeadId> watched;     // heads asked for while the last snapshot was shown
  bool is_watch_stale = false;  // a snapshot was published since `watched` was last added to
  std::thread thread;           // last: started when everything above is ready

  void step(double done, std::string_view what) override {
    if (is_cancelled) throw Cancelled{};
    bool is_time_to_tell = false;
    {
      const std::lock_guard lock(mutex);
      status.done = done;
      status.step = what;
      const Clock::time_point now = Clock::now();
      is_time_to_tell = now - last_notified >= kNotifyInterval;
      if (is_time_to_tell) last_notified = now;
    }
    if (is_time_to_tell) notify();
  }

  void notify() const {
    if (on_change) on_change();
  }

  void run() {
    std::unique_lock lock(mutex);
    while (true) {
      work_arrived.wait(lock, [&] { return is_stopping || slot || !wanted.empty() || lesson; });
      if (is_stopping) return;
      if (slot) {
        run_job(lock);
      } else if (!wanted.empty()) {
        make_wanted_maps(lock);
      } else {
        give_lesson(lock);
      }
      lock.unlock();
      retired.reset();
      notify();
      lock.lock();
    }
  }

  /// Runs the waiting request and publishes what it found. `lock` is held on entry and on return.
  void run_job(std::unique_lock<std::mutex>& lock) {
    const Job job = *std::exchange(slot, std::nullopt);
    is_running = true;
    is_cancelled = false;
    started = last_notified = Clock::now();
    lock.unlock();
    std::shared_ptr<const Snapshot> result;
    std::optional<ErrorDetail> refusal;
    try {
      result = pipeline.run(job.query, *this);
      make_watched_maps(result);
    } catch (...) {
      refusal = current_refusal();
    }
    lock.lock();
    is_running = false;
    status.done = 0;
    status.step.clear();
    if (result) publish(std::move(result));
    if (refusal) {
      status.error_message = Error(*refusal).message();
      status.error = std::move(refusal);
    }
    status.finished = slot ? job.generation : status.requested;
  }

  /// Called with the mutex held.
  void publish(std::shared_ptr<const Snapshot> result) {
    retired = std::exchange(snapshot, std::move(result));
    ++status.published;
    status.error.reset();
    status.error_message.clear();
    is_watch_stale = true;
    std::erase_if(wanted, [&](const WantedMaps& each) { return each.snapshot != snapshot; });
  }

  /// Makes the maps of the heads being looked at before their snapshot is published. Called without the lock.
  void make_watched_maps(const std::shared_ptr<const Snapshot>& result) {
    std::vector<HeadId> heads;
    {
      const std::lock_guard lock(mutex);
      for (const HeadId head : watched) {
        if (result->contains(head) && !cache.contains(*result, head)) heads.push_back(head);
      }
    }
    for (const HeadId head : heads) {
      if (is_cancelled) return;
      make_maps(*result, head);
    }
  }

  void make_wanted_maps(std::unique_lock<std::mutex>& lock) {
    const WantedMaps next = std::move(wanted.front());
    wanted.pop_front();
    making = next;
    lock.unlock();
    std::optional<ErrorDetail> refusal;
    try {
      make_maps(*next.snapshot, next.head);
    } catch (...) {
      refusal = current_refusal();
    }
    lock.lock();
    making.reset();
    if (!refusal) return;
    cache.insert(*next.snapshot, next.head, nullptr);
    status.error_message = Error(*refusal).message();
    status.error = std::move(refusal);
  }

  void give_lesson(std::unique_lock<std::mutex>& lock) {
    const WantedLesson next = *std::exchange(lesson, std::nullopt);
    is_teaching = true;
    is_cancelled = false;
    lock.unlock();
    auto result = std::make_shared<Taught>();
    result->snapshot = next.snapshot;
    result->head = next.wish.head;
    try {
      const LayerTrace& layer = *next.snapshot->trace.layers.at(static_cast<std::size_t>(next.wish.head.layer));
      result->lesson = teach_head(*next.snapshot->model, layer, next.wish, next.steps, *this);
    } catch (...) {
      const std::optional<ErrorDetail> refusal = current_refusal();
      result->refusal = refusal ? Error(*refusal).message() : "Cancelled.";
    }
    lock.lock();
    is_teaching = false;
    status.done = 0;
    status.step.clear();
    taught = std::move(result);
  }

  void make_maps(const Snapshot& of, HeadId head) {
    auto maps = std::make_shared<const HeadMaps>(of.maps(head));
    const std::lock_guard lock(mutex);
    cache.insert(of, head, std::move(maps));
  }
};

Worker::Worker(int threads, std::function<void()> on_change) : state_(std::make_unique<State>(threads, std::move(on_change))) {
  state_->thread = std::thread([state = state_.get()] { state->run(); });
}

Worker::~Worker() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->is_stopping = true;
    state_->is_cancelled = true;
  }
  state_->work_arrived.notify_all();
  state_->thread.join();
}

std::uint64_t Worker::request(Query query, bool is_gesture) {
  State& state = *state_;
  const std::lock_guard lock(state.mutex);
  state.slot = State::Job{++state.status.requested, std::move(query)};
  if ((state.is_running && !is_gesture) || state.is_teaching) state.is_cancelled = true;
  state.work_arrived.notify_all();
  return state.status.requested;
}

void Worker::cancel() {
  State& state = *state_;
  const std::lock_guard lock(state.mutex);
  state.slot.reset();
  state.wanted.clear();
  state.lesson.reset();
  state.is_cancelled = true;
  if (!state.is_running) state.status.finished = state.status.requested;
}

std::shared_ptr<const Snapshot> Worker::snapshot() const {
  const std::lock_guard lock(state_->mutex);
  return state_->snapshot;
}

WorkerStatus Worker::status() const {
  const std::lock_guard lock(state_->mutex);
  WorkerStatus status = state_->status;
  status.is_busy = state_->is_running || state_->slot;
  if (state_->is_running) status.seconds = std::chrono::duration<double>(Clock::now() - state_->started).count();
  return status;
}

bool Worker::is_idle() const {
  const std::lock_guard lock(state_->mutex);
  return !state_->slot && !state_->is_running && state_->wanted.empty() && !state_->making && !state_->lesson && !state_->is_teaching;
}

void Worker::teach(std::shared_ptr<const Snapshot> snapshot, Wish wish, int steps) {
  State& state = *state_;
  const std::lock_guard lock(state.mutex);
  if (!snapshot || !snapshot->contains(wish.head)) return;
  state.lesson = State::WantedLesson{std::move(snapshot), std::move(wish), steps};
  state.work_arrived.notify_all();
}

std::shared_ptr<const Taught> Worker::taught() const {
  const std::lock_guard lock(state_->mutex);
  return state_->taught;
}

std::shared_ptr<const HeadMaps> Worker::maps(const std::shared_ptr<const Snapshot>& snapshot, HeadId head) {
  if (!snapshot || !snapshot->contains(head)) return nullptr;
  State& state = *state_;
  const std::lock_guard lock(state.mutex);
  if (std::exchange(state.is_watch_stale, false)) state.watched.clear();
  state.watched.insert(head);
  if (state.cache.contains(*snapshot, head)) return state.cache.find(*snapshot, head);
  const State::WantedMaps wish{snapshot, head};
  if (state.making != wish && std::find(state.wanted.begin(), state.wanted.end(), wish) == state.wanted.end()) {
    state.wanted.push_back(wish);
    state.work_arrived.notify_all();
  }
  return nullptr;
}

}  // namespace headlight
