#include "engine/core/memory_reserve.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <new>
#ifdef __GLIBC__
#include <malloc.h>
#endif

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

bool is_memory_left(std::size_t bytes) noexcept {
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  ::munmap(memory, bytes);
  return true;
}

void set_up_heaps() noexcept {
#ifdef __GLIBC__
  rlimit limit = {};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    ::mallopt(M_ARENA_MAX, 1);
    return;
  }
  constexpr int kKept = 64 << 20, kLargest = 32 << 20;  // larger pieces are mappings of their own; glibc takes no larger bound
  ::mallopt(M_TRIM_THRESHOLD, kKept);
  ::mallopt(M_MMAP_THRESHOLD, kLargest);
#endif
}

void give_unused_memory_back() noexcept {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

}  // namespace headlight
