// A map made ready to be drawn at any size: pyramid, mask, and the painter that turns it into pixels.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/attention/mask.h"
#include "engine/figure/colour.h"
#include "engine/figure/max_pyramid.h"

namespace headlight {

/// Values of one map and which of its cells are masked. Immutable, shared. For a difference two pyramids are kept (largest and smallest),
/// and a pixel shows whichever is farther from zero.
class MapPicture {
 public:
  /// `pool`: each value stands for pool × pool cells of the true map (HeadSummary::pooled). mask may be null: nothing hatched.
  MapPicture(Matrix values, Index pool, Index rows, Index columns, std::shared_ptr<const Mask> mask, bool is_difference);

  Index rows() const { return rows_; }  ///< of the true map
  Index columns() const { return columns_; }
  bool is_difference() const { return is_difference_; }
  const std::shared_ptr<const Mask>& mask() const { return mask_; }
  /// The value to show for a rectangle of cells, in cells of the true map.
  float value(float row_begin, float row_end, float column_begin, float column_end) const;

 private:
  MaxPyramid largest_, negated_smallest_;
  Index pool_, rows_, columns_;
  std::shared_ptr<const Mask> mask_;
  bool is_difference_;
};

/// The part of a map that is shown, in cells; fractions while zooming.
struct CellWindow {
  float row_begin = 0, row_end = 0;
  float column_begin = 0, column_end = 0;
  bool operator==(const CellWindow&) const = default;
};

/// Row-major RGBA, 8 bits each.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;
};

/// Hatch of masked cells in device pixels.
struct HatchStyle {
  Colour ground, line;
  float spacing = 7;
  bool operator==(const HatchStyle&) const = default;
};

/// Paints a window of a map into `image` at (x, y), width × height pixels: every pixel shows the maximum of the cells it covers; a pixel
/// whose cells are all masked is hatched. This is the only place where a weight becomes a colour, for screen and file alike.
void paint_map(const MapPicture& picture, const CellWindow& window, const ColourScale& scale, const HatchStyle& hatch, Image& image, int x,
               int y, int width, int height);

}  // namespace headlight
