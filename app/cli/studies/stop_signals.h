// Ctrl+C and a request to end, answered where work can be kept: not at once, but at the next question.
#pragma once

#include <csignal>

namespace headlight {

/// While it lives, SIGINT and SIGTERM wait; then they do what they always do. Made before threads are started, which take the same mask.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  bool is_asked() const;  ///< one of them waits

 private:
  sigset_t before_{};
};

}  // namespace headlight
