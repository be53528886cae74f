// Ctrl+C and a request to end, answered where work can be kept: not at once, but at the next question.
#pragma once

#include <csignal>
#include <string_view>

#include "engine/core/progress.h"

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

/// Work that goes on until a signal waits: then it is cancelled.
class StoppedBySignals final : public Progress {
 public:
  StoppedBySignals(Progress& whole, const StopSignals& signals) : whole_(whole), signals_(signals) {}
  void step(double done, std::string_view what) override {
    check();
    whole_.step(done, what);
  }
  void check() override {
    if (signals_.is_asked()) throw Cancelled{};
  }

 private:
  Progress& whole_;
  const StopSignals& signals_;
};

}  // namespace headlight
