// Products of one row with rows as they lie in memory, for one instruction set. Laying a matrix out in panels pays when many rows are
// multiplied by it; here there is one, and it takes as long as reading the matrix.
#pragma once

#include "engine/kernels/instruction_set.h"

namespace headlight {
namespace {

template <typename Set>
struct LaneRows {
  using Lanes = typename Set::Lanes;
  static constexpr std::int64_t kLane = 16;

  /// Sixteen rows at a time, a number of each in every lane.
  static void multiply(const RowProducts& product) {
    for (std::int64_t begin = 0; begin < product.count; begin += kLane) {
      const std::int64_t rows = product.count - begin < kLane ? product.count - begin : kLane;
      const float* const first = product.rows + begin * product.stride;
      Lanes sums = Set::zero();
      for (std::int64_t k = 0; k < product.depth; k += kLane) {
        const std::int64_t depth = product.depth - k < kLane ? product.depth - k : kLane;
        Lanes square[kLane];
        for (std::int64_t row = 0; row < kLane; ++row) {
          const float* const from = first + (row < rows ? row : rows - 1) * product.stride + k;
          square[row] = depth == kLane ? Set::load(from) : Set::load_part(from, depth, 0);
        }
        Set::transpose(square);
        for (std::int64_t at = 0; at < depth; ++at) sums = Set::multiply_add(Set::all(product.a[k + at]), square[at], sums);
      }
      if (rows == kLane) {
        Set::store(product.out + begin, sums);
      } else {
        Set::store_part(product.out + begin, rows, sums);
      }
    }
  }

  /// Four lanes of columns at a time.
  static void add(const RowSum& sum) {
    for (std::int64_t begin = 0; begin < sum.columns; begin += 4 * kLane) {
      const std::int64_t left = sum.columns - begin;
      if (left >= 4 * kLane) {
        add_columns<4>(sum, begin, kLane);
      } else {
        std::int64_t column = begin;
        for (; column + kLane <= sum.columns; column += kLane) add_columns<1>(sum, column, kLane);
        if (column < sum.columns) add_columns<1>(sum, column, sum.columns - column);
      }
    }
  }

 private:
  static Lanes load(const float* from, std::int64_t count) { return count == kLane ? Set::load(from) : Set::load_part(from, count, 0); }

  /// `count`: numbers of the last lane.
  template <int kParts>
  static void add_columns(const RowSum& sum, std::int64_t begin, std::int64_t count) {
    Lanes sums[kParts];
    for (int part = 0; part < kParts; ++part) sums[part] = load(sum.out + begin + part * kLane, count);
    for (std::int64_t row = 0; row < sum.count; ++row) {
      const Lanes weight = Set::all(sum.weights[row]);
      const float* const from = sum.rows + row * sum.stride + begin;
      for (int part = 0; part < kParts; ++part) sums[part] = Set::multiply_add(weight, load(from + part * kLane, count), sums[part]);
    }
    for (int part = 0; part < kParts; ++part) {
      if (count == kLane) {
        Set::store(sum.out + begin + part * kLane, sums[part]);
      } else {
        Set::store_part(sum.out + begin + part * kLane, count, sums[part]);
      }
    }
  }
};

}  // namespace
}  // namespace headlight
