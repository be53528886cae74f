// Parameter matrices in the type they were stored in: a model takes no more memory than its file, and numbers are converted to float32
// block by block while they are used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/core/matrix.h"
#include "engine/formats/tensors/tensor.h"

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
  std::uint64_t bytes() const;                   ///< of its own numbers, not of everything that shares the memory
  const void* memory() const { return begin_; }  ///< equal for matrices that begin at the same number of the same memory

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

/// The weight of y = x·W, seen as [in, out] however it is stored: GPT-2's files hold [in, out], most others [out, in].
class Weights {
 public:
  enum class Layout : std::uint8_t { in_out, out_in };
  Weights() = default;
  Weights(Matrix in_out);  // NOLINT(google-explicit-constructor): see StoredMatrix
  Weights(StoredMatrix stored, Layout layout) : stored_(std::move(stored)), layout_(layout) {}

  Index rows() const { return layout_ == Layout::in_out ? stored_.rows() : stored_.cols(); }
  Index cols() const { return layout_ == Layout::in_out ? stored_.cols() : stored_.rows(); }
  Index size() const { return stored_.size(); }
  const StoredMatrix& stored() const { return stored_; }
  Layout layout() const { return layout_; }
  Matrix to_matrix() const;  ///< [in, out]

 private:
  StoredMatrix stored_;
  Layout layout_ = Layout::in_out;
};

}  // namespace headlight
