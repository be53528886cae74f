#include "engine/figure/png.h"

#include <cairo.h>
#include <fmt/core.h>

#include <memory>
#include <vector>

#include "engine/core/error.h"

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

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

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
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append, &bytes);
  if (status != CAIRO_STATUS_SUCCESS) {
    throw Error({.problem = fmt::format("cairo could not write a PNG: {}", cairo_status_to_string(status))});
  }
  return bytes;
}

}  // namespace headlight
