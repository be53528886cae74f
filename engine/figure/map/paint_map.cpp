#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>

#include "engine/figure/map/colour_table.h"
#include "engine/figure/map/map_picture.h"

namespace headlight {
namespace {

/// Which cells of one axis each pixel shows: [begin, end).
struct Span {
  Index begin = 0, end = 0;
  bool operator==(const Span&) const = default;
};

/// `begin` … `end` is the window in units of the level's blocks; spans of the pixels first … last of `pixels`.
std::vector<Span> make_spans(double begin, double end, int pixels, int first, int last, Index blocks) {
  const double step = (end - begin) / pixels;
  const auto clamped = [&](double block) { return std::clamp(static_cast<Index>(block), Index{0}, blocks - 1); };
  std::vector<Span> spans;
  for (int pixel = first; pixel < last; ++pixel) {
    if (step <= 1) {
      const Index block = clamped(std::floor(begin + (pixel + 0.5) * step));
      spans.push_back({block, block + 1});
      continue;
    }
    // A block belongs to the pixel that holds its centre; the outermost pixels also take the blocks that the window cuts.
    const double from = pixel == 0 ? std::floor(begin) : std::ceil(begin + pixel * step - 0.5);
    const double to = pixel == pixels - 1 ? std::ceil(end) : std::ceil(begin + (pixel + 1) * step - 0.5);
    const Index start = clamped(from);
    spans.push_back({start, std::clamp(static_cast<Index>(to), start + 1, blocks)});
  }
  return spans;
}

/// The largest of the cells that each pixel of a row shows.
class RowMaxima {
 public:
  RowMaxima(const Matrix& blocks, const std::vector<Span>& columns) : blocks_(blocks), maxima_(columns.size()) {
    Index longest = 0;
    for (const Span& span : columns) longest = std::max(longest, span.end - span.begin);
    // Cell number 0, 1, … of every pixel; past the last one, the last again, so that all pixels take the same steps.
    for (Index cell = 0; cell < longest; ++cell) {
      std::vector<std::int32_t>& cells = cells_.emplace_back();
      for (const Span& span : columns) cells.push_back(static_cast<std::int32_t>(std::min(span.begin + cell, span.end - 1)));
    }
    first_ = columns.front().begin;
    count_ = columns.back().end - first_;
  }

  const std::vector<float>& find(Span rows) {
    const float* row = join(rows);
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      const std::int32_t* const at = cells_[cell].data();
      float* const maxima = maxima_.data();
      for (std::size_t i = 0; i < maxima_.size(); ++i) {
        const float value = row[at[i]];
        maxima[i] = cell == 0 || value > maxima[i] ? value : maxima[i];
      }
    }
    return maxima_;
  }

 private:
  /// The maxima of the rows, over the columns that are shown.
  const float* join(Span rows) {
    if (rows.end - rows.begin == 1) return blocks_.row(rows.begin).data();
    joined_.resize(blocks_.cols());
    joined_.segment(first_, count_) = blocks_.row(rows.begin).segment(first_, count_);
    for (Index row = rows.begin + 1; row < rows.end; ++row) {
      joined_.segment(first_, count_) = joined_.segment(first_, count_).cwiseMax(blocks_.row(row).segment(first_, count_));
    }
    return joined_.data();
  }

  const Matrix& blocks_;
  std::vector<std::vector<std::int32_t>> cells_;
  std::vector<float> maxima_;
  RowVector joined_;
  Index first_ = 0, count_ = 0;
};

/// What the pixels of a row show: values, or marks.
class RowValues {
 public:
  RowValues(const MapPicture& picture, int level, const std::vector<Span>& columns)
      : largest_(picture.largest().level(level), columns), farthest_(columns.size()) {
    if (picture.is_difference()) negated_smallest_.emplace(picture.negated_smallest().level(level), columns);
  }

  const std::vector<float>& find(Span rows) {
    const std::vector<float>& above = largest_.find(rows);
    if (!negated_smallest_) return above;
    const std::vector<float>& below = negated_smallest_->find(rows);
    std::transform(above.begin(), above.end(), below.begin(), farthest_.begin(), [](float a, float b) { return b > a ? -b : a; });
    return farthest_;
  }

