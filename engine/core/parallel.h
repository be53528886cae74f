// A pool of threads that splits independent pieces of work.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <thread>

#include "engine/core/matrix.h"

namespace headlight {

/// A thread of this program. Throws Error (limit) with what to do where the system cannot start another thread.
std::thread start_thread(std::function<void()> work);

/// The calling thread, and those that it starts from now on, leave the cores to others that have work. Linux counts priority by thread.
void let_others_go_first() noexcept;

/// Throws the same Error where `count` more threads cannot be started, for libraries that would abort (GLib, and Pango with it).
void require_threads(int count);

/// Runs numbered tasks on several threads. Which thread runs which task is not defined, so a task must depend on its number alone:
/// then the result is the same for any number of threads.
/// Thread contract: one caller at a time.
class ThreadPool {
 public:
  /// threads = 0: as many as the machine has cores. Fewer where the system starts no more.
  explicit ThreadPool(int threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const;

  /// Calls task(0) … task(count − 1) and returns when all have ended. If some throw, the rest is skipped and the first exception is
  /// thrown again here. The caller's thread works too.
  void for_each(Index count, const std::function<void(Index)>& task);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Calls work(begin, count) for stretches of rows that together are all of them, some four for every thread, for work that is done row by row.
template <typename Work>
void for_rows(Index rows, ThreadPool& pool, const Work& work) {
  constexpr Index kFewest = 8;  // less is not worth waking a thread
  const Index stretch = std::max(kFewest, rows / (4 * Index{pool.threads()}) + 1);
  pool.for_each((rows + stretch - 1) / stretch, [&](Index number) {
    const Index begin = number * stretch;
    work(begin, std::min(stretch, rows - begin));
  });
}

}  // namespace headlight
