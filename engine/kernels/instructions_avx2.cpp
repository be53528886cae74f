// The loops for AVX2.
#include "engine/kernels/lane_functions.h"
#include "engine/kernels/lane_product.h"
#include "engine/kernels/lane_rows.h"
#include "engine/kernels/lane_speed.h"
#include "engine/kernels/lanes_avx2.h"

namespace headlight {
namespace {

bool is_supported() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");  // F16C came before AVX2; clang 14 cannot ask for it
}

}  // namespace

const InstructionSet kAvx2Instructions = {
    .name = "AVX2",
    .is_supported = is_supported,
    .multiply = {multiply_panel<Avx2, FloatPanel>, multiply_panel<Avx2, Bfloat16Panel>, multiply_panel<Avx2, HalfPanel>},
    .multiply_rows = LaneRows<Avx2>::multiply,
    .add_rows = LaneRows<Avx2>::add,
    .apply = LaneFunctions<Avx2>::apply,
    .finish = LaneFunctions<Avx2>::finish,
    .mask = LaneFunctions<Avx2>::mask,
    .softmax = LaneFunctions<Avx2>::softmax,
    .largest = LaneFunctions<Avx2>::largest,
    .entropy = LaneFunctions<Avx2>::entropy,
    .distance = LaneFunctions<Avx2>::distance,
    .totals = LaneFunctions<Avx2>::totals,
    .heavy = LaneFunctions<Avx2>::heavy,
    .scale = LaneFunctions<Avx2>::scale,
    .logs = LaneFunctions<Avx2>::logs,
    .exps = LaneFunctions<Avx2>::exps,
    .quadratic = LaneFunctions<Avx2>::quadratic,
    .normalise = LaneFunctions<Avx2>::normalise,
    .multiply_add_chains = multiply_add_chains<Avx2>,
    .read = read_numbers<Avx2>,
};

}  // namespace headlight
