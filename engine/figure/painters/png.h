// An image as the bytes of a PNG file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/figure/map/map_picture.h"

namespace headlight {

/// Throws Error (limit) for an image without pixels or larger than cairo takes (32767 a side).
std::string encode_png(const Image& image);

/// What a PNG's first chunk says about its size, before anything is decoded. Throws Error (input) if there is none.
struct PngSize {
  std::uint32_t width = 0, height = 0;
};
PngSize png_size(std::string_view bytes, const std::string& file);

/// Colours over black where the file is transparent. Check png_size first: it says how much room the picture takes. Throws Error (input).
Image decode_png(std::string_view bytes, const std::string& file);

}  // namespace headlight
