#include "engine/formats/tensor.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

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

TEST(ShapeText, IsWrittenAsInPython) {
  EXPECT_EQ(shape_text({3, 768}), "[3, 768]");
  EXPECT_EQ(shape_text({}), "[]");
}

}  // namespace
}  // namespace headlight
