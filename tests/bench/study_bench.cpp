// From a keystroke to its picture while a study runs, beside the same without one (Google Benchmark; bound: 1.3 times).
//     build/tests/bench_study
// Each iteration types three words: one while nothing runs, one after other data has passed through the processor's caches, and one at
// another moment of a running step. `alone`, `cold` and `with_study` are the medians in milliseconds, `ratio` is the third over the first,
// `p90` the same of the slow tenth, `to_cold` the third over the second: what a study costs beside the data it leaves in the caches. Of ten
// words only that shows in `ratio` (0.33, 0.57 and 0.57 ms: 1.6, and 1.0 to cold); `alone` types faster than anybody could.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "app/work/labs.h"
#include "app/work/predictions.h"
#include "engine/core/guarded.h"
#include "engine/core/random.h"

namespace headlight {
namespace {

using Clock = std::chrono::steady_clock;

/// A worker as the window has it: told when something changed.
class Typist {
 public:
  explicit Typist(int threads)
      : worker(threads, [this] {
          const Lock lock(mutex_);
          changed_.notify_all();
        }) {}

  template <class Reached>
  void wait_until(Reached is_reached) {
    const Lock lock(mutex_);
    while (!is_reached()) changed_.wait_until(mutex_, Clock::now() + std::chrono::milliseconds(1));
  }

  /// Seconds from the request for another text to its picture.
  double type(Query query) {
    const std::uint64_t before = worker.status().published;
    const Clock::time_point start = Clock::now();
    worker.request(std::move(query), false);
    wait_until([&] { return worker.status().published > before; });
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  void rest() {
    wait_until([&] { return worker.is_idle(); });
  }

 private:
  Mutex mutex_;
  Condition changed_;

 public:
  Worker worker;  // last: its thread uses the two above
};

Query sentence(std::int64_t words, int number) {
  Query query;
  for (std::int64_t word = 0; word < words; ++word) query.text += "word ";
  query.text += std::to_string(number);
  return query;
}

/// Other data passes through the caches.
void cool_caches() {
  constexpr std::size_t kNumbers = std::size_t{1} << 25U;  // 256 MB, more than the caches of any machine
  static std::vector<double> numbers(kNumbers);
  for (double& number : numbers) number += 1;
  benchmark::DoNotOptimize(numbers.data());
}

double at(std::vector<double>& seconds, double part) {
  std::sort(seconds.begin(), seconds.end());
  return 1000 * seconds[static_cast<std::size_t>(part * static_cast<double>(seconds.size() - 1))];
}

/// `start` sets a study going that is still running a second later.
template <class Start>
void type_beside(benchmark::State& state, Typist& typist, std::int64_t words, Start start) {
  RandomStream random(1, "typing");
  std::vector<double> alone, cold, beside;
  int number = 0;
  for (auto _ : state) {
    typist.rest();
    alone.push_back(typist.type(sentence(words, ++number)));
    typist.rest();
    cool_caches();
    cold.push_back(typist.type(sentence(words, ++number)));
    start(number);
    typist.wait_until([&] {
      const WorkerStatus status = typist.worker.status();
      return status.study && status.study->state == StudyState::running;
    });
    std::this_thread::sleep_for(std::chrono::duration<double>(0.05 * static_cast<double>(random.next_uniform())));
    if (typist.worker.is_idle()) state.SkipWithError("the study ended too early");
    beside.push_back(typist.type(sentence(words, ++number)));
    state.SetIterationTime(beside.back());
    typist.worker.cancel();
  }
  if (alone.empty()) return;
  state.counters["alone"] = at(alone, 0.5);
  state.counters["cold"] = at(cold, 0.5);
  state.counters["with_study"] = at(beside, 0.5);
  state.counters["ratio"] = at(beside, 0.5) / at(alone, 0.5);
  state.counters["to_cold"] = at(beside, 0.5) / at(cold, 0.5);
  state.counters["p90"] = at(beside, 0.9) / at(alone, 0.9);
}

/// Runs the model on other texts, as studies of many runs do.
void KeystrokeBesideRuns(benchmark::State& state) {
  Pipeline pipeline(static_cast<int>(state.range(1)));  // lives until the worker has ended
  Typist typist(static_cast<int>(state.range(1)));
  Study<int, int> study(typist.worker.desk(), [&](const int& number, const std::shared_ptr<const int>&, StepContext& context) {
    for (int run = 0;; ++run) pipeline.run(sentence(1000, number + run), context.progress);
    return StudyStep<int>{};
  });
  type_beside(state, typist, state.range(0), [&](int number) { study.start(number); });
}

/// The lab of one head with the most numbers.
void KeystrokeBesideDropout(benchmark::State& state) {
  Typist typist(static_cast<int>(state.range(1)));
  typist.type(sentence(3000, 0));
  LabRequest request{{}, typist.worker.snapshot(), {0, 0}, {}};
  request.settings.lab = Lab::dropout;
  Labs labs(typist.worker);
  type_beside(state, typist, state.range(0), [&](int number) {
    request.settings.dropout_seed = number;
    labs.ask(request);
  });
}

/// How long it takes until a lab has stopped that was cancelled at any moment; `longest` in milliseconds, by lab and tokens (bound: 200).
void CancelLab(benchmark::State& state) {
  static constexpr std::array kLabs{Lab::attempts,  Lab::mask_fills, Lab::scaling,      Lab::dropout,
                                    Lab::head_cost, Lab::toy_run,    Lab::concatenation};
  Typist typist(1);
  typist.type(sentence(state.range(1), 0));
  LabRequest request{{}, typist.worker.snapshot(), {0, 0}, {}};
  request.settings.lab = kLabs.at(static_cast<std::size_t>(state.range(0)));
  request.settings.is_all_masked = false;
  state.SetLabel(std::string(request.settings.lab.name));
  RandomStream random(1, "cancel");
  double longest = 0;
  for (auto _ : state) {
    Labs labs(typist.worker);
    labs.ask(request);
    std::this_thread::sleep_for(std::chrono::duration<double>(static_cast<double>(random.next_uniform())));
    const Clock::time_point start = Clock::now();
    labs.rest();
    typist.rest();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    longest = std::max(longest, seconds);
    state.SetIterationTime(seconds);
  }
  state.counters["longest"] = 1000 * longest;
}
BENCHMARK(CancelLab)->ArgsProduct({{0, 1, 2, 3, 4, 5, 6}, {2'000}})->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(20);

/// Words of the sentence that is typed; threads.
void sizes(benchmark::internal::Benchmark* bench) {
  bench->ArgsProduct({{10, 100}, {1, 2}})->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(60);
}
BENCHMARK(KeystrokeBesideRuns)->Apply(sizes);
BENCHMARK(KeystrokeBesideDropout)->Apply(sizes);

}  // namespace
}  // namespace headlight

BENCHMARK_MAIN();
