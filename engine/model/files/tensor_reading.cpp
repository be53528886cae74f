#include "engine/model/files/tensor_reading.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "engine/core/error.h"

namespace headlight {
namespace {

/// Values whose square is too large for a float: scores made from them overflow.
constexpr float kHuge = 1e19F;

struct OddValues {
  std::atomic<std::size_t> nan = 0, infinite = 0, huge = 0;
};

void count_odd_values(std::span<const float> values, OddValues& odd) {
  const bool is_plain = std::all_of(values.begin(), values.end(), [](float value) { return std::abs(value) <= kHuge; });
  if (is_plain) return;
  for (const float value : values) {
    odd.nan += std::isnan(value);
    odd.infinite += std::isinf(value);
    odd.huge += std::isfinite(value) && std::abs(value) > kHuge;
  }
}

std::string describe_odd_values(const StoredTensor& stored, const StoredMatrix& tensor, ThreadPool& pool, const Watch& watch) {
  OddValues odd;
  for_rows(tensor.rows(), pool, [&](Index begin, Index count) {
    Matrix row(1, tensor.cols());
    for (Index at = begin; at < begin + count; ++at) {
      watch.check();
      tensor.convert(at, 0, row);
      count_odd_values({row.data(), static_cast<std::size_t>(row.size())}, odd);
    }
  });
  std::string counts;
  if (odd.nan > 0) counts += fmt::format(" {} NaN", odd.nan.load());
  if (odd.infinite > 0) counts += fmt::format(" {} Inf", odd.infinite.load());
  if (odd.huge > 0) counts += fmt::format(" {} values beyond ±1e19, whose products overflow", odd.huge.load());
  return counts.empty() ? "" : fmt::format("{}: {} holds{}.", stored.reader->name(), printable(stored.info->name), counts);
}

/// Rotary pairs of every head from neighbours (2n, 2n + 1) to halves (n, d_head / 2 + n).
std::vector<Index> rows_of_halves(Index rows, Index d_head) {
  std::vector<Index> order;
  for (Index head = 0; head < rows; head += d_head) {
    for (Index row = 0; row < d_head; ++row) order.push_back(head + (row < d_head / 2 ? 2 * row : 2 * row + 1 - d_head));
  }
  return order;
}

/// A matrix by its rows, a bias (one row) by its numbers.
StoredMatrix with_halves(const StoredMatrix& matrix, bool is_vector, Index d_head) {
  if (!is_vector) return matrix.gather_rows(rows_of_halves(matrix.rows(), d_head));
  const RowVector numbers = matrix.to_matrix().row(0);
  return Matrix(numbers(rows_of_halves(numbers.size(), d_head)));
}

std::uint64_t bytes_of(const PlannedTensor& planned) {
  return planned.stored.info->end - planned.stored.info->begin;
}

/// In the type of the file; vectors are one row.
StoredMatrix read_tensor(const StoredTensor& stored, Index d_head, ThreadPool& pool, const Watch& watch) {
  constexpr std::uint64_t kPiece = std::uint64_t{8} << 20U;
  const TensorInfo& info = *stored.info;
  const std::uint64_t size = info.end - info.begin;
  auto bytes = std::make_shared_for_overwrite<std::byte[]>(size);
  pool.for_each(static_cast<Index>((size + kPiece - 1) / kPiece), [&](Index number) {
    const std::uint64_t begin = static_cast<std::uint64_t>(number) * kPiece;
    stored.reader->read(info.begin + begin, {bytes.get() + begin, std::min(kPiece, size - begin)}, watch);
  });
  const bool is_vector = info.shape.size() == 1;
  const StoredMatrix matrix(info.dtype, is_vector ? 1 : info.shape.front(), info.shape.back(), std::move(bytes));
  return stored.has_permuted_rows ? with_halves(matrix, is_vector, d_head) : matrix;
}

/// Whether it belongs to one layer, and may be stored beside other tensors of this layer. Parts for single heads are joined in their order.
bool is_of_one_layer(const PlannedTensor& planned) {
  const std::string_view name = planned.row->name;
  return planned.spots.size() == 1 && name.find("{}") != std::string_view::npos && name.find("head}") == std::string_view::npos;
}

bool is_for_logits(const PlannedTensor& planned) {
  return planned.row->part == Part::logits || planned.row->part == Part::own_logits || planned.row->part == Part::logits_if_stored;
}

}  // namespace

TensorReading::TensorReading(const CheckedModel& checked, ThreadPool& pool, Progress& progress, Use use)
    : checked_(checked),
      pool_(pool),
      progress_(progress),
      use_(std::move(use)),
      layers_(static_cast<std::size_t>(checked.config.sizes.layers)),
      odd_(checked.plan.size()) {
  // Where a decoder has tables of its own, one may stand in for another that is read after it: all in the order of the plan.
  const bool has_one_stack = !checked.config.sizes.is_encoder_decoder();
  for (std::size_t number = 0; number < checked.plan.size(); ++number) {
    const PlannedTensor& planned = checked.plan[number];
    bytes_ += bytes_of(planned);
    if (is_of_one_layer(planned)) {
      layers_[planned.spots.front().layer].push_back(number);
    } else {
      (has_one_stack && is_for_logits(planned) ? after_ : before_).push_back(number);
    }
  }
  const auto is_larger = [&](std::size_t a, std::size_t b) { return bytes_of(checked.plan[a]) > bytes_of(checked.plan[b]); };
  for (std::vector<std::size_t>& layer : layers_) std::stable_sort(layer.begin(), layer.end(), is_larger);
}

void TensorReading::read_before_layers() {
  read_in_order(before_);
}

void TensorReading::read_layer(std::size_t layer) {
  const std::vector<std::size_t>& numbers = layers_[layer];
  pool_.for_each(std::ssize(numbers), [&](Index at) {
    ThreadPool alone(1);
    read(numbers[static_cast<std::size_t>(at)], alone);
  });
}

void TensorReading::read_after_layers() {
  read_in_order(after_);
}

void TensorReading::read_all() {
  read_before_layers();
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) read_layer(layer);
  read_after_layers();
}

std::vector<std::string> TensorReading::notices() const {
  std::vector<std::string> notices;
  std::copy_if(odd_.begin(), odd_.end(), std::back_inserter(notices), [](const std::string& odd) { return !odd.empty(); });
  return notices;
}

void TensorReading::read_in_order(const std::vector<std::size_t>& numbers) {
  for (const std::size_t number : numbers) read(number, pool_);
}

void TensorReading::read(std::size_t number, ThreadPool& pool) {
  const PlannedTensor& planned = checked_.plan[number];
  progress_.step(static_cast<double>(done_) / static_cast<double>(std::max<std::uint64_t>(bytes_, 1)), "reading weights");
  const StoredMatrix tensor = read_tensor(planned.stored, checked_.config.sizes.heads.d_head, pool, progress_);
  odd_[number] = describe_odd_values(planned.stored, tensor, pool, progress_);
  use_(planned, tensor);
  done_ += bytes_of(planned);
}

}  // namespace headlight
