// The compute thread. One slot: the newest request wins. One published snapshot, one generation number.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/core/error.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {

/// What the window shows of the worker, copied at once under one lock.
struct WorkerStatus {
  std::uint64_t requested = 0;  ///< generation of the newest request
  std::uint64_t finished = 0;   ///< newest generation that is over: ended well or badly, replaced or cancelled
  std::uint64_t published = 0;  ///< how many snapshots were published so far
  bool is_busy = false;
  double done = 0;                   ///< 0…1 of the running job; 0 when none runs
  double seconds = 0;                ///< how long it has been running
  std::string step;                  ///< what it is doing
  std::optional<ErrorDetail> error;  ///< of the last request that ended, when it was refused; the previous snapshot stays
  std::string error_message;
};

/// A job beside the queries, such as a lab: it captures what it reads by value and returns something immutable. Runs on the compute thread;
/// may throw Error, and Cancelled from `progress`.
using SideJob = std::function<std::shared_ptr<const void>(Progress& progress)>;

/// Thread contract: all functions from the UI thread; none of them waits for a computation.
class Worker {
 public:
  /// `on_change` is called from the compute thread whenever the status, the snapshot or a map changed (it wakes the window).
  explicit Worker(int threads = 0, std::function<void()> on_change = {});
  ~Worker();  ///< cancels and joins
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Replaces the waiting request. While a gesture is held the running job is finished first, so that pictures keep coming; otherwise it is
  /// cancelled (its finished stages are kept). Returns the request's generation.
  std::uint64_t request(Query query, bool is_gesture);
  /// Stops the running job and drops the waiting one; the published snapshot stays.
  void cancel();
  std::shared_ptr<const Snapshot> snapshot() const;  ///< the last one that succeeded; null before the first
  WorkerStatus status() const;
  bool is_idle() const;  ///< nothing waits or runs, maps and side jobs included

  /// Full maps of a head of `snapshot`: at once when cached, else null and made on the compute thread after the running query.
  /// Heads that are asked for are watched: the next snapshot is published together with their maps, so a shown map never lags behind.
  /// A cache of kMapCacheBytes keeps the most recent ones; maps that could not be made stay null and are an error in the status.
  std::shared_ptr<const HeadMaps> maps(const std::shared_ptr<const Snapshot>& snapshot, HeadId head);

  /// One slot per key beside the queries' own: a job of the same key that still waits is replaced (newest wins); one that runs is finished,
  /// so that pictures keep coming. Side jobs run after the running query and the maps that are asked for.
  void request_side(const std::string& key, SideJob job);
  /// The last result of a key; null before the first. A job that failed keeps the result before it and is an error in the status.
  std::shared_ptr<const void> side(const std::string& key) const;
  /// Forgets a key: job, result and error.
  void drop_side(const std::string& key);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

inline constexpr std::size_t kMapCacheBytes = std::size_t{512} << 20;

}  // namespace headlight
