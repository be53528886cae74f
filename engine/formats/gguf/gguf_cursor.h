// Reading a GGUF header from front to back; every length is compared with the bytes that are left first.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/file_reader.h"

namespace headlight {

class GgufCursor {
 public:
  GgufCursor(const FileReader& reader, std::uint64_t position) : reader_(reader), position_(position) {}

  std::uint64_t position() const { return position_; }
  std::uint64_t left() const { return reader_.size() - position_; }
  const FileReader& reader() const { return reader_; }

  /// What is being read, for messages: "metadata llama.block_count".
  void set_place(std::string place) { place_ = std::move(place); }

  template <typename Number>
  Number number() {
    Number number;
    take(std::as_writable_bytes(std::span(&number, 1)));
    return number;
  }
  std::string text();  ///< length of 8 bytes, then the bytes
  void skip(std::uint64_t bytes);
  void skip_text();
  /// Throws where `count` things of at least `bytes` bytes each do not fit into the rest of the file.
  void check_count(std::uint64_t count, std::uint64_t bytes, std::string_view things) const;

  [[noreturn]] void refuse(std::string problem, std::string found = {}, std::string expected = {}, std::string hint = {}) const;

 private:
  void take(std::span<std::byte> into);
  std::uint64_t text_length();

  const FileReader& reader_;
  std::uint64_t position_;
  std::vector<std::byte> buffer_;  // bytes of the file from buffer_begin_ on
  std::uint64_t buffer_begin_ = 0;
  std::string place_ = "header";
};

}  // namespace headlight
