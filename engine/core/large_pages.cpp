#include "engine/core/large_pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace headlight {

void prefer_large_pages(void* begin, std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t kPage = std::uintptr_t{2} << 20U;
  constexpr std::size_t kFewestBytes = std::size_t{64} << 20U;  // so much is a mapping of its own for every usual allocator
  if (bytes < kFewestBytes) return;
  auto* const memory = static_cast<std::byte*>(begin);
  const auto before = static_cast<std::size_t>((kPage - reinterpret_cast<std::uintptr_t>(begin) % kPage) % kPage);
  ::madvise(memory + before, (bytes - before) / kPage * kPage, MADV_HUGEPAGE);  // advice: a refusal changes nothing
#else
  (void)begin;
  (void)bytes;
#endif
}

}  // namespace headlight
