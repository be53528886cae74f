#include "engine/analysis/layer_gauge.h"

#include <algorithm>
#include <cmath>

#include "engine/kernels/instruction_set.h"

namespace headlight {

OutputNorms::OutputNorms(const Weights& output, int heads) {
  const Matrix matrix = output.to_matrix();
  const Index width = matrix.rows() / heads;
  constexpr Index kLane = 16;
  for (int head = 0; head < heads; ++head) {
    const Index first = head * width;
    Doubles& gram = grams_.emplace_back(Doubles::Zero(width, (width + kLane - 1) / kLane * kLane));
    for (Index row = 0; row < width; ++row) {
      for (Index column = 0; column <= row; ++column) {
        double sum = 0;
        for (Index at = 0; at < matrix.cols(); ++at) {
          sum += static_cast<double>(matrix(first + row, at)) * static_cast<double>(matrix(first + column, at));
        }
        gram(row, column) = gram(column, row) = sum;
      }
    }
  }
}

double OutputNorms::norm(int head, const float* z) const {
  const Doubles& gram = grams_[static_cast<std::size_t>(head)];
  const double square = instruction_set().quadratic({.matrix = gram.data(), .width = gram.rows(), .stride = gram.cols(), .z = z});
  return std::sqrt(std::max(square, 0.0));
}

LayerGauge::LayerGauge(const GaugePlan& plan, const LayerMasks& masks, KnownMaskRows& known, bool keeps_cells) : plan_(plan) {
  for (const auto& mask : masks) heads_.emplace_back(plan, known.of(mask), keeps_cells);
}

void LayerGauge::add_outputs(const LayerTrace& trace, const OutputNorms& norms) {
  if (!plan_.needs_outputs() || trace.z.size() == 0) return;
  const SharedRows::SharedMatrix z = trace.z.whole();
  const Index width = z->cols() / heads();
  for (int head = 0; head < heads(); ++head) {
    for (Index query = 0; query < z->rows(); ++query) {
      heads_[static_cast<std::size_t>(head)].add_output(query, norms.norm(head, z->row(query).data() + head * width));
    }
  }
}

std::vector<std::vector<double>> LayerGauge::values() const {
  std::vector<std::vector<double>> values;
  values.reserve(heads_.size());
  for (const HeadGauge& head : heads_) {
    std::vector<double>& of_head = values.emplace_back();
    of_head.reserve(plan_.size());
    for (std::size_t request = 0; request < plan_.size(); ++request) of_head.push_back(head.value(request));
  }
  share_in_layer(plan_, values);
  return values;
}

}  // namespace headlight
