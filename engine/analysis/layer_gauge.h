// Measures of all heads of a layer, gathered while it runs.
#pragma once

#include <deque>
#include <vector>

#include "engine/forward/trace.h"
#include "engine/measures/head_gauge.h"

namespace headlight {

/// W_O of every head of a layer, as norms of what passes through it need it. Made once for all texts.
class OutputNorms {
 public:
  /// W_O [heads · d_value, d_model]. Its bias, which no head owns, is left out.
  OutputNorms(const Weights& output, int heads);
  /// ‖z W_O‖; z [d_value] of this head.
  double norm(int head, const float* z) const;

 private:
  using Doubles = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  /// W Wᵀ by head: ‖z W‖² is z W Wᵀ zᵀ, and W Wᵀ is much smaller than W. [d_value, d_value], and zeros up to a multiple of sixteen columns.
  std::vector<Doubles> grams_;
};

/// Thread contract: add may be called for several heads from several threads at once.
class LayerGauge {
 public:
  /// One mask per head. The plan outlives the gauge.
  LayerGauge(const GaugePlan& plan, const LayerMasks& masks, KnownMaskRows& known, bool keeps_cells = false);

  /// Rows of one head, from top to bottom (HeadObserver).
  void add(int head, const HeadRows& rows) { heads_[static_cast<std::size_t>(head)].add(rows); }
  /// What the heads wrote, once the layer is there.
  void add_outputs(const LayerTrace& trace, const OutputNorms& norms);

  int heads() const { return static_cast<int>(heads_.size()); }
  const HeadGauge& head(int number) const { return heads_[static_cast<std::size_t>(number)]; }
  /// [head][request]; NaN: undefined.
  std::vector<std::vector<double>> values() const;

 private:
  const GaugePlan& plan_;
  std::deque<HeadGauge> heads_;
};

}  // namespace headlight
