#include "engine/pipeline/stages/known_rows.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "engine/attention/positions.h"

namespace headlight {
namespace {

/// Masks are compared cell by cell. What edits put in may differ by row, and a map in place has all rows of its text.
bool is_same_but_for_masks(LayerRequest a, const LayerRequest& b) {
  if (!a.edits.empty() || !b.edits.empty()) return false;
  a.mask = b.mask;
  return a == b && a.mask_reach == MaskReach::whole_model;
}

/// Long texts turn queries and keys by other angles (rotary scaling).
bool has_same_angles(const ModelConfig& config, int layer, int d_head, Index tokens, Index other_tokens) {
  if (config.positions.kind != PositionKind::rotary || tokens == other_tokens) return true;
  const RotarySettings& rotary = config.rotary_of(layer);
  return rotary_frequencies(rotary, d_head, tokens) == rotary_frequencies(rotary, d_head, other_tokens);
}

bool sees_nothing_from(const Mask& mask, Index query, Index key) {
  const std::uint8_t* const row = mask.row(query);
  return std::find(row + std::min(key, mask.keys()), row + mask.keys(), std::uint8_t{1}) == row + mask.keys();
}

/// Rows from the top on that both masks let see the same keys, all of them among the first `keys`.
Index count_equal_rows(const Mask& a, const Mask& b, Index rows, Index keys) {
  const auto is_equal = [&](Index query) {
    return std::memcmp(a.row(query), b.row(query), static_cast<std::size_t>(keys)) == 0 && sees_nothing_from(a, query, keys) &&
           sees_nothing_from(b, query, keys);
  };
  for (Index query = 0; query < rows; ++query) {
    if (!is_equal(query)) return query;
  }
  return rows;
}

}  // namespace

Index count_known_rows(const Model& model, const EarlierLayer& earlier, const WantedLayer& wanted) {
  const LayerTrace& before = *earlier.stage.trace;
  if (!is_same_but_for_masks(earlier.stage.request, wanted.request)) return 0;
  const bool is_cross = model.config.place(wanted.number).stack == Stack::cross;
  if (is_cross && earlier.memory != wanted.memory) return 0;
  if (!has_same_angles(model.config, wanted.number, wanted.request.counts.d_head, before.resid_pre.rows(), wanted.resid_pre.rows()))
    return 0;
  Index rows = before.resid_pre.same_rows(wanted.resid_pre);
  const Index keys = is_cross ? before.k.rows() : rows;
  std::set<std::pair<const Mask*, const Mask*>> compared;
  for (int head = 0; head < before.heads; ++head) {
    const Mask& mask = before.mask(head);
    const Mask& other = *wanted.masks[static_cast<std::size_t>(head)];
    if (compared.insert({&mask, &other}).second) rows = count_equal_rows(mask, other, rows, keys);
  }
  return rows;
}

}  // namespace headlight
