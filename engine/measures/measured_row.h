// A row of a map as measures are given it, and how a measure's function of one row is applied to many.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "engine/core/matrix.h"
#include "engine/measures/measured_text.h"

namespace headlight {

/// Tokens from `begin` up to, but not with, `end`.
struct TokenSpan {
  Index begin = 0, end = 0;
  bool contains(Index token) const { return token >= begin && token < end; }
  bool operator==(const TokenSpan&) const = default;
};

/// What some measures ask for besides the row (Measure::needs).
struct MeasureSettings {
  Index distance = 1;                      ///< d: mass on keys farther away than this
  Index offset = -1;                       ///< key − query
  Index key = 0;                           ///< a position
  KeySet keys = {};                        ///< which keys count
  TokenSpan queries = {}, span_keys = {};  ///< from which span to which
  Index positions = 0;                     ///< N: of each text the first so many
};

struct MeasuredRow;

/// What a measure is told besides a row: the same for all rows that are measured at once.
struct MeasureContext {
  const MeasuredText* text = nullptr;
  const MeasureSettings* settings = nullptr;
  std::span<const std::uint8_t> chosen = {};  ///< [keys] 1: in MeasureSettings::keys
  const MeasuredRow* rows = nullptr;          ///< those that are measured at once
  std::size_t row_count = 0;
};

/// A row that has no more than this left without the keys that are taken out of it does not count.
inline constexpr double kLeastRest = 1e-6;

/// Keys that are taken out of rows before these are measured.
struct HiddenKeys {
  std::vector<Index> positions;     ///< rising
  std::vector<std::uint8_t> flags;  ///< [keys] 1: taken out
};

/// Numbers of one row of a matrix, which outlives this.
using RowNumbers = Eigen::Map<const RowVector>;
inline RowNumbers numbers_of_row(const MatrixView& matrix, Index row) {
  return {matrix.data() + row * matrix.outerStride(), matrix.cols()};
}

/// What several measures of a row need is computed once, when the first of them asks.
struct MeasuredRow {
  /// Up to the last key that this query, or another of the rows that were computed with it, may attend to. Those behind have weight 0.
  RowNumbers weights;
  const std::uint8_t* cells = nullptr;  ///< one for each weight: 1 where the query may attend
  Index query = 0;
  Index allowed = 0;  ///< keys that the query may attend to: 2 or more in an informative row
  float largest = 0;  ///< NaN where a weight is
  const MeasureContext* context = nullptr;
  const HiddenKeys* hidden = nullptr;  ///< null: none were taken out
  const MeasuredRow* whole = nullptr;  ///< the row before keys were taken out of it
  double left = 1;                     ///< of the whole row's mass

  /// False for positions outside the row.
  bool allows(Index key) const { return key >= 0 && key < weights.size() && cells[key] != 0 && !hides(key); }
  bool hides(Index key) const {
    return hidden != nullptr && key >= 0 && key < std::ssize(hidden->flags) && hidden->flags[static_cast<std::size_t>(key)] != 0;
  }
  /// −Σ a ln a, in nats.
  double entropy() const {
    if (std::isnan(known.entropy)) find_entropy();
    return known.entropy;
  }
  double exp_of_entropy() const {
    if (std::isnan(known.exp_of_entropy)) find_exp_of_entropy();
    return known.exp_of_entropy;
  }
  /// Σ a
  double mass() const {
    if (std::isnan(known.mass)) find_mass();
    return known.mass;
  }
  /// Σ a over all keys but these, in rising order.
  double mass_without(std::span<const Index> positions) const;
  /// Σ a over all keys but key 0 and the query's own.
  double mass_between() const {
    if (std::isnan(known.mass_between)) find_mass_between();
    return known.mass_between;
  }
  /// ln |allowed keys|
  double log_allowed() const {
    if (std::isnan(known.log_allowed)) find_log_allowed();
    return known.log_allowed;
  }
  /// Of equal weights the first; one past the last key where a weight is NaN.
  Index strongest_key() const {
    if (known.strongest_key < 0) find_strongest_key();
    return known.strongest_key;
  }

