#include "engine/analysis/layer_gauge.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace headlight {

OutputNorms::OutputNorms(const Weights& output, int heads) {
  const Matrix matrix = output.to_matrix();
  const Index width = matrix.rows() / heads;
  for (int head = 0; head < heads; ++head) {
    const Index first = head * width;
    Doubles& gram = grams_.emplace_back(width, width);
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
  double sum = 0;  // in one order, whatever the machine
  for (Index row = 0; row < gram.rows(); ++row) {
    double part = 0;
    for (Index column = 0; column < gram.cols(); ++column) part += gram(row, column) * static_cast<double>(z[column]);
    sum += part * static_cast<double>(z[row]);
  }
  return std::sqrt(std::max(sum, 0.0));
}

LayerGauge::LayerGauge(const GaugePlan& plan, const LayerMasks& masks, bool keeps_cells) : plan_(plan) {
  std::map<const Mask*, std::shared_ptr<const MaskRows>> known;  // heads share masks
  for (const auto& mask : masks) {
    std::shared_ptr<const MaskRows>& rows = known[mask.get()];
    if (!rows) rows = std::make_shared<const MaskRows>(*mask);
    heads_.emplace_back(plan, rows, keeps_cells);
  }
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
  for (const HeadGauge& head : heads_) {
    std::vector<double>& of_head = values.emplace_back();
    for (std::size_t request = 0; request < plan_.size(); ++request) of_head.push_back(head.value(request));
  }
  share_in_layer(plan_, values);
  return values;
}

}  // namespace headlight
