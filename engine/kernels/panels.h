// The right side of a product as the kernels read it: cut into panels of up to 48 columns, each one stretch of memory.
#pragma once

#include <memory>

#include "engine/core/matrix.h"
#include "engine/kernels/instruction_set.h"

namespace headlight {

/// One panel: numbers [depth, width] without gaps, of which the first `columns` of every row count; the rest is 0.
struct PackedPanel {
  PanelType type = PanelType::float32;
  const std::byte* numbers = nullptr;
  Index begin = 0;  ///< its first column's place in the whole matrix
  Index columns = 0;
  Index width = 0;  ///< 16, 32 or 48
};
Index bytes_of(PanelType type);

/// Where the columns of a matrix lie in panels of nearly equal width.
class PanelPlan {
 public:
  PanelPlan() = default;
  PanelPlan(Index depth, Index columns);
  Index depth() const { return depth_; }
  Index columns() const { return columns_; }
  Index count() const;
  /// Place and sizes; its numbers begin at depth · begin numbers into the memory of all panels.
  PackedPanel place(Index number) const;
  Index numbers() const;  ///< of all panels, with the zeros beside the columns

 private:
  Index depth_ = 0, columns_ = 0, width_ = 16;
};

/// Immutable once it is filled; copies share the memory.
class Panels {
 public:
  Panels() = default;
  /// b [depth, columns]
  static Panels of(const MatrixView& b);
  /// bᵀ of b [columns, depth]
  static Panels of_transposed(const MatrixView& b);
  /// Likewise of 16-bit numbers, row after row without gaps but for the stride, in numbers.
  static Panels of_halves(PanelType type, const std::uint16_t* numbers, Index stride, Index depth, Index columns);
  static Panels of_transposed_halves(PanelType type, const std::uint16_t* numbers, Index stride, Index depth, Index columns);

  const PanelPlan& plan() const { return plan_; }
  PanelType type() const { return type_; }
  PackedPanel panel(Index number) const;
  const void* memory() const { return memory_.get(); }
  std::uint64_t bytes() const;
  Matrix to_matrix() const;  ///< [depth, columns]

 private:
  Panels(PanelType type, PanelPlan plan);
  template <typename Number, typename Source>
  void fill(const Source& fill_panel);

  PanelType type_ = PanelType::float32;
  PanelPlan plan_;
  std::shared_ptr<std::byte> memory_;
};

/// The columns of `part`, or its rows, as one panel of this width.
void write_panel(const MatrixView& part, bool is_transposed, Index width, float* to);

}  // namespace headlight
