// What a processor can do at most, for one instruction set: arithmetic that waits for nothing, and memory that is only read.
#pragma once

#include "engine/kernels/instruction_set.h"

namespace headlight {
namespace {

template <typename Set>
float sum_of(typename Set::Lanes lanes) {
  float numbers[16], sum = 0;
  Set::store(numbers, lanes);
  for (const float number : numbers) sum += number;
  return sum;
}

/// Twelve chains of registers at once keep two units of four cycles busy. Beyond sixteen g++ 12 does not unroll the loop.
template <typename Set>
double multiply_add_chains(std::int64_t rounds, float& used) {
  constexpr int kChains = Set::kTileParts == 1 ? Set::kTileRows : 12;
  float starts[16 * kChains];  // no two alike, or a compiler computes them once
  for (int at = 0; at < 16 * kChains; ++at) starts[at] = static_cast<float>(at);
  typename Set::Lanes chains[kChains];
  for (int chain = 0; chain < kChains; ++chain) chains[chain] = Set::load(starts + 16 * chain);
  const typename Set::Lanes factor = Set::all(0.999F), term = Set::all(1e-7F);
  for (std::int64_t round = 0; round < rounds; ++round) {
    for (int chain = 0; chain < kChains; ++chain) chains[chain] = Set::multiply_add(chains[chain], factor, term);
  }
  for (int chain = 1; chain < kChains; ++chain) chains[0] = Set::add(chains[0], chains[chain]);
  used = sum_of<Set>(chains[0]);
  return 2.0 * 16 * kChains * static_cast<double>(rounds);
}

template <typename Set>
float read_numbers(const float* numbers, std::int64_t count) {
  typename Set::Lanes sums[4] = {Set::zero(), Set::zero(), Set::zero(), Set::zero()};
  for (std::int64_t at = 0; at + 64 <= count; at += 64) {
    __builtin_prefetch(numbers + at + 1024);
    for (int part = 0; part < 4; ++part) sums[part] = Set::add(sums[part], Set::load(numbers + at + 16 * part));
  }
  return sum_of<Set>(Set::add(Set::add(sums[0], sums[1]), Set::add(sums[2], sums[3])));
}

}  // namespace
}  // namespace headlight
