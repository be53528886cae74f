// A panel's product for one instruction set: tiles of a few rows by all columns of the panel, whose sums stay in registers.
#pragma once

#include "engine/kernels/instruction_set.h"

namespace headlight {
namespace {

struct FloatPanel {
  using Number = float;
  template <typename Set>
  static typename Set::Lanes load(const float* from) {
    return Set::load(from);
  }
};
struct Bfloat16Panel {
  using Number = std::uint16_t;
  template <typename Set>
  static typename Set::Lanes load(const std::uint16_t* from) {
    return Set::load_bfloat16(from);
  }
};
struct HalfPanel {
  using Number = std::uint16_t;
  template <typename Set>
  static typename Set::Lanes load(const std::uint16_t* from) {
    return Set::load_half(from);
  }
};

constexpr std::int64_t kLane = 16;
constexpr std::int64_t kCacheLine = 64;

/// kRows rows by kParts · 16 columns. `lines`: how much of what comes next each step in k fetches.
template <typename Set, typename Panel, int kRows, int kParts>
void multiply_tile(const PanelProduct& product, const float* a, const typename Panel::Number* panel, float* out, std::int64_t columns,
                   const char* next, int lines) {
  typename Set::Lanes sums[kRows][kParts];
  for (int row = 0; row < kRows; ++row) {
    for (int part = 0; part < kParts; ++part) {
      const std::int64_t left = columns - part * kLane;
      const float* from = out + row * product.out_stride + part * kLane;
      sums[row][part] = !product.adds ? Set::zero() : left >= kLane ? Set::load(from) : Set::load_part(from, left > 0 ? left : 0, 0);
    }
  }
  for (std::int64_t k = 0; k < product.depth; ++k) {
    typename Set::Lanes b[kParts];
    for (int part = 0; part < kParts; ++part) b[part] = Panel::template load<Set>(panel + part * kLane);
    for (int line = 0; line < lines; ++line, next += kCacheLine) __builtin_prefetch(next);
    for (int row = 0; row < kRows; ++row) {
      const typename Set::Lanes number = Set::all(a[row * product.a_stride + k]);
      for (int part = 0; part < kParts; ++part) sums[row][part] = Set::multiply_add(number, b[part], sums[row][part]);
    }
    panel += product.width;
  }
  for (int row = 0; row < kRows; ++row) {
    for (int part = 0; part < kParts; ++part) {
      const std::int64_t left = columns - part * kLane;
      float* to = out + row * product.out_stride + part * kLane;
      if (left >= kLane) {
        Set::store(to, sums[row][part]);
      } else if (left > 0) {
        Set::store_part(to, left, sums[row][part]);
      }
    }
  }
}

/// As many rows as are left, at most kRows of them.
template <typename Set, typename Panel, int kRows, int kParts>
void multiply_few(std::int64_t rows, const PanelProduct& product, const float* a, const typename Panel::Number* panel, float* out,
                  std::int64_t columns, const char* next, int lines) {
  if constexpr (kRows > 1) {
    if (rows < kRows) return multiply_few<Set, Panel, kRows - 1, kParts>(rows, product, a, panel, out, columns, next, lines);
  }
  multiply_tile<Set, Panel, kRows, kParts>(product, a, panel, out, columns, next, lines);
}

/// Rows in tiles of nearly equal height: nine are five and four, not eight and one.
template <typename Set, typename Panel, int kParts>
void multiply_rows(const PanelProduct& product, std::int64_t first_column) {
  const std::int64_t tiles = (product.rows + Set::kTileRows - 1) / Set::kTileRows;
  if (tiles == 0) return;
  const std::int64_t bytes = product.width * static_cast<std::int64_t>(sizeof(typename Panel::Number));
  const std::int64_t passes = product.width / (kParts * kLane) * tiles;
  const int lines = product.next == nullptr ? 0 : static_cast<int>((bytes + passes * kCacheLine - 1) / (passes * kCacheLine));
  const std::int64_t pass = first_column / (kParts * kLane) * tiles;
  for (std::int64_t tile = 0; tile < tiles; ++tile) {
    const std::int64_t begin = product.rows * tile / tiles, end = product.rows * (tile + 1) / tiles;
    const std::int64_t fetched = (pass + tile) * product.depth * lines * kCacheLine;
    const int wanted = fetched < bytes * product.depth ? lines : 0;
    multiply_few<Set, Panel, Set::kTileRows, kParts>(end - begin, product, product.a + begin * product.a_stride,
                                                     static_cast<const typename Panel::Number*>(product.panel) + first_column,
                                                     product.out + begin * product.out_stride + first_column,
                                                     product.columns - first_column, product.next + fetched, wanted);
  }
}

template <typename Set, typename Panel>
void multiply_panel(const PanelProduct& product) {
  if constexpr (Set::kTileParts == 3) {
    if (product.width == 3 * kLane) return multiply_rows<Set, Panel, 3>(product, 0);
    if (product.width == 2 * kLane) return multiply_rows<Set, Panel, 2>(product, 0);
  }
  for (std::int64_t column = 0; column < product.columns; column += kLane) multiply_rows<Set, Panel, 1>(product, column);
}

}  // namespace
}  // namespace headlight
