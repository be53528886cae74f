#include "engine/core/parallel.h"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "engine/core/error.h"

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

namespace {

struct JoinedThreads {
  std::vector<std::thread> threads;
  ~JoinedThreads() {
    for (std::thread& thread : threads) thread.join();
  }
};

}  // namespace

void require_threads(int count) {
  std::mutex gate;  // held until all have started, so that none has ended before the next begins
  JoinedThreads started;
  started.threads.reserve(static_cast<std::size_t>(count));
  const std::lock_guard lock(gate);  // after the threads: let go before they are joined
  for (int number = 0; number < count; ++number) {
    started.threads.push_back(start_thread([&gate] { const std::lock_guard wait(gate); }));
  }
}

struct ThreadPool::State {
  std::mutex mutex;
  std::condition_variable work_arrived;
  std::condition_variable workers_left;

  // Guarded by mutex.
  const std::function<void(Index)>* task = nullptr;
  Index next = 0;
  Index count = 0;
  int busy_workers = 0;
  std::uint64_t generation = 0;  // of the current call of for_each
  bool is_stopping = false;
  std::exception_ptr failure;

  std::vector<std::thread> workers;

  /// Takes tasks until none is left. `lock` is held on entry and on return, not while a task runs.
  void take_tasks(std::unique_lock<std::mutex>& lock) {
    while (next < count) {
      const Index number = next++;
      lock.unlock();
      std::exception_ptr thrown;
      try {
        (*task)(number);
      } catch (...) {
        thrown = std::current_exception();
      }
      lock.lock();
      if (!thrown) continue;
      if (!failure) failure = thrown;
      next = count;
    }
  }

  void run_worker() {
    std::unique_lock lock(mutex);
    std::uint64_t seen = 0;
    while (true) {
      work_arrived.wait(lock, [&] { return is_stopping || generation != seen; });
      if (is_stopping) return;
      seen = generation;
      ++busy_workers;
      take_tasks(lock);
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
    const std::lock_guard lock(state_->mutex);
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
  std::unique_lock lock(state.mutex);
  state.task = &task;
  state.next = 0;
  state.count = count;
  ++state.generation;
  if (count > 1) state.work_arrived.notify_all();
  state.take_tasks(lock);
  state.workers_left.wait(lock, [&] { return state.busy_workers == 0; });
  state.task = nullptr;
  if (state.failure) std::rethrow_exception(std::exchange(state.failure, nullptr));
}

}  // namespace headlight
