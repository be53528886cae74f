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

/// What panels are made of: numbers of their type, row after row without gaps but for the stride.
struct PanelSource {
  PanelType type = PanelType::float32;
  const void* numbers = nullptr;
  Index stride = 0;  ///< numbers from one row to the next
  Index depth = 0, columns = 0;
  bool is_transposed = false;  ///< the rows of the source are the columns of the panels
};
/// Of b [depth, columns], or of bᵀ.
PanelSource panel_source(const MatrixView& b, bool is_transposed);

/// Writes one panel of the source, as PanelPlan places it: depth · width numbers.
void write_panel(const PanelSource& source, const PackedPanel& place, std::byte* to);

/// Immutable; copies share the memory.
class Panels {
 public:
  Panels() = default;
  explicit Panels(const PanelSource& source);

  const PanelPlan& plan() const { return plan_; }
  PanelType type() const { return type_; }
  PackedPanel panel(Index number) const;
  const void* memory() const { return memory_.get(); }
  std::uint64_t bytes() const;
  Matrix to_matrix() const;  ///< [depth, columns]

 private:
  PanelType type_ = PanelType::float32;
  PanelPlan plan_;
  std::shared_ptr<std::byte> memory_;
};

/// Memory for one panel after another, each in the place of the one before.
class PanelScratch {
 public:
  std::byte* take(std::size_t bytes);

 private:
  std::shared_ptr<std::byte> memory_;
  std::size_t bytes_ = 0;
};

}  // namespace headlight
