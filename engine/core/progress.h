// Progress and cancel in one call: whoever reports also learns that it should stop.
#pragma once

#include <algorithm>
#include <cstdint>
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
  /// Throws Cancelled when the work should stop, and says nothing of how far it is: cheap enough for loops inside a step. Whoever can be
  /// cancelled overrides this too.
  virtual void check() {}
};

/// For callers that neither watch nor cancel.
class SilentProgress final : public Progress {
 public:
  void step(double, std::string_view) override {}
};

/// What a loop deep inside the engine is handed to ask whether to go on. Large pieces of work are cut into slices of at most `work`
/// multiply-adds with a question before each, so that a cancel is answered within a fifth of a second whatever the size of the input.
/// Keeps a reference to the progress; the default asks nobody.
class Watch {
 public:
  /// Some 10 to 100 ms of one core. Much less would cost time: each slice of a product copies the right side again.
  static constexpr std::int64_t kWork = std::int64_t{1} << 28U;

  Watch() = default;
  Watch(Progress& progress, std::int64_t work = kWork) : progress_(&progress), work_(work) {}  // NOLINT(google-explicit-constructor)

  /// Throws Cancelled.
  void check() const {
    if (progress_ != nullptr) progress_->check();
  }
  /// How many rows of so much work each make one slice: at least 1.
  std::int64_t rows_at_once(std::int64_t work_of_row) const {
    return std::max<std::int64_t>(1, work_ / std::max<std::int64_t>(1, work_of_row));
  }

 private:
  Progress* progress_ = nullptr;
  std::int64_t work_ = kWork;
};

}  // namespace headlight
