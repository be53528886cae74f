#include "engine/figure/painters/png.h"

#include <cairo.h>
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "engine/core/error.h"
#include "engine/figure/painters/cairo_bytes.h"

namespace headlight {
namespace {

/// cairo's ARGB32: native-endian words, colours multiplied by alpha.
std::vector<std::uint32_t> to_argb(const Image& image) {
  std::vector<std::uint32_t> words(image.pixels.size() / 4);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint8_t* pixel = image.pixels.data() + i * 4;
    const std::uint32_t alpha = pixel[3];
    const auto times_alpha = [alpha](std::uint32_t value) { return (value * alpha + 127) / 255; };
    words[i] = alpha << 24 | times_alpha(pixel[0]) << 16 | times_alpha(pixel[1]) << 8 | times_alpha(pixel[2]);
  }
  return words;
}

/// What is left of the bytes, for cairo to read.
cairo_status_t take(void* rest, unsigned char* into, unsigned int length) {
  auto& bytes = *static_cast<std::string_view*>(rest);
  if (bytes.size() < length) return CAIRO_STATUS_READ_ERROR;
  std::copy_n(bytes.data(), length, reinterpret_cast<char*>(into));
  bytes.remove_prefix(length);
  return CAIRO_STATUS_SUCCESS;
}

std::uint32_t big_endian_at(std::string_view bytes, std::size_t offset) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8U | static_cast<unsigned char>(bytes[offset + i]);
  return number;
}

[[noreturn]] void refuse(const std::string& file, std::string problem, std::string found) {
  throw Error({.kind = ErrorKind::input, .file = file, .problem = std::move(problem), .found = std::move(found)});
}

/// cairo says of whatever libpng cannot read that memory has run out.
std::string why_broken(std::string_view bytes, cairo_status_t status) {
  if (std::string broken = broken_chunk(bytes); !broken.empty()) return broken;
  if (status == CAIRO_STATUS_NO_MEMORY) return "its rows of pixels cannot be unpacked, or have no room in memory";
  return cairo_status_to_string(status);
}

}  // namespace

PngSize png_size(std::string_view bytes, const std::string& file) {
  constexpr std::string_view kMagic = "\x89PNG\r\n\x1a\n";
  constexpr std::size_t kSizeEnd = 24;  // magic, length, "IHDR", width, height
  if (bytes.size() < kSizeEnd || !bytes.starts_with(kMagic) || bytes.substr(12, 4) != "IHDR") {
    refuse(file, "this is not a PNG picture", fmt::format("\"{}\"", printable(bytes.substr(0, 8), 40)));
  }
  return {big_endian_at(bytes, 16), big_endian_at(bytes, 20)};
}

Image decode_png(std::string_view bytes, const std::string& file) {
  png_size(bytes, file);
  const std::string_view whole = bytes;
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(cairo_image_surface_create_from_png_stream(take, &bytes),
                                                                                   cairo_surface_destroy);
  const cairo_status_t status = cairo_surface_status(surface.get());
  if (status != CAIRO_STATUS_SUCCESS) refuse(file, "this PNG picture is broken", why_broken(whole, status));
  const cairo_format_t format = cairo_image_surface_get_format(surface.get());
  if (format != CAIRO_FORMAT_ARGB32 && format != CAIRO_FORMAT_RGB24) refuse(file, "this PNG picture cannot be read", "deep colours");
  Image image{cairo_image_surface_get_width(surface.get()), cairo_image_surface_get_height(surface.get()), {}};
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
  const unsigned char* data = cairo_image_surface_get_data(surface.get());
  for (std::size_t row = 0; row < static_cast<std::size_t>(image.height); ++row) {
    for (std::size_t column = 0; column < static_cast<std::size_t>(image.width); ++column) {
      std::uint32_t word = 0;
      std::copy_n(data + row * stride + column * 4, 4, reinterpret_cast<unsigned char*>(&word));
      const auto part = [word](unsigned shift) { return static_cast<std::uint8_t>(word >> shift & 0xFFU); };
      const std::uint8_t alpha = format == CAIRO_FORMAT_RGB24 ? std::uint8_t{255} : part(24);
      image.pixels.insert(image.pixels.end(), {part(16), part(8), part(0), alpha});
    }
  }
  return image;
}

std::string encode_png(const Image& image) {
  constexpr int kLargestSide = 32767;
  if (image.width < 1 || image.height < 1 || image.width > kLargestSide || image.height > kLargestSide) {
    throw Error({.kind = ErrorKind::limit,
                 .problem = "a PNG cannot have this size",
                 .found = fmt::format("{}x{}", image.width, image.height),
                 .expected = fmt::format("1 to {} pixels a side", kLargestSide)});
  }
  std::vector<std::uint32_t> words = to_argb(image);
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
      cairo_image_surface_create_for_data(reinterpret_cast<unsigned char*>(words.data()), CAIRO_FORMAT_ARGB32, image.width, image.height,
                                          image.width * 4),
      cairo_surface_destroy);
  std::string bytes;
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append_bytes, &bytes);
  if (status != CAIRO_STATUS_SUCCESS) {
    throw Error({.problem = fmt::format("cairo could not write a PNG: {}", cairo_status_to_string(status))});
  }
  return bytes;
}

}  // namespace headlight
