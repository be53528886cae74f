#include "engine/formats/tensors/npy.h"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <cstring>

#include "engine/core/error.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;

/// A file as NumPy writes it, version 1.
std::string npy(const std::string& header, const std::string& data) {
  std::string text = header;
  while ((10 + text.size() + 1) % 64 != 0) text += ' ';
  text += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += std::string("\x01\x00", 2);
  bytes += static_cast<char>(text.size() & 0xFFU);
  bytes += static_cast<char>(text.size() >> 8U);
  return bytes + text + data;
}

std::string header_of(const std::string& dtype, const std::string& shape, bool is_fortran = false) {
  return "{'descr': '" + dtype + "', 'fortran_order': " + (is_fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
}

template <typename Number>
std::string bytes_of_numbers(const std::vector<Number>& numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

double at(const NpyArray& array, std::uint64_t row, std::uint64_t column) {
  return array.value(std::array{row, column});
}

TEST(Npy, ReadsBothOrders) {
  const std::string data = bytes_of_numbers<float>({1, 2, 3, 4, 5, 6});
  const std::string rows = npy(header_of("<f4", "(2, 3)"), data);
  const NpyArray in_rows(rows, "a.npy");
  EXPECT_THAT(in_rows.shape(), ElementsAre(2, 3));
  EXPECT_EQ(at(in_rows, 0, 2), 3);
  EXPECT_EQ(at(in_rows, 1, 0), 4);
  const std::string columns = npy(header_of("<f4", "(2, 3)", true), data);
  const NpyArray in_columns(columns, "a.npy");
  EXPECT_TRUE(in_columns.is_fortran());
  EXPECT_EQ(at(in_columns, 0, 2), 5);
  EXPECT_EQ(at(in_columns, 1, 0), 2);
}

TEST(Npy, ReadsEveryTypeOfNumber) {
  const auto first = [](const std::string& dtype, const std::string& data) {
    const std::string file = npy(header_of(dtype, "(1, 1)"), data);
    return at(NpyArray(file, "a.npy"), 0, 0);
  };
  EXPECT_EQ(first("|b1", "\x01"), 1);
  EXPECT_EQ(first("|u1", "\xff"), 255);
  EXPECT_EQ(first("|i1", "\xff"), -1);
  EXPECT_EQ(first("<i2", "\xfe\xff"), -2);
  EXPECT_EQ(first(">i2", "\xff\xfe"), -2);
  EXPECT_EQ(first("<u2", "\xfe\xff"), 65534);
  EXPECT_EQ(first("<i4", bytes_of_numbers<std::int32_t>({-70000})), -70000);
  EXPECT_EQ(first("<i8", bytes_of_numbers<std::int64_t>({-5'000'000'000})), -5e9);
  EXPECT_EQ(first("<f8", bytes_of_numbers<double>({-2.5e-60})), -2.5e-60);
  EXPECT_EQ(first(">f4", std::string("\x3f\x80\x00\x00", 4)), 1);
  EXPECT_TRUE(std::isnan(first("<f4", bytes_of_numbers<float>({std::nanf("")}))));
}

TEST(Npy, ReadsKeysInAnyOrderAndOneSideAlone) {
  const std::string file = npy("{'shape': (3,), 'fortran_order': False, 'descr': '|u1'}", "abc");
  const NpyArray array(file, "a.npy");
  EXPECT_THAT(array.shape(), ElementsAre(3));
  EXPECT_EQ(array.value(std::array<std::uint64_t, 1>{2}), 'c');
}

TEST(Npy, EveryTruncationIsRefused) {
  const std::string file = npy(header_of("<f4", "(2, 3)"), bytes_of_numbers<float>({1, 2, 3, 4, 5, 6}));
  for (std::size_t size = 0; size < file.size(); ++size) {
    const Error error = error_of([&] { NpyArray(std::string_view(file).substr(0, size), "cut.npy"); });
    EXPECT_EQ(error.kind(), ErrorKind::input) << size;
    EXPECT_THAT(error.message(), HasSubstr("cut.npy")) << size;
  }
  EXPECT_EQ(error_of([&] { NpyArray(file + "x", "long.npy"); }).kind(), ErrorKind::input);
}

TEST(Npy, RefusesHeadersThatNumPyDoesNotWrite) {
  const std::array<std::string, 12> headers{
      "",
      "{}",
      "{'descr': '<f4', 'fortran_order': False}",
      "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
      "{'descr': '<f4', 'fortran_order': false, 'shape': (1,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
      "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
      "{'descr': '|O', 'fortran_order': False, 'shape': (1,)}",
      "{'descr': '<f3', 'fortran_order': False, 'shape': (2,)}",
  };
  for (const std::string& header : headers)
    EXPECT_EQ(error_of([&] { NpyArray(npy(header, std::string(4, '\0')), "a.npy"); }).kind(), ErrorKind::input) << header;
}

TEST(Npy, AShapeThatOverflowsIsRefused) {
  for (const char* shape : {"(4294967296, 4294967296, 4)", "(18446744073709551615,)", "(99999999999999999999,)"})
    EXPECT_EQ(error_of([&] { NpyArray(npy(header_of("<f4", shape), std::string(4, '\0')), "a.npy"); }).kind(), ErrorKind::input) << shape;
}

}  // namespace
}  // namespace headlight
