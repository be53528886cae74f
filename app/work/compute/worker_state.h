// What the compute thread does, for worker.cpp alone: one job at a time, and everything that both threads share under one lock.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <iterator>
#include <limits>
#include <thread>
#include <utility>

#include "app/work/compute/map_cache.h"
#include "app/work/compute/refusal.h"
#include "app/work/compute/worker.h"

namespace headlight {

/// Of a run that waits for a yes; thrown through the pipeline.
struct CostQuestion {
  RunEstimate cost;
};

struct Worker::State final : Progress {
  using Clock = std::chrono::steady_clock;

  State(int threads, std::function<void()> changed)
      : pipeline(threads, {}, UnchosenItem::first), on_change(std::move(changed)), desk(threads, [this] { notify(); }) {
    pipeline.tell_cost([this](const RunEstimate& cost) { ask(cost); });
    pipeline.show_layers([this](const std::shared_ptr<const Snapshot>& layers) { show_part(layers); });
  }

  enum class Running : std::uint8_t { nothing, picture, maps, beside };
  struct Job {
    std::uint64_t generation;
    Query query;
  };
  struct WantedMaps {
    std::shared_ptr<const Snapshot> snapshot;
    HeadId head;
    bool operator==(const WantedMaps&) const = default;
  };

  Pipeline pipeline;  // the compute thread's own
  const std::function<void()> on_change;
  std::atomic<bool> is_cancelled = false;  // whether the running job should stop; written under mutex, read by every thread of the pool

  mutable Mutex mutex;  // the desk has its own, which may be taken while this one is held
  Condition work_arrived;
  std::optional<Job> slot HEADLIGHT_GUARDED_BY(mutex);
  Query last_requested HEADLIGHT_GUARDED_BY(mutex);
  Running running HEADLIGHT_GUARDED_BY(mutex) = Running::nothing;
  bool is_stopping HEADLIGHT_GUARDED_BY(mutex) = false;
  bool has_news HEADLIGHT_GUARDED_BY(mutex) = false;  // for on_change, from the UI thread
  Clock::time_point started HEADLIGHT_GUARDED_BY(mutex), last_notified HEADLIGHT_GUARDED_BY(mutex);
  std::shared_ptr<const Snapshot> snapshot HEADLIGHT_GUARDED_BY(mutex);
  std::shared_ptr<const Snapshot> part HEADLIGHT_GUARDED_BY(mutex);  // of the running picture
  std::uint64_t shown_generation HEADLIGHT_GUARDED_BY(mutex) = 0;
  BesidePictures beside HEADLIGHT_GUARDED_BY(mutex);
  double unasked HEADLIGHT_GUARDED_BY(mutex) = std::numeric_limits<double>::infinity();  // seconds
  Query computing_beside HEADLIGHT_GUARDED_BY(mutex);                                    // while running == Running::beside
  bool is_keeping_stale HEADLIGHT_GUARDED_BY(mutex) = false;  // the pipeline has to be told which queries are looked at
  bool is_rereading HEADLIGHT_GUARDED_BY(mutex) = false;      // the next picture reads its files again
  bool was_beside_cancelled HEADLIGHT_GUARDED_BY(mutex) = false;
  BesidePictures::Snapshots retired HEADLIGHT_GUARDED_BY(mutex);  // to be freed by the compute thread, outside the lock
  WorkerStatus status HEADLIGHT_GUARDED_BY(mutex);
  MapCache cache HEADLIGHT_GUARDED_BY(mutex){kMapCacheBytes};
  std::deque<WantedMaps> wanted HEADLIGHT_GUARDED_BY(mutex);  // maps still to be made
  std::optional<WantedMaps> making HEADLIGHT_GUARDED_BY(mutex);
  WatchedHeads watched HEADLIGHT_GUARDED_BY(mutex), watched_beside HEADLIGHT_GUARDED_BY(mutex);
  Desk desk;
  std::thread thread;  // last: started when everything above is ready

  void check() override {
    if (is_cancelled) throw Cancelled{};
  }

