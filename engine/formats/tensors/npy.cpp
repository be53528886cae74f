#include "engine/formats/tensors/npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/formats/tensors/half.h"
#include "engine/formats/tensors/npy_header.h"

namespace headlight {
namespace {

constexpr std::array<std::string_view, 12> kNpyTypes{"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"};

bool is_known_type(std::string_view dtype) {
  if (dtype.size() != 3 || std::find(kNpyTypes.begin(), kNpyTypes.end(), dtype.substr(1)) == kNpyTypes.end()) return false;
  return dtype[0] == '<' || dtype[0] == '>' || (dtype[0] == '|' && dtype[2] == '1');
}

double signed_number(std::uint64_t bits, std::size_t width) {
  const auto unused = static_cast<unsigned>(64 - 8 * width);
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

double float_number(std::uint64_t bits, std::size_t width) {
  if (width == 2) return static_cast<double>(from_half(static_cast<std::uint16_t>(bits)));
  return width == 4 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))) : std::bit_cast<double>(bits);
}

}  // namespace

NpyArray::NpyArray(std::string_view bytes, const std::string& file) {
  NpyHeader header = read_npy_header(bytes, file);
  if (!is_known_type(header.dtype)) refuse_npy_type(header, file, "bool, integers, float16, float32 or float64");
  size_ = check_npy_size(header, static_cast<std::uint64_t>(header.dtype[2] - '0'), bytes, file);
  data_ = bytes.substr(header.data_begin);
  dtype_ = std::move(header.dtype);
  shape_ = std::move(header.shape);
  is_fortran_ = header.is_fortran;
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
      return float_number(bits, width);
    case 'i':
      return signed_number(bits, width);
    default:
      return static_cast<double>(bits);
  }
}

std::vector<float> NpyArray::floats(const Watch& watch) const {
  constexpr std::size_t kAtOnce = std::size_t{1} << 20U;  // between two checks whether they are still wanted
  const bool is_copied = dtype_ == "<f4" && !is_fortran_;
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(size_));
  std::vector<std::uint64_t> index(shape_.size(), 0);
  for (std::size_t begin = 0; begin < size_; begin = values.size()) {
    watch.check();
    const std::size_t end = std::min(begin + kAtOnce, static_cast<std::size_t>(size_));
    if (is_copied) {
      values.resize(end);
      std::memcpy(values.data() + begin, data_.data() + begin * sizeof(float), (end - begin) * sizeof(float));
    }
    for (std::size_t at = values.size(); at < end; ++at) {
      values.push_back(static_cast<float>(is_fortran_ ? value(index) : number_at(at)));
      for (std::size_t axis = is_fortran_ ? index.size() : 0; axis-- > 0 && ++index[axis] == shape_[axis];) index[axis] = 0;
    }
  }
  return values;
}

namespace {

/// "U12" and "S5": how many characters a text can hold.
std::optional<std::uint64_t> text_places(std::string_view dtype) {
  if (dtype.size() < 3 || (dtype[1] != 'U' && dtype[1] != 'S')) return std::nullopt;
  std::uint64_t places = 0;
  const auto [end, failure] = std::from_chars(dtype.data() + 2, dtype.data() + dtype.size(), places);
  const bool is_number = failure == std::errc() && end == dtype.data() + dtype.size() && places < (std::uint64_t{1} << 32U);
  return is_number ? std::optional(places) : std::nullopt;
}

void append_utf8(std::uint32_t code, std::string& text) {
  const bool is_character = code < 0x110000 && (code < 0xD800 || code > 0xDFFF);
  if (!is_character) code = 0xFFFD;
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0U | code >> 6U);
  } else if (code < 0x10000) {
    put(0xE0U | code >> 12U);
    put(0x80U | (code >> 6U & 0x3FU));
  } else {
    put(0xF0U | code >> 18U);
    put(0x80U | (code >> 12U & 0x3FU));
    put(0x80U | (code >> 6U & 0x3FU));
  }
  put(0x80U | (code & 0x3FU));
}

/// One text in its fixed width: it ends before its trailing zeros.
std::string text_in(std::string_view own, std::string_view dtype) {
  if (dtype[1] == 'S') return std::string(own.substr(0, own.find_last_not_of('\0') + 1));
  std::size_t used = 0;
  std::vector<std::uint32_t> codes;
  for (std::size_t at = 0; at < own.size(); at += 4) {
    const auto byte = [&](std::size_t part) {
      return static_cast<std::uint32_t>(static_cast<unsigned char>(own[at + (dtype[0] == '>' ? 3 - part : part)]));
    };
    codes.push_back(byte(0) | byte(1) << 8U | byte(2) << 16U | byte(3) << 24U);
    if (codes.back() != 0) used = codes.size();
  }
  std::string text;
  for (std::size_t at = 0; at < used; ++at) append_utf8(codes[at], text);
  return text;
}

/// All texts in the order of the bytes.
std::vector<std::string> texts_in(const NpyHeader& header, std::size_t most_axes, std::string_view bytes, const std::string& file) {
  const std::optional<std::uint64_t> places = text_places(header.dtype);
  if (!places || header.shape.size() > most_axes) {
    refuse_npy_type(
        header, file,
        most_axes == 1 ? "texts ('<U…' or '|S…') in at most one dimension" : "texts ('<U…' or '|S…') in at most two dimensions");
  }
  const std::uint64_t width = *places * (header.dtype[1] == 'U' ? 4 : 1);
  const std::uint64_t count = check_npy_size(header, width, bytes, file);
  if (width == 0 && count > 0) refuse_npy_type(header, file, "strings of at least one character");  // any number of them fits into no bytes
  std::vector<std::string> texts(static_cast<std::size_t>(count));
  std::string_view rest = bytes.substr(header.data_begin);
  for (std::string& text : texts) {
    text = text_in(rest.substr(0, static_cast<std::size_t>(width)), header.dtype);
    rest.remove_prefix(static_cast<std::size_t>(width));
  }
  return texts;
}

}  // namespace

std::vector<std::string> read_npy_texts(std::string_view bytes, const std::string& file) {
  return texts_in(read_npy_header(bytes, file), 1, bytes, file);
}

std::vector<std::vector<std::string>> read_npy_text_rows(std::string_view bytes, const std::string& file) {
  const NpyHeader header = read_npy_header(bytes, file);
  std::vector<std::string> texts = texts_in(header, 2, bytes, file);
  if (header.shape.size() < 2) return {std::move(texts)};
  if (texts.empty()) return {};  // there may be any number of rows without texts
  const auto rows = static_cast<std::size_t>(header.shape[0]), columns = static_cast<std::size_t>(header.shape[1]);
  std::vector<std::vector<std::string>> lists(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      lists[row].push_back(std::move(texts[header.is_fortran ? column * rows + row : row * columns + column]));
    }
  }
  return lists;
}

}  // namespace headlight
