#include "engine/targets/pruning_curves.h"

#include <algorithm>

#include "engine/targets/same_bits.h"

namespace headlight {

bool PruningCurves::operator==(const PruningCurves& other) const {
  const auto is_same = [](const PruningStep& a, const PruningStep& b) { return a.removed == b.removed && has_same_bits(a.value, b.value); };
  const auto are_same = [&](const std::vector<PruningStep>& a, const std::vector<PruningStep>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), is_same);
  };
  return has_same_bits(whole, other.whole) && are_same(once, other.once) && are_same(anew, other.anew);
}

}  // namespace headlight
