#include "engine/kernels/panels.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>

#include "engine/core/large_pages.h"
#include "engine/formats/tensors/tensor.h"

namespace headlight {
namespace {

constexpr Index kLane = 16, kWidest = 48;
constexpr std::size_t kAlignment = 64;

std::shared_ptr<std::byte> allocate(std::size_t bytes) {
  const std::size_t whole = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  void* memory = std::aligned_alloc(kAlignment, std::max(whole, kAlignment));
  if (memory == nullptr) throw std::bad_alloc();
  prefer_large_pages(memory, whole);
  return {static_cast<std::byte*>(memory), std::free};
}

/// What turns a square of numbers in registers of sixteen bytes: two rows are interleaved, their first halves or their second ones.
template <typename Number>
struct Square;

template <>
struct Square<float> {
  using Row [[gnu::vector_size(16)]] = float;
  static constexpr Index kSide = 4;
  static Row first_halves(Row a, Row b) { return __builtin_shufflevector(a, b, 0, 4, 1, 5); }
  static Row second_halves(Row a, Row b) { return __builtin_shufflevector(a, b, 2, 6, 3, 7); }
};

template <>
struct Square<std::uint16_t> {
  using Row [[gnu::vector_size(16)]] = std::uint16_t;
  static constexpr Index kSide = 8;
  static Row first_halves(Row a, Row b) { return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11); }
  static Row second_halves(Row a, Row b) { return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15); }
};

/// Rows of `from` become columns of `to`. A round interleaves every row of the upper half with that of the lower; after as many rounds as
/// the side can be halved, each number has changed places with its mirror image.
template <typename Number>
void turn_square(const Number* from, Index from_stride, Number* to, Index to_stride) {
  constexpr Index kSide = Square<Number>::kSide;
  typename Square<Number>::Row rows[kSide], turned[kSide];
  for (Index row = 0; row < kSide; ++row) std::memcpy(&rows[row], from + row * from_stride, sizeof(rows[row]));
  for (Index round = 1; round < kSide; round *= 2) {
    for (Index row = 0; row < kSide / 2; ++row) {
      turned[2 * row] = Square<Number>::first_halves(rows[row], rows[row + kSide / 2]);
      turned[2 * row + 1] = Square<Number>::second_halves(rows[row], rows[row + kSide / 2]);
    }
    for (Index row = 0; row < kSide; ++row) rows[row] = turned[row];
  }
  for (Index row = 0; row < kSide; ++row) std::memcpy(to + row * to_stride, &rows[row], sizeof(rows[row]));
}

/// Rows of the source are rows of the panel.
template <typename Number>
void copy_rows(const PanelSource& source, const PackedPanel& place, Number* to) {
  const Number* from = static_cast<const Number*>(source.numbers) + place.begin;
  for (Index k = 0; k < source.depth; ++k, from += source.stride, to += place.width) {
    std::copy_n(from, place.columns, to);
    std::fill(to + place.columns, to + place.width, Number{});
  }
}

/// Rows of the source are columns of the panel: a stretch of k at a time, so that what is written stays in the nearest cache; squares of
/// numbers where there are whole ones, and the rest one by one.
template <typename Number>
void copy_columns(const PanelSource& source, const PackedPanel& place, Number* to) {
  constexpr Index kStretch = 256, kSide = Square<Number>::kSide;
  const Number* from = static_cast<const Number*>(source.numbers) + place.begin * source.stride;
  const Index stride = source.stride, width = place.width, in_squares = place.columns / kSide * kSide;
  for (Index begin = 0; begin < source.depth; begin += kStretch) {
    const Index end = std::min(source.depth, begin + kStretch), squares_end = begin + (end - begin) / kSide * kSide;
    for (Index column = 0; column < in_squares; column += kSide) {
      for (Index k = begin; k < squares_end; k += kSide) turn_square(from + column * stride + k, stride, to + k * width + column, width);
    }
    for (Index column = 0; column < width; ++column) {
      for (Index k = column < in_squares ? squares_end : begin; k < end; ++k) {
        to[k * width + column] = column < place.columns ? from[column * stride + k] : Number{};
      }
    }
  }
}

