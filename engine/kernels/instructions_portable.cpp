// The loops for portable: any processor; without fused multiply-add slow, with the same bits.
#include "engine/kernels/lane_functions.h"
#include "engine/kernels/lane_product.h"
#include "engine/kernels/lane_rows.h"
#include "engine/kernels/lane_speed.h"
#include "engine/kernels/lanes_portable.h"

namespace headlight {
namespace {

bool is_supported() {
  return true;
}

}  // namespace

const InstructionSet kPortableInstructions = {
    .name = "portable",
    .is_supported = is_supported,
    .multiply = {multiply_panel<Portable, FloatPanel>, multiply_panel<Portable, Bfloat16Panel>, multiply_panel<Portable, HalfPanel>},
    .multiply_rows = LaneRows<Portable>::multiply,
    .add_rows = LaneRows<Portable>::add,
    .apply = LaneFunctions<Portable>::apply,
    .finish = LaneFunctions<Portable>::finish,
    .mask = LaneFunctions<Portable>::mask,
    .softmax = LaneFunctions<Portable>::softmax,
    .largest = LaneFunctions<Portable>::largest,
    .entropy = LaneFunctions<Portable>::entropy,
    .distance = LaneFunctions<Portable>::distance,
    .totals = LaneFunctions<Portable>::totals,
    .heavy = LaneFunctions<Portable>::heavy,
    .scale = LaneFunctions<Portable>::scale,
    .logs = LaneFunctions<Portable>::logs,
    .exps = LaneFunctions<Portable>::exps,
    .quadratic = LaneFunctions<Portable>::quadratic,
    .normalise = LaneFunctions<Portable>::normalise,
    .multiply_add_chains = multiply_add_chains<Portable>,
    .read = read_numbers<Portable>,
};

}  // namespace headlight
