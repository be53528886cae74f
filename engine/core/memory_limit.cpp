#include "engine/core/memory_limit.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// What one of the system's bounds leaves free.
struct Bound {
  std::uint64_t free = 0;
  std::string what;  // "free memory"
};

std::vector<std::string> lines_of(const fs::path& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(std::move(line));
  return lines;
}

/// The number that a text begins with, blanks before it aside; none for "max", "unlimited" and whatever else is not a number.
std::optional<std::uint64_t> leading_number(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc() && end != text.data() ? std::optional(number) : std::nullopt;
}

/// The number behind `name` at the beginning of a line.
std::optional<std::uint64_t> number_of(const std::vector<std::string>& lines, std::string_view name) {
  for (const std::string& line : lines) {
    if (line.starts_with(name)) return leading_number(std::string_view(line).substr(name.size()));
  }
  return std::nullopt;
}

std::uint64_t less(std::uint64_t all, std::uint64_t part) {
  return all - std::min(all, part);
}

// The machine

std::optional<Bound> free_memory(const fs::path& root) {
  const std::vector<std::string> lines = lines_of(root / "proc/meminfo");
  std::optional<std::uint64_t> kibibytes = number_of(lines, "MemAvailable:");
  if (!kibibytes) kibibytes = number_of(lines, "MemFree:");
  if (!kibibytes) return std::nullopt;
  return Bound{*kibibytes << 10U, "free memory"};
}

// Control groups

/// The names that one of the two versions gives to its files.
struct GroupFiles {
  const char* folder;    // below sys/fs/cgroup
  const char* limit;     // a number of bytes, or "max"
  const char* used;      // bytes, file cache among them
  const char* inactive;  // field of memory.stat: file cache that is dropped first
};
constexpr GroupFiles kVersion2{"", "memory.max", "memory.current", "inactive_file "};
constexpr GroupFiles kVersion1{"memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "};
constexpr std::uint64_t kUnlimited = std::uint64_t{1} << 60U;  // version 1 writes about 2^63 for "no limit"

std::optional<std::uint64_t> number_in(const fs::path& file) {
  return number_of(lines_of(file), "");
}

std::optional<Bound> free_in_group(const fs::path& folder, const GroupFiles& files, const fs::path& group) {
  const std::optional<std::uint64_t> limit = number_in(folder / files.limit);
  if (!limit || *limit >= kUnlimited) return std::nullopt;
  const std::uint64_t used = number_in(folder / files.used).value_or(0);
  const std::uint64_t inactive = number_of(lines_of(folder / "memory.stat"), files.inactive).value_or(0);
  return Bound{less(*limit, less(used, inactive)), fmt::format("what the control group {} has left", printable(group.string(), 80))};
}

/// `line`: "0::/user.slice/…" of version 2, "5:memory:/user.slice/…" of version 1. Groups that are not mounted here are passed over: in a
/// container only the outermost may be.
void add_groups(const fs::path& root, std::string_view line, std::vector<Bound>& bounds) {
  const std::size_t first = line.find(':'), second = line.find(':', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return;
  const std::string controllers = fmt::format(",{},", line.substr(first + 1, second - first - 1));
  const bool is_version2 = controllers == ",,";
  if (!is_version2 && controllers.find(",memory,") == std::string::npos) return;
  const GroupFiles& files = is_version2 ? kVersion2 : kVersion1;
  fs::path group = fs::path(line.substr(second + 1)).lexically_normal();
  while (true) {
    const fs::path folder = root / "sys/fs/cgroup" / files.folder / group.relative_path();
    if (std::optional<Bound> bound = free_in_group(folder, files, group)) bounds.push_back(std::move(*bound));
    if (!group.has_relative_path()) return;
    group = group.parent_path();
  }
}

// ulimit

void add_limits_of_process(const fs::path& root, std::vector<Bound>& bounds) {
  const std::vector<std::string> limits = lines_of(root / "proc/self/limits"), status = lines_of(root / "proc/self/status");
  const auto add = [&](const char* limit_name, const char* used_name, const char* what) {
    const std::optional<std::uint64_t> limit = number_of(limits, limit_name);
    if (!limit) return;
    bounds.push_back({less(*limit, number_of(status, used_name).value_or(0) << 10U), what});
  };
  add("Max address space", "VmSize:", "what the limit on address space (ulimit -v) has left");
  add("Max data size", "VmData:", "what the limit on data (ulimit -d) has left");
}

}  // namespace

MemoryAllowance allowed_memory(const fs::path& root) {
  std::vector<Bound> bounds;
  if (std::optional<Bound> machine = free_memory(root)) bounds.push_back(std::move(*machine));
  for (const std::string& line : lines_of(root / "proc/self/cgroup")) add_groups(root, line, bounds);
  add_limits_of_process(root, bounds);
  if (bounds.empty()) return {kMemoryUntold, "this system does not report how much is free"};
  const auto least = std::min_element(bounds.begin(), bounds.end(), [](const Bound& a, const Bound& b) { return a.free < b.free; });
  return {least->free / 4 * 3, fmt::format("three quarters of {}, {}", least->what, memory_text(static_cast<double>(least->free)))};
}

std::uint64_t resident_memory(const fs::path& root) {
  return number_of(lines_of(root / "proc/self/status"), "VmRSS:").value_or(0) << 10U;
}

void require_memory(double needed_bytes, const MemoryAllowance& allowed, ErrorDetail refusal) {
  const auto most = static_cast<double>(allowed.bytes);
  if (needed_bytes <= most) return;
  refusal.kind = ErrorKind::limit;
  refusal.found = memory_text(needed_bytes) + (refusal.found.empty() ? "" : " " + refusal.found);
  refusal.expected = "at most " + memory_text(most) + (allowed.reason.empty() ? "" : fmt::format(" ({})", allowed.reason));
  throw Error(std::move(refusal));
}

std::string memory_text(double bytes) {
  constexpr double kMebibyte = 1 << 20, kGibibyte = 1 << 30;
  return bytes < kGibibyte / 10 ? fmt::format("{:.1f} MiB", bytes / kMebibyte) : fmt::format("{:.1f} GiB", bytes / kGibibyte);
}

}  // namespace headlight
