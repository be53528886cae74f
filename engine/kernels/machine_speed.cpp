#include "engine/kernels/machine_speed.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <vector>

#include "engine/kernels/instruction_set.h"

namespace headlight {
namespace {

constexpr int kTries = 5;  // the best counts: others are shared with whatever else runs

/// Of one call of work(thread) on every thread, at best.
template <typename Work>
double best_seconds(ThreadPool& pool, const Work& work) {
  double best = 1e9;
  for (int number = 0; number < kTries; ++number) {
    const auto start = std::chrono::steady_clock::now();
    pool.for_each(pool.threads(), work);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

}  // namespace

double MachineSpeed::seconds_for(double operations, double read) const {
  return std::max(operations / flops, read / bytes);
}

MachineSpeed measure_machine(ThreadPool& pool) {
  constexpr std::int64_t kRounds = 2'000'000;  // some 15 ms
  constexpr std::int64_t kNumbers = std::int64_t{1} << 25U;
  const InstructionSet& set = instruction_set();
  std::atomic<float> used = 0;
  std::atomic<double> operations = 0;  // of one thread
  const int threads = pool.threads();
  MachineSpeed speed;
  const double busy = best_seconds(pool, [&](Index) {
    float sum = 0;
    operations = set.multiply_add_chains(kRounds, sum);
    used = sum;
  });
  speed.flops = operations * threads / busy;
  const std::vector<float> numbers(kNumbers, 1);
  const std::int64_t share = kNumbers / threads / 64 * 64;
  const double seconds = best_seconds(pool, [&](Index thread) { used = set.read(numbers.data() + thread * share, share); });
  speed.bytes = static_cast<double>(share * threads) * sizeof(float) / seconds;
  return speed;
}

}  // namespace headlight
