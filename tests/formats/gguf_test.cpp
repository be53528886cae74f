#include "engine/formats/gguf/gguf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "engine/formats/tensors/read_tensor.h"
#include "tests/formats/gguf_writer.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using testing::gguf_text;
using testing::GgufWriter;
using ::testing::HasSubstr;
using testing::raw;
using testing::TemporaryFolder;

constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();

class Gguf : public ::testing::Test {
 protected:
  GgufFile open(const std::string& bytes) const { return GgufFile(folder_.file("a.gguf", bytes)); }
  std::string refusal(const std::string& bytes) const {
    const Error error = error_of([&] { open(bytes); });
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.message(), HasSubstr("a.gguf"));
    return error.message();
  }
  TemporaryFolder folder_;
};

GgufWriter small_file() {
  GgufWriter file;
  file.text("general.architecture", "llama");
  file.natural("llama.block_count", 2);
  file.number("llama.rope.freq_base", 10000.0F);
  file.boolean("tokenizer.ggml.add_bos_token", true);
  file.texts("tokenizer.ggml.tokens", {"a", "", "bc"});
  file.numbers("tokenizer.ggml.scores", {0.0F, -1.5F});
  file.integers("tokenizer.ggml.token_type", {1, -3});
  file.floats("first", {3, 2}, {1, 2, 3, 4, 5, 6});
  file.floats("second", {1}, {7});
  return file;
}

