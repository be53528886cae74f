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

/// Rows of the source are rows of the panel.
template <typename Number>
void copy_rows(const Number* from, Index stride, const PackedPanel& panel, Index depth, Number* to) {
  for (Index k = 0; k < depth; ++k, to += panel.width) {
    std::copy_n(from + k * stride + panel.begin, panel.columns, to);
    std::fill(to + panel.columns, to + panel.width, Number{});
  }
}

/// Rows of the source are columns of the panel: a stretch of k at a time, so that what is written stays in the nearest cache.
template <typename Number>
void copy_columns(const Number* from, Index stride, const PackedPanel& panel, Index depth, Number* to) {
  constexpr Index kStretch = 32;
  for (Index begin = 0; begin < depth; begin += kStretch) {
    const Index end = std::min(depth, begin + kStretch);
    for (Index column = 0; column < panel.width; ++column) {
      const Number* row = from + (panel.begin + column) * stride;
      for (Index k = begin; k < end; ++k) to[k * panel.width + column] = column < panel.columns ? row[k] : Number{};
    }
  }
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

Panels::Panels(PanelType type, PanelPlan plan) : type_(type), plan_(plan), memory_(allocate(static_cast<std::size_t>(bytes()))) {}

std::uint64_t Panels::bytes() const {
  return static_cast<std::uint64_t>(plan_.numbers() * bytes_of(type_));
}

PackedPanel Panels::panel(Index number) const {
  PackedPanel panel = plan_.place(number);
  panel.type = type_;
  panel.numbers = memory_.get() + panel.begin * plan_.depth() * bytes_of(type_);
  return panel;
}

template <typename Number, typename Source>
void Panels::fill(const Source& fill_panel) {
  for (Index number = 0; number < plan_.count(); ++number) {
    const PackedPanel panel = plan_.place(number);
    fill_panel(panel, reinterpret_cast<Number*>(memory_.get()) + panel.begin * plan_.depth());
  }
}

Panels Panels::of(const MatrixView& b) {
  Panels panels(PanelType::float32, {b.rows(), b.cols()});
  panels.fill<float>([&](const PackedPanel& panel, float* to) { copy_rows(b.data(), b.outerStride(), panel, b.rows(), to); });
  return panels;
}

Panels Panels::of_transposed(const MatrixView& b) {
  Panels panels(PanelType::float32, {b.cols(), b.rows()});
  panels.fill<float>([&](const PackedPanel& panel, float* to) { copy_columns(b.data(), b.outerStride(), panel, b.cols(), to); });
  return panels;
}

Panels Panels::of_halves(PanelType type, const std::uint16_t* numbers, Index stride, Index depth, Index columns) {
  Panels panels(type, {depth, columns});
  panels.fill<std::uint16_t>([&](const PackedPanel& panel, std::uint16_t* to) { copy_rows(numbers, stride, panel, depth, to); });
  return panels;
}

Panels Panels::of_transposed_halves(PanelType type, const std::uint16_t* numbers, Index stride, Index depth, Index columns) {
  Panels panels(type, {depth, columns});
  panels.fill<std::uint16_t>([&](const PackedPanel& panel, std::uint16_t* to) { copy_columns(numbers, stride, panel, depth, to); });
  return panels;
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

void write_panel(const MatrixView& part, bool is_transposed, Index width, float* to) {
  PackedPanel panel;
  panel.columns = is_transposed ? part.rows() : part.cols();
  panel.width = width;
  if (is_transposed) return copy_columns(part.data(), part.outerStride(), panel, part.cols(), to);
  copy_rows(part.data(), part.outerStride(), panel, part.rows(), to);
}

}  // namespace headlight
