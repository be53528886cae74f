// A colour scale made ready for many cells.
#pragma once

#include <array>
#include <cstdint>

#include "engine/figure/map/colour.h"

namespace headlight {

using Pixel = std::uint32_t;  ///< the four bytes of a Colour in memory order
inline constexpr Pixel kMaskedPixel = 0;
Pixel pixel_of(Colour colour);

/// ColourScale::colour as tables: a guess from exponent and eight bits of mantissa, then the exact thresholds between colours. No power,
/// logarithm or branch per value. A guess is at most two colours too low for any gamma up to 1.5.
class ColourTable {
 public:
  /// `left_out`: the colour of cells that are left out of what is shown.
  ColourTable(const ColourScale& scale, Colour left_out);
  /// Whether it was made from these.
  bool is_of(const ColourScale& scale, Colour left_out) const { return scale_ == scale && left_out_ == pixel_of(left_out); }
  /// Values of cells, or their marks (map_picture.h); kMaskedPixel for masked ones.
  void colour(const float* values, Pixel* pixels, std::size_t count) const;

 private:
  static constexpr std::uint32_t kMantissaShift = 23 - 8;
  static constexpr std::uint32_t kOctaves = 24;  // shares below 2^-24 of the span meet in one bin
  static constexpr std::uint32_t kFirstBin = (127U - kOctaves) << (23U - kMantissaShift);
  static constexpr std::uint32_t kBins = (kOctaves << (23U - kMantissaShift)) + 2;  // of one sign; the negative ones follow

  void colour_by_rank(const float* values, Pixel* pixels, std::size_t count) const;
  std::uint32_t bin_of(float value) const;
  void fill_guesses();

  ColourScale scale_;
  Pixel left_out_;
  float offset_, per_span_;
  std::array<Pixel, 256> pixels_{};
  std::array<float, 257> thresholds_{};
  std::array<std::int32_t, std::size_t{2} * kBins> guesses_{};
};

}  // namespace headlight
