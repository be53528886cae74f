#include "engine/core/random.h"

namespace headlight {
namespace {

constexpr std::uint64_t kLargestDraw = (1U << 21U) - 1;

}  // namespace

std::uint64_t fnv1a(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3U;
  }
  return hash;
}

std::uint64_t RandomStream::next() {
  state_ += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

float RandomStream::next_uniform() {
  return static_cast<float>(next() >> 40U) * 0x1p-24F;
}

float RandomStream::next_normal() {
  std::int64_t sum = 0;
  for (int draw = 0; draw < 4; ++draw) {
    const std::uint64_t bits = next();
    sum += static_cast<std::int64_t>((bits & kLargestDraw) + ((bits >> 21U) & kLargestDraw) + ((bits >> 42U) & kLargestDraw));
  }
  const auto centred = static_cast<std::int32_t>(sum - 6 * static_cast<std::int64_t>(kLargestDraw));
  return static_cast<float>(centred) * 0x1p-21F;  // below 2^24, so both steps are exact
}

}  // namespace headlight
