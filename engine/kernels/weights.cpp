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

/// Nothing of types that are not laid out as they are stored.
std::optional<PanelType> panel_type(DType type) {
  switch (type) {
    case DType::f32:
      return PanelType::float32;
    case DType::bf16:
      return PanelType::bfloat16;
    case DType::f16:
      return PanelType::float16;
    default:
      return {};
  }
}

std::optional<PanelSource> panel_source(const StoredMatrix& stored, Weights::Layout layout) {
  const std::optional<PanelType> type = panel_type(stored.type());
  if (!type) return {};
  const bool is_in_out = layout == Weights::Layout::in_out;
  return PanelSource{.type = *type,
                     .numbers = stored.memory(),
                     .stride = stored.stride() / bytes_of(*type),
                     .depth = is_in_out ? stored.rows() : stored.cols(),
                     .columns = is_in_out ? stored.cols() : stored.rows(),
                     .is_transposed = !is_in_out};
}

std::optional<Panels> pack(const StoredMatrix& stored, Weights::Layout layout) {
  const std::optional<PanelSource> source = panel_source(stored, layout);
  return source ? std::optional<Panels>(*source) : std::nullopt;
}

}  // namespace

Weights::Weights(const Matrix& in_out) : rows_(in_out.rows()), columns_(in_out.cols()), packed_(panel_source(in_out, false)) {}

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

PackedPanel Weights::panel(Index number, PanelScratch& scratch) const {
  return packed_ ? packed_->panel(number) : unpack(number, scratch);
}

PackedPanel Weights::unpack(Index number, PanelScratch& scratch) const {
  PackedPanel panel = PanelPlan(rows_, columns_).place(number);
  const auto write = [&](const PanelSource& source, const PackedPanel& place) {
    panel.type = source.type;
    std::byte* const to = scratch.take(static_cast<std::size_t>(rows_ * panel.width * bytes_of(source.type)));
    write_panel(source, place, to);
    panel.numbers = to;
    return panel;
  };
  if (const std::optional<PanelSource> source = panel_source(stored_, layout_)) return write(*source, panel);
  const bool is_in_out = layout_ == Layout::in_out;
  Matrix part = is_in_out ? Matrix(rows_, panel.columns) : Matrix(panel.columns, rows_);
  stored_.convert(is_in_out ? 0 : panel.begin, is_in_out ? panel.begin : 0, part);
  return write(panel_source(part, !is_in_out), PanelPlan(rows_, panel.columns).place(0));
}

}  // namespace headlight
