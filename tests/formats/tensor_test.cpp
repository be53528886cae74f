#include "engine/formats/tensors/tensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "engine/formats/tensors/half.h"

namespace headlight {
namespace {

// The list of the format's reference parser (safetensors/src/tensor.rs, Dtype).
TEST(DType, AllNamesOfTheFormatAreKnownWithTheirBits) {
  const std::pair<const char*, int> kNames[] = {
      {"BOOL", 8},    {"F4", 4},          {"F6_E2M3", 6},     {"F6_E3M2", 6}, {"U8", 8},   {"I8", 8},   {"F8_E5M2", 8}, {"F8_E4M3", 8},
      {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"I16", 16},    {"U16", 16}, {"F16", 16}, {"BF16", 16},   {"I32", 32},
      {"U32", 32},    {"F32", 32},        {"C64", 64},        {"F64", 64},    {"I64", 64}, {"U64", 64}};
  for (const auto& [name, bits] : kNames) {
    ASSERT_NE(find_dtype(name), nullptr) << name;
    EXPECT_EQ(find_dtype(name)->bits, bits) << name;
  }
  for (const char* name : {"", "f32", "F32 ", "Q4_0"}) EXPECT_EQ(find_dtype(name), nullptr) << name;
}

TEST(Half, EveryNumberIsConvertedExactly) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const float value = from_half(static_cast<std::uint16_t>(bits));
    const int exponent = static_cast<int>(bits >> 10U & 31U);
    const int fraction = static_cast<int>(bits & 1023U);
    EXPECT_EQ(std::signbit(value), bits >= 32768) << bits;
    if (exponent == 31) {
      EXPECT_EQ(std::isnan(value), fraction != 0) << bits;
      EXPECT_EQ(std::isinf(value), fraction == 0) << bits;
    } else {
      const double size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
      EXPECT_EQ(std::abs(static_cast<double>(value)), size) << bits;
    }
  }
}

TEST(ShapeText, IsWrittenAsInPython) {
  EXPECT_EQ(shape_text({3, 768}), "[3, 768]");
  EXPECT_EQ(shape_text({}), "[]");
}

}  // namespace
}  // namespace headlight
