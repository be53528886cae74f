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

/// One row of pixels as colours, kMaskedPixel where every cell is masked.
class RowPainter {
 public:
  RowPainter(const MapPicture& picture, int level, const ColourTable& table, const std::vector<Span>& columns)
      : largest_(picture.largest().level(level), columns), table_(table), values_(columns.size()), colours_(columns.size()) {
    if (picture.is_difference()) negated_smallest_.emplace(picture.negated_smallest().level(level), columns);
  }

  void paint(Span rows) {
    if (rows == rows_) return;
    rows_ = rows;
    const std::vector<float>* values = &largest_.find(rows);
    if (negated_smallest_) {
      const std::vector<float>& below = negated_smallest_->find(rows);
      std::transform(values->begin(), values->end(), below.begin(), values_.begin(), [](float a, float b) { return b > a ? -b : a; });
      values = &values_;
    }
    table_.colour(values->data(), colours_.data(), colours_.size());
    has_masked_ = std::find(colours_.begin(), colours_.end(), kMaskedPixel) != colours_.end();
  }

  const std::vector<Pixel>& colours() const { return colours_; }
  bool has_masked() const { return has_masked_; }

 private:
  RowMaxima largest_;
  std::optional<RowMaxima> negated_smallest_;
  const ColourTable& table_;
  Span rows_{-1, -1};
  std::vector<float> values_;
  std::vector<Pixel> colours_;
  bool has_masked_ = false;
};

/// Colours along the hatch by x + y of the image, from `first` on: a row of pixels is a piece of it.
std::vector<Pixel> make_hatch(const HatchStyle& hatch, int first, int count) {
  constexpr float kShades = 16;
  std::array<Pixel, static_cast<std::size_t>(kShades) + 1> shades{};
  for (std::size_t i = 0; i < shades.size(); ++i) shades[i] = pixel_of(mix(hatch.ground, hatch.line, static_cast<float>(i) / kShades));
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

}  // namespace

void paint_map(const MapPicture& picture, const CellWindow& window, const ColourScale& scale, const HatchStyle& hatch, Image& image,
               const PixelBox& place) {
  paint_rows(picture, window, ColourTable(scale, hatch.line), hatch, image, place, {0, image.height});
}

void paint_rows(const MapPicture& picture, const CellWindow& window, const ColourTable& colours, const HatchStyle& hatch, Image& image,
                const PixelBox& place, PixelRows rows_of_image) {
  const auto& [x, y, width, height] = place;
  const int left = std::max(x, 0), right = std::min(x + width, image.width);
  const int top = std::max({y, 0, rows_of_image.begin}), bottom = std::min({y + height, image.height, rows_of_image.end});
  if (left >= right || top >= bottom || picture.largest().rows() == 0) return;

  const auto pool = static_cast<double>(picture.pool());
  const int level = picture.largest().level_for((window.row_end - window.row_begin) / pool / height,
                                                (window.column_end - window.column_begin) / pool / width);
  const double side = pool * static_cast<double>(Index{1} << level);
  const Matrix& blocks = picture.largest().level(level);
  const std::vector<Span> rows = make_spans(window.row_begin / side, window.row_end / side, height, top - y, bottom - y, blocks.rows());
  RowPainter painter(picture, level, colours,
                     make_spans(window.column_begin / side, window.column_end / side, width, left - x, right - x, blocks.cols()));
  const std::vector<Pixel> strip = make_hatch(hatch, left + top - hatch.begin, right - left + bottom - top);

  const auto count = static_cast<std::size_t>(right - left);
  std::vector<Pixel> mixed(count);
  for (int row = top; row < bottom; ++row) {
    painter.paint(rows[static_cast<std::size_t>(row - top)]);
    const Pixel* source = painter.colours().data();
    if (painter.has_masked()) {
      const Pixel* under = strip.data() + (row - top);
      for (std::size_t i = 0; i < count; ++i) mixed[i] = source[i] == kMaskedPixel ? under[i] : source[i];
      source = mixed.data();
    }
    const std::size_t at = static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(left);
    std::memcpy(image.pixels.data() + at * sizeof(Pixel), source, count * sizeof(Pixel));
  }
}

}  // namespace headlight
