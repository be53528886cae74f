#include "app/cli/bench/bench_long.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <string>
#include <vector>

#include "app/cli/console.h"
#include "engine/core/error.h"
#include "engine/core/memory_reserve.h"

namespace headlight {
namespace {

constexpr double kMegabyte = 1e6;

/// The most memory that this process has had since it was made, in megabytes; Linux alone tells it.
class PeakMemory {
 public:
  PeakMemory() {
    std::ofstream("/proc/self/clear_refs") << 5;  // proc(5): the peak begins anew
    before_ = of_process();
  }
  double above() const { return of_process() - before_; }

 private:
  static double of_process() {
    std::ifstream status("/proc/self/status");
    std::string word;
    double kibibytes = 0;
    while (status >> word) {
      if (word == "VmHWM:") status >> kibibytes;
    }
    return kibibytes * 1024 / kMegabyte;
  }
  double before_ = 0;
};

struct LongRun {
  int tokens = 0, layers = 12, heads = 12;
};

/// A text of `count` words, no two neighbours alike.
std::string words(int count) {
  std::string text;
  for (int word = 0; word < count; ++word) text += fmt::format("{}w{}", word == 0 ? "" : " ", word % 97);
  return text;
}

Query query_of(const LongRun& run, int tokens) {
  Query query;
  query.model.sandbox.layers = run.layers;
  query.model.sandbox.heads = run.heads;
  query.model.sandbox.d_model = 768;
  query.text = words(tokens);
  return query;
}

struct Cost {
  double milliseconds = 0, said = 0;  ///< said: before the run; 0: it was too short for a word
  double peak = 0, kept = 0;          ///< megabytes
};

/// The median of some runs, each with nothing kept but the model.
Cost cost_of(const LongRun& run, Pipeline& pipeline, const Bench& bench) {
  std::vector<double> times;
  Cost cost;
  SilentProgress silent;
  pipeline.tell_cost([&](const RunEstimate& estimate) { cost.said = 1000 * estimate.seconds; });
  const auto last_start = std::chrono::steady_clock::now() + std::chrono::seconds(Bench::kMostSeconds);
  do {
    pipeline.run(query_of(run, 1), silent);
    give_unused_memory_back();  // what the runs before have let go: the next one's peak is its own
    const PeakMemory peak;
    const std::shared_ptr<const Snapshot> snapshot = pipeline.run(query_of(run, run.tokens), silent);
    times.push_back(snapshot->cost.milliseconds);
    cost.peak = std::max(cost.peak, peak.above());
    cost.kept = static_cast<double>(snapshot->cost.bytes) / kMegabyte;
  } while (std::ssize(times) < bench.rounds() && std::chrono::steady_clock::now() < last_start);
  pipeline.tell_cost(nullptr);
  std::sort(times.begin(), times.end());
  cost.milliseconds = times[times.size() / 2];
  return cost;
}

/// One line a run, each beside the one above it.
void bench_curve(const std::vector<LongRun>& runs, Pipeline& pipeline, const Bench& bench) {
  std::optional<Cost> before;
  for (const LongRun& run : runs) {
    const std::string name = fmt::format("{:>6} tokens, {:>2} layers of {:>2} heads", run.tokens, run.layers, run.heads);
    try {
      const Cost cost = cost_of(run, pipeline, bench);
      std::string line = fmt::format("{} {:>9.1f} ms {:>8.1f} MB at most {:>8.1f} MB kept", name, cost.milliseconds, cost.peak, cost.kept);
      if (cost.said > 0) line += fmt::format("   {:.2f} of the time said before", cost.milliseconds / cost.said);
      if (before)
        line +=
            fmt::format("   {:>5.2f} × the time, {:.2f} × the memory", cost.milliseconds / before->milliseconds, cost.kept / before->kept);
      write_result(line + "\n");
      before = cost;
    } catch (const Error& error) {
      write_result(fmt::format("{}: not measured: {}\n", name, error.message()));
    }
  }
}

void bench_rebuilt_map(const Bench& bench, Pipeline& pipeline, int tokens) {
  SilentProgress silent;
  const std::shared_ptr<const Snapshot> snapshot = pipeline.run(query_of({.tokens = tokens, .layers = 1}, tokens), silent);
  bench.measure(fmt::format("weights of one head of width 64 made again, {} tokens", tokens),
                [&] { pass_head(snapshot->trace.layer(0), 5, [](const HeadRows&) {}); });
  bench.measure(fmt::format("all steps of that head made again, {} tokens", tokens), [&] { snapshot->maps({0, 5}); });
}

}  // namespace

void bench_long(const Bench& bench, int threads) {
  Pipeline pipeline(threads);
  write_result("d_model 768; memory above the weights, in 10⁶ bytes\n");
  bench_curve({{64}, {256}, {1024}, {4096}, {16'384}}, pipeline, bench);
  bench_curve({{1024, 3}, {1024, 6}, {1024, 12}, {1024, 24}}, pipeline, bench);
  bench_curve({{1024, 12, 4}, {1024, 12, 12}, {1024, 12, 24}, {1024, 12, 48}}, pipeline, bench);
  for (const int tokens : {2048, 4096, 8192}) bench_rebuilt_map(bench, pipeline, tokens);
}

}  // namespace headlight
