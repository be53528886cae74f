// A colour scale made ready for many cells.
#pragma once

#include <array>
#include <cstdint>

#include "engine/figure/map/colour.h"
#include "engine/figure/map/map_picture.h"

namespace headlight {

using Pixel = std::uint32_t;  ///< four bytes in memory order
inline constexpr Pixel kMaskedPixel = 0;
Pixel pixel_of(Colour colour, ByteOrder order);

/// ColourScale::colour as tables: a guess from exponent and eight bits of mantissa, then the exact thresholds between colours. No power,
/// logarithm or branch per value. A guess is at most two colours too low for any gamma up to 1.5.
class ColourTable {
 public:
  /// `left_out`: the colour of cells that are left out of what is shown.
  ColourTable(const ColourScale& scale, Colour left_out, ByteOrder order);
  /// Whether it was made from these, in whatever order.
  bool is_of(const ColourScale& scale, Colour left_out) const { return scale_ == scale && left_out_ == pixel_of(left_out, order_); }
  ByteOrder order() const { return order_; }
  /// Values of cells, or their marks (map_picture.h); kMaskedPixel for masked ones.
  void colour(const float* values, Pixel* pixels, std::size_t count) const;

 private:
  static constexpr std::int32_t kMantissaShift = 23 - 8;
  static constexpr std::int32_t kOctaves = 24;  // shares below 2^-24 of the span meet in one bin
  static constexpr std::int32_t kFirstBin = (127 - kOctaves) << (23 - kMantissaShift);
  static constexpr std::int32_t kBins = (kOctaves << (23 - kMantissaShift)) + 2;  // of one sign; the negative ones follow

  void colour_by_rank(const float* values, Pixel* pixels, std::size_t count) const;
  std::int32_t bin_of(float value) const;
  void fill_guesses();

  ColourScale scale_;
  ByteOrder order_;
  Pixel left_out_, undefined_;
  float offset_, per_span_;
  std::array<Pixel, 256> pixels_{};
  std::array<float, 258> thresholds_{};
  std::array<std::uint8_t, std::size_t{2} * kBins> guesses_{};
};

}  // namespace headlight
