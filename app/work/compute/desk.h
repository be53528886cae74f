// The desk: studies beside the pictures. A study answers typed requests, a step at a time, on the desk's own thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/guarded.h"
#include "engine/core/parallel.h"
#include "engine/core/progress.h"

namespace headlight {

/// The window hears of progress at most once in this time, and of results at once.
inline constexpr std::chrono::milliseconds kNotifyInterval{50};

/// Of work that goes on as fast as it did in these seconds, in which it came from `begun` to `done`, 0…1. None: too little is done to say.
std::optional<double> seconds_left(double seconds, double done, double begun = 0);

/// What a running step is given.
struct StepContext {
  Progress& progress;  ///< of the whole study, 0…1. Throws Cancelled when the step must stop; a step that was interrupted is done again
  ThreadPool& pool;    ///< the desk's own
};

/// Passes on the progress of one part of a study, which reports 0…1 for itself, as [from, to] of the whole.
class PartProgress final : public Progress {
 public:
  PartProgress(Progress& whole, double from, double to) : whole_(whole), from_(from), to_(to) {}
  void step(double done, std::string_view what) override { whole_.step(from_ + done * (to_ - from_), what); }
  void check() override { whole_.check(); }

 private:
  Progress& whole_;
  const double from_, to_;
};

/// What a step found.
template <class Result>
struct StudyStep {
  std::shared_ptr<const Result> found;  ///< with all that the steps before it found
  double done = 1;                      ///< 0…1 of the study; 1: `found` is its result
  double begun = 0;                     ///< what was done before its first step, of a study that goes on
  std::optional<double> seconds = {};   ///< of computing, in which it came from `begun` to `done`; none: in all of its steps
};

enum class StudyState : std::uint8_t { resting, waiting, running, paused };

/// What the window shows of a study.
struct StudyStatus {
  StudyState state = StudyState::resting;  ///< resting: nothing was asked, or it was finished, refused or cancelled
  double done = 0;                         ///< 0…1
  double seconds = 0;                      ///< of computing so far, without pauses and interrupted steps
  std::optional<double> seconds_left;      ///< estimated; none while too little is done
  std::string step;                        ///< what it is doing
  std::optional<ErrorDetail> error;        ///< of the last request that ended, if it was refused; the result before it stays
  std::string error_message;
};

/// Holds the places of the studies and does their steps, in turn. A finished step is kept; one that is interrupted, by a picture that is
/// asked for, or by a pause, is done again from the last finished one. The desk has a thread of its own, because a step takes up to a fifth
/// of a second to stop, and a picture does not wait for that.
/// Thread contract: `hold` and `go_on` from any thread, all others from the UI thread. None waits for a computation.
class Desk {
 public:
  /// What a step leaves behind: `publish` is called if the step still counts.
  struct Stepped {
    double done = 1;
    std::function<void(bool is_finished)> publish;
    double begun = 0;
    std::optional<double> seconds = {};
  };
  using Job = std::function<Stepped(StepContext&)>;  ///< each call is the next step

  /// One study's place, whatever its types. Study holds it; the desk outlives it.
  class Place {
   public:
    explicit Place(Desk& desk);
    ~Place();  ///< as let_go
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    /// Replaces what waits; a step that is running is finished, and its result published if it was the last of its study.
    void ask(Job job);
    void pause();
    void resume();
    /// Drops the request; a running step is stopped, and what it finds is not published.
    void cancel();
    /// The same, and forgets the error.
    void let_go();
    StudyStatus status() const;

   private:
    Desk& desk_;
    std::uint64_t id_ = 0;
  };

  /// `on_change` is called from the desk's threads, without a lock, when there is news of a study. threads: as in ThreadPool. Throws Error
  /// (limit) if the system starts no thread.
  Desk(int threads, std::function<void()> on_change);
  ~Desk();  ///< interrupts and joins; all places are gone by then
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  /// Interrupts the running step, and begins no other before `go_on`: pictures come first.
  void hold();
  void go_on();
  /// While one lives, no step begins; a running one is finished. For a frame that must show the same results however fast they are found.
  class Quiet {
   public:
    explicit Quiet(Desk& desk);
    ~Quiet();
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;

