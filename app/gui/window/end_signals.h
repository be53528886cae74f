// SIGTERM, SIGHUP and SIGINT as a request to close the window.
#pragma once

#include <array>
#include <atomic>
#include <csignal>
#include <functional>
#include <thread>

#include "engine/core/guarded.h"

namespace headlight {

/// While it lives, a thread of its own takes the three signals, and may call everything that a signal handler may not. Make it before any
/// other thread, since threads inherit the blocked signals. A signal that the program was started to ignore stays ignored.
class EndSignals {
 public:
  EndSignals();  ///< throws Error (limit) where no thread can be started
  ~EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

  /// What the first signal does, on the thread of the signals. Before this is called, and after stop_listening, and for a second signal,
  /// the program ends at once.
  void listen(std::function<void()> on_signal);
  void stop_listening();
  int received() const { return received_; }  ///< the signal; 0: none yet
  /// Ends the program as the received signal would have without us. Returns if none was received.
  void end_as_asked() const;

 private:
  void run();
  sigset_t taken_ = {}, before_ = {};
  Mutex mutex_;  ///< held while on_signal_ runs
  std::function<void()> on_signal_ HEADLIGHT_GUARDED_BY(mutex_);
  std::atomic<int> received_ = 0;
  std::atomic<bool> is_stopping_ = false;
  std::thread thread_;
};

}  // namespace headlight