template <typename Number>
void write_numbers(const PanelSource& source, const PackedPanel& place, std::byte* to) {
  auto* const numbers = reinterpret_cast<Number*>(to);
  return source.is_transposed ? copy_columns(source, place, numbers) : copy_rows(source, place, numbers);
}

DType dtype_of(PanelType type) {
  switch (type) {
    case PanelType::float32:
      return DType::f32;
    case PanelType::bfloat16:
      return DType::bf16;
    case PanelType::float16:
      return DType::f16;
  }
  return DType::f32;
}

}  // namespace

Index bytes_of(PanelType type) {
  return type == PanelType::float32 ? 4 : 2;
}

PanelPlan::PanelPlan(Index depth, Index columns) : depth_(depth), columns_(columns) {
  const Index panels = std::max<Index>(1, (columns + kWidest - 1) / kWidest);
  const Index share = (columns + panels - 1) / panels;
  width_ = std::max(kLane, (share + kLane - 1) / kLane * kLane);
}

Index PanelPlan::count() const {
  return (columns_ + width_ - 1) / width_;
}

PackedPanel PanelPlan::place(Index number) const {
  PackedPanel panel;
  panel.begin = number * width_;
  panel.columns = std::min(width_, columns_ - panel.begin);
  panel.width = (panel.columns + kLane - 1) / kLane * kLane;
  return panel;
}

Index PanelPlan::numbers() const {
  return depth_ * ((columns_ + kLane - 1) / kLane * kLane);
}

PanelSource panel_source(const MatrixView& b, bool is_transposed) {
  return {.numbers = b.data(),
          .stride = b.outerStride(),
          .depth = is_transposed ? b.cols() : b.rows(),
          .columns = is_transposed ? b.rows() : b.cols(),
          .is_transposed = is_transposed};
}

void write_panel(const PanelSource& source, const PackedPanel& place, std::byte* to) {
  if (source.type == PanelType::float32) return write_numbers<float>(source, place, to);
  write_numbers<std::uint16_t>(source, place, to);
}

Panels::Panels(const PanelSource& source)
    : type_(source.type), plan_(source.depth, source.columns), memory_(allocate(static_cast<std::size_t>(bytes()))) {
  for (Index number = 0; number < plan_.count(); ++number) {
    const PackedPanel place = plan_.place(number);
    write_panel(source, place, memory_.get() + place.begin * plan_.depth() * bytes_of(type_));
  }
}

std::uint64_t Panels::bytes() const {
  return static_cast<std::uint64_t>(plan_.numbers() * bytes_of(type_));
}

PackedPanel Panels::panel(Index number) const {
  PackedPanel panel = plan_.place(number);
  panel.type = type_;
  panel.numbers = memory_.get() + panel.begin * plan_.depth() * bytes_of(type_);
  return panel;
}

Matrix Panels::to_matrix() const {
  Matrix floats(plan_.depth(), plan_.columns());
  for (Index number = 0; number < plan_.count(); ++number) {
    const PackedPanel from = panel(number);
    for (Index k = 0; k < plan_.depth(); ++k) {
      const std::span<const std::byte> row(from.numbers + k * from.width * bytes_of(type_),
                                           static_cast<std::size_t>(from.columns * bytes_of(type_)));
      convert_to_floats(dtype_of(type_), row, {floats.row(k).data() + from.begin, static_cast<std::size_t>(from.columns)});
    }
  }
  return floats;
}

std::byte* PanelScratch::take(std::size_t bytes) {
  if (bytes > bytes_) {
    memory_ = allocate(bytes);
    bytes_ = bytes;
  }
  return memory_.get();
}

}  // namespace headlight
