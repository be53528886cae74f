#include "engine/forward/trace.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

namespace headlight {
namespace {

/// "3 rows hold NaN"; nothing of no rows.
void append_rows(std::string& text, std::int64_t rows, std::string_view one, std::string_view several) {
  if (rows > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", rows, rows == 1 ? one : several);
}

/// Sums up matrices, each once.
class MatrixBytes {
 public:
  void add(const std::shared_ptr<const Matrix>& owner) {
    if (owner && owners_.insert(owner.get()).second) bytes_ += static_cast<std::size_t>(owner->size()) * sizeof(float);
  }
  void add(const SharedRows& rows) {
    rows.for_each_owner([this](const SharedRows::SharedMatrix& owner) { add(owner); });
  }
  /// Of what was added since the last call.
  std::size_t take() { return std::exchange(bytes_, 0); }

 private:
  std::set<const Matrix*> owners_;
  std::size_t bytes_ = 0;
};

std::size_t bytes_of_masks(const Trace& trace) {
  std::set<std::shared_ptr<const Mask>> masks;
  for (const auto& layer : trace.layers) {
    for (const HeadRule& rule : layer->rules) masks.insert(rule.mask);
  }
  std::size_t bytes = 0;
  for (const auto& mask : masks) bytes += mask->bytes();
  return bytes;
}

}  // namespace

void GivenSums::add(const GivenSums& other) {
  if (other.odd_rows > 0) {
    lowest = odd_rows == 0 ? other.lowest : std::min(lowest, other.lowest);
    highest = odd_rows == 0 ? other.highest : std::max(highest, other.highest);
  }
  odd_rows += other.odd_rows;
  nan_rows += other.nan_rows;
  infinite_rows += other.infinite_rows;
  negative_rows += other.negative_rows;
  zero_rows += other.zero_rows;
  forbidden_cells += other.forbidden_cells;
}

std::string sums_text(const GivenSums& sums) {
  std::string text;
  if (sums.odd_rows > 0) {
    const std::string lowest = fmt::format("{:.3g}", sums.lowest), highest = fmt::format("{:.3g}", sums.highest);
    text = fmt::format("not normalised: {} row{} to {}", sums.odd_rows, sums.odd_rows == 1 ? " sums" : "s sum", lowest);
    if (lowest != highest) text += " … " + highest;
  }
  append_rows(text, sums.nan_rows, "row holds NaN", "rows hold NaN");
  append_rows(text, sums.infinite_rows, "row holds infinities", "rows hold infinities");
  append_rows(text, sums.negative_rows, "row holds numbers below 0", "rows hold numbers below 0");
  append_rows(text, sums.zero_rows, "row is all zeros", "rows are all zeros");
  append_rows(text, sums.forbidden_cells, "masked cell holds weight", "masked cells hold weight");
  return text;
}

HeadMaps rebuild_head(const LayerTrace& layer, int head, const Watch& watch) {
  if (!layer.given.empty()) {
    HeadMaps maps;
    maps.weights = layer.given[static_cast<std::size_t>(head)].weights();
    maps.mask = layer.rule(head).mask;
    maps.is_row_masked.assign(static_cast<std::size_t>(maps.weights.rows()), false);
    return maps;
  }
  const int kv_head = kv_head_of(head, layer.heads, layer.kv_heads);
  Matrix q, k, v;
  HeadMaps maps =
      compute_maps(head_columns(layer.q, layer.heads, head, q), head_columns(layer.k, layer.kv_heads, kv_head, k), layer.rule(head), watch);
  maps.v = head_columns(layer.v, layer.kv_heads, kv_head, v);
  maps.value_norms = maps.v.rowwise().norm().transpose();
  return maps;
}

void pass_head(const LayerTrace& layer, int head, const UseRows& use, const Watch& watch) {
  if (!layer.given.empty()) {
    const Matrix& weights = layer.given[static_cast<std::size_t>(head)].weights();
    return use({0, weights});
  }
  const int kv_head = kv_head_of(head, layer.heads, layer.kv_heads);
  Matrix q, k;
  weigh_head_rows(head_columns(layer.q, layer.heads, head, q), head_columns(layer.k, layer.kv_heads, kv_head, k), layer.rule(head), use,
                  watch);
}

LayerMasks masks_of(const LayerTrace& layer) {
  LayerMasks masks;
  for (const HeadRule& rule : layer.rules) masks.push_back(rule.mask);
  return masks;
}

std::vector<MemoryPart> memory_of(const Trace& trace) {
  MatrixBytes matrices;
  std::vector<MemoryPart> parts;
  const auto end_part = [&](const char* kind, std::size_t bytes) {
    if (bytes > 0) parts.push_back({kind, bytes});
  };
  const auto add_of_layers = [&](const auto& add) {
    for (const auto& layer : trace.layers) add(*layer);
  };
  for (const SharedRows* rows : {&trace.embedded, &trace.final_hidden}) matrices.add(*rows);
  add_of_layers([&](const LayerTrace& layer) { matrices.add(layer.resid_pre), matrices.add(layer.resid_post); });
  end_part("hidden states", matrices.take());
  add_of_layers([&](const LayerTrace& layer) {
    layer.q.for_each_owner([&](const SharedRows::SharedMatrix& owner) { matrices.add(owner); });
    matrices.add(layer.k), matrices.add(layer.v);
  });
  end_part("queries, keys and values", matrices.take());
  add_of_layers([&](const LayerTrace& layer) { matrices.add(layer.z); });
  end_part("outputs of heads", matrices.take());
  add_of_layers([&](const LayerTrace& layer) {
    for (const GivenMap& map : layer.given) matrices.add(map.cells);
    for (const HeadRule& rule : layer.rules) matrices.add(rule.placed_weights);
  });
  end_part("maps that were given", matrices.take());
  end_part("masks", bytes_of_masks(trace));
  return parts;
}

std::size_t bytes_of(const Trace& trace) {
  std::size_t bytes = 0;
  for (const MemoryPart& part : memory_of(trace)) bytes += part.bytes;
  return bytes;
}

}  // namespace headlight
