#include "engine/kernels/weights.h"

#include <cassert>
#include <cstring>

namespace headlight {
namespace {

std::size_t bytes_in(DType type, Index count) {
  return stored_bytes(dtype_row(type), static_cast<std::uint64_t>(count)).value();
}

}  // namespace

StoredMatrix::StoredMatrix(Matrix floats)
    : rows_(floats.rows()), columns_(floats.cols()), stride_(static_cast<std::size_t>(floats.cols()) * sizeof(float)) {
  auto owner = std::make_shared<const Matrix>(std::move(floats));
  begin_ = reinterpret_cast<const std::byte*>(owner->data());
  owner_ = std::move(owner);
}

StoredMatrix::StoredMatrix(DType type, Index rows, Index columns, std::shared_ptr<const std::byte[]> bytes)
    : type_(type), rows_(rows), columns_(columns), stride_(bytes_in(type, columns)), begin_(bytes.get()) {
  owner_ = std::move(bytes);
}

StoredMatrix StoredMatrix::middle_rows(Index begin, Index count) const {
  assert(begin >= 0 && count >= 0 && begin + count <= rows_);
  StoredMatrix part = *this;
  part.begin_ += static_cast<std::size_t>(begin) * stride_;
  part.rows_ = count;
  return part;
}

StoredMatrix StoredMatrix::middle_columns(Index begin, Index count) const {
  assert(begin >= 0 && count >= 0 && begin + count <= columns_);
  StoredMatrix part = *this;
  part.begin_ += bytes_in(type_, begin);
  part.columns_ = count;
  return part;
}

StoredMatrix StoredMatrix::gather_rows(const std::vector<Index>& rows) const {
  const std::size_t width = bytes_in(type_, columns_);
  auto bytes = std::make_shared_for_overwrite<std::byte[]>(rows.size() * width);
  std::byte* into = bytes.get();
  for (const Index row : rows) {
    const std::span<const std::byte> from = bytes_of_row(row, 0, columns_);
    std::memcpy(into, from.data(), width);
    into += width;
  }
  return {type_, std::ssize(rows), columns_, std::move(bytes)};
}

std::uint64_t StoredMatrix::bytes() const {
  return static_cast<std::uint64_t>(rows_) * bytes_in(type_, columns_);
}

std::span<const std::byte> StoredMatrix::bytes_of_row(Index row, Index column, Index count) const {
  return {begin_ + static_cast<std::size_t>(row) * stride_ + bytes_in(type_, column), bytes_in(type_, count)};
}

MatrixView StoredMatrix::floats() const {
  assert(is_float());
  const auto* numbers = reinterpret_cast<const float*>(begin_);
  return Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>(numbers, rows_, columns_,
                                                           Eigen::OuterStride<>(static_cast<Index>(stride_ / sizeof(float))));
}

void StoredMatrix::convert(Index row, Index column, MatrixBlock into) const {
  for (Index at = 0; at < into.rows(); ++at) {
    convert_to_floats(type_, bytes_of_row(row + at, column, into.cols()),
                      {into.data() + at * into.outerStride(), static_cast<std::size_t>(into.cols())});
  }
}

Matrix StoredMatrix::to_matrix() const {
  Matrix floats(rows_, columns_);
  convert(0, 0, floats);
  return floats;
}

namespace {

std::optional<Panels> pack(const StoredMatrix& stored, Weights::Layout layout) {
  const bool is_in_out = layout == Weights::Layout::in_out;
  if (stored.is_float()) return is_in_out ? Panels::of(stored.floats()) : Panels::of_transposed(stored.floats());
  if (stored.type() != DType::bf16 && stored.type() != DType::f16) return {};
  const PanelType type = stored.type() == DType::bf16 ? PanelType::bfloat16 : PanelType::float16;
  const auto* numbers = static_cast<const std::uint16_t*>(stored.memory());
  const Index stride = stored.stride() / Index{sizeof(std::uint16_t)};
  return is_in_out ? Panels::of_halves(type, numbers, stride, stored.rows(), stored.cols())
                   : Panels::of_transposed_halves(type, numbers, stride, stored.cols(), stored.rows());
}

}  // namespace

Weights::Weights(const Matrix& in_out) : rows_(in_out.rows()), columns_(in_out.cols()), packed_(Panels::of(in_out)) {}

Weights::Weights(const StoredMatrix& stored, Layout layout)
    : rows_(layout == Layout::in_out ? stored.rows() : stored.cols()),
      columns_(layout == Layout::in_out ? stored.cols() : stored.rows()),
      type_(stored.type()),
      packed_(pack(stored, layout)),
      layout_(layout) {
  if (!packed_) stored_ = stored;
}

Weights Weights::of_table(StoredMatrix table) {
  Weights weights;
  weights.rows_ = table.cols();
  weights.columns_ = table.rows();
  weights.type_ = table.type();
  weights.layout_ = Layout::out_in;
  weights.stored_ = std::move(table);
  return weights;
}

std::uint64_t Weights::bytes() const {
  return packed_ ? packed_->bytes() : stored_.bytes();
}

const void* Weights::memory() const {
  return packed_ ? packed_->memory() : stored_.memory();
}

Matrix Weights::to_matrix() const {
  if (packed_) return packed_->to_matrix();
  Matrix floats = stored_.to_matrix();
  if (layout_ == Layout::out_in) floats = Matrix(floats.transpose());
  return floats;
}

PackedPanel Weights::panel(Index number, std::vector<float>& scratch) const {
  return packed_ ? packed_->panel(number) : unpack(number, scratch);
}

PackedPanel Weights::unpack(Index number, std::vector<float>& scratch) const {
  PackedPanel panel = PanelPlan(rows_, columns_).place(number);
  const bool is_in_out = layout_ == Layout::in_out;
  Matrix part = is_in_out ? Matrix(rows_, panel.columns) : Matrix(panel.columns, rows_);
  stored_.convert(is_in_out ? 0 : panel.begin, is_in_out ? panel.begin : 0, part);
  scratch.resize(static_cast<std::size_t>(rows_ * panel.width));
  write_panel(part, !is_in_out, panel.width, scratch.data());
  panel.numbers = reinterpret_cast<const std::byte*>(scratch.data());
  return panel;
}

}  // namespace headlight
