#include "app/cli/bench/bench_line.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <vector>

#include "app/cli/console.h"

namespace headlight {

void Bench::measure(const std::string& name, const std::function<void()>& work, const std::function<void()>& prepare,
                    const std::function<std::string(double seconds)>& remark) const {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point last_start = Clock::now() + std::chrono::seconds(kMostSeconds);
  std::vector<double> times;
  do {
    prepare();
    const Clock::time_point start = Clock::now();
    work();
    times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  } while (std::ssize(times) < rounds_ && Clock::now() < last_start);
  std::sort(times.begin(), times.end());
  const double median = times[times.size() / 2];
  write_result(fmt::format("{:<66} {:>9.2f} ms   {:>8.2f} … {:<8.2f}{}\n", name, median * 1e3, times.front() * 1e3, times.back() * 1e3,
                           remark ? remark(median) : ""));
}

}  // namespace headlight
