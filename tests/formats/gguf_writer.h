// Writes GGUF files for tests, sound ones and broken ones: every part can be set to something else than what the rest says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::testing {

template <typename Number>
std::string raw(Number number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}
inline std::string gguf_text(std::string_view text) {
  return raw(static_cast<std::uint64_t>(text.size())) + std::string(text);
}

class GgufWriter {
 public:
  std::string magic = "GGUF";
  std::uint32_t version = 3;
  std::uint64_t alignment = 32;                    ///< what the data is laid out by; the file says so only through a value of its own
  std::int64_t more_tensors = 0, more_values = 0;  ///< added to the counts of the header

  void value(std::string_view key, std::uint32_t type, std::string_view bytes) {
    values_ += gguf_text(key) + raw(type) + std::string(bytes);
    ++value_count_;
  }
  void natural(std::string_view key, std::uint32_t number) { value(key, 4, raw(number)); }
  void number(std::string_view key, float number) { value(key, 6, raw(number)); }
  void boolean(std::string_view key, bool is_true) { value(key, 7, raw(static_cast<std::uint8_t>(is_true))); }
  void text(std::string_view key, std::string_view text) { value(key, 8, gguf_text(text)); }
  void texts(std::string_view key, const std::vector<std::string>& list) {
    std::string bytes = raw(std::uint32_t{8}) + raw(static_cast<std::uint64_t>(list.size()));
    for (const std::string& item : list) bytes += gguf_text(item);
    value(key, 9, bytes);
  }
  void numbers(std::string_view key, const std::vector<float>& list) { array(key, 6, list); }
  void integers(std::string_view key, const std::vector<std::int32_t>& list) { array(key, 5, list); }

  /// `dimensions` as in the file: the fastest first. The data is placed behind that of the tensors before it.
  void tensor(std::string_view name, const std::vector<std::uint64_t>& dimensions, std::uint32_t type, std::string_view bytes) {
    pad(data_);
    tensor_at(name, dimensions, type, data_.size());
    data_ += bytes;
  }
  /// Only the entry, with any offset.
  void tensor_at(std::string_view name, const std::vector<std::uint64_t>& dimensions, std::uint32_t type, std::uint64_t offset) {
    tensors_ += gguf_text(name) + raw(static_cast<std::uint32_t>(dimensions.size()));
    for (const std::uint64_t dimension : dimensions) tensors_ += raw(dimension);
    tensors_ += raw(type) + raw(offset);
    ++tensor_count_;
  }
  void floats(std::string_view name, const std::vector<std::uint64_t>& dimensions, const std::vector<float>& values) {
    tensor(name, dimensions, 0, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
  }

  std::string bytes() const {
    std::string file = magic + raw(version) + raw(static_cast<std::uint64_t>(tensor_count_ + more_tensors)) +
                       raw(static_cast<std::uint64_t>(value_count_ + more_values)) + values_ + tensors_;
    pad(file);
    return file + data_;
  }

 private:
  template <typename Number>
  void array(std::string_view key, std::uint32_t type, const std::vector<Number>& list) {
    std::string bytes = raw(type) + raw(static_cast<std::uint64_t>(list.size()));
    for (const Number number : list) bytes += raw(number);
    value(key, 9, bytes);
  }
  void pad(std::string& text) const {
    while (text.size() % alignment != 0) text += '\0';
  }

  std::string values_, tensors_, data_;
  std::int64_t value_count_ = 0, tensor_count_ = 0;
};

}  // namespace headlight::testing
