#include "engine/figure/map/map_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headlight {
namespace {

/// For every pool × pool block whether any of its cells is allowed; row by row of blocks.
class PooledMask {
 public:
  PooledMask(const Mask& mask, Index pool) : mask_(mask), pool_(pool), joined_(static_cast<std::size_t>(mask.keys())) {}

  void join_rows(Index block_row) {
    std::fill(joined_.begin(), joined_.end(), std::uint8_t{0});
    for (Index row = block_row * pool_; row < std::min((block_row + 1) * pool_, mask_.queries()); ++row) {
      std::transform(joined_.begin(), joined_.end(), mask_.row(row), joined_.begin(), [](std::uint8_t a, std::uint8_t b) { return a | b; });
    }
  }
  bool allows(Index block_column) const {
    const auto begin = joined_.begin() + block_column * pool_;
    const auto end = joined_.begin() + std::min((block_column + 1) * pool_, mask_.keys());
    return std::any_of(begin, end, [](std::uint8_t cell) { return cell != 0; });
  }

 private:
  const Mask& mask_;
  Index pool_;
  std::vector<std::uint8_t> joined_;
};

/// Turns values without a number, and masked ones, into their marks (sign −1 for the negated pyramid).
Matrix marked(Matrix values, Index pool, const Mask* mask, float sign) {
  float* const data = values.data();
  for (Index i = 0; i < values.size(); ++i) {
    data[i] = std::isnan(data[i]) ? kUndefinedCell : std::clamp(sign * data[i], -kLargestValue, kLargestValue);
  }
  if (mask == nullptr) return values;
  PooledMask pooled(*mask, pool);
  for (Index row = 0; row < values.rows(); ++row) {
    pooled.join_rows(row);
    for (Index column = 0; column < values.cols(); ++column) {
      if (!pooled.allows(column)) values(row, column) = kMaskedCell;
    }
  }
  return values;
}

std::vector<bool> fully_masked_rows(const Mask* mask) {
  if (mask == nullptr) return {};
  std::vector<bool> rows(static_cast<std::size_t>(mask->queries()));
  bool has_any = false;
  for (Index row = 0; row < mask->queries(); ++row) {
    const std::uint8_t* cells = mask->row(row);
    const bool is_masked = std::none_of(cells, cells + mask->keys(), [](std::uint8_t cell) { return cell != 0; });
    rows[static_cast<std::size_t>(row)] = is_masked;
    has_any = has_any || is_masked;
  }
  return has_any ? rows : std::vector<bool>{};
}

}  // namespace

MapPicture::MapPicture(Matrix values, Index pool, Index rows, Index columns, std::shared_ptr<const Mask> mask, bool is_difference)
    : pool_(pool),
      rows_(rows),
      columns_(columns),
      mask_(std::move(mask)),
      masked_rows_(fully_masked_rows(mask_.get())),
      is_difference_(is_difference) {
  if (is_difference) negated_smallest_ = MaxPyramid(marked(values, pool, mask_.get(), -1));
  largest_ = MaxPyramid(marked(std::move(values), pool, mask_.get(), 1));
}

bool MapPicture::operator==(const MapPicture& other) const {
  const bool is_same_mask = mask_ == other.mask_ || (mask_ && other.mask_ && *mask_ == *other.mask_);
  return is_same_mask && rows_ == other.rows_ && columns_ == other.columns_ && pool_ == other.pool_ &&
         is_difference_ == other.is_difference_ && largest_ == other.largest_ && negated_smallest_ == other.negated_smallest_;
}

float MapPicture::value(float row_begin, float row_end, float column_begin, float column_end) const {
  const auto side = static_cast<float>(pool_);
  const auto maximum = [&](const MaxPyramid& pyramid) {
    return pyramid.maximum(row_begin / side, row_end / side, column_begin / side, column_end / side);
  };
  if (largest_.rows() == 0) return std::numeric_limits<float>::quiet_NaN();
  const float largest = maximum(largest_);
  if (largest <= kUndefinedCell) return std::numeric_limits<float>::quiet_NaN();
  if (!is_difference_) return largest;
  const float smallest = -maximum(negated_smallest_);
  return largest >= -smallest ? largest : smallest;
}

}  // namespace headlight
