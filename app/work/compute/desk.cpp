#include "app/work/compute/desk.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "app/work/compute/refusal.h"

namespace headlight {
namespace {

using Clock = std::chrono::steady_clock;
// Of a study, before the time that is left can be estimated: a share of it and seconds, a smaller share once more have passed.
constexpr double kLeastToTell = 0.01, kLeastSeconds = 0.2;
constexpr double kLeastOfLong = 0.002, kLongSeconds = 1;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

struct Desk::State {
  State(int threads_of_pool, std::function<void()> changed) : threads(threads_of_pool), on_change(std::move(changed)) {}

  struct Entry {
    Job waiting;                   // of the newest request; empty: none, or it is running
    std::uint64_t newest = 0;      // the number of that request
    std::uint64_t first = 0;       // requests before it were cancelled
    double done = 0, seconds = 0;  // of the finished steps
    double begun = 0;              // StudyStep::begun
    double beside = 0;             // of `seconds`, those that brought it no further: of reading, of what was done before
    double step_done = 0;          // as far as the running step says
    std::string step;              // likewise
    bool is_paused = false;
    std::optional<ErrorDetail> error;
    void begin_anew() {
      done = seconds = begun = beside = step_done = 0;
      step.clear();
    }
  };
  struct Running {
    std::uint64_t id = 0;
    std::uint64_t request = 0;
    Clock::time_point started;
  };

  const int threads;
  const std::function<void()> on_change;
  std::atomic<bool> is_stopped = false;  // whether the running step should stop; written under mutex, read by every thread of the pool
  mutable Mutex mutex;
  Condition work_arrived;
  bool is_held HEADLIGHT_GUARDED_BY(mutex) = false;
  int quiets HEADLIGHT_GUARDED_BY(mutex) = 0;
  bool is_ending HEADLIGHT_GUARDED_BY(mutex) = false;
  Clock::time_point last_notified HEADLIGHT_GUARDED_BY(mutex);
  std::map<std::uint64_t, Entry> entries HEADLIGHT_GUARDED_BY(mutex);  // by the places' ids
  std::uint64_t places HEADLIGHT_GUARDED_BY(mutex) = 0;
  std::vector<std::uint64_t> turns HEADLIGHT_GUARDED_BY(mutex);  // whose next step comes first, the running one included
  std::optional<Running> running HEADLIGHT_GUARDED_BY(mutex);
  std::optional<std::uint64_t> told HEADLIGHT_GUARDED_BY(mutex);  // whose error `problem` is
  std::thread thread;                                             // last: started when everything above is ready

  /// The running step's progress, and the check whether to continue.
  struct StepProgress final : Progress {
    StepProgress(State& state, const Running& now) : desk(state), ran(now) {}
    void check() override {
      if (desk.is_stopped) throw Cancelled{};
    }
    void step(double done, std::string_view what) override {
      check();
      if (desk.note_progress(ran, done, what)) desk.notify();
    }
    State& desk;
    const Running ran;
  };

  void notify() const {
    if (on_change) on_change();
  }

  bool is_running(std::uint64_t id) const HEADLIGHT_REQUIRES(mutex) { return running && running->id == id; }

  bool may_run(std::uint64_t id) const HEADLIGHT_REQUIRES(mutex) {
    const Entry& entry = entries.at(id);
    return entry.waiting && !entry.is_paused;
  }

  /// The place whose step is next; nullopt: none.
  std::optional<std::uint64_t> next() const HEADLIGHT_REQUIRES(mutex) {
    for (const std::uint64_t id : turns) {
      if (may_run(id)) return id;
    }
    return std::nullopt;
  }

  /// Returns whether it is time to notify the window.
  bool note_progress(const Running& ran, double done, std::string_view what) {
    const Lock lock(mutex);
    const auto entry = entries.find(ran.id);
    if (entry == entries.end() || entry->second.newest != ran.request) return false;
    entry->second.step_done = std::clamp(done, 0.0, 1.0);
    entry->second.step = what;
    const Clock::time_point now = Clock::now();
    if (now - last_notified < kNotifyInterval) return false;
    last_notified = now;
    return true;
  }

  /// Cancels everything asked so far. Returns the job that waited, to be freed outside the lock.
  Job drop_requests(std::uint64_t id) HEADLIGHT_REQUIRES(mutex) {
    Entry& entry = entries.at(id);
    entry.first = entry.newest + 1;
    rest(id);
    if (is_running(id)) is_stopped = true;
    return std::exchange(entry.waiting, nullptr);
  }

