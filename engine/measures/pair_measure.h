// How alike two heads are: measures of two rows of the same query at a time, one row of a table each, gathered while the rows pass by.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "engine/measures/head_gauge.h"

namespace headlight {

/// The same query of two heads of one text.
struct RowPair {
  Eigen::Ref<const RowVector> a, b;                ///< weights over the same keys
  Eigen::Ref<const RowVector> output_a, output_b;  ///< z, of any width; empty where only the maps are known
};

struct PairMeasure {
  std::string_view id;  ///< as Measure::id
  std::string_view title, unit, formula, meaning, source;
  double low = 0, high = 1;
  std::string_view undefined;
  double example = 0;  ///< the worked example beside an even causal head
  bool needs_outputs = false;
  bool is_symmetric = true;
  MeasuredRows rows = MeasuredRows::informative;
  std::optional<double> (*of_rows)(const RowPair& pair);  ///< nullopt: the row does not count
};

/// Jensen–Shannon divergence, and as Clark et al. smooth it; Kullback–Leibler divergence, agreement of attention, agreement of outputs.
std::span<const PairMeasure> pair_measures();
/// Throws std::out_of_range if the table has no such row.
const PairMeasure& pair_measure_of(std::string_view id);

/// The mean over the rows that count for the measure (measure.h), in which it has a value.
class PairGauge {
 public:
  explicit PairGauge(const PairMeasure& measure) : measure_(&measure) {}
  /// A row of both heads that counts for the measure.
  void add(const RowPair& pair);
  double value() const { return sum_.mean(); }
  Index rows() const { return sum_.rows; }
  Index skipped() const { return skipped_; }  ///< rows without a value, such as outputs of zero

 private:
  const PairMeasure* measure_;
  MeasureSum sum_;
  Index skipped_ = 0;
};

/// Two whole maps with the same mask; outputs [queries, width] or empty.
double compare_maps(const PairMeasure& measure, const Mask& mask, const MatrixView& a, const MatrixView& b,
                    const MatrixView& output_a = Matrix(), const MatrixView& output_b = Matrix());

}  // namespace headlight
