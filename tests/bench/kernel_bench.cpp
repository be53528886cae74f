// Each loop of each instruction set alone, in the nearest caches (Google Benchmark): what is left to gain, and where.
//     build/tests/bench_kernel --benchmark_filter=AVX-512
#include <benchmark/benchmark.h>

#include <array>
#include <vector>

#include "engine/kernels/instruction_set.h"

namespace headlight {
namespace {

using State = benchmark::State;

void report_flops(State& state, double operations) {
  state.counters["flop/s"] = benchmark::Counter(operations, benchmark::Counter::kIsIterationInvariantRate);
}

void time_peak(State& state, const InstructionSet& set) {
  float used = 0;
  double operations = 0;
  for (auto _ : state) {
    operations = set.multiply_add_chains(1000, used);
    benchmark::DoNotOptimize(used);
  }
  report_flops(state, operations);
}

void time_product(State& state, const InstructionSet& set, PanelType type) {
  constexpr std::int64_t kDepth = 128, kWidth = 48;
  const std::int64_t rows = state.range(0);
  const std::vector<float> a(static_cast<std::size_t>(rows * kDepth), 0.5F), panel(kDepth * kWidth, 0.0F);
  std::vector<float> out(static_cast<std::size_t>(rows * kWidth));
  const PanelProduct product{.a = a.data(),
                             .a_stride = kDepth,
                             .rows = rows,
                             .depth = kDepth,
                             .panel = panel.data(),
                             .width = kWidth,
                             .out = out.data(),
                             .out_stride = kWidth,
                             .columns = kWidth};
  for (auto _ : state) {
    set.multiply[static_cast<std::size_t>(type)](product);
    benchmark::ClobberMemory();
  }
  report_flops(state, 2.0 * static_cast<double>(rows * kDepth * kWidth));
}

void time_function(State& state, const InstructionSet& set, LaneFunction function) {
  const std::vector<float> numbers(4096, -0.7F);
  std::vector<float> changed = numbers;
  for (auto _ : state) {
    changed = numbers;
    set.apply(function, changed.data(), std::ssize(changed));
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * std::ssize(numbers));
}

void time_softmax(State& state, const InstructionSet& set) {
  const std::vector<float> numbers(512, 0.3F);
  const std::vector<std::uint8_t> allowed(512, 1);
  std::vector<float> row = numbers;
  for (auto _ : state) {
    row = numbers;
    set.mask(row.data(), allowed.data(), std::ssize(row));
    set.softmax({.numbers = row.data(), .count = std::ssize(row)});
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * std::ssize(numbers));
}

/// A row of 64 with 512 rows as they lie, and the sum of the same rows.
void time_rows(State& state, const InstructionSet& set) {
  constexpr std::int64_t kRows = 512, kWidth = 64;
  const std::vector<float> row(kWidth, 0.5F), rows(kRows * kWidth, 0.25F);
  std::vector<float> products(kRows), sum(kWidth);
  for (auto _ : state) {
    set.multiply_rows({.a = row.data(), .rows = rows.data(), .stride = kWidth, .count = kRows, .depth = kWidth, .out = products.data()});
    set.add_rows({.weights = products.data(), .rows = rows.data(), .stride = kWidth, .count = kRows, .columns = kWidth, .out = sum.data()});
    benchmark::ClobberMemory();
  }
  report_flops(state, 4.0 * kRows * kWidth);
}

void time_finish(State& state, const InstructionSet& set) {
  const std::vector<float> bias(768, 0.1F);
  const LaneFunction function = LaneFunction::gelu_erf;
  const std::vector<float> numbers(768, -0.7F);
  std::vector<float> row = numbers;
  for (auto _ : state) {
    row = numbers;
    set.finish({.numbers = row.data(), .count = std::ssize(row), .bias = bias.data(), .function = &function, .stream = bias.data()});
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * std::ssize(row));
}

void time_measures(State& state, const InstructionSet& set) {
  const std::vector<float> weights(512, 1.0F / 512);
  for (auto _ : state) {
    benchmark::DoNotOptimize(set.largest(weights.data(), std::ssize(weights)));
    benchmark::DoNotOptimize(set.entropy(weights.data(), std::ssize(weights)));
    benchmark::DoNotOptimize(set.distance(weights.data(), std::ssize(weights), 511));
  }
  state.SetItemsProcessed(state.iterations() * std::ssize(weights));
}

void time_norm(State& state, const InstructionSet& set) {
  const std::vector<float> x(768, 0.3F), gain(768, 1.0F);
  std::vector<float> y(768);
  for (auto _ : state) {
    set.normalise({x.data(), gain.data(), gain.data(), y.data(), std::ssize(x), 1e-5F, true});
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * std::ssize(x));
}

void add_benchmarks(const InstructionSet& set) {
  const std::string name = set.name;
  benchmark::RegisterBenchmark((name + "/peak").c_str(), [&](State& state) { time_peak(state, set); });
  constexpr std::array kTypes = {"float32", "bfloat16", "float16"};
  for (std::size_t type = 0; type < kTypes.size(); ++type) {
    benchmark::RegisterBenchmark((name + "/product of " + kTypes[type]).c_str(),
                                 [&set, type](State& state) { time_product(state, set, static_cast<PanelType>(type)); })
        ->Arg(1)
        ->Arg(8)
        ->Arg(64);
  }
  constexpr std::array kFunctions = {"exp", "log", "tanh", "erf", "relu", "gelu_erf", "gelu_tanh", "silu", "gelu_quick"};
  for (std::size_t function = 0; function < kFunctions.size(); ++function) {
    benchmark::RegisterBenchmark((name + "/" + kFunctions[function]).c_str(),
                                 [&set, function](State& state) { time_function(state, set, static_cast<LaneFunction>(function)); });
  }
  benchmark::RegisterBenchmark((name + "/a row by 512 rows, and their sum").c_str(), [&](State& state) { time_rows(state, set); });
  benchmark::RegisterBenchmark((name + "/finish of 768").c_str(), [&](State& state) { time_finish(state, set); });
  benchmark::RegisterBenchmark((name + "/largest, entropy, distance of 512").c_str(), [&](State& state) { time_measures(state, set); });
  benchmark::RegisterBenchmark((name + "/mask and softmax of 512").c_str(), [&](State& state) { time_softmax(state, set); });
  benchmark::RegisterBenchmark((name + "/layer norm of 768").c_str(), [&](State& state) { time_norm(state, set); });
}

}  // namespace
}  // namespace headlight

int main(int count, char** arguments) {
  for (const headlight::InstructionSet* set :
       {&headlight::kAvx512Instructions, &headlight::kAvx2Instructions, &headlight::kPortableInstructions}) {
    if (set->is_supported()) headlight::add_benchmarks(*set);
  }
  benchmark::Initialize(&count, arguments);
  benchmark::RunSpecifiedBenchmarks();
}