  void rest(std::uint64_t id) HEADLIGHT_REQUIRES(mutex) {
    Entry& entry = entries.at(id);
    entry.begin_anew();
    entry.is_paused = false;
    std::erase(turns, id);
  }

  void forget_error(std::uint64_t id) HEADLIGHT_REQUIRES(mutex) {
    entries.at(id).error.reset();
    if (told == id) told.reset();
  }

  /// Takes the result of a finished step. `job` waits again if there is another step to do.
  void accept(const Running& ran, Stepped& stepped, Job& job) HEADLIGHT_REQUIRES(mutex) {
    const auto found = entries.find(ran.id);
    if (found == entries.end() || ran.request < found->second.first) return;  // cancelled while it ran
    Entry& entry = found->second;
    const bool is_newest = ran.request == entry.newest, is_finished = stepped.done >= 1;
    if (!is_newest && !is_finished) return;
    stepped.publish(is_finished);
    if (!is_newest) return;
    if (is_finished) {
      forget_error(ran.id);
      return rest(ran.id);
    }
    entry.waiting = std::move(job);
    entry.done = entry.step_done = std::clamp(stepped.done, 0.0, 1.0);
    entry.begun = std::clamp(stepped.begun, 0.0, 1.0);
    entry.seconds += seconds_since(ran.started);
    if (stepped.seconds) entry.beside = entry.seconds - *stepped.seconds;
    std::erase(turns, ran.id);
    turns.push_back(ran.id);
  }

  /// Handles a step that did not finish. `refusal`: why; nullopt: it was interrupted, and is done again.
  void put_back(const Running& ran, std::optional<ErrorDetail> refusal, Job& job) HEADLIGHT_REQUIRES(mutex) {
    const auto found = entries.find(ran.id);
    if (found == entries.end() || ran.request < found->second.first || ran.request != found->second.newest) return;
    Entry& entry = found->second;
    entry.step_done = entry.done;
    if (!refusal) {
      entry.waiting = std::move(job);
      return;
    }
    entry.error = std::move(refusal);
    told = ran.id;
    rest(ran.id);
  }

  void run() {
    let_others_go_first();           // a step that is stopping does not take the cores from the picture
    std::optional<ThreadPool> pool;  // started when there is something to do
    const Lock lock(mutex);
    while (true) {
      while (!is_ending && (is_held || quiets > 0 || !next())) work_arrived.wait(mutex);
      if (is_ending) return;
      run_step(pool);
      const Unlocked unlocked(mutex);
      notify();
    }
  }

  /// One step of the study whose turn it is.
  void run_step(std::optional<ThreadPool>& pool) HEADLIGHT_REQUIRES(mutex) {
    const std::uint64_t id = *next();
    Entry& entry = entries.at(id);
    Job job = std::exchange(entry.waiting, nullptr);
    const Running ran{id, entry.newest, Clock::now()};
    running = ran;
    is_stopped = false;
    Stepped stepped;
    bool is_done = false;
    std::optional<ErrorDetail> refusal;
    {
      const Unlocked unlocked(mutex);
      try {
        if (!pool) pool.emplace(threads);
        StepProgress progress(*this, ran);
        StepContext context{progress, *pool};
        stepped = job(context);
        is_done = true;
        if (stepped.done >= 1) job = nullptr;  // no step is left, and nothing needs what the job holds
      } catch (...) {
        refusal = current_refusal();
      }
    }
    running.reset();
    is_done ? accept(ran, stepped, job) : put_back(ran, std::move(refusal), job);
    const Unlocked unlocked(mutex);  // while these are freed
    job = nullptr;
    stepped = {};
  }

