// How much a head's map depends on what the text says (Vig and Belinkov 2019, arXiv 1906.04284): Σ |A − mean A| / 2 Σ A over several texts,
// first N positions. Two rounds over the texts: the mean map, then how far each is from it.
#pragma once

#include "engine/attention/head_rows.h"

namespace headlight {

/// Of one head. Thread contract: one thread at a time.
class ContentDependence {
 public:
  explicit ContentDependence(Index positions) : positions_(positions), mean_(MeanMap::Zero(positions, positions)) {}

  /// First round: the rows of every text that has N tokens; others are left out by the caller.
  void add_to_mean(const HeadRows& rows);
  /// Between the rounds: how many texts were added.
  void finish_mean(Index texts) { mean_ /= static_cast<double>(texts); }
  /// Second round: the same texts again.
  void add_difference(const HeadRows& rows);

  /// NaN without texts.
  double value() const { return sum_ > 0 ? apart_ / (2 * sum_) : std::nan(""); }

 private:
  using MeanMap = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Index positions_;
  MeanMap mean_;
  double apart_ = 0, sum_ = 0;
};

}  // namespace headlight
