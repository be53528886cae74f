#include "engine/formats/tensors/quantized_blocks.h"

#include <array>
#include <cassert>
#include <cstdint>
#include <cstring>

#include "engine/formats/tensors/half.h"

namespace headlight {
namespace {

// Unsigned bytes as numbers; std::byte allows no arithmetic.
using BlockBytes = const std::uint8_t*;

template <typename Number>
Number load_number(BlockBytes at) {
  Number number;
  std::memcpy(&number, at, sizeof number);
  return number;
}

float load_half(BlockBytes at) {
  return from_half(load_number<std::uint16_t>(at));
}

void convert_q8_0(BlockBytes block, float* into) {
  const float scale = load_half(block);
  for (int at = 0; at < 32; ++at) into[at] = static_cast<float>(static_cast<std::int8_t>(block[2 + at])) * scale;
}

// Blocks of 32 with four or five bits: byte n holds weight n in its low half and weight n + 16 in its high half.

void convert_q4_0(BlockBytes block, float* into) {
  const float scale = load_half(block);
  const BlockBytes quants = block + 2;
  for (int at = 0; at < 16; ++at) into[at] = static_cast<float>((quants[at] & 0xF) - 8) * scale;
  for (int at = 0; at < 16; ++at) into[at + 16] = static_cast<float>((quants[at] >> 4) - 8) * scale;
}

void convert_q4_1(BlockBytes block, float* into) {
  const float scale = load_half(block);
  const float offset = load_half(block + 2);
  const BlockBytes quants = block + 4;
  for (int at = 0; at < 16; ++at) into[at] = static_cast<float>(quants[at] & 0xF) * scale + offset;
  for (int at = 0; at < 16; ++at) into[at + 16] = static_cast<float>(quants[at] >> 4) * scale + offset;
}

/// Bit n of `high` is the fifth bit of weight n.
std::array<std::int32_t, 32> five_bits(BlockBytes quants, std::uint32_t high) {
  std::array<std::int32_t, 32> numbers;
  for (unsigned at = 0; at < 16; ++at) {
    numbers[at] = static_cast<std::int32_t>((quants[at] & 0xFU) | ((high >> at & 1U) << 4U));
    numbers[at + 16] = static_cast<std::int32_t>((static_cast<unsigned>(quants[at]) >> 4U) | ((high >> (at + 16) & 1U) << 4U));
  }
  return numbers;
}

void convert_q5_0(BlockBytes block, float* into) {
  const float scale = load_half(block);
  const std::array<std::int32_t, 32> numbers = five_bits(block + 6, load_number<std::uint32_t>(block + 2));
  for (std::size_t at = 0; at < 32; ++at) into[at] = static_cast<float>(numbers[at] - 16) * scale;
}

void convert_q5_1(BlockBytes block, float* into) {
  const float scale = load_half(block);
  const float offset = load_half(block + 2);
  const std::array<std::int32_t, 32> numbers = five_bits(block + 8, load_number<std::uint32_t>(block + 4));
  for (std::size_t at = 0; at < 32; ++at) into[at] = static_cast<float>(numbers[at]) * scale + offset;
}

/// Q4_K and Q5_K: scale and offset of each 32 weights.
struct SixBits {
  std::array<float, 8> scales, offsets;
};

/// Sixteen numbers of six bits in twelve bytes. Bytes 0–3 and 4–7 hold the scales and offsets of groups 0–3 in their low six bits; the
/// halves of bytes 8–11 hold the low four bits of those of groups 4–7, whose high two bits are the top bits of bytes 0–3 and 4–7.
SixBits read_six_bits(BlockBytes block) {
  const float scale = load_half(block);
  const float offset = load_half(block + 2);
  const BlockBytes packed = block + 4;
  SixBits result;
  for (std::size_t group = 0; group < 4; ++group) {
    const unsigned first = packed[group], second = packed[group + 4], both = packed[group + 8];
    result.scales[group] = scale * static_cast<float>(first & 63U);
    result.offsets[group] = offset * static_cast<float>(second & 63U);
    result.scales[group + 4] = scale * static_cast<float>((both & 0xFU) | (first >> 6U << 4U));
    result.offsets[group + 4] = offset * static_cast<float>((both >> 4U) | (second >> 6U << 4U));
  }
  return result;
}

// Q4_K and Q5_K: 32 bytes hold two groups of 32 weights, in their low and their high halves.

void convert_q4_k(BlockBytes block, float* into) {
  const SixBits six = read_six_bits(block);
  const BlockBytes quants = block + 16;
  for (std::size_t pair = 0; pair < 4; ++pair) {
    const BlockBytes from = quants + 32 * pair;
    float* to = into + 64 * pair;
    const float low_scale = six.scales[2 * pair], low_offset = six.offsets[2 * pair];
    const float high_scale = six.scales[2 * pair + 1], high_offset = six.offsets[2 * pair + 1];
    for (std::size_t at = 0; at < 32; ++at) to[at] = low_scale * static_cast<float>(from[at] & 0xF) - low_offset;
    for (std::size_t at = 0; at < 32; ++at) to[at + 32] = high_scale * static_cast<float>(from[at] >> 4) - high_offset;
  }
}

void convert_q5_k(BlockBytes block, float* into) {
  const SixBits six = read_six_bits(block);
  const BlockBytes high = block + 16;  // bit g of byte n is the fifth bit of weight n of group g
  const BlockBytes quants = block + 48;
  for (std::size_t pair = 0; pair < 4; ++pair) {
    const BlockBytes from = quants + 32 * pair;
    float* to = into + 64 * pair;
    const auto shift = static_cast<int>(2 * pair);
    const float low_scale = six.scales[2 * pair], low_offset = six.offsets[2 * pair];
    const float high_scale = six.scales[2 * pair + 1], high_offset = six.offsets[2 * pair + 1];
    for (std::size_t at = 0; at < 32; ++at) {
      to[at] = low_scale * static_cast<float>((from[at] & 0xF) | ((high[at] >> shift & 1) << 4)) - low_offset;
    }
    for (std::size_t at = 0; at < 32; ++at) {
      to[at + 32] = high_scale * static_cast<float>((from[at] >> 4) | ((high[at] >> (shift + 1) & 1) << 4)) - high_offset;
    }
  }
}

/// 128 weights: 64 bytes of low four bits, 32 bytes of high two bits, 8 scales. Weight 32·n + l takes its low bits from byte
/// l (n even) or l + 32 (n odd), low half for n below 2, and its high bits from bits 2n and 2n + 1 of byte l.
void convert_q6_k_half(BlockBytes low, BlockBytes high, BlockBytes scales, float scale, float* into) {
  for (std::size_t group = 0; group < 4; ++group) {
    const BlockBytes from = low + 32 * (group % 2);
    const int low_shift = group < 2 ? 0 : 4;
    const auto high_shift = static_cast<int>(2 * group);
    float* to = into + 32 * group;
    for (std::size_t part = 0; part < 2; ++part) {
      const float own = scale * static_cast<float>(static_cast<std::int8_t>(scales[2 * group + part]));
      for (std::size_t at = 16 * part; at < 16 * part + 16; ++at) {
        const int number = (from[at] >> low_shift & 0xF) | ((high[at] >> high_shift & 3) << 4);
        to[at] = own * static_cast<float>(number - 32);
      }
    }
  }
}

void convert_q6_k(BlockBytes block, float* into) {
  const float scale = load_half(block + 208);
  convert_q6_k_half(block, block + 128, block + 192, scale, into);
  convert_q6_k_half(block + 64, block + 160, block + 200, scale, into + 128);
}

// Q2_K and Q3_K: 32 bytes hold 128 weights of two bits, weight 32·n + l in bits 2n and 2n + 1 of byte l.

void convert_q2_k(BlockBytes block, float* into) {
  const float scale = load_half(block + 80);
  const float offset = load_half(block + 82);
  for (std::size_t group = 0; group < 16; ++group) {
    const BlockBytes from = block + 16 + 32 * (group / 8) + 16 * (group % 2);
    const auto shift = static_cast<int>(2 * (group % 8 / 2));
    const float own_scale = scale * static_cast<float>(block[group] & 0xF), own_offset = offset * static_cast<float>(block[group] >> 4);
    for (std::size_t at = 0; at < 16; ++at) into[16 * group + at] = own_scale * static_cast<float>(from[at] >> shift & 3) - own_offset;
  }
}

/// Bit g of byte l of the first 32 is the third bit of weight 32·g + l. The sixteen scales lie in twelve bytes: four bits of scales n and
/// n + 8 in the halves of byte n, two bits of scales m, m + 4, m + 8 and m + 12 in byte 8 + m.
void convert_q3_k(BlockBytes block, float* into) {
  const BlockBytes packed = block + 96;
  const float scale = load_half(block + 108);
  for (std::size_t group = 0; group < 16; ++group) {
    const int low = group < 8 ? packed[group] & 0xF : packed[group - 8] >> 4;
    const int high = packed[8 + group % 4] >> (2 * (group / 4)) & 3;
    const float own = scale * static_cast<float>((low | high << 4) - 32);
    const BlockBytes from = block + 32 + 32 * (group / 8) + 16 * (group % 2), third = block + 16 * (group % 2);
    const auto shift = static_cast<int>(2 * (group % 8 / 2)), bit = static_cast<int>(group / 2);
    for (std::size_t at = 0; at < 16; ++at) {
      into[16 * group + at] = own * static_cast<float>((from[at] >> shift & 3) - ((third[at] >> bit & 1) != 0 ? 0 : 4));
    }
  }
}

/// The numbers that IQ4_NL and IQ4_XS can hold (kvalues_iq4nl in ggml-common.h).
constexpr std::array<float, 16> kUnevenNumbers = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};

/// 16 bytes: weight n in the low half of byte n, weight n + 16 in its high half.
void convert_uneven(BlockBytes quants, float scale, float* into) {
  for (int at = 0; at < 16; ++at) into[at] = scale * kUnevenNumbers[quants[at] & 0xF];
  for (int at = 0; at < 16; ++at) into[at + 16] = scale * kUnevenNumbers[quants[at] >> 4];
}

void convert_iq4_nl(BlockBytes block, float* into) {
  convert_uneven(block + 2, load_half(block), into);
}

/// Each scale has two bits in the 16 bits after the block's own scale, and four in the four bytes after those.
void convert_iq4_xs(BlockBytes block, float* into) {
  const float scale = load_half(block);
  const unsigned high = load_number<std::uint16_t>(block + 2);
  for (unsigned group = 0; group < 8; ++group) {
    const unsigned low = block[4 + group / 2] >> (4 * (group % 2)) & 0xFU;
    const auto number = static_cast<int>(low | (high >> (2 * group) & 3U) << 4U);
    convert_uneven(block + 8 + 16 * group, scale * static_cast<float>(number - 32), into + 32 * group);
  }
}

template <std::size_t weights, std::size_t block_bytes, void (*convert)(BlockBytes, float*)>
void convert_each_block(BlockBytes bytes, std::span<float> into) {
  for (std::size_t block = 0; block < into.size() / weights; ++block) convert(bytes + block * block_bytes, into.data() + block * weights);
}

}  // namespace

