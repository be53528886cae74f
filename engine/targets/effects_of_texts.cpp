#include "engine/targets/effects_of_texts.h"

#include <algorithm>
#include <limits>

#include "engine/targets/same_bits.h"

namespace headlight {
bool MeansOfTexts::operator==(const MeansOfTexts& other) const {
  return method == other.method && have_same_bits(means, other.means) && have_same_bits(errors, other.errors) && counts == other.counts;
}

const MeansOfTexts* EffectsOfTexts::find(EffectMethod method) const {
  if (part) return nullptr;
  const auto found = std::find_if(ways.begin(), ways.end(), [&](const MeansOfTexts& way) { return way.method == method; });
  return found == ways.end() ? nullptr : &*found;
}

HeadEffects EffectsOfTexts::effects_of(const MeansOfTexts& way) const {
  return {.target = target,
          .method = way.method,
          .part = part,
          .unchanged = std::numeric_limits<double>::quiet_NaN(),
          .heads = places,
          .values = way.means};
}

bool EffectsOfTexts::operator==(const EffectsOfTexts& other) const {
  return file == other.file && texts == other.texts && left_out == other.left_out && is_finished == other.is_finished &&
         target == other.target && part == other.part && places == other.places && ways == other.ways &&
         has_same_bits(unpatched, other.unpatched) && has_same_bits(partner, other.partner) && have_same_bits(shares, other.shares);
}

}  // namespace headlight
