// The compute thread: the newest picture first, then those of subjects beside it; and the desk, whose studies rest meanwhile. One slot:
// only the newest request counts. One published snapshot, one generation number.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/work/compute/beside_pictures.h"
#include "app/work/compute/desk.h"
#include "engine/core/error.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {

/// What the window shows of the worker, copied at once under one lock.
struct WorkerStatus {
  std::uint64_t requested = 0;  ///< generation of the newest request
  std::uint64_t finished = 0;   ///< newest generation that is over: finished, refused, replaced or cancelled
  std::uint64_t published = 0;  ///< how many snapshots were published so far
  bool is_busy = false;
  bool is_busy_beside = false;       ///< computes a picture beside the shown one
  double done = 0;                   ///< 0…1 of the running picture; 0 when none runs
  double seconds = 0;                ///< how long it has been running
  std::string step;                  ///< what it is doing
  std::optional<ErrorDetail> error;  ///< of the last request or study that ended, if it was refused; the previous snapshot stays
  std::string error_message;
  std::optional<RunEstimate> asked;  ///< the newest request waits for allow_cost: it takes longer than what may run without a question
  std::optional<StudyStatus> study;  ///< the one that runs, or the interrupted one that runs next
};

/// Full maps kept in memory, and how many were computed.
struct MapCacheUse {
  std::size_t maps = 0, bytes = 0, most_bytes = 0;
  std::uint64_t made = 0;
};

/// Thread contract: all functions from the UI thread; none of them waits for a computation.
class Worker {
 public:
  /// `on_change` is called from other threads whenever the status, the snapshot, a map or a study changed (it wakes the window).
  explicit Worker(int threads = 0, std::function<void()> on_change = {});
  ~Worker();  ///< cancels and joins
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Replaces the waiting request. While a gesture is held the running picture is finished first, so that pictures keep coming; otherwise
  /// it is cancelled (its finished stages are kept). A picture beside the shown one and a study's step are interrupted at once, and done
  /// again afterwards. A picture that is kept beside is published at once. Returns the request's generation.
  /// `rereads`: model or maps are read from their files again; pictures beside it stay as they are.
  std::uint64_t request(Query query, bool is_gesture, bool rereads = false);
  /// From now on a request that takes more seconds, and more than what was allowed before, waits for allow_cost (WorkerStatus::asked), and
  /// the published snapshot stays. Pictures beside it never wait.
  void ask_above(double seconds);
  /// Runs the request that waits.
  void allow_cost();
  /// Stops what is running and drops what waits, studies included; the published snapshot stays.
  void cancel();
  std::shared_ptr<const Snapshot> snapshot() const;  ///< the last one that succeeded; null before the first
  /// The layers of the running picture that are there already, as Pipeline::show_layers gives them; null: it has none yet, or none runs.
  std::shared_ptr<const Snapshot> part() const;
  WorkerStatus status() const;
  bool is_idle() const;  ///< nothing waits or runs: pictures, maps, studies. A paused study does not count

  /// Keeps pictures of these queries beside the shown one, computed in this order, after the newest request and before studies. A picture
  /// that is published or kept already is used as it is; all others are dropped. To show another subject, call `request` first: the picture
  /// that was shown is kept until the next call of keep_beside.
  void keep_beside(std::vector<Query> queries);
  /// The picture of a query given to `keep_beside`, or why there is none. A refused one is tried again when it is requested once more.
  PictureBeside beside(const Query& query) const;

  /// Full maps of a head of `snapshot`: at once when cached, else null and made on the compute thread after the running query.
  /// Heads that are asked for are watched: the next snapshot is published together with their maps, so a shown map never lags behind; the
  /// same is true of the pictures beside it. A cache of kMapCacheBytes keeps the most recent ones; maps that could not be made stay null
  /// and are an error in the status.
  std::shared_ptr<const HeadMaps> maps(const std::shared_ptr<const Snapshot>& snapshot, HeadId head);

  MapCacheUse map_cache_use() const;

  /// Where studies have their places; the worker outlives them.
  Desk& desk();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

inline constexpr std::size_t kMapCacheBytes = std::size_t{512} << 20;

}  // namespace headlight
