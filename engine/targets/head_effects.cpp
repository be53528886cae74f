#include "engine/targets/head_effects.h"

#include <algorithm>

#include "engine/targets/same_bits.h"

namespace headlight {

std::string_view HeadEffects::title() const {
  if (!part) return effect_row(method).measure.title;
  return *part == PatchedPart::z ? "z of another text" : "map of another text";
}

std::string_view HeadEffects::id() const {
  return part ? patch_measures(*part)[kPatchChange] : effect_row(method).measure.id;
}

bool HeadEffects::operator==(const HeadEffects& other) const {
  return target == other.target && method == other.method && part == other.part && has_same_bits(unchanged, other.unchanged) &&
         problem == other.problem && heads == other.heads && have_same_bits(values, other.values);
}

bool ComparedEffects::operator==(const ComparedEffects& other) const {
  const auto is_same = [](const RankAgreement& a, const RankAgreement& b) {
    return a.a == b.a && a.b == b.b && has_same_bits(a.correlation, b.correlation);
  };
  return methods == other.methods &&
         std::equal(agreements.begin(), agreements.end(), other.agreements.begin(), other.agreements.end(), is_same);
}

}  // namespace headlight
