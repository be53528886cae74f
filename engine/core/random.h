// The documented generator behind every random parameter of the sandbox model.
//
// SplitMix64 (Steele, Lea, Flood 2014): state += 0x9e3779b97f4a7c15; z = state; z = (z ^ z>>30) · 0xbf58476d1ce4e5b9;
// z = (z ^ z>>27) · 0x94d049bb133111eb; output z ^ z>>31. A stream is named: its state starts at seed XOR FNV-1a-64(name), so a
// parameter's values depend on the seed and its own name, never on what was drawn before it.
//
// `next_normal` is the sum of twelve uniform 21-bit integers (bits 0…20, 21…41 and 42…62 of four outputs), less its mean 6·(2^21 − 1),
// times 2^−21 (Irwin–Hall: standard deviation 1, |x| < 6). Integers and one exact product: the same bits everywhere, unlike log and cos.
#pragma once

#include <cstdint>
#include <string_view>

namespace headlight {

/// FNV-1a, 64 bit: offset basis 0xcbf29ce484222325, prime 0x100000001b3.
std::uint64_t fnv1a(std::string_view bytes);

class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::string_view name) : state_(seed ^ fnv1a(name)) {}

  std::uint64_t next();
  float next_normal();
  float next_uniform();  ///< [0, 1): the upper 24 bits of one output, times 2^−24

 private:
  std::uint64_t state_;
};

}  // namespace headlight
