// What a processor can do at most, for one instruction set: arithmetic that waits for nothing, and memory that is only read.
#pragma once

#include "engine/kernels/instruction_set.h"

namespace headlight {
namespace {

template <typename Set>
float multiply_add_chains(std::int64_t rounds) {
  constexpr int kChains = kSpeedChains;
  typename Set::Lanes chains[kChains];
  for (int chain = 0; chain < kChains; ++chain) chains[chain] = Set::all(static_cast<float>(chain));
  const typename Set::Lanes factor = Set::all(0.999F), term = Set::all(1e-7F);
  for (std::int64_t round = 0; round < rounds; ++round) {
    for (int chain = 0; chain < kChains; ++chain) chains[chain] = Set::multiply_add(chains[chain], factor, term);
  }
  for (int chain = 1; chain < kChains; ++chain) chains[0] = Set::add(chains[0], chains[chain]);
  float numbers[16];
  Set::store(numbers, chains[0]);
  return numbers[0];
}

template <typename Set>
float read_numbers(const float* numbers, std::int64_t count) {
  typename Set::Lanes sums[4] = {Set::zero(), Set::zero(), Set::zero(), Set::zero()};
  for (std::int64_t at = 0; at + 64 <= count; at += 64) {
    __builtin_prefetch(numbers + at + 1024);
    for (int part = 0; part < 4; ++part) sums[part] = Set::add(sums[part], Set::load(numbers + at + 16 * part));
  }
  float lanes[16];
  Set::store(lanes, Set::add(Set::add(sums[0], sums[1]), Set::add(sums[2], sums[3])));
  return lanes[0];
}

}  // namespace
}  // namespace headlight
