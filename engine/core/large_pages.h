// Large pages for large maps.
#pragma once

#include <cstddef>

namespace headlight {

/// Asks the system for pages of 2 MiB for memory that will be written all over, before it is. A map of 20,000 tokens (1.6 GB) is then given
/// back in some 10 ms instead of half a second, which a cancel would have to wait for. Below 64 MiB, and where the system has no such pages,
/// nothing is asked for.
void prefer_large_pages(void* begin, std::size_t bytes) noexcept;

}  // namespace headlight