 private:
  RowMaxima largest_;
  std::optional<RowMaxima> negated_smallest_;
  std::vector<float> farthest_;  // from zero
};

/// Colours along the hatch by x + y of the image, from `first` on: a row of pixels is a piece of it.
std::vector<Pixel> make_hatch(const HatchStyle& hatch, ByteOrder order, int first, int count) {
  constexpr float kShades = 16;
  std::array<Pixel, static_cast<std::size_t>(kShades) + 1> shades{};
  for (std::size_t i = 0; i < shades.size(); ++i)
    shades[i] = pixel_of(mix(hatch.ground, hatch.line, static_cast<float>(i) / kShades), order);
  const float spacing = std::max(hatch.spacing, 2.0F);
  const float half_width = std::max(1.0F, spacing / 7) / 2;
  std::vector<Pixel> strip(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const float lines = static_cast<float>(first + i) / spacing;
    const float distance = std::abs(lines - std::round(lines)) * spacing / std::sqrt(2.0F);
    const float cover = std::clamp(half_width + 0.5F - distance, 0.0F, 1.0F);
    strip[static_cast<std::size_t>(i)] = shades[static_cast<std::size_t>(std::lround(cover * kShades))];
  }
  return strip;
}

/// The part of a map's place that is painted, in pixels of the image.
struct Part {
  int left = 0, right = 0, top = 0, bottom = 0;
  bool is_empty() const { return left >= right || top >= bottom; }
  std::size_t width() const { return static_cast<std::size_t>(right - left); }
};

Part part_of(const Image& image, const PixelBox& place, PixelRows rows) {
  return {std::max(place.x, 0), std::min(place.x + place.width, image.width), std::max({place.y, 0, rows.begin}),
          std::min({place.y + place.height, image.height, rows.end})};
}

std::size_t first_pixel(const Image& image, const Part& part, int row) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(part.left);
}

/// Rows of pixels from what they show: in colours, and hatched where every cell is masked.
class RowPainter {
 public:
  RowPainter(const ColourTable& table, const HatchStyle& hatch, Image& image, const Part& part)
      : table_(table),
        image_(image),
        part_(part),
        hatch_(make_hatch(hatch, table.order(), part.left + part.top - hatch.begin, part.right - part.left + part.bottom - part.top)),
        colours_(part.width()),
        hatched_(part.width()) {}

  void take(const float* values) {
    table_.colour(values, colours_.data(), colours_.size());
    unsigned masked = 0;  // all are looked at, which takes less than to stop at the first
    for (const Pixel pixel : colours_) masked |= pixel == kMaskedPixel ? 1U : 0U;
    has_masked_ = masked != 0;
  }

  /// What was taken last.
  void paint(int row) {
    const Pixel* source = colours_.data();
    if (has_masked_) {
      const Pixel* const under = hatch_.data() + (row - part_.top);
      for (std::size_t i = 0; i < hatched_.size(); ++i) hatched_[i] = source[i] == kMaskedPixel ? under[i] : source[i];
      source = hatched_.data();
    }
    std::memcpy(image_.pixels.data() + first_pixel(image_, part_, row) * sizeof(Pixel), source, colours_.size() * sizeof(Pixel));
  }

 private:
  const ColourTable& table_;
  Image& image_;
  Part part_;
  std::vector<Pixel> hatch_, colours_, hatched_;
  bool has_masked_ = false;
};

}  // namespace

void paint_map(const MapPicture& picture, const CellWindow& window, const ColourScale& scale, const HatchStyle& hatch, Image& image,
               const PixelBox& place) {
  paint_rows(picture, window, ColourTable(scale, hatch.line, image.order), hatch, image, place, {0, image.height});
}

void paint_rows(const MapPicture& picture, const CellWindow& window, const ColourTable& colours, const HatchStyle& hatch, Image& image,
                const PixelBox& place, PixelRows rows_of_image, std::vector<float>* values) {
  const Part part = part_of(image, place, rows_of_image);
  if (part.is_empty() || picture.largest().rows() == 0) return;

  const auto pool = static_cast<double>(picture.pool());
  const int level = picture.largest().level_for((window.row_end - window.row_begin) / pool / place.height,
                                                (window.column_end - window.column_begin) / pool / place.width);
  const double side = pool * static_cast<double>(Index{1} << level);
  const Matrix& blocks = picture.largest().level(level);
  const std::vector<Span> rows =
      make_spans(window.row_begin / side, window.row_end / side, place.height, part.top - place.y, part.bottom - place.y, blocks.rows());
  RowValues row_values(picture, level,
                       make_spans(window.column_begin / side, window.column_end / side, place.width, part.left - place.x,
                                  part.right - place.x, blocks.cols()));
  RowPainter painter(colours, hatch, image, part);
  Span shown{-1, -1};
  const float* found = nullptr;
  for (int row = part.top; row < part.bottom; ++row) {
    const Span cells = rows[static_cast<std::size_t>(row - part.top)];
    if (cells != shown) {
      shown = cells;
      found = row_values.find(cells).data();
      painter.take(found);
    }
    painter.paint(row);
    if (values != nullptr) std::memcpy(values->data() + first_pixel(image, part, row), found, part.width() * sizeof(float));
  }
}

void recolour_rows(const std::vector<float>& values, const ColourTable& colours, const HatchStyle& hatch, Image& image,
                   const PixelBox& place, PixelRows rows_of_image) {
  const Part part = part_of(image, place, rows_of_image);
  if (part.is_empty()) return;
  RowPainter painter(colours, hatch, image, part);
  for (int row = part.top; row < part.bottom; ++row) {
    painter.take(values.data() + first_pixel(image, part, row));
    painter.paint(row);
  }
}

}  // namespace headlight
