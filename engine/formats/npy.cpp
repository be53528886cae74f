#include "engine/formats/npy.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <charconv>
#include <optional>

#include "engine/core/checked.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMostDimensions = 32;  // NumPy's own limit for long
constexpr std::uint64_t kLongestHeader = 65'535;

struct Header {
  std::optional<std::string> dtype;
  std::optional<bool> is_fortran;
  std::optional<std::vector<std::uint64_t>> shape;
};

/// The header's text: a Python dictionary with three known keys, each once, in any order.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, std::uint64_t offset, const std::string& file) : text_(text), offset_(offset), file_(file) {}

  Header read() {
    Header header;
    expect('{');
    while (!take('}')) {
      read_entry(header);
      if (take(',')) continue;
      expect('}');
      break;
    }
    skip_blanks();
    if (at_ != text_.size()) fail("nothing but blanks after the dictionary");
    if (!header.dtype || !header.is_fortran || !header.shape) fail("the keys 'descr', 'fortran_order' and 'shape'");
    return header;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    throw Error({.kind = ErrorKind::input,
                 .file = file_,
                 .field = "header",
                 .offset = offset_ + at_,
                 .problem = "this is not a header as NumPy writes it",
                 .found = fmt::format("\"{}\"", printable(text_.substr(at_), 40)),
                 .expected = expected});
  }
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool take(char symbol) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != symbol) return false;
    ++at_;
    return true;
  }
  void expect(char symbol) {
    if (!take(symbol)) fail(fmt::format("\"{}\"", symbol));
  }
  bool take_word(std::string_view word) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  std::string expect_text() {
    expect('\'');
    const std::size_t end = text_.find('\'', at_);
    if (end == std::string_view::npos) fail("a closing quote");
    std::string text(text_.substr(at_, end - at_));
    at_ = end + 1;
    return text;
  }
  std::uint64_t expect_size() {
    skip_blanks();
    std::uint64_t size = 0;
    const auto [end, failure] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), size);
    if (failure != std::errc()) fail("a size from 0 on");
    at_ = static_cast<std::size_t>(end - text_.data());
    return size;
  }
  std::vector<std::uint64_t> expect_shape() {
    std::vector<std::uint64_t> shape;
    expect('(');
    while (!take(')')) {
      if (shape.size() == kMostDimensions) fail(fmt::format("at most {} dimensions", kMostDimensions));
      shape.push_back(expect_size());
      if (take(',')) continue;
      expect(')');
      break;
    }
    return shape;
  }
  void read_entry(Header& header) {
    const std::size_t start = at_;
    const std::string key = expect_text();
    expect(':');
    if (key == "descr" && !header.dtype) {
      header.dtype = expect_text();
    } else if (key == "fortran_order" && !header.is_fortran) {
      header.is_fortran = take_word("True");
      if (!*header.is_fortran && !take_word("False")) fail("True or False");
    } else if (key == "shape" && !header.shape) {
      header.shape = expect_shape();
    } else {
      at_ = start;
      fail("the keys 'descr', 'fortran_order' and 'shape', each once");
    }
  }

  std::string_view text_;
  std::uint64_t offset_;
  const std::string& file_;
  std::size_t at_ = 0;
};

std::uint64_t little_endian_at(std::string_view bytes, std::size_t offset, std::size_t count) {
  std::uint64_t number = 0;
  for (std::size_t i = count; i > 0; --i) number = number << 8U | static_cast<unsigned char>(bytes[offset + i - 1]);
  return number;
}

[[noreturn]] void refuse(const std::string& file, std::uint64_t offset, std::string problem, std::string found, std::string expected) {
  throw Error({.kind = ErrorKind::input,
               .file = file,
               .offset = offset,
               .problem = std::move(problem),
               .found = std::move(found),
               .expected = std::move(expected)});
}

