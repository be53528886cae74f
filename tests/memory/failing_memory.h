// Lets memory end at every place of the program that allocates.
//
// A piece of work runs once. Whenever it reaches an allocation by a way (a call stack) that was not seen before, a child is forked in which
// that allocation fails; the child goes on to the end of the work and tells by its exit status how it ended. So thousands of failures cost
// little more than one run, and those in destructors and in other functions that must not throw are among them.
//
// For one test program only: it replaces operator new. Not for sanitizers, whose own operators these would be.
#pragma once

#include <execinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <set>
#include <string>
#include <vector>

#include "engine/core/error.h"

namespace headlight::testing {

/// What an allocation meets in the child.
enum class NoMemory : std::uint8_t {
  at_once,           ///< std::bad_alloc, whatever the new-handler would do
  after_the_reserve  ///< as the real operator new: the handler is asked until it throws, and what it gives back is there
};

struct FailedWork {
  int places = 0;  ///< ways to an allocation; each failed once
  /// How each ended that did not end by success, std::bad_alloc or Error (limit), and its stack for addr2line.
  std::vector<std::string> ended_badly = {};
};

namespace memory_end {

enum Ending : std::uint8_t { kDone, kNoMemory, kOtherError, kOtherException };
constexpr std::array<const char*, 4> kEndings{"success", "no memory", "an Error that blames something else",
                                              "an exception of another type"};

constexpr int kFrames = 40;
using Stack = std::array<void*, kFrames>;

// operator new takes no argument that could carry these.
inline bool is_watching = false, is_child = false;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
inline NoMemory kind = NoMemory::at_once;           // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
inline std::set<Stack>* seen = nullptr;             // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
inline std::vector<std::string>* bad = nullptr;     // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

inline std::string text_of(const Stack& stack, int frames) {
  std::string text;
  char** const names = ::backtrace_symbols(stack.data(), frames);
  for (int frame = 3; frame < frames && frame < 16; ++frame) text += std::string("\n    ") + (names == nullptr ? "?" : names[frame]);
  std::free(static_cast<void*>(names));
  return text;
}

/// The parent waits for each child before the next: nothing but one core is taken.
inline void note_ending(int child, const Stack& stack, int frames) {
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status) && (WEXITSTATUS(status) == kDone || WEXITSTATUS(status) == kNoMemory)) return;
  const std::string how = WIFSIGNALED(status)       ? "signal " + std::to_string(WTERMSIG(status))
                          : WEXITSTATUS(status) < 4 ? kEndings[static_cast<std::size_t>(WEXITSTATUS(status))]
                                                    : "exit status " + std::to_string(WEXITSTATUS(status));
  bad->push_back(how + text_of(stack, frames));
}

/// Called before each allocation. Whether this one fails.
inline bool fails_here() {
  if (!is_watching) return false;
  is_watching = false;  // what is allocated in here is not the work's
  Stack stack{};
  const int frames = ::backtrace(stack.data(), kFrames);
  bool fails = false;
  if (seen->insert(stack).second) {
    const int child = ::fork();
    if (child > 0) note_ending(child, stack, frames);
    if (child < 0) bad->push_back("no child could be started");
    is_child = fails = child == 0;
  }
  is_watching = !is_child;
  return fails;
}

inline void* allocate(std::size_t bytes, std::size_t alignment) {
  if (fails_here()) {
    if (kind == NoMemory::at_once) throw std::bad_alloc();
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* const memory =
      alignment <= alignof(std::max_align_t) ? std::malloc(bytes == 0 ? 1 : bytes) : std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

inline Ending ending_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    return kNoMemory;
  } catch (const Error& error) {
    return error.kind() == ErrorKind::limit ? kNoMemory : kOtherError;
  } catch (...) {
    return kOtherException;
  }
  return kDone;
}

}  // namespace memory_end

/// Runs `work`, which must succeed where memory does, and which starts no thread.
inline FailedWork fail_each_allocation(const std::function<void()>& work, NoMemory kind = NoMemory::at_once) {
  namespace end = memory_end;
  std::set<end::Stack> seen;
  std::vector<std::string> bad;
  end::seen = &seen;
  end::bad = &bad;
  end::kind = kind;
  end::Stack first{};
  ::backtrace(first.data(), end::kFrames);  // loads its library
  end::is_watching = true;
  const end::Ending ending = end::ending_of(work);
  end::is_watching = false;
  if (end::is_child) ::_exit(ending);
  if (ending != end::kDone) bad.push_back(std::string("where no allocation failed: ") + end::kEndings[ending]);
  return {static_cast<int>(seen.size()), std::move(bad)};
}

}  // namespace headlight::testing
