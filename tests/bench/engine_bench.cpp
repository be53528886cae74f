// Micro-benchmarks of the engine's kernels (Google Benchmark). `headlight bench` measures what a person waits for; this finds out why.
//     build/tests/bench_engine --benchmark_filter=Softmax
#include <benchmark/benchmark.h>

#include "engine/core/random.h"
#include "engine/figure/map/map_picture.h"
#include "engine/forward/forward.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {
namespace {

Matrix random_matrix(Index rows, Index columns, std::string_view name) {
  RandomStream stream(1, name);
  Matrix matrix(rows, columns);
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = stream.next_normal();
  return matrix;
}

void report_flops(benchmark::State& state, double flops_per_iteration) {
  state.counters["flop/s"] = benchmark::Counter(flops_per_iteration, benchmark::Counter::kIsIterationInvariantRate);
}

void Linear768(benchmark::State& state) {
  const Index tokens = state.range(0);
  ThreadPool pool(static_cast<int>(state.range(1)));
  const Matrix x = random_matrix(tokens, 768, "x");
  const Linear linear{random_matrix(768, 768, "w"), RowVector::Zero(768)};
  for (auto _ : state) benchmark::DoNotOptimize(apply_linear(x, linear, pool));
  report_flops(state, 2.0 * 768 * 768 * static_cast<double>(tokens));
}
BENCHMARK(Linear768)->ArgsProduct({{16, 64, 512}, {1, 2}})->UseRealTime();

void Scores(benchmark::State& state) {
  const Index tokens = state.range(0);
  const Matrix q = random_matrix(tokens, 64, "q"), k = random_matrix(tokens, 64, "k");
  Matrix scores(tokens, tokens);
  for (auto _ : state) {
    compute_scores(q, k, {}, scores);
    benchmark::ClobberMemory();
  }
  report_flops(state, 2.0 * 64 * static_cast<double>(tokens * tokens));
}
BENCHMARK(Scores)->Arg(64)->Arg(512)->Arg(2048);

void SoftmaxCausal(benchmark::State& state) {
  const Index tokens = state.range(0);
  const Mask mask = MaskText("causal").cells({tokens, tokens, {}});
  const Matrix scores = random_matrix(tokens, tokens, "scores");
  Matrix weights;
  for (auto _ : state) {
    weights = scores;
    softmax_rows(weights, mask);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * tokens * tokens);
}
BENCHMARK(SoftmaxCausal)->Arg(64)->Arg(512)->Arg(2048);

void SummariseHead(benchmark::State& state) {
  const Index tokens = state.range(0);
  const Mask mask = MaskText("causal").cells({tokens, tokens, {}});
  Matrix weights = random_matrix(tokens, tokens, "scores");
  softmax_rows(weights, mask);
  for (auto _ : state) benchmark::DoNotOptimize(summarise_head(weights, mask));
  state.SetItemsProcessed(state.iterations() * tokens * tokens);
}
BENCHMARK(SummariseHead)->Arg(64)->Arg(512);

void PaintMap(benchmark::State& state) {
  const Index tokens = state.range(0);
  const int side = static_cast<int>(state.range(1));
  const MapPicture picture(random_matrix(tokens, tokens, "map").cwiseAbs(), 1, tokens, tokens, nullptr, false);
  const CellWindow all{0, static_cast<float>(tokens), 0, static_cast<float>(tokens)};
  Image image{side, side, std::vector<std::uint8_t>(static_cast<std::size_t>(side) * static_cast<std::size_t>(side) * 4)};
  for (auto _ : state) {
    paint_map(picture, all, {}, {}, image, {0, 0, side, side});
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * side * side);
}
BENCHMARK(PaintMap)->Args({64, 960})->Args({512, 960})->Args({512, 80})->Args({2048, 960});

/// From the summary of a head to what the overview draws.
void MakePicture(benchmark::State& state) {
  const Index tokens = state.range(0);
  const auto mask = std::make_shared<const Mask>(MaskText("causal").cells({tokens, tokens, {}}));
  Matrix weights = random_matrix(tokens, tokens, "scores");
  softmax_rows(weights, *mask);
  const HeadSummary summary = summarise_head(weights, *mask);
  for (auto _ : state) benchmark::DoNotOptimize(MapPicture(*summary.pooled.whole(), summary.pool, tokens, tokens, mask, false));
  state.SetItemsProcessed(state.iterations() * tokens * tokens);
}
BENCHMARK(MakePicture)->Arg(64)->Arg(256)->Arg(512)->Arg(768)->Arg(2048);

void KeystrokeOnSandbox(benchmark::State& state) {
  Pipeline pipeline;
  SilentProgress progress;
  Query query;
  int keystroke = 0;
  for (auto _ : state) {
    query.text = "The animal didn't cross the street because it was " + std::to_string(keystroke++);
    benchmark::DoNotOptimize(pipeline.run(query, progress));
  }
}
BENCHMARK(KeystrokeOnSandbox)->UseRealTime();

}  // namespace
}  // namespace headlight

BENCHMARK_MAIN();
