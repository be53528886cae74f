#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "engine/figure/map/map_picture.h"

namespace headlight {
namespace {

using Pixel = std::uint32_t;  // the four bytes of a Colour in memory order
constexpr Pixel kMaskedPixel = 0;

Pixel pixel_of(Colour colour) {
  return std::bit_cast<Pixel>(std::array{colour.red, colour.green, colour.blue, colour.alpha});
}

/// ColourScale::colour as tables: a guess from exponent and eight bits of mantissa, then the exact thresholds between colours. No power,
/// logarithm or branch per value. A guess is at most two colours too low for any gamma up to 1.5.
class ColourTable {
 public:
  ColourTable(const ColourScale& scale, Colour left_out)
      : scale_(scale), left_out_(pixel_of(left_out)), offset_(scale.is_zero_centred() ? 0 : scale.low), per_span_(1 / scale.span()) {
    const std::array<Colour, 256>& colours = ramp(scale.map, scale.is_dark);
    std::transform(colours.begin(), colours.end(), pixels_.begin(), pixel_of);
    for (std::size_t i = 1; i < 256; ++i) thresholds_[i] = scale.value_at((static_cast<float>(i) - 0.5F) / 255);
    thresholds_[256] = kLargestValue * 2;
    if (!scale.ranks) fill_guesses();
  }

  void colour(const float* values, Pixel* pixels, std::size_t count) const {
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

 private:
  static constexpr std::uint32_t kMantissaShift = 23 - 8;
  static constexpr std::uint32_t kOctaves = 24;  // shares below 2^-24 of the span meet in one bin
  static constexpr std::uint32_t kFirstBin = (127U - kOctaves) << (23U - kMantissaShift);
  static constexpr std::uint32_t kBins = (kOctaves << (23U - kMantissaShift)) + 2;  // of one sign; the negative ones follow

  /// Steps between ranks have no formula to guess them by.
  void colour_by_rank(const float* values, Pixel* pixels, std::size_t count) const {
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

  /// Grows with the distance from the offset, for each sign: so only a value in the same bin as a threshold is left undecided.
  std::uint32_t bin_of(float value) const {
    const float from_offset = value - offset_;
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(std::abs(from_offset) * per_span_) >> kMantissaShift;
    const std::uint32_t bin = std::min(std::max(bits, kFirstBin - 1) - (kFirstBin - 1), kBins - 1);
    return bin + (from_offset < 0 ? kBins : 0);
  }

  void fill_guesses() {
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

  const ColourScale& scale_;
  Pixel left_out_;
  float offset_, per_span_;
  std::array<Pixel, 256> pixels_{};
  std::array<float, 257> thresholds_{};
  std::array<std::int32_t, std::size_t{2} * kBins> guesses_{};
};

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
  RowPainter(const MapPicture& picture, int level, const ColourScale& scale, Colour left_out, const std::vector<Span>& columns)
      : largest_(picture.largest().level(level), columns), table_(scale, left_out), values_(columns.size()), colours_(columns.size()) {
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
  ColourTable table_;
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

void paint_map(const MapPicture& picture, const CellWindow& window, const ColourScale& scale, const HatchStyle& hatch, Image& image, int x,
               int y, int width, int height) {
  const int left = std::max(x, 0), right = std::min(x + width, image.width);
  const int top = std::max(y, 0), bottom = std::min(y + height, image.height);
  if (left >= right || top >= bottom || picture.largest().rows() == 0) return;

  const auto pool = static_cast<double>(picture.pool());
  const int level = picture.largest().level_for((window.row_end - window.row_begin) / pool / height,
                                                (window.column_end - window.column_begin) / pool / width);
  const double side = pool * static_cast<double>(Index{1} << level);
  const Matrix& blocks = picture.largest().level(level);
  const std::vector<Span> rows = make_spans(window.row_begin / side, window.row_end / side, height, top - y, bottom - y, blocks.rows());
  RowPainter painter(picture, level, scale, hatch.line,
                     make_spans(window.column_begin / side, window.column_end / side, width, left - x, right - x, blocks.cols()));
  const std::vector<Pixel> strip = make_hatch(hatch, left + top, right - left + bottom - top);

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
