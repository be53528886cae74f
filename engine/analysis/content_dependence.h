// How much a head's map depends on what the text says (Vig and Belinkov 2019, arXiv 1906.04284): Σ |A − mean A| / 2 Σ A over several texts,
// first N positions. Two rounds over the texts: the mean map, then how far each is from it.
#pragma once

#include "engine/attention/head_rows.h"
#include "engine/measures/measured_row.h"

namespace headlight {

/// The mean of a head's maps. `hidden`: keys that are taken out of the rows, which then share out 1 again; null: none.
/// Thread contract: one thread at a time until it is finished; then several may read it.
class MeanMap {
 public:
  explicit MeanMap(Index positions) : positions_(positions), mean_(Numbers::Zero(positions, positions)) {}

  Index positions() const { return positions_; }
  /// The rows of a text that has N tokens; others are left out by the caller.
  void add(const HeadRows& rows, const HiddenKeys* hidden = nullptr);
  /// How many texts were added.
  void finish(Index texts) { mean_ /= static_cast<double>(texts); }
  /// Σ of the mean of A.
  double sum() const { return mean_.sum(); }
  double at(Index query, Index key) const { return mean_(query, key); }

 private:
  using Numbers = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Index positions_;
  Numbers mean_;
};

/// How far the map of one text is from the mean, of one head. Thread contract: one thread at a time.
class ContentDependence {
 public:
  /// Both outlive it.
  explicit ContentDependence(const MeanMap& mean, const HiddenKeys* hidden = nullptr) : mean_(mean), hidden_(hidden) {}
  void add(const HeadRows& rows, const Mask& mask);
  /// Σ |A − mean A| / 2 Σ mean A: the mean of this over the texts is the measure of all of them. NaN where the sum is 0.
  double value() const { return mean_.sum() > 0 ? apart_ / (2 * mean_.sum()) : std::nan(""); }
  /// The cell that is farthest above the mean.
  const BestCell& best() const { return farthest_; }

 private:
  const MeanMap& mean_;
  const HiddenKeys* hidden_;
  double apart_ = 0;
  BestCell farthest_;
};

}  // namespace headlight