  /// Of the run that begins.
  void ask(const RunEstimate& cost) {
    const Lock lock(mutex);
    if (running == Running::picture && cost.seconds > unasked) throw CostQuestion{cost};
  }

  /// Of the run that goes on.
  void show_part(const std::shared_ptr<const Snapshot>& layers) {
    {
      const Lock lock(mutex);
      if (running != Running::picture) return;
      part = layers;
    }
    notify();
  }

  void step(double done, std::string_view what) override {
    check();
    {
      const Lock lock(mutex);
      status.done = done;
      status.step = what;
      const Clock::time_point now = Clock::now();
      if (now - last_notified < kNotifyInterval) return;
      last_notified = now;
    }
    notify();
  }

  void notify() const {
    if (on_change) on_change();
  }

  bool has_work() const HEADLIGHT_REQUIRES(mutex) {
    return is_stopping || has_news || is_keeping_stale || slot || !wanted.empty() || beside.next() != nullptr;
  }

  void run() {
    const Lock lock(mutex);
    while (true) {
      while (!has_work()) {
        desk.go_on();  // whoever asks for a picture or for maps holds it first
        work_arrived.wait(mutex);
      }
      if (is_stopping) return;
      if (std::exchange(is_keeping_stale, false)) {
        keep_stages();
        continue;  // something came in the meantime
      }
      has_news = false;
      if (slot) {
        run_picture();
      } else if (!wanted.empty()) {
        make_wanted_maps();
      } else if (beside.next() != nullptr) {
        run_beside();
      }
      BesidePictures::Snapshots freed = std::exchange(retired, {});
      const Unlocked unlocked(mutex);
      freed.clear();
      notify();
    }
  }

  /// The pipeline keeps the stages of the newest request and of what is wanted beside it; those of others are dropped.
  void keep_stages() HEADLIGHT_REQUIRES(mutex) {
    std::vector<Query> queries = beside.queries();
    queries.push_back(last_requested);
    const Unlocked unlocked(mutex);
    pipeline.keep(queries);
  }

  void begin(Running what) HEADLIGHT_REQUIRES(mutex) {
    running = what;
    is_cancelled = false;
    started = last_notified = Clock::now();
  }

  void end() HEADLIGHT_REQUIRES(mutex) {
    running = Running::nothing;
    status.done = 0;
    status.step.clear();
    if (part) retired.push_back(std::exchange(part, nullptr));
  }

  /// A snapshot together with the maps of the heads that are watched, or why there is none.
  struct Outcome {
    std::shared_ptr<const Snapshot> snapshot;
    std::optional<ErrorDetail> refusal;
    std::optional<RunEstimate> asked;  // none of them: cancelled
  };
  Outcome compute(const Query& query, const WatchedHeads& heads_of) HEADLIGHT_REQUIRES(mutex) {
    Outcome outcome;
    const Unlocked unlocked(mutex);
    try {
      outcome.snapshot = pipeline.run(query, *this);
      make_watched_maps(*outcome.snapshot, heads_of);
    } catch (const CostQuestion& question) {
      outcome.asked = question.cost;
    } catch (...) {
      outcome.refusal = current_refusal();
    }
    return outcome;
  }

  /// Runs the waiting request and publishes what it found.
  void run_picture() HEADLIGHT_REQUIRES(mutex) {
    const Job job = *std::exchange(slot, std::nullopt);
    begin(Running::picture);
    if (std::exchange(is_rereading, false)) {
      const Unlocked unlocked(mutex);
      pipeline.forget_files();
    }
    Outcome outcome = compute(job.query, watched);
    end();
    if (job.generation < shown_generation) {  // a newer one was shown in the meantime
      retired.push_back(std::move(outcome.snapshot));
      return;
    }
    if (outcome.snapshot) publish(std::move(outcome.snapshot), job.generation);
    if (outcome.refusal) refuse(std::move(*outcome.refusal));
    if (outcome.asked && job.generation == status.requested) ask_person(*outcome.asked);
    status.finished = slot ? job.generation : status.requested;
  }

