// Locks that the compiler checks. Whatever a mutex guards says so where it is declared, and clang's build (-Wthread-safety) refuses code that
// touches it without holding the mutex. Other compilers read plain declarations. Source: clang, "Thread Safety Analysis".
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

// The house has no macros but these: GCC warns of attributes that it does not know, and only the preprocessor can leave them out.
#ifdef __clang__
#define HEADLIGHT_THREAD_SAFETY(attribute) __attribute__((attribute))
#else
#define HEADLIGHT_THREAD_SAFETY(attribute)
#endif
/// Of a variable: read and written only while `mutex` is held.
#define HEADLIGHT_GUARDED_BY(mutex) HEADLIGHT_THREAD_SAFETY(guarded_by(mutex))
/// Of a function: called while `mutex` is held, which is also held when it returns.
#define HEADLIGHT_REQUIRES(mutex) HEADLIGHT_THREAD_SAFETY(requires_capability(mutex))

namespace headlight {

/// std::mutex, known to the analysis.
class HEADLIGHT_THREAD_SAFETY(capability("mutex")) Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;
  void lock() HEADLIGHT_THREAD_SAFETY(acquire_capability()) { mutex_.lock(); }
  void unlock() HEADLIGHT_THREAD_SAFETY(release_capability()) { mutex_.unlock(); }

 private:
  friend class Condition;
  std::mutex mutex_;
};

/// Holds a mutex while it lives.
class HEADLIGHT_THREAD_SAFETY(scoped_lockable) Lock {
 public:
  explicit Lock(Mutex& mutex) HEADLIGHT_THREAD_SAFETY(acquire_capability(mutex)) : mutex_(mutex) { mutex_.lock(); }
  ~Lock() HEADLIGHT_THREAD_SAFETY(release_capability()) { mutex_.unlock(); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  Mutex& mutex_;
};

/// Lets go of a mutex that is held, and takes it again at its own end: around what must not keep others waiting.
class HEADLIGHT_THREAD_SAFETY(scoped_lockable) Unlocked {
 public:
  explicit Unlocked(Mutex& mutex) HEADLIGHT_THREAD_SAFETY(release_capability(mutex)) : mutex_(mutex) { mutex_.unlock(); }
  ~Unlocked() HEADLIGHT_THREAD_SAFETY(release_capability()) { mutex_.lock(); }  // of the scope: what it let go of is held again
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  Mutex& mutex_;
};

/// std::condition_variable for a Mutex. What is waited for is asked in a loop around `wait`: the analysis does not see into a predicate.
class Condition {
 public:
  void wait(Mutex& mutex) HEADLIGHT_REQUIRES(mutex) {
    std::unique_lock<std::mutex> held(mutex.mutex_, std::adopt_lock);
    condition_.wait(held);
    held.release();
  }
  /// False once `due` has passed.
  bool wait_until(Mutex& mutex, std::chrono::steady_clock::time_point due) HEADLIGHT_REQUIRES(mutex) {
    std::unique_lock<std::mutex> held(mutex.mutex_, std::adopt_lock);
    const bool is_in_time = condition_.wait_until(held, due) == std::cv_status::no_timeout;
    held.release();
    return is_in_time;
  }
  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace headlight