TEST_F(Gguf, GivesValuesAndTensorsWithTheirDimensionsReversed) {
  const GgufFile file = open(small_file().bytes());
  EXPECT_EQ(file.text("general.architecture"), "llama");
  EXPECT_EQ(file.integer("llama.block_count", 1, 10), 2);
  EXPECT_EQ(file.number("llama.rope.freq_base"), 10000.0);
  EXPECT_TRUE(file.boolean("tokenizer.ggml.add_bos_token"));
  EXPECT_THAT(file.texts("tokenizer.ggml.tokens"), ElementsAre("a", "", "bc"));
  EXPECT_THAT(file.numbers("tokenizer.ggml.scores"), ElementsAre(0.0F, -1.5F));
  EXPECT_THAT(file.integers("tokenizer.ggml.token_type"), ElementsAre(1, -3));
  ASSERT_EQ(file.tensors().size(), 2U);
  EXPECT_THAT(file.tensors()[0].shape, ElementsAre(2, 3));
  EXPECT_THAT(read_floats(file.reader(), *file.find("first")).values, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(read_floats(file.reader(), *file.find("second")).values, ElementsAre(7));
  EXPECT_EQ(file.find("third"), nullptr);
}

TEST_F(Gguf, ReadsEveryTypeOfValue) {
  GgufWriter file;
  file.version = 2;
  file.value("u8", 0, raw(std::uint8_t{200}));
  file.value("i8", 1, raw(std::int8_t{-5}));
  file.value("u16", 2, raw(std::uint16_t{60000}));
  file.value("i16", 3, raw(std::int16_t{-300}));
  file.value("i32", 5, raw(std::int32_t{-70000}));
  file.value("u64", 10, raw(std::uint64_t{1} << 40U));
  file.value("i64", 11, raw(-(std::int64_t{1} << 40U)));
  file.value("f64", 12, raw(0.1));
  file.value("largest", 10, raw(kHuge));
  const GgufFile read = open(file.bytes());
  constexpr std::int64_t kWide = std::int64_t{1} << 50U;
  EXPECT_EQ(read.integer("u8", -kWide, kWide), 200);
  EXPECT_EQ(read.integer("i8", -kWide, kWide), -5);
  EXPECT_EQ(read.integer("u16", -kWide, kWide), 60000);
  EXPECT_EQ(read.integer("i16", -kWide, kWide), -300);
  EXPECT_EQ(read.integer("i32", -kWide, kWide), -70000);
  EXPECT_EQ(read.integer("u64", -kWide, kWide), std::int64_t{1} << 40U);
  EXPECT_EQ(read.integer("i64", -kWide, kWide), -(std::int64_t{1} << 40U));
  EXPECT_EQ(read.number("f64"), 0.1);
  EXPECT_THAT(error_of([&] { read.integer("largest", 0, kWide); }).message(), HasSubstr("18446744073709551615"));
  EXPECT_THAT(error_of([&] { read.integer("f64", 0, 1); }).message(), HasSubstr("wrong type"));
  EXPECT_THAT(error_of([&] { read.text("u8"); }).message(), HasSubstr("found 200, expected a string"));
  EXPECT_THAT(error_of([&] { read.texts("absent"); }).message(), HasSubstr("metadata absent: the value is missing"));
  EXPECT_EQ(read.integer_or("absent", 7, 0, 10), 7);
}

TEST_F(Gguf, KeepsToTheAlignmentThatTheFileStates) {
  GgufWriter file;
  file.alignment = 64;
  file.natural("general.alignment", 64);
  file.floats("a", {1}, {1});
  file.floats("b", {1}, {2});
  const GgufFile read = open(file.bytes());
  EXPECT_EQ(read.find("b")->begin - read.find("a")->begin, 64U);
  EXPECT_THAT(read_floats(read.reader(), *read.find("b")).values, ElementsAre(2));
  for (const std::uint32_t wrong : {0U, 1U, 3U, 48U, 1U << 31U}) {
    GgufWriter broken;
    broken.natural("general.alignment", wrong);
    EXPECT_THAT(refusal(broken.bytes()), HasSubstr("general.alignment"));
  }
}

TEST_F(Gguf, ATypeWithoutConversionIsKnownByNameAndRefusedAtUse) {
  GgufWriter file;
  file.tensor("a", {256}, 22, std::string(82, '\0'));
  const GgufFile read = open(file.bytes());
  EXPECT_EQ(read.tensors()[0].dtype_name, "IQ2_S");
  EXPECT_EQ(read.tensors()[0].end - read.tensors()[0].begin, 82U);
  EXPECT_THAT(error_of([&] { read_floats(read.reader(), read.tensors()[0]); }).message(),
              HasSubstr("tensor a (byte 64): the type is not supported; found IQ2_S, expected F64, F32"));
}

TEST_F(Gguf, RefusesEveryTruncation) {
  const std::string bytes = small_file().bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_FALSE(refusal(bytes.substr(0, size)).empty()) << size;
}

TEST_F(Gguf, EveryBytePutToAnyOtherValueIsReadOrRefused) {
  const std::string sound = small_file().bytes();
  int refused = 0;
  for (std::size_t at = 0; at < sound.size(); ++at) {
    for (const char value : {'\x00', '\x01', '\x7f', '\xff'}) {
      std::string bytes = sound;
      bytes[at] = value;
      try {
        const GgufFile file = open(bytes);
        for (const TensorInfo& tensor : file.tensors()) read_floats(file.reader(), tensor);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 100);
}

TEST_F(Gguf, SaysWhatOtherFilesAre) {
  EXPECT_THAT(refusal("{\"error\": \"not found\"}"), HasSubstr("JSON text"));
  EXPECT_THAT(refusal("hello, world"), HasSubstr("found \"hello, w\""));
  GgufWriter file = small_file();
  file.version = 0x03000000;
  EXPECT_THAT(refusal(file.bytes()), HasSubstr("big-endian"));
  for (const std::uint32_t version : {0U, 1U, 4U}) {
    file.version = version;
    EXPECT_THAT(refusal(file.bytes()), HasSubstr("the version is not supported"));
  }
}

TEST_F(Gguf, RefusesCountsThatTheFileCannotHold) {
  GgufWriter file = small_file();
  file.more_tensors = 50;
  EXPECT_THAT(refusal(file.bytes()), HasSubstr("tensors"));
  file.more_tensors = std::numeric_limits<std::int64_t>::max() - 10;
  EXPECT_THAT(refusal(file.bytes()), HasSubstr("too many tensors"));
  file = small_file();
  file.more_values = 90'000;
  EXPECT_THAT(refusal(file.bytes()), HasSubstr("values of metadata"));
  file.more_values = -8;  // wraps to almost 2^64
  EXPECT_THAT(refusal(file.bytes()), HasSubstr("too many metadata values"));
}

TEST_F(Gguf, RefusesStringsAndArraysLongerThanTheFile) {
  for (const std::uint64_t length : {std::uint64_t{1000}, kHuge, kHuge - 20}) {
    GgufWriter file;
    file.value("key", 8, raw(length) + "abc");
    EXPECT_THAT(refusal(file.bytes()), HasSubstr("metadata key"));
    GgufWriter array;
    array.value("key", 9, raw(std::uint32_t{4}) + raw(length));
    EXPECT_THAT(refusal(array.bytes()), HasSubstr("number of elements"));
    GgufWriter texts;
    texts.value("key", 9, raw(std::uint32_t{8}) + raw(std::uint64_t{1}) + raw(length));
    EXPECT_THAT(refusal(texts.bytes()), HasSubstr("metadata key"));
  }
}

TEST_F(Gguf, RefusesOddValues) {
  GgufWriter twice;
  twice.natural("key", 1);
  twice.natural("key", 2);
  EXPECT_THAT(refusal(twice.bytes()), HasSubstr("duplicate key"));
  GgufWriter nested;
  nested.value("key", 9, raw(std::uint32_t{9}) + raw(std::uint64_t{1}) + raw(std::uint32_t{4}) + raw(std::uint64_t{0}));
  EXPECT_THAT(refusal(nested.bytes()), HasSubstr("arrays of arrays"));
  GgufWriter type;
  type.value("key", 13, "        ");
  EXPECT_THAT(refusal(type.bytes()), HasSubstr("type of the value is unknown"));
  GgufWriter boolean;
  boolean.value("key", 7, raw(std::uint8_t{2}));
  EXPECT_THAT(refusal(boolean.bytes()), HasSubstr("neither 0 nor 1"));
  GgufWriter empty;
  empty.natural("", 1);
  EXPECT_THAT(refusal(empty.bytes()), HasSubstr("length of the key"));
}

TEST_F(Gguf, RefusesShapesThatCannotBe) {
  const auto refused = [&](const std::vector<std::uint64_t>& dimensions, std::uint32_t type = 0) {
    GgufWriter file;
    file.tensor("w", dimensions, type, std::string(64, '\0'));
    return refusal(file.bytes());
  };
  EXPECT_THAT(refused({0}), HasSubstr("a dimension is out of range"));
  EXPECT_THAT(refused({4, 0, 2}), HasSubstr("a dimension is out of range"));
  EXPECT_THAT(refused({kHuge}), HasSubstr("a dimension is out of range"));
  EXPECT_THAT(refused({std::uint64_t{1} << 40U, std::uint64_t{1} << 40U}), HasSubstr("overflows"));
  EXPECT_THAT(refused({std::uint64_t{1} << 32U, std::uint64_t{1} << 32U, 4}), HasSubstr("overflows"));
  EXPECT_THAT(refused({1, 1, 1, 1, 1}), HasSubstr("too many dimensions"));
  EXPECT_THAT(refused({16, 2}, 8), HasSubstr("do not fill whole blocks"));  // 32 elements of Q8_0, but in rows of 16
  EXPECT_THAT(refused({32}, 4), HasSubstr("found type 4"));
  EXPECT_THAT(refused({1000}), HasSubstr("past the end of the file"));
}

TEST_F(Gguf, RefusesTensorsInTheWrongPlace) {
  const auto refused = [&](std::uint64_t offset) {
    GgufWriter file;
    file.floats("a", {16}, std::vector<float>(16));
    file.tensor_at("b", {8}, 0, offset);
    return refusal(file.bytes());
  };
  EXPECT_THAT(refused(8), HasSubstr("not aligned"));
  EXPECT_THAT(refused(32), HasSubstr("shares bytes with tensor a"));
  EXPECT_THAT(refused(64), HasSubstr("past the end"));
  EXPECT_THAT(refused(kHuge - 31), HasSubstr("past the end"));  // aligned; begin + size wraps
  GgufWriter twice;
  twice.floats("a", {1}, {1});
  twice.floats("a", {1}, {2});
  EXPECT_THAT(refusal(twice.bytes()), HasSubstr("duplicate name"));
  GgufWriter nameless;
  nameless.floats(std::string_view("a\0b", 3), {1}, {1});
  EXPECT_THAT(refusal(nameless.bytes()), HasSubstr("NUL"));
}

}  // namespace
}  // namespace headlight
