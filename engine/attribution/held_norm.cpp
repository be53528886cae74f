#include "engine/attribution/held_norm.h"

#include <cmath>

#include "engine/forward/block.h"

namespace headlight {

HeldNorm::HeldNorm(const Norm& norm, const Eigen::Ref<const RowVector>& x)
    : is_identity_(is_identity(norm)), centres_(norm.kind == NormKind::layer_norm) {
  if (is_identity_) return;
  DoubleRow y = x.cast<double>();
  if (centres_) y.array() -= y.mean();
  scale_ = 1 / std::sqrt(y.squaredNorm() / static_cast<double>(y.size()) + static_cast<double>(norm.epsilon));
  gain_ = norm.gain.cast<double>();
  if (centres_) bias_ = norm.bias.cast<double>();
}

Doubles HeldNorm::apply(const Doubles& parts) const {
  if (is_identity_) return parts;
  Doubles y = parts;
  if (centres_) y.colwise() -= parts.rowwise().mean();
  return (scale_ * y).array().rowwise() * gain_.array();
}

Doubles HeldNorm::pull(const Doubles& readout) const {
  if (is_identity_) return readout;
  Doubles pulled = (scale_ * readout).array().colwise() * gain_.transpose().array();
  if (centres_) pulled.rowwise() -= pulled.colwise().mean().eval();
  return pulled;
}

}  // namespace headlight
