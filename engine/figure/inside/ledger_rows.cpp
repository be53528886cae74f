#include "engine/figure/inside/ledger_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "engine/core/numbers.h"

namespace headlight {
namespace {

constexpr std::size_t kOpenedAtOnce = 12;

class Planner {
 public:
  Planner(const Inside& inside, const RowWishes& wishes)
      : inside_(inside), wishes_(wishes), is_shown_(static_cast<std::size_t>(inside.keys()), false) {}

  std::vector<LedgerRow> plan() {
    if (wishes_.shows_masked && fits_all(true)) return rows(false);
    if (fits_all(false)) return rows(false);
    is_shown_.assign(is_shown_.size(), false);
    is_merged_ = rows(false).size() > wishes_.most;
    if (!show(wishes_.chosen_key)) {
      is_merged_ = true;
      show(wishes_.chosen_key);
    }
    for (const Index key : opened_by_weight()) show(key);
    Index shown = wishes_.opened.contains(wishes_.chosen_key) ? 0 : 1;
    for (const Index key : inside_.by_weight) {
      if (is_limited() && shown >= wishes_.most_keys) break;
      const bool is_there = is_shown_[static_cast<std::size_t>(key)];
      if (!show(key)) break;
      shown += is_there ? 0 : 1;
    }
    return rows(is_merged_);
  }

 private:
  bool is_limited() const { return wishes_.most_keys > 0; }
  bool is_allowed(Index key) const { return inside_.row.is_allowed[static_cast<std::size_t>(key)]; }
  bool fits_all(bool with_masked) {
    if (is_limited() && inside_.row.allowed > wishes_.most_keys) return false;
    std::size_t shown = 0;
    for (Index key = 0; key < inside_.keys(); ++key) {
      const bool is_shown = with_masked || is_allowed(key);
      is_shown_[static_cast<std::size_t>(key)] = is_shown;
      shown += is_shown ? 1 : 0;
      if (shown > wishes_.most) return false;
    }
    return rows(false).size() <= wishes_.most;
  }
  std::vector<Index> opened_by_weight() const {
    std::vector<Index> keys;
    for (const Index key : wishes_.opened) {
      if (key >= 0 && key < inside_.keys()) keys.push_back(key);
    }
    std::stable_sort(keys.begin(), keys.end(), [&](Index a, Index b) { return inside_.row.weights[a] > inside_.row.weights[b]; });
    return keys;
  }
  /// Whether there was room for it.
  bool show(Index key) {
    const auto place = static_cast<std::size_t>(key);
    if (key < 0 || key >= inside_.keys() || is_shown_[place]) return true;
    is_shown_[place] = true;
    if (rows(is_merged_).size() <= wishes_.most) return true;
    is_shown_[place] = false;
    return false;
  }

  /// `is_merged`: keys that are folded and keys that are masked share a row, where the mask is too finely cut for rows of their own.
  std::vector<LedgerRow> rows(bool is_merged) const {
    std::vector<LedgerRow> rows;
    if (inside_.row.sink) {
      rows.push_back({.kind = LedgerRow::Kind::sink});
      rows.back().weight = inside_.row.sink->share;
      rows.back().exps = inside_.row.sink->exp;
    }
    for (Index key = 0; key < inside_.keys(); ++key) {
      const auto place = static_cast<std::size_t>(key);
      if (is_shown_[place]) {
        rows.push_back({.kind = LedgerRow::Kind::key, .begin = key, .end = key + 1});
        continue;
      }
      const LedgerRow::Kind kind = is_allowed(key) ? LedgerRow::Kind::fold : LedgerRow::Kind::masked;
      const bool is_fold = !rows.empty() && rows.back().end == key && (rows.back().kind == kind || is_merged) &&
                           (rows.back().kind == LedgerRow::Kind::fold || rows.back().kind == LedgerRow::Kind::masked);
      if (!is_fold) rows.push_back({.kind = kind, .begin = key});
      if (kind == LedgerRow::Kind::fold) rows.back().kind = kind;  // a key that counts makes a fold of masked ones
      rows.back().end = key + 1;
    }
    for (LedgerRow& row : rows) take_sums(row);
    return rows;
  }
  void take_sums(LedgerRow& row) const {
    if (row.kind == LedgerRow::Kind::sink) return;
    row.largest = row.largest_score = row.largest_scaled = -std::numeric_limits<float>::infinity();
    for (Index key = row.begin; key < row.end; ++key) {
      row.exps += inside_.row.exps[key];
      row.weight += inside_.row.weights[key];
      if (!is_allowed(key)) {
        ++row.masked_inside;
        if (row.kind != LedgerRow::Kind::masked) continue;
      }
      row.largest = std::max(row.largest, inside_.row.finals[key]);
      row.largest_score = std::max(row.largest_score, inside_.row.scores[key]);
      row.largest_scaled = std::max(row.largest_scaled, inside_.row.scaled[key]);
    }
    // A single key needs no fold.
    if (row.keys() == 1 && row.kind == LedgerRow::Kind::fold) row.kind = LedgerRow::Kind::key;
  }

  const Inside& inside_;
  const RowWishes& wishes_;
  std::vector<bool> is_shown_;
  bool is_merged_ = false;
};

}  // namespace

std::vector<LedgerRow> plan_rows(const Inside& inside, const RowWishes& wishes) {
  return Planner(inside, wishes).plan();
}

Index key_to_mark(const Inside& inside) {
  return inside.by_weight.empty() ? 0 : inside.by_weight.front();
}

std::string folding_text(const Inside& inside, const std::vector<LedgerRow>& rows) {
  Index shown = 0, folded = 0;
  double shown_mass = inside.row.sink ? static_cast<double>(inside.row.sink->share) : 0.0, folded_mass = 0;
  for (const LedgerRow& row : rows) {
    if (row.kind == LedgerRow::Kind::key) {
      shown += row.masked_inside > 0 ? 0 : 1;
      shown_mass += static_cast<double>(row.weight);
    } else if (row.kind == LedgerRow::Kind::fold) {
      folded += row.keys() - row.masked_inside;
      folded_mass += static_cast<double>(row.weight);
    }
  }
  if (folded == 0) return {};
  return fmt::format("{} of {} keys shown, mass {}; {} folded, {}", shown, inside.row.allowed, weight_text(shown_mass, 4), folded,
                     weight_text(folded_mass, 4));
}

std::vector<Index> largest_of_fold(const Inside& inside, const LedgerRow& fold) {
  std::vector<Index> keys;
  for (const Index key : inside.by_weight) {
    if (key >= fold.begin && key < fold.end && keys.size() < kOpenedAtOnce) keys.push_back(key);
  }
  for (Index key = fold.begin; key < fold.end && keys.empty(); ++key) keys.push_back(key);
  return keys;
}

}  // namespace headlight
