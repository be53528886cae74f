#include "engine/formats/tensors/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

std::string little_endian(std::uint64_t number) {
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &number, 8);
  return bytes;
}

std::string file_of(const std::string& header, const std::string& data = {}) {
  return little_endian(header.size()) + header + data;
}

std::string entry(const std::string& name, const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

/// Writes the bytes and opens them.
class Safetensors : public ::testing::Test {
 protected:
  SafetensorsFile open(const std::string& bytes) const { return SafetensorsFile(folder_.file("a.safetensors", bytes)); }
  std::string refusal(const std::string& bytes) const {
    return error_of([&] { open(bytes); }).message();
  }
  TemporaryFolder folder_;
};

template <typename... Numbers>
std::string bytes_of_numbers(Numbers... numbers) {
  std::string bytes;
  (bytes.append(reinterpret_cast<const char*>(&numbers), sizeof numbers), ...);
  return bytes;
}

TEST_F(Safetensors, ReadsTensorsInTheOrderOfTheirBytes) {
  const std::string data = bytes_of_numbers(1.0F, -2.5F, std::int32_t{7});
  const SafetensorsFile file =
      open(file_of("{" + entry("later", "I32", "[]", "[8,12]") + "," + entry("first", "F32", "[2,1]", "[0,8]") + "}", data));
  ASSERT_EQ(file.tensors().size(), 2U);
  EXPECT_EQ(file.tensors()[0].name, "first");
  EXPECT_THAT(file.tensors()[0].shape, ElementsAre(2, 1));
  EXPECT_THAT(file.read_floats(*file.find("first")).values, ElementsAre(1.0F, -2.5F));
  EXPECT_THAT(file.read_integers(*file.find("later")), ElementsAre(7));
  EXPECT_EQ(file.find("absent"), nullptr);
  EXPECT_TRUE(file.warnings().empty());
}

TEST_F(Safetensors, ConvertsHalfPrecisionBySpecialValuesToo) {
  // 1, -2, the smallest subnormal, the largest number, infinity, NaN, -0
  const std::string data = bytes_of_numbers(std::uint16_t{0x3C00}, std::uint16_t{0xC000}, std::uint16_t{0x0001}, std::uint16_t{0x7BFF},
                                            std::uint16_t{0x7C00}, std::uint16_t{0x7E00}, std::uint16_t{0x8000});
  const SafetensorsFile file = open(file_of("{" + entry("h", "F16", "[7]", "[0,14]") + "}", data));
  const std::vector<float> values = file.read_floats(file.tensors()[0]).values;
  EXPECT_EQ(values[0], 1.0F);
  EXPECT_EQ(values[1], -2.0F);
  EXPECT_EQ(values[2], 0x1p-24F);
  EXPECT_EQ(values[3], 65504.0F);
  EXPECT_EQ(values[4], std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(values[5]));
  EXPECT_TRUE(values[6] == 0.0F && std::signbit(values[6]));
  const NonFinite count = count_non_finite(values);
  EXPECT_EQ(count.nan, 1);
  EXPECT_EQ(count.infinite, 1);
}

TEST_F(Safetensors, ConvertsEveryTypeThatHasNumbers) {
  const std::string header = "{" + entry("a", "BF16", "[1]", "[0,2]") + "," + entry("b", "F64", "[1]", "[2,10]") + "," +
                             entry("c", "BOOL", "[2]", "[10,12]") + "," + entry("d", "I8", "[1]", "[12,13]") + "," +
                             entry("e", "U64", "[1]", "[13,21]") + "}";
  const std::string data =
      bytes_of_numbers(std::uint16_t{0xC040}, 0.5, std::uint8_t{255}, std::uint8_t{0}, std::int8_t{-3}, std::uint64_t{1} << 40U);
  const SafetensorsFile file = open(file_of(header, data));
  EXPECT_THAT(file.read_floats(*file.find("a")).values, ElementsAre(-3.0F));
  EXPECT_THAT(file.read_floats(*file.find("b")).values, ElementsAre(0.5F));
  EXPECT_THAT(file.read_floats(*file.find("c")).values, ElementsAre(1.0F, 0.0F));
  EXPECT_THAT(file.read_integers(*file.find("c")), ElementsAre(1, 0));
  EXPECT_THAT(file.read_integers(*file.find("d")), ElementsAre(-3));
  EXPECT_THAT(file.read_floats(*file.find("e")).values, ElementsAre(std::ldexp(1.0F, 40)));
}

TEST_F(Safetensors, TypesWithoutConversionAreListedButNotUsed) {
  const SafetensorsFile file = open(file_of("{" + entry("w", "F8_E4M3", "[2]", "[0,2]") + "}", "ab"));
  EXPECT_EQ(file.tensors()[0].dtype_name, "F8_E4M3");
  EXPECT_THAT(error_of([&] { file.read_floats(file.tensors()[0]); }).message(), HasSubstr("tensor w"));
  EXPECT_THAT(error_of([&] { file.read_integers(file.tensors()[0]); }).message(), HasSubstr("F8_E4M3"));
}

TEST_F(Safetensors, NumbersOverTheSignedRangeAreRefusedAsIntegers) {
  const SafetensorsFile file = open(file_of("{" + entry("n", "U64", "[1]", "[0,8]") + "}", little_endian(~std::uint64_t{0})));
  EXPECT_THAT(error_of([&] { file.read_integers(file.tensors()[0]); }).message(), HasSubstr("18446744073709551615"));
}

TEST_F(Safetensors, EveryTruncationIsRefused) {
  const std::string whole = file_of(
      "{\"__metadata__\":{\"k\":\"v\"}," + entry("a", "F32", "[1]", "[0,4]") + "," + entry("b", "U8", "[3]", "[4,7]") + "}", "1234567");
  EXPECT_EQ(open(whole).tensors().size(), 2U);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(error_of([&] { open(whole.substr(0, size)); }).kind(), ErrorKind::input) << size << " bytes";
  }
  EXPECT_THAT(refusal(whole + "x"), HasSubstr("1 bytes follow the last tensor"));
}

