// Parameter matrices in the type they were stored in: a model takes no more memory than its file, and numbers are widened to float32 while
// they are used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/matrix.h"
#include "engine/formats/tensors/tensor.h"
#include "engine/kernels/panels.h"

namespace headlight {

/// Rows of numbers of one type; copies and parts of it share the memory. Immutable. A vector is one row.
class StoredMatrix {
 public:
  StoredMatrix() = default;
  /// float32. Implicit: wherever stored numbers are wanted, computed ones will do.
  StoredMatrix(Matrix floats);  // NOLINT(google-explicit-constructor)
  /// Row after row, without gaps. Types stored in blocks have whole blocks in every row.
  StoredMatrix(DType type, Index rows, Index columns, std::shared_ptr<const std::byte[]> bytes);

  DType type() const { return type_; }
  Index rows() const { return rows_; }
  Index cols() const { return columns_; }
  Index size() const { return rows_ * columns_; }
  std::uint64_t bytes() const;                                  ///< of its own numbers, not of everything that shares the memory
  Index stride() const { return static_cast<Index>(stride_); }  ///< bytes from one row to the next
  const void* memory() const { return begin_; }                 ///< equal for matrices that begin at the same number of the same memory

  /// Parts, which share the memory. middle_columns: types that are not stored in blocks.
  StoredMatrix middle_rows(Index begin, Index count) const;
  StoredMatrix middle_columns(Index begin, Index count) const;
  /// These rows in this order, copied.
  StoredMatrix gather_rows(const std::vector<Index>& rows) const;

  /// A view if the numbers are float32 already; any other type has to be converted.
  bool is_float() const { return type_ == DType::f32; }
  MatrixView floats() const;
  /// Converts a part into `into` [row_count, column_count]. Types in blocks: whole rows only.
  void convert(Index row, Index column, MatrixBlock into) const;
  Matrix to_matrix() const;

 private:
  std::span<const std::byte> bytes_of_row(Index row, Index column, Index count) const;

  DType type_ = DType::f32;
  Index rows_ = 0, columns_ = 0;
  std::size_t stride_ = 0;  ///< bytes from one row to the next
  std::shared_ptr<const void> owner_;
  const std::byte* begin_ = nullptr;
};

/// The weight of y = x·W, seen as [in, out] however its file holds it: GPT-2's [in, out], most others [out, in]. Numbers of 32 and 16 bits
/// are laid out in panels once, and that is the only form in which they are kept; other types stay as they are stored and are unpacked
/// panel by panel while a product reads them. Immutable; copies share the memory.
class Weights {
 public:
  enum class Layout : std::uint8_t { in_out, out_in };
  Weights() = default;
  Weights(const Matrix& in_out);  // NOLINT(google-explicit-constructor): see StoredMatrix
  Weights(const StoredMatrix& stored, Layout layout);
  /// [out, in], kept as it is stored whatever its type: a table that is also read row by row, as that of tied embeddings.
  static Weights of_table(StoredMatrix table);

  Index rows() const { return rows_; }
  Index cols() const { return columns_; }
  Index size() const { return rows_ * columns_; }
  DType type() const { return type_; }
  std::uint64_t bytes() const;  ///< in memory
  const void* memory() const;   ///< equal for copies
  Matrix to_matrix() const;     ///< [in, out]

  Index panel_count() const { return PanelPlan(rows_, columns_).count(); }
  /// One panel; `scratch` holds its numbers where they were not laid out.
  PackedPanel panel(Index number, PanelScratch& scratch) const;
  bool is_packed() const { return packed_.has_value(); }

 private:
  PackedPanel unpack(Index number, PanelScratch& scratch) const;

  Index rows_ = 0, columns_ = 0;
  DType type_ = DType::f32;
  std::optional<Panels> packed_;
  StoredMatrix stored_;  ///< where it is not packed
  Layout layout_ = Layout::in_out;
};

}  // namespace headlight
