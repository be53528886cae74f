#include "engine/core/parallel.h"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/guarded.h"

namespace headlight {

std::thread start_thread(std::function<void()> work) {
  try {
    return std::thread(std::move(work));
  } catch (const std::system_error& failure) {
    throw Error({.kind = ErrorKind::limit,
                 .problem = "the system cannot start another thread",
                 .found = printable(failure.what()),
                 .hint = "Close other programs, or raise the limit on processes (ulimit -u, or pids.max of the control group), or that on "
                         "address space (ulimit -v), of which each thread takes a stack."});
  }
}

void let_others_go_first() noexcept {
  constexpr int kNice = 10;  // about a tenth of a core that another thread wants
  ::setpriority(PRIO_PROCESS, 0, kNice);
}

namespace {

struct JoinedThreads {
  std::vector<std::thread> threads;
  ~JoinedThreads() {
    for (std::thread& thread : threads) thread.join();
  }
};

}  // namespace

void require_threads(int count) {
  Mutex gate;  // held until all have started, so that none has ended before the next begins
  JoinedThreads started;
  started.threads.reserve(static_cast<std::size_t>(count));
  const Lock lock(gate);  // after the threads: let go before they are joined
  for (int number = 0; number < count; ++number) {
    started.threads.push_back(start_thread([&gate] { const Lock wait(gate); }));
  }
}

/// Looks again and again for a short while whether something has happened: a thread that sleeps takes some 50 µs to wake, and a layer of a
/// short text is a dozen calls of for_each, each of about as long. Lets other threads go first between two looks.
template <typename Happened>
void look_for_a_while(const Happened& happened) {
  constexpr std::chrono::microseconds kWhile{60};
  const auto end = std::chrono::steady_clock::now() + kWhile;
  while (!happened() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

struct ThreadPool::State {
  Mutex mutex;
  Condition work_arrived;
  Condition workers_left;

  const std::function<void(Index)>* task HEADLIGHT_GUARDED_BY(mutex) = nullptr;
  Index next HEADLIGHT_GUARDED_BY(mutex) = 0;
  Index count HEADLIGHT_GUARDED_BY(mutex) = 0;
  bool is_stopping HEADLIGHT_GUARDED_BY(mutex) = false;
  std::exception_ptr failure HEADLIGHT_GUARDED_BY(mutex);
  // Changed only with the mutex held. Those that only look read them without it; what follows is decided with it.
  std::atomic<std::uint64_t> generation = 0;  // of the current call of for_each
  std::atomic<int> busy_workers = 0;

  std::vector<std::thread> workers;

  /// Takes tasks until none is left. Lets go of the mutex while a task runs.
  void take_tasks() HEADLIGHT_REQUIRES(mutex) {
    while (next < count) {
      const Index number = next++;
      const std::function<void(Index)>& work = *task;
      std::exception_ptr thrown;
      {
        const Unlocked unlocked(mutex);
        try {
          work(number);
        } catch (...) {
          thrown = std::current_exception();
        }
      }
      if (!thrown) continue;
      if (!failure) failure = thrown;
      next = count;
    }
  }

  void run_worker() {
    const Lock lock(mutex);
    std::uint64_t seen = 0;
    while (true) {
      if (!is_stopping && generation == seen) {
        const Unlocked unlocked(mutex);
        look_for_a_while([&] { return generation != seen; });
      }
      while (!is_stopping && generation == seen) work_arrived.wait(mutex);
      if (is_stopping) return;
      seen = generation;
      ++busy_workers;
      take_tasks();
      if (--busy_workers == 0) workers_left.notify_one();
    }
  }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const int wanted = std::max(1, threads > 0 ? threads : cores);
  state_->workers.reserve(static_cast<std::size_t>(wanted));
  try {
    for (int worker = 1; worker < wanted; ++worker) state_->workers.emplace_back([state = state_.get()] { state->run_worker(); });
  } catch (const std::exception&) {  // no more threads, or no memory for another: those that started, and the caller's own, do the work
  }
}

ThreadPool::~ThreadPool() {
  {
    const Lock lock(state_->mutex);
    state_->is_stopping = true;
  }
  state_->work_arrived.notify_all();
  for (std::thread& worker : state_->workers) worker.join();
}

int ThreadPool::threads() const {
  return static_cast<int>(state_->workers.size()) + 1;
}

void ThreadPool::for_each(Index count, const std::function<void(Index)>& task) {
  State& state = *state_;
  const Lock lock(state.mutex);
  state.task = &task;
  state.next = 0;
  state.count = count;
  ++state.generation;
  if (count > 1) state.work_arrived.notify_all();
  state.take_tasks();
  if (state.busy_workers != 0) {
    const Unlocked unlocked(state.mutex);
    look_for_a_while([&] { return state.busy_workers == 0; });
  }
  while (state.busy_workers != 0) state.workers_left.wait(state.mutex);
  state.task = nullptr;
  if (state.failure) std::rethrow_exception(std::exchange(state.failure, nullptr));
}

}  // namespace headlight
