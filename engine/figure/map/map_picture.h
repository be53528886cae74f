// A map made ready to be drawn at any size: pyramid, mask, and the painter that turns it into pixels.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/attention/mask.h"
#include "engine/figure/map/colour.h"
#include "engine/figure/map/left_out.h"
#include "engine/figure/map/max_pyramid.h"

namespace headlight {

/// Marks for cells of a picture's pyramids without a value, below every value: of several cells the largest is a value wherever there is
/// one, and an undefined cell hides a masked one.
inline constexpr float kLargestValue = 1e38F;
inline constexpr float kUndefinedCell = -2e38F;  ///< allowed, but NaN
inline constexpr float kHiddenCell = -2.5e38F;   ///< allowed, but left out of what is shown (left_out.h)
inline constexpr float kMaskedCell = -3e38F;

/// Values of one map and which of its cells are masked. Immutable, shared. For a difference two pyramids are kept (largest and smallest),
/// and a pixel shows whichever is farther from zero.
class MapPicture {
 public:
  /// `pool`: each value stands for pool × pool cells of the true map (HeadSummary::pooled). mask may be null: nothing hatched.
  /// Values may be kHiddenCell; `left_out` says what was left out, null: nothing.
  MapPicture(Matrix values, Index pool, Index rows, Index columns, std::shared_ptr<const Mask> mask, bool is_difference,
             std::shared_ptr<const LeftOut> left_out = nullptr);

  Index rows() const { return rows_; }  ///< of the true map
  Index columns() const { return columns_; }
  bool is_difference() const { return is_difference_; }
  const std::shared_ptr<const Mask>& mask() const { return mask_; }
  const std::shared_ptr<const LeftOut>& left_out() const { return left_out_; }
  bool is_row_masked(Index row) const { return !masked_rows_.empty() && masked_rows_[static_cast<std::size_t>(row)]; }
  /// The value to show for a rectangle of cells, in cells of the true map: NaN if none has a number.
  float value(float row_begin, float row_end, float column_begin, float column_end) const;

  /// Of the cells with a number that are neither masked nor left out; of a difference, their magnitudes. Counted when first asked for, by
  /// any thread.
  const ValueCounts& counts() const;

  /// Whether they show the same: values, masks, and what each value stands for.
  bool operator==(const MapPicture& other) const;

  // For the painter; one value per pool × pool cells.
  Index pool() const { return pool_; }
  const MaxPyramid& largest() const { return largest_; }
  const MaxPyramid& negated_smallest() const { return negated_smallest_; }  ///< empty unless is_difference

 private:
  MaxPyramid largest_, negated_smallest_;
  Index pool_, rows_, columns_;
  std::shared_ptr<const Mask> mask_;
  std::vector<bool> masked_rows_;  // empty: none
  bool is_difference_;
  std::shared_ptr<const LeftOut> left_out_;
  mutable std::once_flag is_counted_;
  mutable ValueCounts counts_;
};

/// The part of a map that is shown, in cells; fractions while zooming.
struct CellWindow {
  float row_begin = 0, row_end = 0;
  float column_begin = 0, column_end = 0;
  bool operator==(const CellWindow&) const = default;
};

enum class ByteOrder : std::uint8_t { rgba, bgra };  ///< of red, green, blue and alpha in a pixel

/// Row-major, four bytes a pixel.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;
  ByteOrder order = ByteOrder::rgba;  ///< files have no other; windows take bgra without a conversion
};

/// Where a map goes in an image; it may reach beyond it.
struct PixelBox {
  int x = 0, y = 0, width = 0, height = 0;
  bool operator==(const PixelBox&) const = default;
};

/// Hatch of masked cells: lines at 45 degrees, anchored to the image so that neighbouring cells and maps join.
struct HatchStyle {
  Colour ground, line;
  float spacing = 7;  ///< along x, in device pixels
  int begin = 0;      ///< x + y where a line goes through, in pixels of the image
  bool operator==(const HatchStyle&) const = default;
};

/// Paints a window of a map into `image`; what lies outside the image is left out.
/// Cells larger than a pixel: a pixel shows the cell under its centre. Cells smaller than a pixel: every cell belongs to the one pixel that
/// holds its centre, and the pixel shows the largest of its cells (of a difference, the farthest from zero), so no cell ever vanishes;
/// beyond 4 cells per pixel, blocks of cells no larger than half a pixel are drawn in place of cells. A pixel whose cells are all masked is hatched; one
/// whose cells are masked or left out has the flat colour of the hatch's lines.
/// This is the only place where a weight becomes a colour, for screen and file alike.
void paint_map(const MapPicture& picture, const CellWindow& window, const ColourScale& scale, const HatchStyle& hatch, Image& image,
               const PixelBox& place);

class ColourTable;  // colour_table.h
/// Rows of an image.
struct PixelRows {
  int begin = 0, end = 0;
};
/// Only some rows of it, with colours that were made ready before, in the image's order of bytes: several threads may paint different rows of
/// an image at once. `values`, one for each pixel of the image: gets what they show, for recolour_rows; null: not kept.
void paint_rows(const MapPicture& picture, const CellWindow& window, const ColourTable& colours, const HatchStyle& hatch, Image& image,
                const PixelBox& place, PixelRows rows_of_image, std::vector<float>* values = nullptr);
/// The same in other colours, in a third of the time: which cells a pixel shows is known.
void recolour_rows(const std::vector<float>& values, const ColourTable& colours, const HatchStyle& hatch, Image& image,
                   const PixelBox& place, PixelRows rows_of_image);

}  // namespace headlight
