#include "engine/formats/sha256.h"

#include <algorithm>
#include <bit>

namespace headlight {
namespace {

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> kRounds{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t word_at(const std::byte* bytes) {
  std::uint32_t word = 0;
  for (int i = 0; i < 4; ++i) word = (word << 8U) | std::to_integer<std::uint32_t>(bytes[i]);
  return word;
}

std::array<std::uint32_t, 64> schedule_of(const std::byte* block) {
  std::array<std::uint32_t, 64> words{};
  for (std::size_t i = 0; i < 16; ++i) words[i] = word_at(block + 4 * i);
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t early = words[i - 15], late = words[i - 2];
    const std::uint32_t low = std::rotr(early, 7) ^ std::rotr(early, 18) ^ (early >> 3U);
    const std::uint32_t high = std::rotr(late, 17) ^ std::rotr(late, 19) ^ (late >> 10U);
    words[i] = words[i - 16] + low + words[i - 7] + high;
  }
  return words;
}

}  // namespace

void Sha256::take_block(const std::byte* block) {
  const std::array<std::uint32_t, 64> words = schedule_of(block);
  auto [a, b, c, d, e, f, g, h] = state_;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t from_e = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t first = h + from_e + ((e & f) ^ (~e & g)) + kRounds[i] + words[i];
    const std::uint32_t from_a = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t second = from_a + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
  }
  const std::array<std::uint32_t, 8> changed{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state_[i] += changed[i];
}

void Sha256::add(std::span<const std::byte> bytes) {
  length_ += bytes.size();
  while (!bytes.empty()) {
    if (waiting_ == 0 && bytes.size() >= pending_.size()) {
      take_block(bytes.data());
      bytes = bytes.subspan(pending_.size());
      continue;
    }
    const std::size_t taken = std::min(bytes.size(), pending_.size() - waiting_);
    std::copy_n(bytes.begin(), taken, pending_.begin() + static_cast<std::ptrdiff_t>(waiting_));
    waiting_ += taken;
    bytes = bytes.subspan(taken);
    if (waiting_ < pending_.size()) continue;
    take_block(pending_.data());
    waiting_ = 0;
  }
}

std::string Sha256::hex() {
  const std::uint64_t bits = 8 * length_;
  const std::array<std::byte, 1> one{std::byte{0x80}}, zero{};
  add(one);
  while (waiting_ != 56) add(zero);
  std::array<std::byte, 8> end{};
  for (std::size_t i = 0; i < end.size(); ++i) end[i] = static_cast<std::byte>(bits >> (56 - 8 * i));
  add(end);
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint32_t word : state_) {
    for (int shift = 28; shift >= 0; shift -= 4) text += kDigits[(word >> static_cast<unsigned>(shift)) & 15U];
  }
  return text;
}

}  // namespace headlight
