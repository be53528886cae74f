// How long a cancel takes to be answered, at any moment of a run (Google Benchmark; promise P0.8: 200 ms at the largest admitted input).
//     build/tests/bench_cancel --benchmark_filter=20000
// Each run is cancelled at another moment of it; `longest` is the worst delay seen, in milliseconds.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "engine/core/random.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {
namespace {

using Clock = std::chrono::steady_clock;

struct Cancellable final : Progress {
  void step(double, std::string_view) override { check(); }
  void check() override {
    if (is_cancelled) throw Cancelled{};
  }
  std::atomic<bool> is_cancelled = false;
};

Query long_query(std::int64_t tokens, const char* mask) {
  Query query;
  for (std::int64_t token = 0; token < tokens; ++token) query.text += "a ";
  query.model.sandbox.positions = PositionKind::rotary;
  query.mask.rules.push_back({{}, mask, {}});
  return query;
}

/// Runs `query`, cancels after `wait` seconds and returns how long the run went on; nullopt where it had ended before.
std::optional<double> cancel_after(double wait, const Query& query, int threads) {
  Pipeline pipeline(threads);
  Cancellable progress;
  std::optional<Clock::time_point> end;
  std::thread worker([&] {
    try {
      pipeline.run(query, progress);
    } catch (const Cancelled&) {
      end = Clock::now();
    }
  });
  std::this_thread::sleep_for(std::chrono::duration<double>(wait));
  const Clock::time_point cancelled = Clock::now();
  progress.is_cancelled = true;
  worker.join();
  if (!end) return std::nullopt;
  return std::chrono::duration<double>(*end - cancelled).count();
}

void Cancel(benchmark::State& state) {
  const Query query = long_query(state.range(0), "causal + no-self");
  constexpr double kReach = 20;  // seconds of the run that are tried: model, tokens, masks and the first layers
  RandomStream random(1, "cancel");
  double longest = 0;
  for (auto _ : state) {
    const double wait = kReach * static_cast<double>(random.next_uniform());
    const double delay = cancel_after(wait, query, static_cast<int>(state.range(1))).value_or(0);
    longest = std::max(longest, delay);
    state.SetIterationTime(delay);
  }
  state.counters["longest"] = 1000 * longest;
}
BENCHMARK(Cancel)->ArgsProduct({{2'000, 20'000}, {1, 2}})->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(20);

}  // namespace
}  // namespace headlight

BENCHMARK_MAIN();
