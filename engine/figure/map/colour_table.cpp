#include "engine/figure/map/colour_table.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace headlight {

Pixel pixel_of(Colour colour, ByteOrder order) {
  if (order == ByteOrder::bgra) std::swap(colour.red, colour.blue);
  return std::bit_cast<Pixel>(std::array{colour.red, colour.green, colour.blue, colour.alpha});
}

ColourTable::ColourTable(const ColourScale& scale, Colour left_out, ByteOrder order)
    : scale_(scale),
      order_(order),
      left_out_(pixel_of(left_out, order)),
      undefined_(pixel_of(kUndefinedColour, order)),
      offset_(scale.is_zero_centred() ? 0 : scale.low),
      per_span_(1 / scale.span()) {
  const std::array<Colour, 256>& colours = ramp(scale.map, scale.is_dark);
  std::transform(colours.begin(), colours.end(), pixels_.begin(), [order](Colour colour) { return pixel_of(colour, order); });
  for (std::size_t i = 1; i < 256; ++i) thresholds_[i] = scale.value_at((static_cast<float>(i) - 0.5F) / 255);
  thresholds_[256] = thresholds_[257] = kLargestValue * 2;
  if (!scale.ranks) fill_guesses();
}

/// Grows with the distance from the offset, for each sign: so only a value in the same bin as a threshold is left undecided.
inline std::int32_t ColourTable::bin_of(float value) const {
  const float from_offset = value - offset_;
  const std::int32_t bits = std::bit_cast<std::int32_t>(std::abs(from_offset) * per_span_) >> kMantissaShift;
  const std::int32_t bin = std::min(std::max(bits - (kFirstBin - 1), 0), kBins - 1);
  return bin + (from_offset < 0 ? kBins : 0);
}

// In blocks, and in loops that do one thing each: the compiler joins four values of the first and the last, and nothing in the second waits
// for what is before it.
void ColourTable::colour(const float* values, Pixel* pixels, std::size_t count) const {
  if (scale_.ranks) return colour_by_rank(values, pixels, count);
  const Pixel undefined = undefined_, left_out = left_out_;
  // Pointers: an array of the library checks every index, at a third of the time that this takes.
  const std::uint8_t* const guesses = guesses_.data();
  const float* const thresholds = thresholds_.data();
  const Pixel* const colours = pixels_.data();
  constexpr std::size_t kBlock = 256;
  std::array<std::int32_t, kBlock> bins_of_block;
  std::int32_t* const bins = bins_of_block.data();
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    const std::size_t size = std::min(kBlock, count - begin);
    const float* const block = values + begin;
    Pixel* const into = pixels + begin;
    for (std::size_t i = 0; i < size; ++i) bins[i] = bin_of(block[i]);
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t guess = guesses[bins[i]];
      const std::size_t above = (block[i] >= thresholds[guess + 1] ? 1U : 0U) + (block[i] >= thresholds[guess + 2] ? 1U : 0U);
      into[i] = colours[guess + above];
    }
    for (std::size_t i = 0; i < size; ++i) {
      const Pixel shown = into[i];
      const Pixel without_value = block[i] <= kHiddenCell ? left_out : undefined;
      const Pixel without_mask = block[i] <= kUndefinedCell ? without_value : shown;
      into[i] = block[i] <= kMaskedCell ? kMaskedPixel : without_mask;
    }
  }
}

/// Steps between ranks have no formula to guess them by.
void ColourTable::colour_by_rank(const float* values, Pixel* pixels, std::size_t count) const {
  for (std::size_t i = 0; i < count; ++i) {
    const float value = values[i];
    if (value <= kUndefinedCell) {
      pixels[i] = value <= kMaskedCell ? kMaskedPixel : value <= kHiddenCell ? left_out_ : undefined_;
    } else {
      pixels[i] = pixels_[static_cast<std::size_t>(std::lround(scale_.place(value) * 255))];
    }
  }
}

void ColourTable::fill_guesses() {
  const auto fill = [&](std::int32_t first, std::int32_t end, std::size_t colour) {
    if (first < end) std::fill(guesses_.begin() + first, guesses_.begin() + end, static_cast<std::uint8_t>(colour));
  };
  std::int32_t below = 2 * kBins, above = 0;  // negative bins fall, positive ones rise with the value: where each is filled up to
  std::size_t negative = 0;
  for (std::size_t i = 1; i < 256; ++i) {
    const std::int32_t bin = bin_of(thresholds_[i]);
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
