#include "engine/formats/gguf/gguf_cursor.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr std::uint64_t kCursorBuffer = 1U << 16U;

}  // namespace

void GgufCursor::refuse(std::string problem, std::string found, std::string expected, std::string hint) const {
  throw Error({.kind = ErrorKind::input,
               .file = reader_.name(),
               .field = place_,
               .offset = position_,
               .problem = std::move(problem),
               .found = std::move(found),
               .expected = std::move(expected),
               .hint = std::move(hint)});
}

void GgufCursor::take(std::span<std::byte> into) {
  if (into.size() > left()) {
    refuse("the file ends too early", fmt::format("{} bytes left", left()), fmt::format("{} or more", into.size()),
           "The file may be cut: download or copy it again.");
  }
  const std::uint64_t held = buffer_begin_ + buffer_.size();
  if (position_ < buffer_begin_ || into.size() > held - std::min(position_, held)) {
    if (into.size() >= kCursorBuffer) {
      reader_.read(position_, into);
      position_ += into.size();
      return;
    }
    buffer_.resize(static_cast<std::size_t>(std::min(kCursorBuffer, left())));
    buffer_begin_ = position_;
    reader_.read(position_, buffer_);
  }
  std::memcpy(into.data(), buffer_.data() + (position_ - buffer_begin_), into.size());
  position_ += into.size();
}

std::uint64_t GgufCursor::text_length() {
  const auto length = number<std::uint64_t>();
  if (length > left()) {
    refuse("a string is longer than the rest of the file", fmt::format("{} bytes", length), fmt::format("at most {}", left()),
           "The file may be cut: download or copy it again.");
  }
  return length;
}

std::string GgufCursor::text() {
  std::string text(static_cast<std::size_t>(text_length()), '\0');
  take(std::as_writable_bytes(std::span(text)));
  return text;
}

void GgufCursor::skip(std::uint64_t bytes) {
  if (bytes > left()) {
    refuse("the file ends too early", fmt::format("{} bytes left", left()), fmt::format("{} or more", bytes),
           "The file may be cut: download or copy it again.");
  }
  position_ += bytes;
}

void GgufCursor::skip_text() {
  skip(text_length());
}

void GgufCursor::check_count(std::uint64_t count, std::uint64_t bytes, std::string_view things) const {
  if (count <= left() / bytes) return;
  refuse(fmt::format("the file is too short for its number of {}", things), std::to_string(count),
         fmt::format("at most {} in the {} bytes that follow", left() / bytes, left()), "The file may be cut: download or copy it again.");
}

}  // namespace headlight