/// Where the header's text begins and how long it is.
struct HeaderPlace {
  std::size_t begin = 0, length = 0;
};
HeaderPlace find_header(std::string_view bytes, const std::string& file) {
  if (bytes.size() < kMagic.size() + 4 || !bytes.starts_with(kMagic)) {
    refuse(file, 0, "this is no .npy file", fmt::format("\"{}\"", printable(bytes.substr(0, 8), 40)), "bytes that start with \\x93NUMPY");
  }
  const auto version = static_cast<unsigned char>(bytes[kMagic.size()]);
  if (version < 1 || version > 3) refuse(file, kMagic.size(), "unknown version of .npy", std::to_string(version), "1, 2 or 3");
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t begin = kMagic.size() + 2 + length_bytes;
  if (bytes.size() < begin) refuse(file, bytes.size(), "the file ends within its header", fmt::format("{} bytes", bytes.size()), "");
  const std::uint64_t length = little_endian_at(bytes, kMagic.size() + 2, length_bytes);
  if (length > kLongestHeader || length > bytes.size() - begin) {
    refuse(file, kMagic.size() + 2, "the header's length is out of range", std::to_string(length),
           fmt::format("at most {}", std::min<std::uint64_t>(kLongestHeader, bytes.size() - begin)));
  }
  return {begin, static_cast<std::size_t>(length)};
}

constexpr std::array<std::string_view, 11> kTypes{"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"};

bool is_known_type(std::string_view dtype) {
  if (dtype.size() != 3 || std::find(kTypes.begin(), kTypes.end(), dtype.substr(1)) == kTypes.end()) return false;
  return dtype[0] == '<' || dtype[0] == '>' || (dtype[0] == '|' && dtype[2] == '1');
}

double signed_number(std::uint64_t bits, std::size_t width) {
  const auto unused = static_cast<unsigned>(64 - 8 * width);
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

}  // namespace

NpyArray::NpyArray(std::string_view bytes, const std::string& file) {
  const HeaderPlace place = find_header(bytes, file);
  Header header = HeaderReader(bytes.substr(place.begin, place.length), place.begin, file).read();
  if (!is_known_type(*header.dtype)) {
    refuse(file, place.begin, "numbers of this type cannot be read", fmt::format("'{}'", printable(*header.dtype, 40)),
           "bool, integers, float32 or float64");
  }
  dtype_ = std::move(*header.dtype);
  shape_ = std::move(*header.shape);
  is_fortran_ = *header.is_fortran;
  std::optional<std::uint64_t> size = 1;
  for (const std::uint64_t side : shape_) size = size ? checked_multiply(*size, side) : std::nullopt;
  const auto width = static_cast<std::uint64_t>(dtype_[2] - '0');
  const std::optional<std::uint64_t> needed = size ? checked_multiply(*size, width) : std::nullopt;
  data_ = bytes.substr(place.begin + place.length);
  if (!needed || *needed != data_.size()) {
    refuse(file, place.begin + place.length, "the shape and the number of bytes do not agree", fmt::format("{} bytes", data_.size()),
           needed ? std::to_string(*needed) : "more than 2^64");
  }
  size_ = *size;
}

double NpyArray::value(std::span<const std::uint64_t> index) const {
  assert(index.size() == shape_.size());
  std::uint64_t element = 0;
  for (std::size_t i = 0; i < shape_.size(); ++i) {
    const std::size_t axis = is_fortran_ ? shape_.size() - 1 - i : i;
    assert(index[axis] < shape_[axis]);
    element = element * shape_[axis] + index[axis];  // below size_, which was checked
  }
  return number_at(element);
}

double NpyArray::number_at(std::uint64_t element) const {
  const auto width = static_cast<std::size_t>(dtype_[2] - '0');
  const std::string_view bytes = data_.substr(static_cast<std::size_t>(element) * width, width);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < width; ++i) {
    bits = bits << 8U | static_cast<unsigned char>(dtype_[0] == '>' ? bytes[i] : bytes[width - 1 - i]);
  }
  switch (dtype_[1]) {
    case 'f':
      return width == 4 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))) : std::bit_cast<double>(bits);
    case 'i':
      return signed_number(bits, width);
    default:
      return static_cast<double>(bits);
  }
}

}  // namespace headlight
