#include "engine/targets/patches.h"

#include <algorithm>
#include <limits>

#include "engine/targets/same_bits.h"

namespace headlight {

double PatchSweep::recovered(const PatchValue& patched) const {
  return other == unpatched ? std::numeric_limits<double>::quiet_NaN() : (patched.value - unpatched) / (other - unpatched);
}

bool PatchSweep::operator==(const PatchSweep& other_sweep) const {
  const auto is_same = [](const PatchValue& a, const PatchValue& b) {
    return a.layer == b.layer && a.head == b.head && a.position == b.position && has_same_bits(a.value, b.value);
  };
  return other_ids == other_sweep.other_ids && has_same_bits(unpatched, other_sweep.unpatched) && has_same_bits(other, other_sweep.other) &&
         std::equal(values.begin(), values.end(), other_sweep.values.begin(), other_sweep.values.end(), is_same);
}

}  // namespace headlight
