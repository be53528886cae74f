// How much memory a piece of work may take: three quarters of what is free for this process, by whichever of three bounds is the
// narrowest: the machine's free memory, the control group, and the shell's ulimit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "engine/core/error.h"

namespace headlight {

struct MemoryAllowance {
  std::uint64_t bytes = 0;
  std::string reason = {};  ///< of a message: "three quarters of the 5.3 GiB of free memory"
};

/// Where the system does not report its memory.
inline constexpr std::uint64_t kMemoryUntold = std::uint64_t{8} << 30U;

/// Reads the system's own files below `root`, each of which may be missing:
/// - proc/meminfo: MemAvailable, or of older kernels MemFree;
/// - proc/self/cgroup and sys/fs/cgroup: memory.max of version 2 and memory.limit_in_bytes of version 1, less what is in use, file cache
///   that can be dropped aside; of the process's group and every group above it;
/// - proc/self/limits and proc/self/status: address space and data, less what the process has of each.
/// kMemoryUntold where none of them says anything.
MemoryAllowance allowed_memory(const std::filesystem::path& root = "/");

/// Throws `refusal` as an Error (limit) with both numbers, what is needed and what is allowed, where more is needed. `refusal.found` may say
/// what the memory is for.
void require_memory(double needed_bytes, const MemoryAllowance& allowed, ErrorDetail refusal);

/// What this process holds in memory now; 0 where the system does not say.
std::uint64_t resident_memory(const std::filesystem::path& root = "/");

/// "5.3 GiB"; below a tenth of that in MiB.
std::string memory_text(double bytes);

}  // namespace headlight
