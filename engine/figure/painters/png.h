// An image as the bytes of a PNG file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/figure/map/map_picture.h"

namespace headlight {

/// Throws Error (limit) for an image without pixels or larger than cairo takes (32767 a side).
std::string encode_png(const Image& image);

/// The keyword under which a figure says how it was made (files/provenance.h).
inline constexpr std::string_view kPngKeyword = "Headlight";

/// A text that a PNG holds beside its picture.
struct PngText {
  std::string_view keyword;  ///< ASCII, 1 to 79 characters
  std::string_view text;     ///< UTF-8
};
/// The file with these texts after its first chunk (PNG specification, 11.3.4): tEXt for ASCII, uncompressed iTXt for others.
std::string with_texts(const std::string& png, std::span<const PngText> texts);
/// The file with how many of its pixels are printed on an inch (PNG specification, 11.3.5.3, pHYs).
std::string with_density(const std::string& png, float dpi);
/// A text of a file by its keyword: tEXt, iTXt or zTXt, packed or not; none: it has no such text. Throws Error: input where its chunks or a
/// packed text are broken, limit for a text over 64 MiB.
std::optional<std::string> text_in_png(std::string_view bytes, std::string_view keyword, const std::string& file);

/// What a PNG's first chunk says about its size, before anything is decoded. Throws Error (input) if there is none.
struct PngSize {
  std::uint32_t width = 0, height = 0;
};
PngSize png_size(std::string_view bytes, const std::string& file);

/// With its opacity, and colours as they are over black where it is transparent. Check png_size first: it says how much room the picture
/// takes. Throws Error (input).
Image decode_png(std::string_view bytes, const std::string& file);

/// What is wrong with the chunks of a PNG, in words; empty: every one is whole, and has its checksum.
std::string broken_chunk(std::string_view png);

}  // namespace headlight