  void run_beside() HEADLIGHT_REQUIRES(mutex) {
    computing_beside = *beside.next();
    begin(Running::beside);
    const Query query = computing_beside;
    Outcome outcome = compute(query, watched_beside);
    end();
    if (outcome.refusal) beside.refuse(query, Error(*outcome.refusal).message());
    if (!outcome.snapshot) return;
    beside.put(query, outcome.snapshot);
    watched_beside.is_stale = true;
    retired.push_back(std::move(outcome.snapshot));  // freed where it is no longer wanted
  }

  void refuse(ErrorDetail refusal) HEADLIGHT_REQUIRES(mutex) {
    desk.forget_problem();
    status.error_message = Error(refusal).message();
    status.error = std::move(refusal);
  }

  void ask_person(const RunEstimate& cost) HEADLIGHT_REQUIRES(mutex) {
    status.asked = cost;
    status.error.reset();
    status.error_message.clear();
  }

  void publish(std::shared_ptr<const Snapshot> result, std::uint64_t generation) HEADLIGHT_REQUIRES(mutex) {
    beside.put(result);
    retired.push_back(std::exchange(snapshot, std::move(result)));
    shown_generation = generation;
    ++status.published;
    status.error.reset();
    status.error_message.clear();
    desk.forget_problem();
    watched.is_stale = true;
    drop_stale_wanted();
  }

  /// Drops wanted maps of pictures that can no longer be seen.
  void drop_stale_wanted() HEADLIGHT_REQUIRES(mutex) {
    for (auto each = wanted.begin(); each != wanted.end();)
      each = each->snapshot == snapshot || beside.holds(each->snapshot) ? std::next(each) : wanted.erase(each);
  }

  /// Publishes a picture that was kept beside, and keeps the published one beside instead.
  void exchange_with(const std::shared_ptr<const Snapshot>& kept) HEADLIGHT_REQUIRES(mutex) {
    slot.reset();
    if (running == Running::picture) is_cancelled = true;
    if (snapshot) beside.keep(snapshot);
    publish(kept, status.requested);
    status.finished = status.requested;
    has_news = true;
  }

  /// Makes the maps of the heads being looked at before their snapshot is published. Called without the lock.
  void make_watched_maps(const Snapshot& result, const WatchedHeads& heads_of) {
    std::vector<HeadId> heads;
    {
      const Lock lock(mutex);
      for (const HeadId head : heads_of.heads) {
        if (result.contains(head) && !cache.contains(result, head)) heads.push_back(head);
      }
    }
    for (const HeadId head : heads) {
      if (is_cancelled) return;
      make_maps(result, head);
    }
  }

  void make_wanted_maps() HEADLIGHT_REQUIRES(mutex) {
    const WantedMaps next = std::move(wanted.front());
    wanted.pop_front();
    making = next;
    begin(Running::maps);
    std::optional<ErrorDetail> refusal;
    {
      const Unlocked unlocked(mutex);
      try {
        make_maps(*next.snapshot, next.head);
      } catch (...) {
        refusal = current_refusal();
      }
    }
    end();
    making.reset();
    if (!refusal) return;
    cache.insert(*next.snapshot, next.head, nullptr);
    refuse(std::move(*refusal));
  }

  /// Maps report no progress, but are stopped like everything else.
  struct QuietProgress final : Progress {
    explicit QuietProgress(State& state) : state_(state) {}
    void step(double, std::string_view) override { check(); }
    void check() override { state_.check(); }
    State& state_;
  };

  void make_maps(const Snapshot& of, HeadId head) {
    QuietProgress quiet(*this);
    auto maps = std::make_shared<const HeadMaps>(of.maps(head, quiet));
    const Lock lock(mutex);
    cache.insert(of, head, std::move(maps));
  }

  /// Interrupts work that comes after pictures and maps. It is done again afterwards.
  void interrupt_what_can_wait() HEADLIGHT_REQUIRES(mutex) {
    desk.hold();
    if (running == Running::beside) is_cancelled = true;
  }
};

}  // namespace headlight
