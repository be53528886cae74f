#include "app/cli/bench/bench_forward.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/cli/bench/model_shapes.h"
#include "app/cli/console.h"
#include "engine/analysis/head_summary.h"
#include "engine/core/error.h"
#include "engine/forward/forward.h"
#include "engine/kernels/instruction_set.h"
#include "engine/kernels/machine_speed.h"

namespace headlight {
namespace {

/// All layers, with the summary of every map as the window shows it.
void run_layers(const Model& model, const std::vector<LayerRequest>& requests, const LayerMasks& masks, const SharedRows& embedded,
                ThreadPool& pool) {
  SharedRows stream = embedded;
  for (int layer = 0; layer < model.config.layers; ++layer) {
    std::vector<HeadMeter> meters(masks.size(), HeadMeter(*masks.front(), MeterSettings()));
    const HeadObserver summarise = [&](int head, const HeadRows& rows) { meters[static_cast<std::size_t>(head)].add(rows); };
    const LayerInput input{.resid_pre = stream, .masks = masks};
    stream = run_layer(model, layer, requests[static_cast<std::size_t>(layer)], input, pool, summarise)->resid_post;
    for (HeadMeter& meter : meters) (void)meter.finish();
  }
}

/// The better of two measurements, before and after a line: on shared machines the limit changes from minute to minute.
MachineSpeed better_of(const MachineSpeed& a, const MachineSpeed& b) {
  return {std::max(a.flops, b.flops), std::max(a.bytes, b.bytes)};
}

void bench_shape(const Bench& bench, const ModelShape& shape, ThreadPool& pool) {
  const std::shared_ptr<const Model> model = make_shape(shape);
  std::vector<LayerRequest> requests;
  for (int layer = 0; layer < shape.layers; ++layer) requests.push_back(request_of_layer({}, *model, layer));
  for (const int tokens : {16, 64, 256, 512}) {
    const auto mask = std::make_shared<const Mask>(MaskText(shape.is_causal ? "causal" : "none").cells({tokens, tokens, {}}));
    const LayerMasks masks(static_cast<std::size_t>(shape.heads), mask);
    const SharedRows embedded = Matrix(Matrix::Random(tokens, shape.d_model));
    const MachineSpeed before = measure_machine(pool);
    bench.measure(
        fmt::format("forward pass of the shape of {}, {} tokens", shape.name, tokens),
        [&] { run_layers(*model, requests, masks, embedded, pool); }, [] {},
        [&](double seconds) {
          const MachineSpeed speed = better_of(before, measure_machine(pool));
          const double operations = shape.operations(tokens), least = speed.seconds_for(operations, shape.weight_bytes());
          return fmt::format("{:>4.0f} of {:.0f} GFLOP/s, {:.1f} GB/s: {:.0f} % of the roofline", operations / seconds * 1e-9,
                             speed.flops * 1e-9, speed.bytes * 1e-9, 100 * least / seconds);
        });
  }
}

}  // namespace

void bench_shapes(const Bench& bench, ThreadPool& pool) {
  write_result(fmt::format("{} instructions; beside each line what the machine can do at most: float32 multiply-adds, and reading memory\n",
                           instruction_set().name));
  for (const ModelShape& shape : model_shapes()) {
    try {
      bench_shape(bench, shape, pool);
    } catch (const Error& error) {
      write_result(fmt::format("{}: not measured: {}\n", shape.name, error.message()));
    }
  }
}

}  // namespace headlight
