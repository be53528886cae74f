#include "app/cli/no_memory.h"

#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "engine/core/error.h"
#include "engine/core/memory_reserve.h"

namespace headlight {
namespace {

constexpr std::string_view kSentence =
    "There is not enough free memory for this. Shorten the text, choose a smaller model, close other programs, or raise the limit (ulimit "
    "-v)\n";
constexpr std::size_t kToBegin = std::size_t{2} << 20U;
constexpr std::size_t kSmall = std::size_t{64} << 10U;

bool is_without_memory() noexcept {
  if (std::current_exception() == nullptr) return !is_memory_left(kSmall);  // it could not even be constructed
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

[[noreturn]] void end_program() noexcept {
  if (is_without_memory()) std::_Exit(say_no_memory());
#ifdef __GLIBCXX__
  __gnu_cxx::__verbose_terminate_handler();  // says what was thrown, and aborts
#endif
  std::abort();
}

}  // namespace

int say_no_memory() noexcept {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kSentence.data(), kSentence.size());
  return static_cast<int>(ErrorKind::limit);
}

void say_no_memory_at_the_end() noexcept {
  std::set_terminate(end_program);
}

void require_memory_to_begin() noexcept {
  if (!is_memory_left(kToBegin)) ::_exit(say_no_memory());
}

}  // namespace headlight
