#include "engine/dumps/dump_sums.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace headlight {

double sum_tolerance(DType type, Index keys) {
  constexpr double kAlwaysAllowed = 1e-3;
  const double relative = type == DType::bf16 ? 0x1p-8 : type == DType::f16 ? 0x1p-11 : 0x1p-24;
  const double smallest = type == DType::f16 ? 0x1p-24 : 0;
  return std::max(kAlwaysAllowed, relative + static_cast<double>(keys) * (smallest / 2 + 0x1p-24));
}

DType rounding_type(const Matrix& map, DType type, const Watch& watch) {
  constexpr std::uint32_t kBelowBfloat16 = 0xFFFF;
  const auto is_bfloat16 = [](float number) { return (std::bit_cast<std::uint32_t>(number) & kBelowBfloat16) == 0; };
  for (Index query = 0; query < map.rows(); ++query) {
    watch.check();
    const float* row = map.row(query).data();
    if (!std::all_of(row, row + map.cols(), is_bfloat16)) return type;
  }
  return DType::bf16;
}

GivenSums sums_of(const Matrix& map, DType type, const Watch& watch) {
  const double tolerance = sum_tolerance(rounding_type(map, type, watch), map.cols());
  GivenSums sums;
  for (Index query = 0; query < map.rows(); ++query) {
    watch.check();
    const auto row = map.row(query).array();
    const double sum = row.cast<double>().sum();
    if (row.isNaN().any()) {
      ++sums.nan_rows;
    } else if (row.isInf().any()) {
      ++sums.infinite_rows;
    } else if ((row == 0.0F).all()) {
      ++sums.zero_rows;
    } else if (std::abs(sum - 1) > tolerance) {
      sums.add({.odd_rows = 1, .lowest = sum, .highest = sum});
    } else {
      sums.negative_rows += (row < 0.0F).any();
    }
  }
  return sums;
}

std::int64_t count_forbidden(const Matrix& map, const Mask& mask, const Watch& watch) {
  std::int64_t count = 0;
  for (Index query = 0; query < map.rows(); ++query) {
    watch.check();
    const std::uint8_t* allowed = mask.row(query);
    for (Index key = 0; key < map.cols(); ++key) count += allowed[key] == 0 && !(map(query, key) == 0.0F);
  }
  return count;
}

}  // namespace headlight