  StudyStatus status_of(std::uint64_t id) const HEADLIGHT_REQUIRES(mutex) {
    const Entry& entry = entries.at(id);
    const bool runs = is_running(id) && running->request == entry.newest;
    StudyStatus status{.done = entry.step_done,
                       .seconds = entry.seconds,
                       .seconds_left = {},
                       .step = entry.step,
                       .error = entry.error,
                       .error_message = {}};
    if (runs) status.seconds += seconds_since(running->started);
    if (entry.is_paused) {
      status.state = StudyState::paused;
    } else if (runs) {
      status.state = StudyState::running;
    } else if (entry.waiting) {
      status.state = StudyState::waiting;
    }
    status.seconds_left = headlight::seconds_left(status.seconds - entry.beside, status.done, entry.begun);
    if (entry.error) status.error_message = Error(*entry.error).message();
    return status;
  }
};

std::optional<double> seconds_left(double seconds, double done, double begun) {
  const double share = done - begun;
  const double least = seconds < kLongSeconds ? kLeastToTell : kLeastOfLong;
  if (seconds < kLeastSeconds || share <= 0 || share < least * (1 - begun)) return std::nullopt;
  return seconds * (1 - done) / share;
}

Desk::Desk(int threads, std::function<void()> on_change) : state_(std::make_unique<State>(threads, std::move(on_change))) {
  state_->thread = start_thread([state = state_.get()] { state->run(); });
}

Desk::~Desk() {
  {
    const Lock lock(state_->mutex);
    state_->is_ending = true;
    state_->is_stopped = true;
  }
  state_->work_arrived.notify_all();
  state_->thread.join();
}

Desk::Place::Place(Desk& desk) : desk_(desk) {
  State& state = *desk_.state_;
  const Lock lock(state.mutex);
  id_ = ++state.places;
  state.entries.try_emplace(id_);
}

Desk::Place::~Place() {
  State& state = *desk_.state_;
  Job dropped;  // freed after the lock
  const Lock lock(state.mutex);
  dropped = state.drop_requests(id_);
  state.forget_error(id_);
  state.entries.erase(id_);
}

void Desk::Place::ask(Job job) {
  State& state = *desk_.state_;
  {
    const Lock lock(state.mutex);
    State::Entry& entry = state.entries.at(id_);
    std::swap(entry.waiting, job);  // the replaced one is freed after the lock: parameters outlive locals
    ++entry.newest;
    entry.begin_anew();
    if (std::find(state.turns.begin(), state.turns.end(), id_) == state.turns.end()) state.turns.push_back(id_);
  }
  state.work_arrived.notify_all();
}

void Desk::Place::pause() {
  State& state = *desk_.state_;
  const Lock lock(state.mutex);
  const bool runs = state.is_running(id_);
  State::Entry& entry = state.entries.at(id_);
  if (!runs && !entry.waiting) return;
  entry.is_paused = true;
  if (runs) state.is_stopped = true;
}

void Desk::Place::resume() {
  State& state = *desk_.state_;
  {
    const Lock lock(state.mutex);
    state.entries.at(id_).is_paused = false;
  }
  state.work_arrived.notify_all();
}

void Desk::Place::cancel() {
  State& state = *desk_.state_;
  Job dropped;  // freed after the lock
  const Lock lock(state.mutex);
  dropped = state.drop_requests(id_);
}

void Desk::Place::let_go() {
  State& state = *desk_.state_;
  Job dropped;  // freed after the lock
  const Lock lock(state.mutex);
  dropped = state.drop_requests(id_);
  state.forget_error(id_);
}

StudyStatus Desk::Place::status() const {
  const State& state = *desk_.state_;
  const Lock lock(state.mutex);
  return state.status_of(id_);
}

bool Desk::is_idle() const {
  const Lock lock(state_->mutex);
  return !state_->running && !state_->next();
}

void Desk::hold() {
  const Lock lock(state_->mutex);
  state_->is_held = true;
  if (state_->running) state_->is_stopped = true;
}

void Desk::go_on() {
  const Lock lock(state_->mutex);
  if (std::exchange(state_->is_held, false)) state_->work_arrived.notify_all();
}

Desk::Quiet::Quiet(Desk& desk) : desk_(desk) {
  const Lock lock(desk_.state_->mutex);
  ++desk_.state_->quiets;
}

Desk::Quiet::~Quiet() {
  {
    const Lock lock(desk_.state_->mutex);
    --desk_.state_->quiets;
  }
  desk_.state_->work_arrived.notify_all();
}

void Desk::cancel_all() {
  std::vector<Job> dropped;  // freed after the lock
  const Lock lock(state_->mutex);
  for (const auto& [id, entry] : state_->entries) dropped.push_back(state_->drop_requests(id));
}

std::optional<StudyStatus> Desk::running() const {
  const Lock lock(state_->mutex);
  if (state_->running && state_->entries.contains(state_->running->id)) return state_->status_of(state_->running->id);
  const std::optional<std::uint64_t> next = state_->next();
  if (!next || state_->entries.at(*next).seconds == 0) return std::nullopt;
  return state_->status_of(*next);
}

std::optional<ErrorDetail> Desk::problem() const {
  const Lock lock(state_->mutex);
  if (!state_->told) return std::nullopt;
  return state_->entries.at(*state_->told).error;
}

void Desk::forget_problem() {
  const Lock lock(state_->mutex);
  state_->told.reset();
}

}  // namespace headlight
