// Every quantized type against a second formula in double precision, written from the description of the blocks in ggml-common.h one
// weight at a time; and bit for bit against ggml itself, whose numbers were recorded as a checksum.
#include "engine/formats/tensors/quantized_blocks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/core/random.h"

namespace headlight {
namespace {

using Block = std::vector<unsigned>;

double half(const Block& bytes, std::size_t at) {
  const unsigned bits = bytes[at] | bytes[at + 1] << 8U;
  const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
  const int exponent = static_cast<int>(bits >> 10U & 31U);
  const double fraction = bits & 1023U;
  return exponent == 0 ? sign * std::ldexp(fraction, -24) : sign * std::ldexp(1024 + fraction, exponent - 25);
}

/// Bits [first, first + count) of a run of bytes, lowest bit first.
unsigned bits_at(const Block& bytes, std::size_t start, std::size_t first, unsigned count) {
  unsigned number = 0;
  for (unsigned bit = 0; bit < count; ++bit) {
    const std::size_t place = first + bit;
    number |= (bytes[start + place / 8] >> (place % 8) & 1U) << bit;
  }
  return number;
}

int with_sign(unsigned byte) {
  return static_cast<int>(byte) - (byte >= 128 ? 256 : 0);
}

double slow_q8_0(const Block& bytes, std::size_t weight) {
  return half(bytes, 0) * with_sign(bytes[2 + weight]);
}
unsigned nibble_of_32(const Block& bytes, std::size_t start, std::size_t weight) {
  return bits_at(bytes, start + weight % 16, weight < 16 ? 0 : 4, 4);
}
double slow_q4_0(const Block& bytes, std::size_t weight) {
  return half(bytes, 0) * (static_cast<int>(nibble_of_32(bytes, 2, weight)) - 8);
}
double slow_q4_1(const Block& bytes, std::size_t weight) {
  return half(bytes, 0) * nibble_of_32(bytes, 4, weight) + half(bytes, 2);
}
double slow_q5_0(const Block& bytes, std::size_t weight) {
  const unsigned number = nibble_of_32(bytes, 6, weight) + 16 * bits_at(bytes, 2, weight, 1);
  return half(bytes, 0) * (static_cast<int>(number) - 16);
}
double slow_q5_1(const Block& bytes, std::size_t weight) {
  const unsigned number = nibble_of_32(bytes, 8, weight) + 16 * bits_at(bytes, 4, weight, 1);
  return half(bytes, 0) * number + half(bytes, 2);
}

/// Scale and offset of a group of 32 in Q4_K and Q5_K.
std::pair<unsigned, unsigned> six_bits(const Block& bytes, std::size_t group) {
  const std::size_t packed = 4;
  if (group < 4) return {bytes[packed + group] % 64, bytes[packed + 4 + group] % 64};
  const unsigned low = bytes[packed + 4 + group];
  return {low % 16 + 16 * (bytes[packed + group - 4] / 64), low / 16 + 16 * (bytes[packed + group] / 64)};
}
unsigned nibble_of_256(const Block& bytes, std::size_t start, std::size_t weight) {
  const std::size_t group = weight / 32;
  return bits_at(bytes, start + 32 * (group / 2) + weight % 32, group % 2 == 0 ? 0 : 4, 4);
}
double slow_q4_k(const Block& bytes, std::size_t weight) {
  const auto [scale, offset] = six_bits(bytes, weight / 32);
  return half(bytes, 0) * scale * nibble_of_256(bytes, 16, weight) - half(bytes, 2) * offset;
}
double slow_q5_k(const Block& bytes, std::size_t weight) {
  const auto [scale, offset] = six_bits(bytes, weight / 32);
  const unsigned high = bits_at(bytes, 16 + weight % 32, weight / 32, 1);
  return half(bytes, 0) * scale * (nibble_of_256(bytes, 48, weight) + 16 * high) - half(bytes, 2) * offset;
}
double slow_q6_k(const Block& bytes, std::size_t weight) {
  const std::size_t half_block = weight / 128, in_half = weight % 128, group = in_half / 32, in_group = in_half % 32;
  const unsigned low = bits_at(bytes, 64 * half_block + in_group + (group % 2 == 0 ? 0 : 32), group < 2 ? 0 : 4, 4);
  const unsigned high = bits_at(bytes, 128 + 32 * half_block + in_group, 2 * group, 2);
  const int scale = with_sign(bytes[192 + weight / 16]);
  return half(bytes, 208) * scale * (static_cast<int>(low + 16 * high) - 32);
}

/// The two bits of Q2_K and Q3_K.
unsigned pair_of_256(const Block& bytes, std::size_t start, std::size_t weight) {
  return bits_at(bytes, start + 32 * (weight / 128) + weight % 32, 2 * (weight % 128 / 32), 2);
}
double slow_q2_k(const Block& bytes, std::size_t weight) {
  const unsigned both = bytes[weight / 16];
  return half(bytes, 80) * (both % 16) * pair_of_256(bytes, 16, weight) - half(bytes, 82) * (both / 16);
}
double slow_q3_k(const Block& bytes, std::size_t weight) {
  const std::size_t group = weight / 16;
  const unsigned low = bits_at(bytes, 96 + group % 8, group < 8 ? 0 : 4, 4), high = bits_at(bytes, 104 + group % 4, 2 * (group / 4), 2);
  const unsigned number = pair_of_256(bytes, 32, weight) + 4 * bits_at(bytes, weight % 32, weight / 32, 1);
  return half(bytes, 108) * (static_cast<int>(low + 16 * high) - 32) * (static_cast<int>(number) - 4);
}
int uneven(unsigned number) {
  constexpr int kNumbers[] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
  return kNumbers[number];
}
double slow_iq4_nl(const Block& bytes, std::size_t weight) {
  return half(bytes, 0) * uneven(nibble_of_32(bytes, 2, weight));
}
double slow_iq4_xs(const Block& bytes, std::size_t weight) {
  const std::size_t group = weight / 32;
  const unsigned scale = bits_at(bytes, 4, 4 * group, 4) + 16 * bits_at(bytes, 2, 2 * group, 2);
  return half(bytes, 0) * (static_cast<int>(scale) - 32) * uneven(nibble_of_32(bytes, 8 + 16 * group, weight % 32));
}

struct Case {
  DType type;
  std::vector<std::size_t> halves;  // where half-precision numbers stand in the block
  double (*slow)(const Block&, std::size_t);
  /// FNV-1a of the floats that dequantize_row_* of ggml, as in llama.cpp's release v0.5.0, made of random_blocks.
  std::uint64_t checksum_of_ggml;
};

const Case kCases[] = {{DType::q8_0, {0}, slow_q8_0, 0xA77EB028C4CAEBAD},      {DType::q4_0, {0}, slow_q4_0, 0xB2BDCD690D227776},
                       {DType::q4_1, {0, 2}, slow_q4_1, 0xD5130261070B47A1},   {DType::q5_0, {0}, slow_q5_0, 0x8701CE2D3D6F664F},
                       {DType::q5_1, {0, 2}, slow_q5_1, 0x39B5C00ADEBB7D97},   {DType::q4_k, {0, 2}, slow_q4_k, 0x5C82AA8600B15BEE},
                       {DType::q5_k, {0, 2}, slow_q5_k, 0xE8FFC82E69132BFE},   {DType::q6_k, {208}, slow_q6_k, 0x7E854F10DF88619D},
                       {DType::q2_k, {80, 82}, slow_q2_k, 0x34F3302337982D44}, {DType::q3_k, {108}, slow_q3_k, 0x1EE174549FF013B8},
                       {DType::iq4_nl, {0}, slow_iq4_nl, 0xA94755722DB178B8},  {DType::iq4_xs, {0}, slow_iq4_xs, 0x659CE319D6568CAF}};

constexpr std::size_t kBlocks = 50;

/// One byte further than where memory is aligned, as rows inside a file are.
std::vector<std::byte> random_blocks(const Case& the_case) {
  const DTypeRow& row = dtype_row(the_case.type);
  const auto block_bytes = static_cast<std::size_t>(row.bits / 8);
  RandomStream random(3, std::string(row.name));
  std::vector<std::byte> bytes(1 + kBlocks * block_bytes);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.next() & 0xFFU);
  for (std::size_t block = 0; block < kBlocks; ++block) {
    for (const std::size_t at : the_case.halves) bytes[1 + block * block_bytes + at + 1] &= std::byte{0xBB};  // finite, and not large
  }
  return bytes;
}

TEST(QuantizedBlocks, EveryTypeEqualsTheSlowFormula) {
  for (const Case& the_case : kCases) {
    const DTypeRow& row = dtype_row(the_case.type);
    const auto block_bytes = static_cast<std::size_t>(row.bits / 8);
    const auto weights = static_cast<std::size_t>(row.block);
    const std::vector<std::byte> bytes = random_blocks(the_case);
    std::vector<float> values(kBlocks * weights);
    convert_to_floats(the_case.type, std::span(bytes).subspan(1), values);
    double most = 0;
    for (std::size_t at = 0; at < values.size(); ++at) {
      Block block(block_bytes);
      for (std::size_t byte = 0; byte < block_bytes; ++byte) {
        block[byte] = static_cast<unsigned>(bytes[1 + at / weights * block_bytes + byte]);
      }
      const double expected = the_case.slow(block, at % weights);
      // Two roundings of products that are at most 64 · 32 times as large as the difference of Q4_K.
      ASSERT_NEAR(values[at], expected, 1e-6 * (std::abs(expected) + std::abs(half(block, the_case.halves[0])) * 2048))
          << row.name << ", weight " << at;
      most = std::max(most, std::abs(expected));
    }
    EXPECT_GT(most, 0) << row.name;
  }
}

TEST(QuantizedBlocks, EveryTypeGivesTheBitsOfGgml) {
  for (const Case& the_case : kCases) {
    const DTypeRow& row = dtype_row(the_case.type);
    const std::vector<std::byte> bytes = random_blocks(the_case);
    std::vector<float> values(kBlocks * static_cast<std::size_t>(row.block));
    convert_to_floats(the_case.type, std::span(bytes).subspan(1), values);
    std::uint64_t checksum = 0xCBF29CE484222325U;
    for (const std::byte byte : std::as_bytes(std::span(values))) checksum = (checksum ^ static_cast<std::uint64_t>(byte)) * 0x100000001B3U;
    EXPECT_EQ(checksum, the_case.checksum_of_ggml) << row.name;
  }
}

TEST(QuantizedBlocks, SizesAreThoseOfWholeBlocks) {
  EXPECT_EQ(stored_bytes(dtype_row(DType::q4_k), 512), 288U);
  EXPECT_EQ(stored_bytes(dtype_row(DType::q6_k), 256), 210U);
  EXPECT_EQ(stored_bytes(dtype_row(DType::q8_0), 33), std::nullopt);
  EXPECT_EQ(stored_bytes(dtype_row(DType::f16), 3), 6U);
  EXPECT_EQ(stored_bytes(dtype_row(DType::f64), std::uint64_t{1} << 62U), std::nullopt);
}

}  // namespace
}  // namespace headlight
