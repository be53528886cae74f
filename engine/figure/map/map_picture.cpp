#include "engine/figure/map/map_picture.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace headlight {
namespace {

/// For every pool × pool block whether any of its cells is allowed; row by row of blocks.
class PooledMask {
 public:
  PooledMask(const Mask& mask, Index pool) : mask_(mask), pool_(pool) {}

  /// A row of blocks, each 0 or not; until the next row is asked for.
  const std::uint8_t* row(Index block_row) {
    if (pool_ == 1) return mask_.row(block_row);
    join_rows(block_row);
    Index side = pool_;
    for (; side % 2 == 0; side /= 2) join_neighbours(2);
    if (side > 1) join_neighbours(side);
    return joined_.data();
  }

 private:
  void join_rows(Index block_row) {
    joined_.assign(static_cast<std::size_t>((mask_.keys() + pool_ - 1) / pool_ * pool_), 0);  // no cells beyond the last: nothing allowed
    std::uint8_t* const into = joined_.data();
    for (Index query = block_row * pool_; query < std::min((block_row + 1) * pool_, mask_.queries()); ++query) {
      const std::uint8_t* const cells = mask_.row(query);
      for (Index key = 0; key < mask_.keys(); ++key) into[key] |= cells[key];
    }
  }
  /// Pairs have a loop of their own: where the step is known, the compiler joins sixteen cells at once.
  void join_neighbours(Index step) {
    const Index count = std::ssize(joined_) / step;
    blocks_.resize(static_cast<std::size_t>(count));
    const std::uint8_t* const from = joined_.data();
    std::uint8_t* const into = blocks_.data();
    if (step == 2) {
      for (Index at = 0; at < count; ++at) into[at] = from[2 * at] | from[2 * at + 1];
    } else {
      for (Index at = 0; at < count; ++at)
        into[at] = std::accumulate(from + at * step, from + (at + 1) * step, std::uint8_t{0}, std::bit_or<>());
    }
    joined_.swap(blocks_);
  }

  const Mask& mask_;
  Index pool_;
  std::vector<std::uint8_t> joined_, blocks_;
};

/// Turns values without a number, and masked ones, into their marks (sign −1 for the negated pyramid). Loops without branches over plain
/// numbers, which the compiler turns into vector instructions.
Matrix marked(Matrix values, Index pool, const Mask* mask, float sign) {
  const auto mark = [sign](float value) {
    const float with_sign = sign * value;
    const float not_above = with_sign < kLargestValue ? with_sign : kLargestValue;
    const float bounded = not_above > -kLargestValue ? not_above : -kLargestValue;
    if (value == kHiddenCell) return kHiddenCell;
    return std::isnan(value) ? kUndefinedCell : bounded;
  };
  std::optional<PooledMask> pooled;
  if (mask != nullptr) pooled.emplace(*mask, pool);
  const Index columns = values.cols();
  for (Index row = 0; row < values.rows(); ++row) {
    float* const cells = values.row(row).data();
    for (Index column = 0; column < columns; ++column) cells[column] = mark(cells[column]);
    if (!pooled) continue;
    const std::uint8_t* const is_allowed = pooled->row(row);
    for (Index column = 0; column < columns; ++column) cells[column] = is_allowed[column] != 0 ? cells[column] : kMaskedCell;
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

MapPicture::MapPicture(Matrix values, Index pool, Index rows, Index columns, std::shared_ptr<const Mask> mask, bool is_difference,
                       std::shared_ptr<const LeftOut> left_out)
    : pool_(pool),
      rows_(rows),
      columns_(columns),
      mask_(std::move(mask)),
      masked_rows_(fully_masked_rows(mask_.get())),
      is_difference_(is_difference),
      left_out_(std::move(left_out)) {
  if (is_difference) negated_smallest_ = MaxPyramid(marked(values, pool, mask_.get(), -1));
  largest_ = MaxPyramid(marked(std::move(values), pool, mask_.get(), 1));
}

bool MapPicture::operator==(const MapPicture& other) const {
  const bool is_same_mask = mask_ == other.mask_ || (mask_ && other.mask_ && *mask_ == *other.mask_);
  return is_same_mask && rows_ == other.rows_ && columns_ == other.columns_ && pool_ == other.pool_ &&
         is_difference_ == other.is_difference_ && largest_ == other.largest_ && negated_smallest_ == other.negated_smallest_;
}

const ValueCounts& MapPicture::counts() const {
  std::call_once(is_counted_, [&] {
    ValueCounter counter;
    if (largest_.rows() > 0) {
      const Matrix& values = largest_.level(0);
      for (Index row = 0; row < values.rows(); ++row) {
        for (Index column = 0; column < values.cols(); ++column) {
          const float value = values(row, column);
          if (value > kUndefinedCell) counter.add(is_difference_ ? std::abs(value) : std::max(value, 0.0F));
        }
      }
    }
    counts_ = counter.finish();
  });
  return counts_;
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
