#include "engine/core/memory_limit.h"

#include <gmock/gmock.h>

#include <fstream>

#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

constexpr std::uint64_t kGibibyte = std::uint64_t{1} << 30U;

/// A machine as its files tell it.
class Machine {
 public:
  void write(const std::string& file, const std::string& text) {
    const std::filesystem::path path = folder_.path() / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  void write_meminfo(std::uint64_t available_gibibytes) {
    write("proc/meminfo",
          "MemTotal:       99999999 kB\nMemFree:         1000 kB\nMemAvailable:   " + std::to_string(available_gibibytes << 20U) + " kB\n");
  }
  MemoryAllowance allowed() const { return allowed_memory(folder_.path()); }

 private:
  TemporaryFolder folder_;
};

std::string gibibytes(std::uint64_t count) {
  return std::to_string(count * kGibibyte) + "\n";
}

TEST(MemoryLimit, IsThreeQuartersOfTheFreeMemory) {
  Machine machine;
  machine.write_meminfo(16);
  EXPECT_EQ(machine.allowed().bytes, 12 * kGibibyte);
  EXPECT_EQ(machine.allowed().reason, "three quarters of free memory, 16.0 GiB");
}

TEST(MemoryLimit, OldKernelsThatDoNotEstimateGiveTheirFreePages) {
  Machine machine;
  machine.write("proc/meminfo", "MemTotal: 99999999 kB\nMemFree: 4194304 kB\n");
  EXPECT_EQ(machine.allowed().bytes, 3 * kGibibyte);
}

TEST(MemoryLimit, AGroupOfVersion2CountsWithoutWhatItUsesButWithItsFileCache) {
  Machine machine;
  machine.write_meminfo(64);
  machine.write("proc/self/cgroup", "0::/user.slice/app\n");
  machine.write("sys/fs/cgroup/user.slice/app/memory.max", gibibytes(8));
  machine.write("sys/fs/cgroup/user.slice/app/memory.current", gibibytes(5));
  machine.write("sys/fs/cgroup/user.slice/app/memory.stat", "anon 1\ninactive_file " + gibibytes(1));
  EXPECT_EQ(machine.allowed().bytes, 3 * kGibibyte);
  EXPECT_THAT(machine.allowed().reason, HasSubstr("/user.slice/app has left, 4.0 GiB"));
}

TEST(MemoryLimit, TheNarrowestGroupOnTheWayUpDecides) {
  Machine machine;
  machine.write_meminfo(64);
  machine.write("proc/self/cgroup", "0::/user.slice/app\n");
  machine.write("sys/fs/cgroup/user.slice/app/memory.max", "max\n");
  machine.write("sys/fs/cgroup/user.slice/memory.max", gibibytes(4));
  machine.write("sys/fs/cgroup/memory.max", gibibytes(32));
  EXPECT_EQ(machine.allowed().bytes, 3 * kGibibyte);
  EXPECT_THAT(machine.allowed().reason, HasSubstr("control group /user.slice has"));
}

TEST(MemoryLimit, AGroupOfVersion1IsFoundByItsController) {
  Machine machine;
  machine.write_meminfo(64);
  machine.write("proc/self/cgroup", "7:cpu,cpuacct:/elsewhere\n5:memory:/docker/abc\n0::/\n");
  machine.write("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", gibibytes(4));
  machine.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(machine.allowed().bytes, 3 * kGibibyte);
}

TEST(MemoryLimit, InAContainerTheOutermostGroupThatIsMountedCounts) {
  Machine machine;
  machine.write_meminfo(64);
  machine.write("proc/self/cgroup", "5:memory:/docker/abc\n");
  machine.write("sys/fs/cgroup/memory/memory.limit_in_bytes", gibibytes(4));
  EXPECT_EQ(machine.allowed().bytes, 3 * kGibibyte);
}

TEST(MemoryLimit, TheShellsLimitsCountLessWhatTheProcessHasOfThem) {
  Machine machine;
  machine.write_meminfo(64);
  machine.write("proc/self/status", "Name:\theadlight\nVmSize:\t 1048576 kB\nVmData:\t 2097152 kB\n");
  const std::string limits = "Limit                     Soft Limit           Hard Limit           Units     \n";
  machine.write("proc/self/limits", limits + "Max address space         5368709120           unlimited            bytes     \n");
  EXPECT_EQ(machine.allowed().bytes, 3 * kGibibyte);
  EXPECT_THAT(machine.allowed().reason, HasSubstr("ulimit -v"));
  machine.write("proc/self/limits", limits + "Max data size             6442450944           unlimited            bytes     \n" +
                                        "Max address space         unlimited            unlimited            bytes     \n");
  EXPECT_EQ(machine.allowed().bytes, 3 * kGibibyte);
  EXPECT_THAT(machine.allowed().reason, HasSubstr("ulimit -d"));
}

TEST(MemoryLimit, MoreInUseThanAllowedLeavesNothing) {
  Machine machine;
  machine.write("proc/self/cgroup", "0::/\n");
  machine.write("sys/fs/cgroup/memory.max", gibibytes(1));
  machine.write("sys/fs/cgroup/memory.current", gibibytes(2));
  EXPECT_EQ(machine.allowed().bytes, 0U);
}

TEST(MemoryLimit, WhereTheSystemTellsNothingADefaultIsStated) {
  const Machine machine;
  EXPECT_EQ(machine.allowed().bytes, kMemoryUntold);
  EXPECT_EQ(machine.allowed().reason, "this system does not report how much is free");
}

TEST(MemoryLimit, FilesThatHoldNonsenseCountAsMissing) {
  Machine machine;
  machine.write("proc/meminfo", "MemAvailable: lots\n");
  machine.write("proc/self/cgroup", "garbage\n0:\n::::\n0::/../../..\n");
  machine.write("proc/self/limits", "Max address space\n");
  EXPECT_EQ(machine.allowed().bytes, kMemoryUntold);
}

TEST(MemoryLimit, ARefusalNamesWhatIsNeededWhatIsAllowedAndWhatDecided) {
  const MemoryAllowance allowed{3 * kGibibyte, "three quarters of free memory, 4.0 GiB"};
  require_memory(3.0 * kGibibyte, allowed, {.problem = "fits"});
  const Error error = error_of([&] { require_memory(5.0 * kGibibyte, allowed, {.problem = "too large", .hint = "Shorten it."}); });
  EXPECT_EQ(error.kind(), ErrorKind::limit);
  EXPECT_THAT(error.message(), HasSubstr("found 5.0 GiB, expected at most 3.0 GiB (three quarters of free memory, 4.0 GiB)"));
  EXPECT_THAT(error.message(), HasSubstr("Shorten it."));
}

TEST(MemoryLimit, ThisSystemLeavesSomething) {
  EXPECT_GT(allowed_memory().bytes, 0U);
}

}  // namespace
}  // namespace headlight
