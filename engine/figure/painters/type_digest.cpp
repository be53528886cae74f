// Whether letters look alike on two machines.
#include <array>
#include <span>

#include "engine/core/enumeration.h"
#include "engine/figure/painters/painters.h"
#include "engine/figure/painters/pango_text.h"
#include "engine/formats/digest.h"

namespace headlight {
namespace {

constexpr std::size_t kLongestSample = 240;  // bytes

/// The beginning of a text, cut between two characters.
std::string beginning(const std::string& text) {
  std::size_t end = std::min(text.size(), kLongestSample);
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

}  // namespace

std::string type_digest(const std::string& sample, const std::string& family) {
  constexpr float kSize = 24;  // both outlines and widths tell two fonts apart
  PangoText pango(family);
  Digest sha = Digest::sha256();
  for (const FontFace face : kEveryValue<FontFace>) {
    for (const std::string& text : {std::string("Headlight 0123456789 ·×−√ queries, keys"), beginning(sample)}) {
      const TextPixels pixels = pango.pixels(text, face, kSize);
      const std::array<int, 4> box{pixels.left, pixels.top, pixels.width, pixels.height};
      sha.add(std::as_bytes(std::span(box)));
      sha.add(std::as_bytes(std::span(pixels.coverage)));
      sha.add(std::as_bytes(std::span(pixels.colours)));
    }
  }
  return sha.hex();
}

}  // namespace headlight
