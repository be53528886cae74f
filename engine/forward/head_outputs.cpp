#include "engine/forward/head_outputs.h"

namespace headlight {

void MeanOutputs::add(const HeadOutputs& outputs) {
  sums_.resize(outputs.size());
  counts_.resize(outputs.size());
  for (std::size_t layer = 0; layer < outputs.size(); ++layer) {
    const SharedRows& z = outputs[layer];
    auto& sum = sums_[layer];
    if (z.rows() > sum.rows()) {
      const Index known = sum.rows();
      sum.conservativeResize(z.rows(), z.cols());
      sum.bottomRows(z.rows() - known).setZero();
      counts_[layer].resize(static_cast<std::size_t>(z.rows()), 0);
    }
    sum.topRows(z.rows()) += z.whole()->cast<double>();
    for (Index row = 0; row < z.rows(); ++row) ++counts_[layer][static_cast<std::size_t>(row)];
  }
}

Matrix MeanOutputs::of(HeadId head, int heads) const {
  const auto layer = static_cast<std::size_t>(head.layer);
  if (layer >= sums_.size()) return {};
  const auto& sum = sums_[layer];
  const Index width = sum.cols() / heads;
  Matrix mean(sum.rows(), width);
  for (Index row = 0; row < sum.rows(); ++row) {
    const auto count = static_cast<double>(counts_[layer][static_cast<std::size_t>(row)]);
    mean.row(row) = (sum.row(row).segment(head.head * width, width) / count).cast<float>();
  }
  return mean;
}

}  // namespace headlight
