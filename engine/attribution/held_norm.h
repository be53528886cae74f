// A norm whose scale is held at what it is for one vector, which makes it linear: only then do the parts of that vector have shares that
// add up (Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits", Handling Layer Normalization).
#pragma once

#include "engine/model/model.h"

namespace headlight {

/// Sums of many parts are made in double precision.
using Doubles = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using DoubleRow = Eigen::RowVectorXd;

class HeldNorm {
 public:
  /// The norm as it is for x [width]. It outlives this; an empty norm is the identity.
  HeldNorm(const Norm& norm, const Eigen::Ref<const RowVector>& x);

  /// parts [n, width], one a row, without the bias: (y − mean of y) · scale · gain, of an RMSNorm y · scale · gain.
  Doubles apply(const Doubles& parts) const;
  /// What is read from the norm's output, as read from its input. readout [width, m], one column for each number that is read.
  Doubles pull(const Doubles& readout) const;
  bool has_bias() const { return !is_identity_ && bias_.size() > 0 && !bias_.isZero(0); }
  DoubleRow bias() const { return bias_; }  ///< [width]

 private:
  bool is_identity_ = true, centres_ = false;
  double scale_ = 1;
  DoubleRow gain_, bias_;
};

}  // namespace headlight
