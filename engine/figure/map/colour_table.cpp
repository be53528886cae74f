#include "engine/figure/map/colour_table.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/figure/map/map_picture.h"

namespace headlight {

Pixel pixel_of(Colour colour) {
  return std::bit_cast<Pixel>(std::array{colour.red, colour.green, colour.blue, colour.alpha});
}

ColourTable::ColourTable(const ColourScale& scale, Colour left_out)
    : scale_(scale), left_out_(pixel_of(left_out)), offset_(scale.is_zero_centred() ? 0 : scale.low), per_span_(1 / scale.span()) {
  const std::array<Colour, 256>& colours = ramp(scale.map, scale.is_dark);
  std::transform(colours.begin(), colours.end(), pixels_.begin(), pixel_of);
  for (std::size_t i = 1; i < 256; ++i) thresholds_[i] = scale.value_at((static_cast<float>(i) - 0.5F) / 255);
  thresholds_[256] = kLargestValue * 2;
  if (!scale.ranks) fill_guesses();
}

/// Grows with the distance from the offset, for each sign: so only a value in the same bin as a threshold is left undecided.
inline std::uint32_t ColourTable::bin_of(float value) const {
  const float from_offset = value - offset_;
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(std::abs(from_offset) * per_span_) >> kMantissaShift;
  const std::uint32_t bin = std::min(std::max(bits, kFirstBin - 1) - (kFirstBin - 1), kBins - 1);
  return bin + (from_offset < 0 ? kBins : 0);
}

void ColourTable::colour(const float* values, Pixel* pixels, std::size_t count) const {
  if (scale_.ranks) return colour_by_rank(values, pixels, count);
  const Pixel undefined = pixel_of(kUndefinedColour);
  // Pointers: an array of the library checks every index, at a third of the time that this takes.
  const std::int32_t* const guesses = guesses_.data();
  const float* const thresholds = thresholds_.data();
  const Pixel* const colours = pixels_.data();
  for (std::size_t i = 0; i < count; ++i) {
    const float value = values[i];
    std::int32_t colour = guesses[bin_of(value)];
    colour += value >= thresholds[colour + 1] ? 1 : 0;
    colour += value >= thresholds[colour + 1] ? 1 : 0;
    const Pixel shown = colours[colour];
    const Pixel no_value = value <= kMaskedCell ? kMaskedPixel : value <= kHiddenCell ? left_out_ : undefined;
    pixels[i] = value <= kUndefinedCell ? no_value : shown;
  }
}

/// Steps between ranks have no formula to guess them by.
void ColourTable::colour_by_rank(const float* values, Pixel* pixels, std::size_t count) const {
  const Pixel undefined = pixel_of(kUndefinedColour);
  for (std::size_t i = 0; i < count; ++i) {
    const float value = values[i];
    if (value <= kUndefinedCell) {
      pixels[i] = value <= kMaskedCell ? kMaskedPixel : value <= kHiddenCell ? left_out_ : undefined;
    } else {
      pixels[i] = pixels_[static_cast<std::size_t>(std::lround(scale_.place(value) * 255))];
    }
  }
}

void ColourTable::fill_guesses() {
  const auto fill = [&](std::uint32_t first, std::uint32_t end, std::size_t colour) {
    if (first < end) std::fill(guesses_.begin() + first, guesses_.begin() + end, static_cast<std::int32_t>(colour));
  };
  std::uint32_t below = 2 * kBins, above = 0;  // negative bins fall, positive ones rise with the value: where each is filled up to
  std::size_t negative = 0;
  for (std::size_t i = 1; i < 256; ++i) {
    const std::uint32_t bin = bin_of(thresholds_[i]);
    if (bin >= kBins) {
      fill(bin, below, i - 1);
      below = std::min(below, bin);
      negative = i;
    } else {
      fill(above, bin + 1, i - 1);
      above = std::max(above, bin + 1);
    }
  }
  fill(kBins, below, negative);
  fill(above, kBins, 255);
}

}  // namespace headlight