TEST_F(Safetensors, SizesThatWrapAreRefused) {
  const std::string empty = "[0,0]";
  EXPECT_THAT(refusal(file_of("{" + entry("t", "F32", "[4294967296,4294967296]", empty) + "}")), HasSubstr("overflows"));
  EXPECT_THAT(refusal(file_of("{" + entry("t", "U8", "[281474976710655,281474976710655]", empty) + "}")), HasSubstr("overflows"));
  EXPECT_THAT(refusal(file_of("{" + entry("t", "F64", "[70368744177664,65536]", empty) + "}")),
              HasSubstr("overflows"));  // only the bits wrap
  EXPECT_THAT(refusal(file_of("{" + entry("t", "U8", "[1]", "[18446744073709551615,0]") + "}", "x")), HasSubstr("out of place"));
  EXPECT_THAT(refusal(little_endian(~std::uint64_t{0} - 7) + "{}"), HasSubstr("at most 100000000 bytes"));
}

TEST_F(Safetensors, RangesMustFollowEachOther) {
  const auto two = [](const std::string& a, const std::string& b) {
    return "{" + entry("t0", "U8", "[2]", a) + "," + entry("t1", "U8", "[2]", b) + "}";
  };
  EXPECT_THAT(refusal(file_of(two("[0,2]", "[1,3]"), "123")), HasSubstr("tensor t1"));
  EXPECT_THAT(refusal(file_of(two("[0,2]", "[3,5]"), "12345")), HasSubstr("to start at 2"));
  EXPECT_THAT(refusal(file_of(two("[2,4]", "[4,6]"), "123456")), HasSubstr("to start at 0"));
  EXPECT_THAT(refusal(file_of(two("[0,2]", "[2,4]"), "123")), HasSubstr("reaches past the end"));
  EXPECT_THAT(refusal(file_of("{" + entry("t0", "F32", "[2]", "[0,4]") + "}", "1234")), HasSubstr("8 bytes for shape [2] of F32"));
  EXPECT_THAT(refusal(file_of("{" + entry("t0", "F4", "[3]", "[0,1]") + "}", "1")), HasSubstr("whole bytes"));
}

