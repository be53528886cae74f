// GGUF, versions 2 and 3, little-endian (github.com/ggml-org/ggml, docs/gguf.md): named values, then tensors.
//
// Stricter than the format where that is lax: duplicate keys and tensor names, arrays of arrays, zero dimensions, overlapping tensors and
// offsets off the file's alignment are refused. A type that cannot be converted is listed with its name and size, and using it is an error;
// a type of unknown size is refused. Every count is compared with the bytes that are left before anything is allocated.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/formats/file_reader.h"
#include "engine/formats/tensors/tensor.h"

namespace headlight {

/// The types of values, numbered as in the file.
enum class GgufType : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, text, array, u64, i64, f64 };

/// An array that was checked from end to end, but is read only on request.
struct GgufArray {
  GgufType type = GgufType::u8;
  std::uint64_t count = 0;
  std::uint64_t begin = 0;  ///< its first element's byte in the file
};
using GgufValue = std::variant<std::uint64_t, std::int64_t, double, bool, std::string, GgufArray>;

/// What a checked header says.
struct GgufHeader {
  std::uint32_t version = 3;
  std::map<std::string, GgufValue, std::less<>> metadata;
  std::vector<TensorInfo> tensors;  ///< in the order of the file's list; shapes are row-major, the reverse of GGUF's
};

/// Reads and checks the header against the file's size. Memory is bounded by the header's bytes on disk. Throws Error (input).
GgufHeader read_gguf_header(const FileReader& reader);

/// Whether a file starts as GGUF does; false for anything that cannot be read.
bool is_gguf(const std::filesystem::path& path);

/// A validated header over an open file; arrays and tensors are read on request. Thread contract: const calls from any thread.
class GgufFile {
 public:
  /// Throws Error (input).
  explicit GgufFile(const std::filesystem::path& path);

  const std::string& name() const { return reader_.name(); }
  std::uint64_t bytes() const { return reader_.size(); }
  const FileReader& reader() const { return reader_; }
  const GgufHeader& header() const { return header_; }
  const std::vector<TensorInfo>& tensors() const { return header_.tensors; }
  const TensorInfo* find(std::string_view name) const;  ///< nullptr when absent

  bool has(std::string_view key) const { return header_.metadata.contains(key); }
  /// A value of the metadata. Throws Error (input) naming the key where it is absent, of another kind, or out of range.
  std::int64_t integer(std::string_view key, std::int64_t lowest, std::int64_t highest) const;
  double number(std::string_view key) const;
  bool boolean(std::string_view key) const;
  std::string text(std::string_view key) const;
  std::uint64_t count(std::string_view key) const;                 ///< elements of an array
  std::vector<std::string> texts(std::string_view key) const;      ///< an array of strings
  std::vector<float> numbers(std::string_view key) const;          ///< an array of any numbers
  std::vector<std::int64_t> integers(std::string_view key) const;  ///< an array of whole numbers
  /// The same, or the fallback where the key is absent.
  std::int64_t integer_or(std::string_view key, std::int64_t fallback, std::int64_t lowest, std::int64_t highest) const;
  double number_or(std::string_view key, double fallback) const;
  bool boolean_or(std::string_view key, bool fallback) const;
  std::string text_or(std::string_view key, std::string fallback) const;

  /// For checks beyond kind and range: "a.gguf: KEY: `problem`; found …, expected …".
  [[noreturn]] void refuse(std::string_view key, std::string problem, std::string found = {}, std::string expected = {},
                           std::string hint = {}) const;

 private:
  const GgufValue& value(std::string_view key) const;
  const GgufArray& array(std::string_view key, std::string_view expected) const;

  FileReader reader_;
  GgufHeader header_;
  std::map<std::string_view, std::size_t> by_name_;  // views into header_
};

}  // namespace headlight
