#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "engine/figure/map_picture.h"

namespace headlight {
namespace {

using Pixel = std::uint32_t;  // the four bytes of a Colour in memory order
constexpr Pixel kMaskedPixel = 0;

Pixel pixel_of(Colour colour) {
  return std::bit_cast<Pixel>(std::array{colour.red, colour.green, colour.blue, colour.alpha});
}

/// ColourScale::colour as a table: a first guess from exponent and eight bits of mantissa, then the exact thresholds between colours.
/// No power or logarithm per cell.
class ColourTable {
 public:
  explicit ColourTable(const ColourScale& scale)
      : offset_(scale.is_zero_centred() ? 0 : scale.low), per_span_(1 / scale.span()), undefined_(pixel_of(kUndefinedColour)) {
    const std::array<Colour, 256>& colours = ramp(scale.map, scale.is_dark);
    std::transform(colours.begin(), colours.end(), pixels_.begin(), pixel_of);
    for (std::size_t i = 1; i < 256; ++i) thresholds_[i] = scale.value_at((static_cast<float>(i) - 0.5F) / 255);
    thresholds_[256] = kLargestValue * 2;
    fill_guesses(scale.span());
  }

  Pixel operator()(float value) const {
    if (value <= kUndefinedCell) return value <= kMaskedCell ? kMaskedPixel : undefined_;
    const float from_offset = value - offset_;
    std::size_t colour = guesses_[from_offset < 0 ? 1 : 0][bin_of(std::abs(from_offset) * per_span_)];
    while (value >= thresholds_[colour + 1]) ++colour;
    return pixels_[colour];
  }

 private:
  static constexpr int kMantissaBits = 8;
  static constexpr int kOctaves = 20;  // shares below 2^-20 of the span meet in bin 0
  static constexpr std::size_t kBins = (std::size_t{kOctaves} << kMantissaBits) + 2;
  static constexpr std::uint32_t kFirstBits = (127U - kOctaves) << 23U;

  static std::size_t bin_of(float share) {
    const auto bits = std::bit_cast<std::uint32_t>(share);
    if (bits < kFirstBits) return 0;
    return std::min<std::size_t>(((bits - kFirstBits) >> (23U - kMantissaBits)) + 1, kBins - 1);
  }
  static float bin_begin(std::size_t bin) {
    if (bin == 0) return 0;
    return std::bit_cast<float>(kFirstBits + (static_cast<std::uint32_t>(bin - 1) << (23U - kMantissaBits)));
  }

  /// A guess is the colour of the bin's least value, so that the exact one is at or above it. A hair less, for the rounding of shares.
  void fill_guesses(float span) {
    std::size_t colour = 0;
    const auto guess = [&](float value) {
      while (value >= thresholds_[colour + 1]) ++colour;
      return static_cast<std::uint8_t>(colour);
    };
    for (std::size_t bin = kBins - 1; bin > 0; --bin) {
      const float least = bin == kBins - 1 ? -kLargestValue : offset_ - bin_begin(bin + 1) * span * 1.00001F;
      guesses_[1][bin] = guess(least);
    }
    guesses_[1][0] = guess(offset_ - bin_begin(1) * span * 1.00001F);
    for (std::size_t bin = 0; bin < kBins; ++bin) guesses_[0][bin] = guess(offset_ + bin_begin(bin) * span * 0.99999F);
  }

  float offset_, per_span_;
  Pixel undefined_;
  std::array<Pixel, 256> pixels_{};
  std::array<float, 257> thresholds_{};
  std::array<std::array<std::uint8_t, kBins>, 2> guesses_{};
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

/// One row of pixels as colours, kMaskedPixel where every cell is masked.
class RowPainter {
 public:
  RowPainter(const MapPicture& picture, int level, const ColourScale& scale, std::vector<Span> columns)
      : largest_(picture.largest().level(level)), table_(scale), columns_(std::move(columns)), colours_(columns_.size()) {
    if (picture.is_difference()) negated_ = &picture.negated_smallest().level(level);
  }

  void paint(Span rows) {
    if (rows == rows_) return;
    rows_ = rows;
    const float* largest = join(largest_, joined_);
    const float* negated = negated_ == nullptr ? nullptr : join(*negated_, joined_negated_);
    has_masked_ = false;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      float value = maximum(largest, columns_[i]);
      if (negated != nullptr) {
        const float below = maximum(negated, columns_[i]);
        if (below > value) value = -below;
      }
      colours_[i] = table_(value);
      has_masked_ = has_masked_ || colours_[i] == kMaskedPixel;
    }
  }

  const std::vector<Pixel>& colours() const { return colours_; }
  bool has_masked() const { return has_masked_; }

 private:
  /// The maxima of the rows, over the columns that are shown.
  const float* join(const Matrix& blocks, RowVector& joined) const {
    if (rows_.end - rows_.begin == 1) return blocks.row(rows_.begin).data();
    const Index from = columns_.front().begin, count = columns_.back().end - from;
    joined.resize(blocks.cols());
    joined.segment(from, count) = blocks.row(rows_.begin).segment(from, count);
    for (Index row = rows_.begin + 1; row < rows_.end; ++row) {
      joined.segment(from, count) = joined.segment(from, count).cwiseMax(blocks.row(row).segment(from, count));
    }
    return joined.data();
  }
  static float maximum(const float* row, Span columns) {
    float largest = row[columns.begin];
    for (Index column = columns.begin + 1; column < columns.end; ++column) largest = std::max(largest, row[column]);
    return largest;
  }

  const Matrix& largest_;
  const Matrix* negated_ = nullptr;
  ColourTable table_;
  std::vector<Span> columns_;
  std::vector<Pixel> colours_;
  Span rows_{-1, -1};
  RowVector joined_, joined_negated_;
  bool has_masked_ = false;
};

/// Colours along the hatch by x + y of the image, from `first` on: a row of pixels is a piece of it.
std::vector<Pixel> make_hatch(const HatchStyle& hatch, int first, int count) {
  const float spacing = std::max(hatch.spacing, 2.0F);
  const float half_width = std::max(1.0F, hatch.spacing / 7) / 2;
  std::vector<Pixel> strip(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const float along = std::fmod(static_cast<float>(first + i), spacing);
    const float distance = std::min(along, spacing - along) / std::sqrt(2.0F);
    strip[static_cast<std::size_t>(i)] = pixel_of(mix(hatch.ground, hatch.line, std::clamp(half_width + 0.5F - distance, 0.0F, 1.0F)));
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
  RowPainter painter(picture, level, scale,
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
