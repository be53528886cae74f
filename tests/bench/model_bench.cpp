// What loaded models cost: opening a folder beside reading its bytes, and products with weights as they are stored.
//     build/tests/bench_model
#include <benchmark/benchmark.h>

#include <fstream>

#include "engine/core/random.h"
#include "engine/formats/tensors/safetensors.h"
#include "engine/kernels/product.h"
#include "engine/model/files/load_model.h"
#include "engine/model/model.h"
#include "tests/model/gpt2_folder.h"

namespace headlight {
namespace {

/// A GPT-2 of 12 layers and d_model 768 with three words: 340 MB of layers, written once.
const testing::Gpt2Folder& large_folder() {
  static const testing::Gpt2Folder folder = [] {
    constexpr std::int64_t d = 768;
    testing::TensorMap tensors;
    const auto add = [&](const std::string& name, std::vector<std::int64_t> shape) {
      std::int64_t size = 1;
      for (const std::int64_t extent : shape) size *= extent;
      tensors[name] = {std::move(shape), std::vector<float>(static_cast<std::size_t>(size), 0.01F)};
    };
    add("wte.weight", {3, d});
    add("wpe.weight", {16, d});
    for (int layer = 0; layer < 12; ++layer) {
      const std::string prefix = "h." + std::to_string(layer) + ".";
      for (const char* norm : {"ln_1.", "ln_2."}) {
        add(prefix + norm + "weight", {d});
        add(prefix + norm + "bias", {d});
      }
      add(prefix + "attn.c_attn.weight", {d, 3 * d});
      add(prefix + "attn.c_attn.bias", {3 * d});
      add(prefix + "attn.c_proj.weight", {d, d});
      add(prefix + "attn.c_proj.bias", {d});
      add(prefix + "mlp.c_fc.weight", {d, 4 * d});
      add(prefix + "mlp.c_fc.bias", {4 * d});
      add(prefix + "mlp.c_proj.weight", {4 * d, d});
      add(prefix + "mlp.c_proj.bias", {d});
    }
    add("ln_f.weight", {d});
    add("ln_f.bias", {d});
    return testing::Gpt2Folder(R"({"model_type": "gpt2", "n_layer": 12, "n_embd": 768, "n_head": 12, "n_positions": 16, "vocab_size": 3})",
                               tensors);
  }();
  return folder;
}

/// What OpenFolder may take 1.2 times of: the same tensors read and laid out for products, one after the other by one thread, looked through
/// by nobody.
void ReadAndPack(benchmark::State& state) {
  const SafetensorsFile file(large_folder().folder() / "model.safetensors");
  for (auto _ : state) {
    std::vector<Weights> packed;
    for (const TensorInfo& info : file.tensors()) {
      const auto bytes = std::make_shared_for_overwrite<std::byte[]>(info.end - info.begin);
      file.reader().read(info.begin, {bytes.get(), info.end - info.begin});
      const bool is_vector = info.shape.size() == 1;
      packed.emplace_back(StoredMatrix(info.dtype, is_vector ? 1 : info.shape.front(), info.shape.back(), bytes), Weights::Layout::in_out);
    }
    benchmark::DoNotOptimize(packed.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(file.bytes()));
}
BENCHMARK(ReadAndPack)->Unit(benchmark::kMillisecond)->UseRealTime();

/// The same bytes from the cache of the system into memory.
void ReadBytes(benchmark::State& state) {
  const std::filesystem::path path = large_folder().folder() / "model.safetensors";
  const auto size = std::filesystem::file_size(path);
  for (auto _ : state) {
    const auto bytes = std::make_unique_for_overwrite<char[]>(size);
    std::ifstream(path, std::ios::binary).read(bytes.get(), static_cast<std::streamsize>(size));
    benchmark::DoNotOptimize(bytes.get());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(size));
}
BENCHMARK(ReadBytes)->Unit(benchmark::kMillisecond)->UseRealTime();

void OpenFolder(benchmark::State& state) {
  const auto size = std::filesystem::file_size(large_folder().folder() / "model.safetensors");
  SilentProgress progress;
  for (auto _ : state) benchmark::DoNotOptimize(load_model({.name = large_folder().path(), .sandbox = {}}, progress));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(size));
}
BENCHMARK(OpenFolder)->Unit(benchmark::kMillisecond)->UseRealTime();

constexpr std::array kStoredTypes{DType::f32, DType::f16, DType::bf16};

/// x·W with W [768, 768] stored as float32, float16 and bfloat16; all-zero bits are zeros in each.
void StoredProduct(benchmark::State& state) {
  const DType type = kStoredTypes[static_cast<std::size_t>(state.range(0))];
  const Index tokens = state.range(1);
  constexpr Index kWidth = 768;
  const auto size = *stored_bytes(dtype_row(type), kWidth * kWidth);
  const std::shared_ptr<const std::byte[]> bytes(new std::byte[size]());
  const Weights weights(StoredMatrix(type, kWidth, kWidth, bytes), Weights::Layout::out_in);
  const Matrix x = Matrix::Constant(tokens, kWidth, 0.5F);
  Matrix out(tokens, kWidth);
  ThreadPool pool(1);
  for (auto _ : state) {
    multiply_weights(x, weights, {}, out, pool);
    benchmark::ClobberMemory();
  }
  state.SetLabel(std::string(dtype_row(type).name));
  state.counters["flop/s"] =
      benchmark::Counter(2.0 * kWidth * kWidth * static_cast<double>(tokens), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(StoredProduct)->ArgsProduct({{0, 1, 2}, {16, 128}});

/// Logits by a table of 20,000 words that is kept as it is stored, as that of tied embeddings.
void TableProduct(benchmark::State& state) {
  constexpr Index kWords = 20'000, kWidth = 768;
  const DType type = kStoredTypes[static_cast<std::size_t>(state.range(0))];
  const Index tokens = state.range(1);
  const auto size = *stored_bytes(dtype_row(type), kWords * kWidth);
  const auto bytes = std::make_shared<std::byte[]>(size);  // written, so that every page has memory of its own
  const Weights table = Weights::of_table({type, kWords, kWidth, bytes});
  const Matrix x = Matrix::Constant(tokens, kWidth, 0.5F);
  Matrix out(tokens, kWords);
  ThreadPool pool;
  for (auto _ : state) {
    multiply_weights(x, table, {}, out, pool);
    benchmark::ClobberMemory();
  }
  state.SetLabel(std::string(dtype_row(type).name));
}
BENCHMARK(TableProduct)->ArgsProduct({{0, 1, 2}, {1, 16, 256}})->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace headlight

BENCHMARK_MAIN();
