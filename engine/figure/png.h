// An image as the bytes of a PNG file.
#pragma once

#include <string>

#include "engine/figure/map_picture.h"

namespace headlight {

/// Throws Error (limit) for an image without pixels or larger than cairo takes (32767 a side).
std::string encode_png(const Image& image);

}  // namespace headlight
