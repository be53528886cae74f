// PNG files back into pixels, with cairo.
#pragma once

#include <cairo.h>

#include <filesystem>
#include <memory>

#include "engine/figure/map/map_picture.h"

namespace headlight::testing {

/// An opaque PNG; an empty image when it cannot be read.
inline Image decode_png(const std::filesystem::path& path) {
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(cairo_image_surface_create_from_png(path.c_str()),
                                                                                   cairo_surface_destroy);
  if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) return {};
  Image image{cairo_image_surface_get_width(surface.get()), cairo_image_surface_get_height(surface.get()), {}};
  const unsigned char* rows = cairo_image_surface_get_data(surface.get());
  const int stride = cairo_image_surface_get_stride(surface.get());
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const unsigned char* pixel = rows + y * stride + x * 4;  // little-endian words: blue, green, red, alpha
      image.pixels.insert(image.pixels.end(), {pixel[2], pixel[1], pixel[0], 255});
    }
  }
  return image;
}

}  // namespace headlight::testing