  struct Known {
    double entropy = std::numeric_limits<double>::quiet_NaN();
    double exp_of_entropy = std::numeric_limits<double>::quiet_NaN();
    double mass = std::numeric_limits<double>::quiet_NaN();
    double mass_between = std::numeric_limits<double>::quiet_NaN();
    double log_allowed = std::numeric_limits<double>::quiet_NaN();
    Index strongest_key = -1;
  };
  mutable Known known = {};

 private:
  void find_entropy() const;
  void find_exp_of_entropy() const;
  void find_mass() const;
  void find_mass_between() const;
  void find_log_allowed() const;
  void find_strongest_key() const;
};

/// ln count, with the bits of steady_log.
double log_of_count(Index count);

/// What a row adds to a measure.
struct RowValue {
  RowValue(double of_row, double with_weight = 1, Index at_key = -1)  // NOLINT(google-explicit-constructor): mostly a number alone
      : value(of_row), weight(with_weight), key(at_key) {}
  double value;
  double weight;
  Index key;  ///< the heaviest key that it counted; −1: the row's heaviest
};

/// Σ value / Σ weight over the rows that count.
struct MeasureSum {
  double value = 0;
  Index rows = 0;  ///< between the two sums: beside each other they would be added in one instruction, which waits for both of a row
  double weight = 0;

  void add(const RowValue& row) {
    value += row.value;
    weight += row.weight;
    ++rows;
  }
  /// NaN where nothing counted.
  double mean() const { return rows == 0 || weight == 0 ? std::numeric_limits<double>::quiet_NaN() : value / weight; }
};

/// The row that gave a measure most, and its heaviest key that counted. query −1: there is none.
struct BestCell {
  Index query = -1, key = -1;
  float weight = 0;
  double value = 0;  ///< what the row gave
};

/// What one measure of one head has gathered from the rows so far.
struct GatheredMeasure {
  MeasureSum sum = {};
  bool keeps_best = false;
  BestCell best = {};

  /// Whether a row that gives this is better than all before.
  bool is_best(double value) const { return best.query < 0 || value > best.value; }
  void keep(const MeasuredRow& row, const RowValue& value);
};

/// A measure's function of a row, which is nullopt where the row does not count; also compiled into a loop over many rows, since calling it
/// for each would take as long as what it does.
class RowFunction {
 public:
  constexpr RowFunction() = default;
  constexpr RowFunction(std::nullptr_t) {}  // NOLINT(google-explicit-constructor): as a pointer to a function is
  template <typename Function>
  requires std::is_empty_v<Function>
  constexpr RowFunction(Function)  // NOLINT(google-explicit-constructor): as a pointer to a function is
      : of_row_(call<Function>), of_rows_(gather<Function>) {}

  std::optional<RowValue> operator()(const MeasuredRow& row) const { return of_row_(row); }
  /// Adds the rows that may attend to at least so many keys.
  void add(std::span<const MeasuredRow> rows, Index least_allowed, GatheredMeasure& measure) const {
    of_rows_(rows, least_allowed, measure);
  }
  constexpr bool operator==(std::nullptr_t) const { return of_row_ == nullptr; }

 private:
  template <typename Function>
  static std::optional<RowValue> call(const MeasuredRow& row) {
    return Function{}(row);
  }
  template <typename Function>
  static void gather(std::span<const MeasuredRow> rows, Index least_allowed, GatheredMeasure& measure) {
    MeasureSum sum = measure.sum;
    for (const MeasuredRow& row : rows) {
      if (row.allowed < least_allowed) continue;
      const std::optional<RowValue> value = Function{}(row);
      if (!value) continue;
      sum.add(*value);
      if (measure.keeps_best && measure.is_best(value->value)) measure.keep(row, *value);
    }
    measure.sum = sum;
  }

  std::optional<RowValue> (*of_row_)(const MeasuredRow& row) = nullptr;
  void (*of_rows_)(std::span<const MeasuredRow> rows, Index least_allowed, GatheredMeasure& measure) = nullptr;
};

/// `.of_row = by_row<entropy>`
template <auto function>
struct ByRow {
  std::optional<RowValue> operator()(const MeasuredRow& row) const { return function(row); }
};
template <auto function>
inline constexpr ByRow<function> by_row = {};

}  // namespace headlight
