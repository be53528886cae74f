// What the command line prints: results to stdout, progress and notes to stderr.
#pragma once

#include <chrono>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/guarded.h"
#include "engine/core/progress.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {

/// Exit status: a study was asked to stop, and what it found so far is kept.
inline constexpr int kStoppedStatus = 130;

/// Writes lines to stdout, at once, with everything escaped that would steer a terminal. Throws Error (write) when not all of it could be
/// written: a full disk, a closed pipe.
void write_result(std::string_view text);
/// The same text to a file, as it is; without a file's name to stdout. The old file stays until the new one is complete.
void write_result(std::string_view text, const std::string& output);

/// One line each on stderr: "note: …". What several subjects have to say alike is printed once.
void print_notes(const std::vector<std::string>& notes);

/// From now on runs of this pipeline that take more than some seconds say before they begin what they will take, as a note.
void announce_cost(Pipeline& pipeline);

/// Progress on stderr for work of more than half a second: one changing line on a terminal, else a line every two seconds and one at the
/// end, which says how the work ended. What takes long also says how long it still takes.
class ConsoleProgress final : public Progress {
 public:
  ConsoleProgress();
  ~ConsoleProgress() override;  ///< wipes the line, or writes the last one
  void step(double done, std::string_view what) override;
  /// The work was stopped: no last line says that it is done.
  void give_up();

 private:
  using Clock = std::chrono::steady_clock;
  const bool is_terminal_;
  Mutex mutex_;
  Clock::time_point begin_ HEADLIGHT_GUARDED_BY(mutex_) = Clock::now();  ///< of the work that is being done
  double begun_at_ HEADLIGHT_GUARDED_BY(mutex_) = 0;                     ///< the share of it that was done then
  double done_ HEADLIGHT_GUARDED_BY(mutex_) = 0;
  Clock::time_point next_ HEADLIGHT_GUARDED_BY(mutex_);
  bool has_line_ HEADLIGHT_GUARDED_BY(mutex_) = false;
  const int exceptions_ = std::uncaught_exceptions();
};

}  // namespace headlight
