#include "engine/core/memory_reserve.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace headlight {
namespace {

constexpr std::size_t kPartBytes = std::size_t{8} << 20U;

// The two parts. Not constants, because a handler of failed allocations is a function of the whole process that takes no argument.
std::array<std::atomic<void*>, 2> parts = {};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void give_back_reserve() {
  if (void* first = parts[0].exchange(nullptr)) return std::free(first);  // the allocation is tried again
  std::free(parts[1].exchange(nullptr));
  throw std::bad_alloc();
}

}  // namespace

void keep_memory_reserve() noexcept {
  for (std::atomic<void*>& part : parts) {
    if (part != nullptr) continue;
    void* fresh = std::malloc(kPartBytes);
    void* none = nullptr;
    if (!part.compare_exchange_strong(none, fresh)) std::free(fresh);  // another thread was first
  }
  std::set_new_handler(give_back_reserve);
}

}  // namespace headlight