   private:
    Desk& desk_;
  };
  bool is_idle() const;  ///< nothing runs or waits; what is paused does not count
  /// Cancels all studies, including paused ones.
  void cancel_all();
  /// The status of the study that runs, or of the interrupted one that runs next.
  std::optional<StudyStatus> running() const;
  /// The newest refusal that was not followed by a success of the same study, nor taken back by `forget_problem`.
  std::optional<ErrorDetail> problem() const;
  void forget_problem();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A kind of question and its place on the desk: the newest request is answered, and the last result stays until the next one is there.
/// Request: a value with ==. Result: immutable. Thread contract: the UI thread only.
template <class Request, class Result>
class Study {
 public:
  /// The next step, on the desk's thread. `so_far`: what the last finished step found; null: this is the first. May throw Error, which
  /// belongs to this study. A step may continue for a moment after its study is gone: what it captures outlives the desk.
  using Work = std::function<StudyStep<Result>(const Request& request, const std::shared_ptr<const Result>& so_far, StepContext& context)>;
  /// A study of one step.
  using WholeWork = std::function<Result(const Request& request, StepContext& context)>;

  Study(Desk& desk, Work work) : place_(desk), work_(std::move(work)) {}
  Study(Desk& desk, WholeWork work)
      : Study(desk, Work([whole = std::move(work)](const Request& request, const std::shared_ptr<const Result>&, StepContext& context) {
                return StudyStep<Result>{std::make_shared<const Result>(whole(request, context))};
              })) {}

  /// Starts the study unless this is what was asked last, whatever became of it. Returns the last result; null before the first.
  std::shared_ptr<const Result> ask(const Request& request) {
    if (asked_ != request) start(request);
    return result();
  }
  /// The same, but of this request alone: what its finished steps found, or all of it; null before the first step. `is_of_it(result)`: whether
  /// it is of the request.
  template <typename IsOfIt>
  std::shared_ptr<const Result> ask_so_far(const Request& request, const IsOfIt& is_of_it) {
    const std::shared_ptr<const Result> found = ask(request);
    for (const auto& each : {partial(), found}) {
      if (each && is_of_it(*each)) return each;
    }
    return nullptr;
  }
  /// Starts it even if the same was asked last.
  void start(Request request) {
    asked_ = request;
    const std::uint64_t number = found_->begin();
    place_.ask([run = Run{std::move(request), work_, found_, number, nullptr}](StepContext& context) mutable { return run.step(context); });
  }
  std::shared_ptr<const Result> result() const { return found_->result_now(); }
  /// What the finished steps of the newest request found; null before the first, and once there is a result.
  std::shared_ptr<const Result> partial() const { return found_->partial_now(); }
  const std::optional<Request>& asked() const { return asked_; }
  StudyStatus status() const { return place_.status(); }
  void pause() { place_.pause(); }
  void resume() { place_.resume(); }
  /// The result before stays. Asking for the same again does not start it; `start` does.
  void cancel() {
    place_.cancel();
    found_->begin();
  }
  /// The next `ask` starts the study whatever it asks for; until then everything stays.
  void forget_request() { asked_.reset(); }
  /// Cancels, and forgets request, result and error, and what they hold.
  void let_go() {
    place_.let_go();
    asked_.reset();
    found_ = std::make_shared<Found>();
  }

 private:
  /// Shared with the jobs.
  struct Found {
    std::shared_ptr<const Result> result_now() const {
      const Lock lock(mutex);
      return result;
    }
    std::shared_ptr<const Result> partial_now() const {
      const Lock lock(mutex);
      return partial;
    }
    /// Another request, or none, from now on: partial results of those before it no longer count.
    std::uint64_t begin() {
      const Lock lock(mutex);
      partial.reset();
      return ++requests;
    }
    void keep_partial(std::shared_ptr<const Result>& found, std::uint64_t request) {
      const Lock lock(mutex);
      if (request == requests) partial.swap(found);
    }
    void keep_result(std::shared_ptr<const Result>& found, std::uint64_t request) {
      const Lock lock(mutex);
      result.swap(found);
      if (request == requests) partial.reset();
    }
    mutable Mutex mutex;
    std::shared_ptr<const Result> result HEADLIGHT_GUARDED_BY(mutex), partial HEADLIGHT_GUARDED_BY(mutex);
    std::uint64_t requests HEADLIGHT_GUARDED_BY(mutex) = 0;
  };
  /// One request's steps.
  struct Run {
    Request request;
    Work work;
    std::shared_ptr<Found> found;
    std::uint64_t number = 0;  // of the request
    std::shared_ptr<const Result> so_far;

    Desk::Stepped step(StepContext& context) {
      StudyStep<Result> next = work(request, so_far, context);
      so_far = next.found;
      return {next.done,
              [into = found, request_number = number, newest = std::move(next.found)](bool is_finished) mutable {
                is_finished ? into->keep_result(newest, request_number) : into->keep_partial(newest, request_number);
              },
              next.begun, next.seconds};
    }
  };

  Desk::Place place_;
  Work work_;
  std::optional<Request> asked_;
  std::shared_ptr<Found> found_ = std::make_shared<Found>();
};

}  // namespace headlight