void convert_blocks(DType type, std::span<const std::byte> bytes, std::span<float> into) {
  assert(stored_bytes(dtype_row(type), into.size()).value() <= bytes.size());
  const auto* from = reinterpret_cast<BlockBytes>(bytes.data());
  switch (type) {
    case DType::q8_0:
      return convert_each_block<32, 34, convert_q8_0>(from, into);
    case DType::q4_0:
      return convert_each_block<32, 18, convert_q4_0>(from, into);
    case DType::q4_1:
      return convert_each_block<32, 20, convert_q4_1>(from, into);
    case DType::q5_0:
      return convert_each_block<32, 22, convert_q5_0>(from, into);
    case DType::q5_1:
      return convert_each_block<32, 24, convert_q5_1>(from, into);
    case DType::q4_k:
      return convert_each_block<256, 144, convert_q4_k>(from, into);
    case DType::q5_k:
      return convert_each_block<256, 176, convert_q5_k>(from, into);
    case DType::q6_k:
      return convert_each_block<256, 210, convert_q6_k>(from, into);
    case DType::q2_k:
      return convert_each_block<256, 84, convert_q2_k>(from, into);
    case DType::q3_k:
      return convert_each_block<256, 110, convert_q3_k>(from, into);
    case DType::iq4_nl:
      return convert_each_block<32, 18, convert_iq4_nl>(from, into);
    case DType::iq4_xs:
      return convert_each_block<256, 136, convert_iq4_xs>(from, into);
    default:
      return;  // not a block type
  }
}

}  // namespace headlight