TEST_F(Safetensors, RefusesWhatTheReferenceLetsPass) {
  const std::string good = entry("t0", "U8", "[1]", "[0,1]");
  EXPECT_THAT(refusal(file_of("{" + good + "," + good + "}", "x")), HasSubstr("duplicate"));
  EXPECT_THAT(refusal(file_of("{" + good + "," + entry("t\\u0030", "U8", "[1]", "[0,1]") + "}", "x")), HasSubstr("duplicate"));
  EXPECT_THAT(refusal(file_of("{" + entry("a\\u0000b", "U8", "[1]", "[0,1]") + "}", "x")), HasSubstr("NUL"));
  EXPECT_THAT(refusal(file_of("{" + entry("t0", "U8", "[1,1,1,1,1,1,1,1,1]", "[0,1]") + "}", "x")), HasSubstr("rank"));
  EXPECT_THAT(refusal(file_of("{" + entry("t0", "U8", "[0,281474976710656]", "[0,0]") + "}")), HasSubstr("2^48 - 1"));
  EXPECT_THAT(refusal(file_of(R"({"t0":["U8",[1],[0,1]]})", "x")), HasSubstr("tensor t0"));
  EXPECT_THAT(refusal(file_of(R"({"t0":{"dtype":{"U8":null},"shape":[1],"data_offsets":[0,1]}})", "x")), HasSubstr("dtype"));
  EXPECT_THAT(refusal(file_of(R"({"__metadata__":{"k":"1","k":"2"}})")), HasSubstr("duplicate key k"));
}

TEST_F(Safetensors, AHeaderThatIsNoObjectIsRefused) {
  EXPECT_THAT(refusal(file_of("[{}]")), HasSubstr("header (byte 12): is not an object; found an array"));
  EXPECT_THAT(refusal(file_of("3")), HasSubstr("is not an object; found 3"));
  EXPECT_THAT(refusal(file_of(std::string(100'000, '['))), HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(refusal(file_of("{\"t\":{\"x\":" + std::string(100'000, '[') + "}}")), HasSubstr("nested deeper than 64 levels"));
}

TEST_F(Safetensors, LeadingBlanksLoadWithAWarning) {
  const SafetensorsFile file = open(file_of(" \n{}"));
  EXPECT_TRUE(file.tensors().empty());
  ASSERT_EQ(file.warnings().size(), 1U);
  EXPECT_THAT(file.warnings()[0], HasSubstr("starts with blanks"));
}

TEST_F(Safetensors, UnknownFieldsAreIgnoredWhateverTheyHold) {
  const SafetensorsFile file =
      open(file_of(R"({"t":{"x":{"dtype":[[{}]],"dtype":1},"dtype":"U8","shape":[1],"y":[[],[3]],"data_offsets":[0,1]}})", "x"));
  EXPECT_EQ(file.tensors()[0].dtype_name, "U8");
}

TEST_F(Safetensors, MetadataIsReadAndMayBeNull) {
  EXPECT_EQ(open(file_of(R"({"__metadata__":{"format":"pt","é":""}})")).metadata().at("é"), "");
  EXPECT_TRUE(open(file_of(R"({"__metadata__":null})")).metadata().empty());
  EXPECT_THAT(refusal(file_of(R"({"__metadata__":{"a":1}})")), HasSubstr("not a string"));
}

TEST_F(Safetensors, SaysWhatAnotherKindOfFileIs) {
  EXPECT_THAT(refusal("version https://git-lfs.github.com/spec/v1\noid sha256:…"), HasSubstr("Git LFS"));
  EXPECT_THAT(refusal("<!DOCTYPE html><html>"), HasSubstr("HTML"));
  EXPECT_THAT(refusal(R"({"error":"not found"})"), HasSubstr("JSON"));
  EXPECT_THAT(refusal("GGUF" + std::string(40, '\3')), HasSubstr("GGUF"));
  EXPECT_THAT(refusal("PK\x03\x04" + std::string(40, '\0')), HasSubstr("zip"));
  EXPECT_THAT(refusal("\x1f\x8b\x08" + std::string(40, '\0')), HasSubstr("gunzip"));
}

TEST_F(Safetensors, AHeaderLengthThatLooksLikeAnotherKindIsNotTakenForIt) {
  // 123 is '{', 35615 is how gzip starts: only broken headers, and what is wrong with them is said.
  for (const std::size_t length : {std::size_t{123}, std::size_t{35615}}) {
    std::string header = "{\"t\":1}";
    header.resize(length, ' ');
    EXPECT_THAT(refusal(file_of(header)), HasSubstr("the entry is not an object"));
  }
}

TEST_F(Safetensors, NeverOpensWhatIsNotARegularFile) {
  EXPECT_THAT(error_of([] { SafetensorsFile("/dev/zero"); }).message(), HasSubstr("a device"));
  EXPECT_THAT(error_of([&] { SafetensorsFile(folder_.path()); }).message(), HasSubstr("a folder"));
  EXPECT_THAT(error_of([&] { SafetensorsFile(folder_ / "absent"); }).message(), HasSubstr("No such file"));
}

}  // namespace
}  // namespace headlight
