// Progress and cancel in one call: whoever reports also learns that it should stop.
#pragma once

#include <string_view>

namespace headlight {

/// Thrown by Progress::step when the work is no longer wanted. Not an Error: nothing went wrong.
struct Cancelled {};

/// Thread contract: step may be called from any thread, and from several at once.
class Progress {
 public:
  Progress() = default;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  virtual ~Progress() = default;

  /// Says that `done` (0…1) of the work `what` is finished. Throws Cancelled when the work should stop; call it at least every 50 ms.
  virtual void step(double done, std::string_view what) = 0;
};

/// For callers that neither watch nor cancel.
class SilentProgress final : public Progress {
 public:
  void step(double, std::string_view) override {}
};

}  // namespace headlight
