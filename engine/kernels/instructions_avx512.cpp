// The loops for AVX-512.
#include "engine/kernels/lane_functions.h"
#include "engine/kernels/lane_product.h"
#include "engine/kernels/lane_rows.h"
#include "engine/kernels/lane_speed.h"
#include "engine/kernels/lanes_avx512.h"

namespace headlight {
namespace {

bool is_supported() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}

}  // namespace

const InstructionSet kAvx512Instructions = {
    .name = "AVX-512",
    .is_supported = is_supported,
    .multiply = {multiply_panel<Avx512, FloatPanel>, multiply_panel<Avx512, Bfloat16Panel>, multiply_panel<Avx512, HalfPanel>},
    .multiply_rows = LaneRows<Avx512>::multiply,
    .add_rows = LaneRows<Avx512>::add,
    .apply = LaneFunctions<Avx512>::apply,
    .finish = LaneFunctions<Avx512>::finish,
    .mask = LaneFunctions<Avx512>::mask,
    .softmax = LaneFunctions<Avx512>::softmax,
    .largest = LaneFunctions<Avx512>::largest,
    .entropy = LaneFunctions<Avx512>::entropy,
    .distance = LaneFunctions<Avx512>::distance,
    .totals = LaneFunctions<Avx512>::totals,
    .heavy = LaneFunctions<Avx512>::heavy,
    .scale = LaneFunctions<Avx512>::scale,
    .logs = LaneFunctions<Avx512>::logs,
    .exps = LaneFunctions<Avx512>::exps,
    .quadratic = LaneFunctions<Avx512>::quadratic,
    .normalise = LaneFunctions<Avx512>::normalise,
    .multiply_add_chains = multiply_add_chains<Avx512>,
    .read = read_numbers<Avx512>,
};

}  // namespace headlight
