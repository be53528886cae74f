#include "engine/formats/tensors/npy_header.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "engine/core/checked.h"
#include "engine/core/error.h"
#include "engine/formats/file_kind.h"

namespace headlight {
namespace {

constexpr std::string_view kNpyMagic = "\x93NUMPY";
constexpr std::size_t kMostDimensions = 32;          // for a long time NumPy's own limit
constexpr std::uint64_t kLongestNpyHeader = 10'000;  // NumPy's own limit: it parses the header as Python

struct HeaderEntries {
  std::optional<std::string> dtype;
  std::optional<bool> is_fortran;
  std::optional<std::vector<std::uint64_t>> shape;
};

/// The header's text: a Python dictionary with three known keys, each once, in any order.
class NpyHeaderReader {
 public:
  NpyHeaderReader(std::string_view text, std::uint64_t offset, const std::string& file) : text_(text), offset_(offset), file_(file) {}

  HeaderEntries read() {
    HeaderEntries header;
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
                 .field = key_.empty() ? "header" : "header, " + key_,
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
  void read_entry(HeaderEntries& header) {
    const std::size_t start = at_;
    const std::string key = expect_text();
    expect(':');
    key_ = printable(key, 40);
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
    key_.clear();
  }

  std::string_view text_;
  std::uint64_t offset_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::string key_;  // whose value is being read
};

std::uint64_t little_endian_at(std::string_view bytes, std::size_t offset, std::size_t count) {
  std::uint64_t number = 0;
  for (std::size_t i = count; i > 0; --i) number = number << 8U | static_cast<unsigned char>(bytes[offset + i - 1]);
  return number;
}

[[noreturn]] void refuse_npy(const std::string& file, std::uint64_t offset, std::string problem, std::string found, std::string expected,
                             std::string_view hint = {}) {
  throw Error({.kind = ErrorKind::input,
               .file = file,
               .offset = offset,
               .problem = std::move(problem),
               .found = std::move(found),
               .expected = std::move(expected),
               .hint = std::string(hint)});
}

/// Where the header's text begins and how long it is.
struct NpyHeaderPlace {
  std::size_t begin = 0, length = 0;
};
NpyHeaderPlace find_header(std::string_view bytes, const std::string& file) {
  if (bytes.size() < kNpyMagic.size() + 4 || !bytes.starts_with(kNpyMagic)) {
    const std::optional<FileKind> kind = recognize_kind(bytes.substr(0, 64));
    const bool is_other = kind && !bytes.starts_with(kNpyMagic);
    refuse_npy(file, 0, "this is not a .npy file",
               is_other ? std::string(kind->name) : fmt::format("\"{}\"", printable(bytes.substr(0, 8), 40)),
               "bytes that start with \\x93NUMPY", is_other ? kind->advice : std::string_view());
  }
  const auto version = static_cast<unsigned char>(bytes[kNpyMagic.size()]);
  if (version < 1 || version > 3) refuse_npy(file, kNpyMagic.size(), "unknown version of .npy", std::to_string(version), "1, 2 or 3");
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t begin = kNpyMagic.size() + 2 + length_bytes;
  if (bytes.size() < begin) refuse_npy(file, bytes.size(), "the file ends within its header", fmt::format("{} bytes", bytes.size()), "");
  const std::uint64_t length = little_endian_at(bytes, kNpyMagic.size() + 2, length_bytes);
  if (length > kLongestNpyHeader || length > bytes.size() - begin) {
    refuse_npy(file, kNpyMagic.size() + 2, "the header's length is out of range", std::to_string(length),
               fmt::format("at most {}", std::min<std::uint64_t>(kLongestNpyHeader, bytes.size() - begin)));
  }
  return {begin, static_cast<std::size_t>(length)};
}

}  // namespace

NpyHeader read_npy_header(std::string_view bytes, const std::string& file) {
  const NpyHeaderPlace place = find_header(bytes, file);
  HeaderEntries entries = NpyHeaderReader(bytes.substr(place.begin, place.length), place.begin, file).read();
  return {std::move(*entries.dtype), *entries.is_fortran, std::move(*entries.shape), place.begin + place.length};
}

std::uint64_t check_npy_size(const NpyHeader& header, std::uint64_t width, std::string_view bytes, const std::string& file) {
  std::optional<std::uint64_t> size = 1;
  for (const std::uint64_t side : header.shape) size = size ? checked_multiply(*size, side) : std::nullopt;
  const std::optional<std::uint64_t> needed = size ? checked_multiply(*size, width) : std::nullopt;
  const std::uint64_t held = bytes.size() - header.data_begin;
  if (needed && *needed == held) return *size;
  refuse_npy(file, header.data_begin, "the shape and the number of bytes do not agree", fmt::format("{} bytes", held),
             needed ? std::to_string(*needed) : "more than 2^64");
}

void refuse_npy_type(const NpyHeader& header, const std::string& file, const std::string& expected) {
  const bool is_object = header.dtype.ends_with('O');
  throw Error({.kind = ErrorKind::input,
               .file = file,
               .field = "header, descr",
               .problem = is_object ? "an array of Python objects is a pickle, which can run any program, and is not read"
                                    : "elements of this type cannot be read",
               .found = fmt::format("'{}'", printable(header.dtype, 40)),
               .expected = expected});
}

}  // namespace headlight
