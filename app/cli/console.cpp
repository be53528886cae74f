#include "app/cli/console.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "app/document/amounts.h"
#include "app/document/wording.h"
#include "app/work/compute/desk.h"
#include "engine/core/error.h"
#include "engine/formats/file_reader.h"

namespace headlight {
namespace {

constexpr auto kSilence = std::chrono::milliseconds(500);
constexpr auto kTerminalInterval = std::chrono::milliseconds(100);
constexpr auto kLogInterval = std::chrono::seconds(2);
constexpr double kWorthSaying = 5;  // seconds that are left, or that a run will take

}  // namespace

void write_result(std::string_view text) {
  const bool is_plain = std::all_of(text.begin(), text.end(), [](char byte) { return byte == '\n' || (byte >= ' ' && byte <= '~'); });
  const std::string safe = is_plain ? std::string() : printable_lines(text);
  if (!is_plain) text = safe;
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (is_written) return;
  throw Error({.kind = ErrorKind::write, .file = "standard output", .problem = std::strerror(errno)});  // NOLINT(concurrency-mt-unsafe)
}

void write_result(std::string_view text, const std::string& output) {
  output.empty() ? write_result(text) : write_file(output, text);
}

void print_notes(const std::vector<std::string>& notes) {
  for (auto note = notes.begin(); note != notes.end(); ++note) {
    if (std::find(notes.begin(), note, *note) == note) fmt::print(stderr, "note: {}\n", printable(*note, kLongestMessage));
  }
}

void announce_cost(Pipeline& pipeline) {
  pipeline.tell_cost([](const RunEstimate& estimate) {
    if (estimate.seconds >= kWorthSaying) print_notes({cost_words(estimate)});
  });
}

ConsoleProgress::ConsoleProgress() : is_terminal_(::isatty(STDERR_FILENO) == 1), next_(begin_ + kSilence) {}

ConsoleProgress::~ConsoleProgress() {
  if (!has_line_) return;
  if (is_terminal_) {
    fmt::print(stderr, "\r\x1b[K");
  } else if (std::uncaught_exceptions() == exceptions_) {
    fmt::print(stderr, "100 %  done\n");
  }
}

void ConsoleProgress::give_up() {
  const Lock lock(mutex_);
  if (!is_terminal_) has_line_ = false;
}

void ConsoleProgress::step(double done, std::string_view what) {
  const Lock lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (done < done_) {  // the next part of the work, of which some may have been done before
    begin_ = now;
    begun_at_ = done;
  }
  done_ = done;
  if (now < next_) return;
  const int percent = static_cast<int>(done * 100);
  const std::optional<double> left = seconds_left(std::chrono::duration<double>(now - begin_).count(), done, begun_at_);
  const std::string shown = printable(what) + (left.value_or(0) >= kWorthSaying ? ", " + time_left_text(*left) : "");
  if (is_terminal_) {
    fmt::print(stderr, "\r\x1b[K{:3} %  {}", percent, shown);
    std::fflush(stderr);
    has_line_ = true;
    next_ = now + kTerminalInterval;
  } else {
    fmt::print(stderr, "{:3} %  {}\n", percent, shown);
    has_line_ = true;
    next_ = now + kLogInterval;
  }
}

}  // namespace headlight
