#include "app/work/worker.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "app/work/map_cache.h"
#include "engine/core/memory_reserve.h"

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
    keep_memory_reserve();
    return ErrorDetail{.kind = ErrorKind::limit,
                       .problem = "there is not enough free memory for this",
                       .hint = "Shorten the text or choose a smaller model"};
  } catch (const std::exception& fault) {
    return ErrorDetail{.kind = ErrorKind::internal, .problem = "a fault in Headlight: " + printable(fault.what())};
  }
}

}  // namespace

struct Worker::State final : Progress {
  State(int threads, std::function<void()> changed) : pipeline(threads, {}, UnchosenItem::first), on_change(std::move(changed)) {}

  struct Job {
    std::uint64_t generation;
    Query query;
  };
  struct WantedMaps {
    std::shared_ptr<const Snapshot> snapshot;
    HeadId head;
    bool operator==(const WantedMaps&) const = default;
  };
  struct Side {
    std::uint64_t first = 0, number = 0;  // of the first and the newest job since the key was new
    SideJob waiting;                      // empty: none
    std::shared_ptr<const void> result;
  };

  Pipeline pipeline;                         // the compute thread's own
  std::shared_ptr<const Snapshot> retired;   // likewise: the snapshot before the last, freed outside the lock
  std::shared_ptr<const void> retired_side;  // likewise
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
  std::set<HeadId> watched;     // heads asked for while the last snapshot was shown
  bool is_watch_stale = false;  // a snapshot was published since `watched` was last added to
  std::map<std::string, Side, std::less<>> sides;
  std::uint64_t side_count = 0;
  bool is_side_running = false;
  std::string failed_side;  // whose error the status shows; empty: no side job's
  std::thread thread;       // last: started when everything above is ready

  void check() override {
    if (is_cancelled) throw Cancelled{};
  }

  void step(double done, std::string_view what) override {
    check();
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
      work_arrived.wait(lock, [&] { return is_stopping || slot || !wanted.empty() || has_waiting_side(); });
      if (is_stopping) return;
      if (slot) {
        run_job(lock);
      } else if (!wanted.empty()) {
        make_wanted_maps(lock);
      } else {
        run_side(lock);
      }
      lock.unlock();
      retired.reset();
      retired_side.reset();
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
    if (refusal) refuse(std::move(*refusal));
    status.finished = slot ? job.generation : status.requested;
  }

  /// Called with the mutex held. `side`: the key of the side job that was refused.
  void refuse(ErrorDetail refusal, std::string side = {}) {
    status.error_message = Error(refusal).message();
    status.error = std::move(refusal);
    failed_side = std::move(side);
  }

  /// Called with the mutex held.
  void forget_error() {
    status.error.reset();
    status.error_message.clear();
    failed_side.clear();
  }

  /// Called with the mutex held.
  void publish(std::shared_ptr<const Snapshot> result) {
    retired = std::exchange(snapshot, std::move(result));
    ++status.published;
    forget_error();
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
    is_cancelled = false;
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
    refuse(std::move(*refusal));
  }

  /// Called with the mutex held.
  bool has_waiting_side() const {
    return std::any_of(sides.begin(), sides.end(), [](const auto& side) { return side.second.waiting != nullptr; });
  }

  /// Maps and side jobs report no progress; a cancel, or the end of the program, stops them.
  struct SideProgress final : Progress {
    explicit SideProgress(const std::atomic<bool>& is_cancelled) : is_cancelled_(is_cancelled) {}
    void step(double, std::string_view) override { check(); }
    void check() override {
      if (is_cancelled_) throw Cancelled{};
    }
    const std::atomic<bool>& is_cancelled_;
  };

  /// Runs one waiting side job. `lock` is held on entry and on return.
  void run_side(std::unique_lock<std::mutex>& lock) {
    const auto next = std::find_if(sides.begin(), sides.end(), [](const auto& side) { return side.second.waiting != nullptr; });
    const std::string key = next->first;
    const std::uint64_t number = next->second.number;
    SideJob job = std::exchange(next->second.waiting, nullptr);
    is_side_running = true;
    is_cancelled = false;
    lock.unlock();
    std::shared_ptr<const void> result;
    std::optional<ErrorDetail> refusal;
    try {
      SideProgress progress(is_cancelled);
      result = job(progress);
    } catch (...) {
      refusal = current_refusal();
    }
    job = nullptr;  // what it captured is freed outside the lock
    lock.lock();
    is_side_running = false;
    publish_side(key, number, std::move(result), std::move(refusal));
  }

  /// Called with the mutex held.
  void publish_side(const std::string& key, std::uint64_t number, std::shared_ptr<const void> result, std::optional<ErrorDetail> refusal) {
    const auto side = sides.find(key);
    if (side == sides.end() || number < side->second.first) {  // dropped while it ran
      retired_side = std::move(result);
      return;
    }
    if (refusal && number == side->second.number) refuse(std::move(*refusal), key);
    if (!result) return;
    if (failed_side == key) forget_error();
    retired_side = std::exchange(side->second.result, std::move(result));
  }

  void make_maps(const Snapshot& of, HeadId head) {
    SideProgress quiet(is_cancelled);
    auto maps = std::make_shared<const HeadMaps>(of.maps(head, quiet));
    const std::lock_guard lock(mutex);
    cache.insert(of, head, std::move(maps));
  }
};

Worker::Worker(int threads, std::function<void()> on_change) : state_(std::make_unique<State>(threads, std::move(on_change))) {
  state_->thread = start_thread([state = state_.get()] { state->run(); });
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
  if ((state.is_running || state.making) && !is_gesture) state.is_cancelled = true;
  state.work_arrived.notify_all();
  return state.status.requested;
}

void Worker::cancel() {
  State& state = *state_;
  const std::lock_guard lock(state.mutex);
  state.slot.reset();
  state.wanted.clear();
  for (auto& [key, side] : state.sides) side.waiting = nullptr;
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
  return !state_->slot && !state_->is_running && state_->wanted.empty() && !state_->making && !state_->is_side_running &&
         !state_->has_waiting_side();
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

void Worker::request_side(const std::string& key, SideJob job) {
  State& state = *state_;
  const std::lock_guard lock(state.mutex);
  State::Side& side = state.sides[key];
  side.number = ++state.side_count;
  if (side.first == 0) side.first = side.number;
  std::swap(side.waiting, job);  // the replaced one is freed after the lock: parameters outlive locals
  state.work_arrived.notify_all();
}

std::shared_ptr<const void> Worker::side(const std::string& key) const {
  const std::lock_guard lock(state_->mutex);
  const auto side = state_->sides.find(key);
  return side == state_->sides.end() ? nullptr : side->second.result;
}

void Worker::drop_side(const std::string& key) {
  State& state = *state_;
  State::Side dropped;  // freed after the lock
  const std::lock_guard lock(state.mutex);
  const auto side = state.sides.find(key);
  if (side == state.sides.end()) return;
  dropped = std::move(side->second);
  state.sides.erase(side);
  if (state.failed_side == key) state.forget_error();
}

}  // namespace headlight
