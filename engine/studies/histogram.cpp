#include "engine/studies/histogram.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr int kStepsOfPower = 8, kLeastPower = -16;

/// 2^(step/8), from a table of decimal digits: the same number on every machine.
double power_of_step(int step) {
  constexpr std::array<double, kStepsOfPower> kRoots = {1,
                                                        1.0905077326652577,
                                                        1.189207115002721,
                                                        1.2968395546510096,
                                                        1.4142135623730951,
                                                        1.5422108254079408,
                                                        1.681792830507429,
                                                        1.8340080864093424};
  const int power = step >= 0 ? step / kStepsOfPower : -((kStepsOfPower - 1 - step) / kStepsOfPower);
  return std::ldexp(kRoots[static_cast<std::size_t>(step - power * kStepsOfPower)], power);
}

double distance_of_bin(std::size_t bin) {
  return bin == 0 ? 0 : power_of_step(static_cast<int>(bin) + kLeastPower * kStepsOfPower);
}

}  // namespace

std::size_t Bins::bin_of(double value) const {
  if (!is_logarithmic()) {
    const double place = (value - low_) / (high_ - low_) * static_cast<double>(kCount);
    return static_cast<std::size_t>(std::clamp(std::floor(place), 0.0, static_cast<double>(kCount - 1)));
  }
  const double distance = std::isinf(low_) ? high_ - value : value - low_;
  std::size_t first = 0, after = kCount;  // the last bin that begins at or before the distance
  while (after - first > 1) {
    const std::size_t middle = (first + after) / 2;
    (distance_of_bin(middle) <= distance ? first : after) = middle;
  }
  return first;
}

double Bins::edge(std::size_t bin) const {
  if (!is_logarithmic()) return low_ + (high_ - low_) * static_cast<double>(bin) / static_cast<double>(kCount);
  return std::isinf(low_) ? high_ - distance_of_bin(bin) : low_ + distance_of_bin(bin);
}

double Histogram::quantile(const Bins& bins, double share) const {
  std::int64_t all = 0;
  for (const std::int64_t count : counts) all += count;
  if (all == 0) return std::numeric_limits<double>::quiet_NaN();
  const bool is_downwards = bins.edge(1) < bins.edge(0);
  const double wanted = (is_downwards ? 1 - share : share) * static_cast<double>(all);
  std::int64_t before = 0;
  std::size_t bin = 0;
  while (bin + 1 < counts.size() && static_cast<double>(before + counts[bin]) < wanted) before += counts[bin++];
  const double inside = counts[bin] == 0 ? 0 : (wanted - static_cast<double>(before)) / static_cast<double>(counts[bin]);
  return bins.edge(bin) + (bins.edge(bin + 1) - bins.edge(bin)) * std::clamp(inside, 0.0, 1.0);
}

}  // namespace headlight
